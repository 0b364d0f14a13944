/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * table-sample.h: what the first rows of a table of the store have.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

/* At most so many rows are counted, and so many columns. */
#define KVSQL_SAMPLE_ROWS 1000
#define KVSQL_SAMPLE_COLUMNS 1000

typedef struct
{
  KvsqlSlice family;
  KvsqlSlice qualifier;
  guint n_rows; /* that have it */
} KvsqlSampledColumn;

typedef struct
{
  guint n_rows;
  gboolean has_more_rows;    /* the table has more than KVSQL_SAMPLE_ROWS rows */
  gboolean has_more_columns; /* these rows have more columns than are in @columns */
  GArray *columns;           /* of KvsqlSampledColumn, by family and qualifier */
  KvsqlArena *arena;
} KvsqlTableSample;

/* Reads no values. */
gboolean kvsql_table_sample_read (KvsqlTableSample *self, KvsqlStore *store, KvsqlSlice table,
                                  const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsql_table_sample_clear (KvsqlTableSample *self);
/* "17", or "more than 1,000". (transfer full) */
gchar *kvsql_table_sample_describe_rows (const KvsqlTableSample *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlTableSample, kvsql_table_sample_clear)

G_END_DECLS
