/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-ranges.h: pieces of a key as ranges of rows.
 */
#pragma once

#include "core/layout/element.h"
#include "core/store/store.h"

G_BEGIN_DECLS

/* The least key behind @key, from @arena. */
KvsqlSlice kvsql_row_key_next (KvsqlSlice key, KvsqlArena *arena);

/* Appends KvsqlRowRange; those that are empty are left out. TRUE if one of them has no bound. */
gboolean kvsql_row_ranges_add (GArray *out, const KvsqlPieces *pieces, KvsqlArena *arena);
/* Makes them ascend, and disjoint. */
void kvsql_row_ranges_merge (GArray *ranges);

/* What both hold; FALSE: nothing. */
gboolean kvsql_row_range_intersect (const KvsqlRowRange *a, const KvsqlRowRange *b,
                                    KvsqlRowRange *out);

G_END_DECLS
