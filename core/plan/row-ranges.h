/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-ranges.h: byte ranges of ROW as ranges of rows.
 */
#pragma once

#include "core/layout/layout-types.h"
#include "core/store/row-types.h"

G_BEGIN_DECLS

/* The least key that is greater than @key, in @arena. */
KvsqlSlice kvsql_row_key_next (KvsqlSlice key, KvsqlArena *arena);

/* A zeroed object has no ranges. The ranges live in the arena that is passed to the functions. */
typedef struct
{
  KvsqlRowRange *ranges;
  guint n;
} KvsqlRowRanges;

void kvsql_row_ranges_append (KvsqlRowRanges *self, KvsqlRowRange range, KvsqlArena *arena);
/* Appends the ranges of @bytes that are not empty. TRUE if one of them is unbounded on both
 * sides. */
gboolean kvsql_row_ranges_add (KvsqlRowRanges *self, const KvsqlByteRanges *bytes,
                               KvsqlArena *arena);
/* Sorts the ranges, and merges those that overlap. */
void kvsql_row_ranges_merge (KvsqlRowRanges *self, KvsqlArena *arena);

/* The rows that are in none of some sorted and merged ranges. */
void kvsql_row_ranges_invert (const KvsqlRowRanges *self, KvsqlRowRanges *out, KvsqlArena *arena);

/* Asserts what a store asks of the ranges of a scan: none is empty, they ascend, and no two of them
 * have a row in common. */
void kvsql_row_ranges_assert (const KvsqlRowRange *ranges, guint n);

/* The intersection of two ranges. FALSE if it is empty. */
gboolean kvsql_row_range_intersect (const KvsqlRowRange *a, const KvsqlRowRange *b,
                                    KvsqlRowRange *out);

G_END_DECLS
