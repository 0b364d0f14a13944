/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * page.h: a page of a result: one vector for each column.
 */
#pragma once

#include "client/kvsql-types.h"
#include "idl/wire/protocol.h"

G_BEGIN_DECLS

/* The kind of a column's vector: which list of the wire's Column is set. */
typedef enum
{
  KVSQL_CELLS_NONE, /* all rows are NULL */
  KVSQL_CELLS_BOOLEAN,
  KVSQL_CELLS_INT64,
  KVSQL_CELLS_DOUBLE,
  KVSQL_CELLS_TEXT, /* UTF-8 */
  KVSQL_CELLS_BYTES,
} KvsqlCellKind;

typedef struct
{
  KvsqlCellKind kind;
  guint32 n_rows;
  guint8 *nulls; /* bitmap, least significant bit first; NULL: no NULLs */
  gsize nulls_size;
  union
  {
    gpointer any;
    guint8 *booleans;
    gint64 *integers;
    gdouble *reals;
    gchar *bytes; /* row r: offsets[r] .. offsets[r + 1] - 1, then a NUL byte */
  };
  guint32 *offsets; /* n_rows + 1, for TEXT and BYTES */
} KvsqlCells;

typedef struct
{
  gchar *name;
  gint32 type; /* KvsqlColumnType, or a number of a newer kvsqld */
  gboolean is_nullable;
  gchar *relation; /* nullable */
} KvsqlColumnInfo;

typedef struct
{
  gint32 n_rows;
  GArray *columns;     /* KvsqlCells */
  GArray *info;        /* KvsqlColumnInfo; NULL: not sent */
  GBytes *cursor;      /* NULL: the last page */
  gint64 affected;     /* -1: not sent */
  GPtrArray *warnings; /* gchar; nullable */
  gdouble done;        /* 0 … 1; -1: not sent */
} KvsqlPage;

#define KVSQL_PAGE_INIT                                                                            \
  {                                                                                                \
    .affected = -1, .done = -1                                                                     \
  }

void _kvsql_page_clear (KvsqlPage *self);

GArray *_kvsql_column_infos_new (void);
gboolean _kvsql_column_infos_read (KvsqlProtocol *protocol, GArray *out,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * _kvsql_page_read:
 * @out: a cleared page; after a failure it may be partly filled
 *
 * Reads a struct Page. Checks that all vectors have the page's number of rows and that texts are
 * UTF-8.
 */
gboolean _kvsql_page_read (KvsqlProtocol *protocol, KvsqlPage *out,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Checks that the vector of each column has the kind that its type in @info requires. */
gboolean _kvsql_page_check_types (const KvsqlPage *self, const GArray *info,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

static inline gboolean
_kvsql_cells_is_null (const KvsqlCells *self, guint32 row)
{
  return self->kind == KVSQL_CELLS_NONE
         || (self->nulls != NULL && (self->nulls[row >> 3] >> (row & 7) & 1) != 0);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlPage, _kvsql_page_clear)

G_END_DECLS
