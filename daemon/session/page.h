/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * page.h: what a request returns: a page of rows, or the description of a prepared statement.
 */
#pragma once

#include "core/base/vector.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *name;
  KvsqlType type;
  gboolean is_nullable;
  gchar *relation; /* nullable */
} KvsqldColumn;

/* One page of a result, or the result of a statement without rows. */
typedef struct
{
  KvsqldColumn *columns; /* set on the first page of a result only; NULL otherwise */
  guint n_columns;       /* of @rows, on every page */
  KvsqlBatch *rows;      /* NULL when the statement returns no rows */
  KvsqlArena *arena;     /* owns the bytes of @rows */
  GBytes *cursor;        /* NULL: the end */
  gint64 affected;       /* tuples written or deleted; -1: the statement writes none */
  gdouble done;          /* estimated share of the whole result, 0 … 1; < 0: not known */
  GPtrArray *warnings;   /* (element-type utf8) nullable */
} KvsqldPage;

void kvsqld_page_free (KvsqldPage *self); /* accepts NULL */
KvsqldPage *kvsqld_page_new_empty (gint64 affected);
/* For a page after the first. */
void kvsqld_page_forget_columns (KvsqldPage *self);
void kvsqld_page_warn (KvsqldPage *self, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
/* Added to the warnings with the prefix "note: ", for what is not wrong. */
void kvsqld_page_note (KvsqldPage *self, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
/* A table of text, for SHOW and similar statements: first the columns, then rows of n_columns texts
 * (NULL: NULL). */
KvsqldPage *kvsqld_page_new_table (const gchar *const *names, guint n_columns);
void kvsqld_page_add_row (KvsqldPage *self, const gchar *const *texts);

typedef struct
{
  gint64 id;
  guint n_parameters;
  gchar **parameter_names; /* n_parameters + 1, NULL entries for `?` */
  KvsqlType *parameter_types;
  guint n_columns;
  KvsqldColumn *columns;
} KvsqldPrepared;

void kvsqld_prepared_free (KvsqldPrepared *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldPage, kvsqld_page_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldPrepared, kvsqld_prepared_free)

G_END_DECLS
