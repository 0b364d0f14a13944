/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * assembler.h: cells of the store to tuples in a batch.
 *
 * How depends on the schema alone. One cell a tuple: each cell is decoded into a row of the batch.
 * One row a tuple: the row key is decoded once, then each cell adds its attributes. Otherwise cells
 * are gathered by key, until the row ends if the tuples of a schema never leave their row, or until
 * the scan does. So are the entries of a map with a cell for each.
 */
#pragma once

#include "core/base/vector.h"
#include "core/catalog/schema.h"

G_BEGIN_DECLS

typedef struct _KvsqlAssembler KvsqlAssembler;

typedef struct
{
  guint64 cells;               /* looked at */
  guint64 unparsable;          /* that fit no cell of any schema */
  const gchar *const *samples; /* of those, for people; as long as the assembler lives */
  guint n_samples;
} KvsqlAssemblerCounts;

/* @wanted: attributes that the batches have columns for. */
KvsqlAssembler *kvsql_assembler_new (const KvsqlSchema *schema, const KvsqlAttributeSet *wanted,
                                     gsize max_bytes);
void kvsql_assembler_free (KvsqlAssembler *self); /* accepts NULL */

/* The batch that tuples are put into: by attribute. */
KvsqlBatch *kvsql_assembler_get_batch (KvsqlAssembler *self);
/* Empties the batch. */
void kvsql_assembler_reset_batch (KvsqlAssembler *self);

/* TRUE if a table of this name can hold cells of the schema. */
gboolean kvsql_assembler_accepts_table (KvsqlAssembler *self, KvsqlSlice table);

/* The rows that next() will read; they must stay valid until it has returned the last of them. */
void kvsql_assembler_set_rows (KvsqlAssembler *self, KvsqlSlice table, const KvsqlRows *rows);

/**
 * kvsql_assembler_run:
 * @out_rows_done: (out): all rows have been read; the batch may hold tuples all the same
 *
 * Adds tuples until the batch is full or the rows are at an end.
 */
gboolean kvsql_assembler_run (KvsqlAssembler *self, gboolean *out_rows_done, GError **error);

/* After the last rows: adds what was gathered over the whole scan. TRUE while there may be more. */
gboolean kvsql_assembler_flush (KvsqlAssembler *self);

/* The least timestamp of the cells that a tuple of the batch was made of. */
gint64 kvsql_assembler_get_oldest (const KvsqlAssembler *self, guint tuple);
/* The row that a tuple of the batch came from, and its number among the tuples of that row; FALSE
 * if tuples have no one row. */
gboolean kvsql_assembler_get_origin (const KvsqlAssembler *self, guint tuple, KvsqlSlice *out_row,
                                     guint32 *out_ordinal);

/* Whether each tuple of @schema has one row that all its cells come from. */
gboolean kvsql_assembler_has_origins (const KvsqlSchema *schema);

/* The newest timestamp of the cells that a tuple of the batch was made of. */
gint64 kvsql_assembler_get_newest (const KvsqlAssembler *self, guint tuple);

/* The first @n tuples of the batch are about to be removed from it. */
void kvsql_assembler_drop (KvsqlAssembler *self, guint n);

void kvsql_assembler_get_counts (const KvsqlAssembler *self, KvsqlAssemblerCounts *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlAssembler, kvsql_assembler_free)

G_END_DECLS
