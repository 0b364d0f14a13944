/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * each-cells.h: decodes cells that several tuples share (core/layout/each.h).
 *
 * The cells of a row are decoded together, since two cells may hold the same tuple if QUALIFIER
 * repeats: then that of the newer cell counts. A cell that turns out to be damaged gives no tuple.
 * Tuples are decoded directly into the rows of a batch that follow its last one. If the batch has
 * no room for all of them, the others are kept until they are moved to a later batch.
 *
 * Nothing is allocated for a cell: memory that was needed once is used again.
 */
#pragma once

#include "core/base/vector.h"
#include "core/catalog/schema.h"
#include "core/store/store.h"

G_BEGIN_DECLS

typedef struct _KvsqlEachCells KvsqlEachCells;
typedef struct _KvsqlUndecodableCells KvsqlUndecodableCells; /* undecodable-cells.h */

/* @types: of the columns of the batches, by attribute. They include the KEY attributes of
 * elements. */
KvsqlEachCells *kvsql_each_cells_new (const KvsqlSchema *schema, const KvsqlType *types,
                                      KvsqlUndecodableCells *undecodable, gsize max_bytes);
void kvsql_each_cells_free (KvsqlEachCells *self); /* accepts NULL */

/**
 * kvsql_each_cells_decode:
 * @cells: (array length=n_cells): of one row
 * @out: gets the tuples from its row n_rows on; n_rows is not changed
 * @out_n: (out): the number of tuples in @out; others may be kept
 *
 * Call this when nothing is kept.
 */
gboolean kvsql_each_cells_decode (KvsqlEachCells *self, KvsqlSlice table, KvsqlSlice row,
                                  const KvsqlCell *cells, guint n_cells, KvsqlBatch *out,
                                  guint *out_n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Moves kept tuples into the rows of @out after its n_rows, as many as fit. Returns their number.
 */
guint kvsql_each_cells_move (KvsqlEachCells *self, KvsqlBatch *out);
gboolean kvsql_each_cells_has_kept (const KvsqlEachCells *self);

/* The timestamp of a tuple that decode() or move() gave last, by its number there. */
gint64 kvsql_each_cells_get_time (const KvsqlEachCells *self, guint tuple);

/* The values of earlier batches are not used any more. */
void kvsql_each_cells_reset (KvsqlEachCells *self);

G_END_DECLS
