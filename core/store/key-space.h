/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * key-space.h: interpolation between row keys.
 *
 * Keys are byte strings, but many use few values of each byte. Positions at which both ends have a
 * decimal or hexadecimal digit count digits only. Other positions count all 256 values. The eight
 * bytes after the common prefix are counted, later bytes are ignored.
 */
#pragma once

#include "core/base/arena.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

/* The relative position of @key between @low and @high, 0 … 1, for evenly distributed keys. */
gdouble kvsql_key_get_progress (KvsqlSlice low, KvsqlSlice high, KvsqlSlice key);

/* A short key k with @low < k <= @high, about in the middle. @low < @high. (transfer none): @high,
 * or in @arena. */
KvsqlSlice kvsql_key_get_middle (KvsqlSlice low, KvsqlSlice high, KvsqlArena *arena);

G_END_DECLS
