/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * assembler.h: turns cells of the store into tuples of a batch.
 *
 * The schema alone decides between four ways:
 * - One cell for each tuple: each cell is decoded into a row of the batch.
 * - One row for each tuple: the row key is decoded once, then each cell adds its attributes.
 * - Several tuples in each cell (each{…}): a cell is decoded into several rows of the batch.
 * - Otherwise cells are gathered by key. If the tuples of the schema never leave their row, until
 *   the row ends; else until the scan ends.
 *
 * The entries of a map that has a cell for each entry are gathered, too.
 */
#pragma once

#include "core/base/vector.h"
#include "core/catalog/schema.h"
#include "core/scan/assembler-counts.h"
#include "core/store/store.h"

G_BEGIN_DECLS

typedef struct _KvsqlAssembler KvsqlAssembler;

/* @wanted: attributes that the batches have columns for. */
KvsqlAssembler *kvsql_assembler_new (const KvsqlSchema *schema, const KvsqlAttributeSet *wanted,
                                     gsize max_bytes);
void kvsql_assembler_free (KvsqlAssembler *self); /* accepts NULL */

/* The batch that receives the tuples. Columns are by attribute. */
KvsqlBatch *kvsql_assembler_get_batch (KvsqlAssembler *self);
/* Empties the batch. */
void kvsql_assembler_reset_batch (KvsqlAssembler *self);

/* TRUE if a table of this name can hold cells of the schema. */
gboolean kvsql_assembler_accepts_table (KvsqlAssembler *self, KvsqlSlice table);

/* The rows that run() will read. They must stay valid until run() has returned the last of them. */
void kvsql_assembler_set_rows (KvsqlAssembler *self, KvsqlSlice table, const KvsqlRows *rows);

/**
 * kvsql_assembler_run:
 * @out_rows_done: (out): all rows have been read; the batch may still hold tuples
 *
 * Adds tuples until the batch is full or the rows end.
 */
gboolean kvsql_assembler_run (KvsqlAssembler *self, gboolean *out_rows_done,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* After the last rows: adds tuples that were gathered over the whole scan. TRUE while there may be
 * more. */
gboolean kvsql_assembler_flush (KvsqlAssembler *self);

/* The oldest timestamp among the cells of a tuple of the batch. */
gint64 kvsql_assembler_get_oldest (const KvsqlAssembler *self, guint tuple);
/* The row of a tuple of the batch, and the tuple's number within that row. FALSE if tuples of this
 * schema may have cells in several rows. */
gboolean kvsql_assembler_get_origin (const KvsqlAssembler *self, guint tuple, KvsqlSlice *out_row,
                                     guint32 *out_ordinal);

/* The newest timestamp among the cells of a tuple of the batch. */
gint64 kvsql_assembler_get_newest (const KvsqlAssembler *self, guint tuple);

/* The caller is about to remove the first @n tuples of the batch. */
void kvsql_assembler_drop (KvsqlAssembler *self, guint n);

void kvsql_assembler_get_counts (const KvsqlAssembler *self, KvsqlAssemblerCounts *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlAssembler, kvsql_assembler_free)

G_END_DECLS
