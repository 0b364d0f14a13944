/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sort.h: a stable sort of arrays whose length depends on a client's input.
 *
 * Unlike qsort(), it allocates from an arena, so that the memory is accounted to the statement, and
 * it can be interrupted (core/base/interrupt.h). The array then has all its elements in some order.
 */
#pragma once

#include "core/base/arena.h"

G_BEGIN_DECLS

typedef gint (*KvsqlCompare) (gconstpointer a, gconstpointer b);

/* Allocates nothing if the array is sorted already. */
void kvsql_sort (gpointer array, gsize n, gsize element_size, KvsqlCompare compare,
                 KvsqlArena *arena);

G_END_DECLS
