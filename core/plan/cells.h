/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cells.h: which cells of a schema's tuples a query has to read.
 */
#pragma once

#include "core/catalog/schema.h"

G_BEGIN_DECLS

/**
 * kvsql_schema_choose_cells:
 * @needed: attributes
 * @out_is_read: (out) (array length=n_cells)
 *
 * The cells that hold attributes of @needed, and one that every tuple has (the marker, or that of a
 * NOT NULL attribute): without it a tuple could go unseen. Where there is no such cell, all are
 * read.
 *
 * Returns: how many are read.
 */
guint kvsql_schema_choose_cells (const KvsqlSchema *schema, const KvsqlAttributeSet *needed,
                                 gboolean *out_is_read);

/* The columns of these cells in @arena; 0 if they are all cells, or not known by name. */
guint kvsql_schema_choose_columns (const KvsqlSchema *schema, const KvsqlAttributeSet *needed,
                                   KvsqlArena *arena, KvsqlColumn **out_columns);

G_END_DECLS
