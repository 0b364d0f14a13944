/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * key-space.h: row keys between two others, as numbers.
 *
 * Keys are byte strings, but most use few values of a byte. Where both ends have a digit, decimal
 * or hexadecimal, digits are what is counted there; elsewhere all 256 values are. What follows the
 * eight bytes behind the common prefix is too little to count.
 */
#pragma once

#include "core/base/arena.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

/* How far @key is on the way from @low to @high, 0 … 1, as if keys lay evenly between them. */
gdouble kvsql_key_get_progress (KvsqlSlice low, KvsqlSlice high, KvsqlSlice key);

/* A short key behind @low and not behind @high, which is greater: about half way. (transfer none):
 * @high, or in @arena. */
KvsqlSlice kvsql_key_get_middle (KvsqlSlice low, KvsqlSlice high, KvsqlArena *arena);

G_END_DECLS
