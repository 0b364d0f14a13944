/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * undecodable-cells.h: counts the undecodable cells that a statement has skipped, for a note to the
 * client.
 *
 * Not thread-safe: each belongs to a statement or to a cursor.
 */
#pragma once

#include "core/catalog/schema.h"
#include "core/engine/result-page.h"

G_BEGIN_DECLS

typedef struct _KvsqldUndecodableCells KvsqldUndecodableCells; /* NULL: none */

void kvsqld_undecodable_cells_free (KvsqldUndecodableCells *self);
/* Adds @n cells in the tables of @schema; makes *self if it is %NULL. */
void kvsqld_undecodable_cells_add (KvsqldUndecodableCells **self, const KvsqlSchema *schema,
                                   guint64 n);
/* @n cells were skipped before this cursor, which was resumed from a token. The note then says "at
 * least". */
void kvsqld_undecodable_cells_resume (KvsqldUndecodableCells **self, const KvsqlSchema *schema,
                                      guint64 n);
/* Moves all counts of @from to *self. (transfer full) @from: nullable */
void kvsqld_undecodable_cells_move (KvsqldUndecodableCells **self, KvsqldUndecodableCells *from);
/* The sum over all tables. @self: nullable */
guint64 kvsqld_undecodable_cells_count (const KvsqldUndecodableCells *self);
/* Adds a note for each table. @self: nullable */
void kvsqld_undecodable_cells_note (const KvsqldUndecodableCells *self, KvsqlResultPage *page);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldUndecodableCells, kvsqld_undecodable_cells_free)

G_END_DECLS
