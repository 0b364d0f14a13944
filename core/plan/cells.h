/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cells.h: which cells of a schema's tuples a query has to read.
 */
#pragma once

#include "core/catalog/schema.h"
#include "core/store/store.h"

G_BEGIN_DECLS

/**
 * kvsql_schema_choose_cells:
 * @needed: attributes
 * @out_is_read: (out) (array length=n_cells)
 *
 * Chooses the cells that hold attributes of @needed, and one cell that each tuple has: the marker,
 * or the cell of a NOT NULL attribute. Without that cell the scan could miss a tuple. If the schema
 * has no such cell, all cells are read.
 *
 * Returns: the number of cells that are read
 */
guint kvsql_schema_choose_cells (const KvsqlSchema *schema, const KvsqlAttributeSet *needed,
                                 gboolean *out_is_read);

/* The columns of these cells, in @arena. Returns 0 if all cells are read, or if a column is not
 * constant. */
guint kvsql_schema_choose_columns (const KvsqlSchema *schema, const KvsqlAttributeSet *needed,
                                   KvsqlArena *arena, KvsqlColumn **out_columns);

G_END_DECLS
