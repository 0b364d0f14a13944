/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * result-page.h: the result of a statement, or a part of its rows.
 */
#pragma once

#include "core/base/vector.h"
#include "core/schema/type-limit.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;
  KvsqlType type;
  gboolean is_nullable;
  const gchar *relation;              /* nullable: it is an attribute of this relation */
  guint32 relation_number, attribute; /* the relation's number, and which attribute, from 1 on */
  KvsqlTypeLimit limit;               /* of the attribute that it is */
} KvsqlResultColumn;

/* Where a page ends: at the first of the two. It has at least one row, if there is one. */
typedef struct
{
  guint max_rows;
  gsize max_bytes;
} KvsqlPageBounds;

/* One page of a result, or the result of a statement without rows. */
typedef struct
{
  KvsqlResultColumn *columns; /* set on the first page of a result only; NULL otherwise */
  guint n_columns;            /* of @rows, on every page */
  KvsqlBatch *rows;           /* NULL when the statement returns no rows */
  KvsqlArena *arena;          /* owns @columns and the bytes of @rows */
  GBytes *cursor;             /* NULL: the end */
  gint64 affected;            /* tuples written or deleted; -1: the statement writes none */
  gdouble done;               /* estimated share of the whole result, 0 … 1; < 0: not known */
  GPtrArray *warnings;        /* (element-type utf8) nullable */
} KvsqlResultPage;

void kvsql_result_page_free (KvsqlResultPage *self); /* accepts NULL */
KvsqlResultPage *kvsql_result_page_new_empty (gint64 affected);
void kvsql_result_page_warn (KvsqlResultPage *self, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
/* Added to the warnings with the prefix "note: ", for what is not wrong. */
void kvsql_result_page_note (KvsqlResultPage *self, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
/* NUMERIC(p, s) is shown with s digits after the point. Values have no zeros at their end, so they
 * are added here, in the vectors of a page that is complete. */
void kvsql_result_show_digits (KvsqlBatch *rows, guint column, const KvsqlTypeLimit *limit,
                               KvsqlArena *arena);
/* A table of text, for SHOW and similar statements: first the columns, then rows of n_columns texts
 * (NULL: NULL). */
KvsqlResultPage *kvsql_result_page_new_table (const gchar *const *names, guint n_columns);
void kvsql_result_page_add_row (KvsqlResultPage *self, const gchar *const *texts);
/* A time for such a table, in UTC. @ms: since 1970. (transfer full) */
gchar *kvsql_time_text (gint64 ms);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlResultPage, kvsql_result_page_free)

G_END_DECLS
