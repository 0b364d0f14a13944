/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statement-constructs.h: statements of which one part is repeated as often as is wanted.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;
  const gchar *begin;
  const gchar *term; /* "#" is the term's number, and "##" a "#" */
  const gchar *joint;
  const gchar *end;
  const gchar *undo;    /* nullable: a statement, for one that has changed something */
  gboolean is_mirrored; /* after @end come as many @joint instead of one between two terms */
  const gchar *tail;    /* nullable: the end, after what is mirrored */
  gint error;           /* KvsqlError that three terms must end with; 0: they must succeed */
} StatementConstruct;

extern const StatementConstruct statement_constructs[];
extern const guint n_statement_constructs;

/* The relations and tuples that they are about, as a script. */
extern const gchar *const statement_construct_definitions;

/* (transfer full) */
gchar *statement_construct_repeat (const StatementConstruct *self, guint n);
/* How often a term fits into @size bytes. */
guint statement_construct_count_fitting (const StatementConstruct *self, gsize size);

G_END_DECLS
