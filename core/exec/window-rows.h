/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window-rows.h: the rows around the current row of a window: those that its frames need, and those
 * that are read ahead.
 *
 * Rows are numbered from 0 in the order of the input, over all partitions. They are kept in chunks
 * of KVSQL_BATCH_ROWS rows. What does not fit into memory is written to a temporary file, and read
 * again when it is needed. Not thread-safe.
 */
#pragma once

#include "core/base/vector.h"
#include "core/exec/row-source.h"
#include "core/exec/sort.h"

G_BEGIN_DECLS

typedef struct _KvsqlWindowRows KvsqlWindowRows;

/* The places of a row's partition and peers. */
typedef struct
{
  guint64 partition; /* the number of the first row of its partition */
  guint64 peers;     /* that of the first row with equal values of ORDER BY */
  guint64 group;     /* the number of its group of peers in the partition, from 0 */
} KvsqlWindowPlace;

/* @limits: copied. KVSQL_ERROR_LIMIT beyond them. */
KvsqlWindowRows *kvsql_window_rows_new (const KvsqlType *types, guint n_columns,
                                        const KvsqlKeyPart *partition, guint n_partition,
                                        const KvsqlKeyPart *order, guint n_order,
                                        const KvsqlSortLimits *limits);
void kvsql_window_rows_free (KvsqlWindowRows *self); /* accepts NULL */

/* Where rows come from. To be called before the functions that read. */
void kvsql_window_rows_set_input (KvsqlWindowRows *self, KvsqlRowSource *input,
                                  const KvsqlCall *call);

/* Reads until @row is known. *out: whether there is such a row. */
gboolean kvsql_window_rows_read (KvsqlWindowRows *self, guint64 row, gboolean *out,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
guint64 kvsql_window_rows_get_n_known (const KvsqlWindowRows *self);

/* The chunk of a row that is known and was not dropped; the row is its @row % KVSQL_BATCH_ROWS. The
 * chunk stays as it is until the next call of a function that reads; a pinned one stays longer. */
gboolean kvsql_window_rows_get (KvsqlWindowRows *self, guint64 row, const KvsqlBatch **out,
                                const KvsqlWindowPlace **out_places,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Keeps the chunk of @row in memory, in place of the one that was pinned before. */
void kvsql_window_rows_pin (KvsqlWindowRows *self, guint64 row);

/* The number of the row after the last one of the partition of @row; @row does not decrease from
 * call to call. */
gboolean kvsql_window_rows_find_end (KvsqlWindowRows *self, guint64 row, guint64 *out,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Rows before @row will not be asked for. */
void kvsql_window_rows_drop (KvsqlWindowRows *self, guint64 row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlWindowRows, kvsql_window_rows_free)

G_END_DECLS
