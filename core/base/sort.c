/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sort.c: a bottom-up merge sort.
 *
 * Each round merges pairs of sorted runs from one array into the other. The runs are twice as long
 * as in the round before. A pair that is already in order is copied as a whole.
 */
#include "config.h"

#include "core/base/sort.h"

#include <string.h>

#include "core/base/interrupt.h"

typedef struct
{
  gsize size; /* of an element */
  KvsqlCompare compare;
} Sort;

/* Whether the first @n elements are in order. */
static gboolean
is_sorted (const Sort *self, const guint8 *array, gsize n)
{
  for (gsize i = 1; i < n && kvsql_interrupt_tick (); i++)
    if (self->compare (array + (i - 1) * self->size, array + i * self->size) > 0)
      return FALSE;
  return TRUE;
}

/* Merges the runs [0, middle) and [middle, n) of @from. */
static void
merge (const Sort *self, const guint8 *from, gsize middle, gsize n, guint8 *to)
{
  const gsize size = self->size;
  const guint8 *a = from, *a_end = from + middle * size, *b = a_end, *b_end = from + n * size;

  if (a < a_end && b < b_end && self->compare (b - size, b) <= 0)
    {
      memcpy (to, from, n * size);
      return;
    }
  for (; a < a_end && b < b_end && kvsql_interrupt_tick (); to += size)
    {
      const guint8 **least = self->compare (a, b) <= 0 ? &a : &b;
      memcpy (to, *least, size);
      *least += size;
    }
  memcpy (to, a, a_end - a);
  memcpy (to + (a_end - a), b, b_end - b);
}

void
kvsql_sort (gpointer array, gsize n, gsize element_size, KvsqlCompare compare, KvsqlArena *arena)
{
  const Sort self = { .size = element_size, .compare = compare };
  guint8 *from = array, *to;

  g_assert (element_size > 0 && n <= G_MAXSSIZE / element_size);
  if (is_sorted (&self, array, n))
    return;
  to = kvsql_arena_alloc (arena, n * element_size);
  for (gsize run = 1; run < n; run *= 2)
    {
      guint8 *swap = from;

      for (gsize at = 0; at < n; at += 2 * run)
        merge (&self, from + at * element_size, MIN (run, n - at), MIN (2 * run, n - at),
               to + at * element_size);
      from = to;
      to = swap;
    }
  if (from != array)
    memcpy (array, from, n * element_size);
}
