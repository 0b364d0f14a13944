/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * byte-ranges.c: see byte-ranges.h; slices.c has the ranges of texts.
 */
#include "config.h"

#include "core/layout/ranges/byte-ranges.h"

#include <stdlib.h>

void
kvsql_byte_ranges_init (KvsqlByteRanges *self, const KvsqlConstrainer *constrainer, guint n)
{
  *self = (KvsqlByteRanges){ .ranges = kvsql_arena_array (constrainer->arena, KvsqlByteRange, n) };
}

void
kvsql_byte_ranges_add_point (KvsqlByteRanges *self, KvsqlSlice bytes)
{
  self->ranges[self->n_ranges++]
      = (KvsqlByteRange){ .is_point = TRUE, .is_exact = TRUE, .low = bytes };
}

void
kvsql_byte_ranges_add_range (KvsqlByteRanges *self, KvsqlSlice low, gboolean has_high,
                             KvsqlSlice high, gboolean is_exact)
{
  self->ranges[self->n_ranges++]
      = (KvsqlByteRange){ .low = low, .has_high = has_high, .high = high, .is_exact = is_exact };
}

void
kvsql_byte_range_cut (KvsqlByteRange *self, gsize size, const KvsqlConstrainer *constrainer)
{
  if (!self->is_point && self->has_high && self->high.size > size)
    self->has_high = kvsql_slice_successor (constrainer->arena, kvsql_slice (self->high.data, size),
                                            &self->high);
  if (!self->is_point && self->low.size > size)
    kvsql_slice_successor (constrainer->arena, kvsql_slice (self->low.data, size), &self->low);
}

/* ---- order */

static int
compare_ranges (const void *x, const void *y)
{
  const KvsqlByteRange *a = x, *b = y;
  gint order = kvsql_slice_compare (a->low, b->low);

  return order != 0 ? order : (b->is_point != 0) - (a->is_point != 0);
}

/* Extends @last by @next, which does not begin before it. FALSE: they are not adjacent. */
static gboolean
merge (KvsqlByteRange *last, const KvsqlByteRange *next)
{
  gboolean is_exact = last->is_exact && next->is_exact;

  if (last->is_point)
    {
      if (!kvsql_slice_equal (last->low, next->low))
        return FALSE;
      *last = *next;
    }
  else
    {
      if (last->has_high && kvsql_slice_compare (next->low, last->high) >= 0)
        return FALSE;
      if (!next->is_point && last->has_high
          && (!next->has_high || kvsql_slice_compare (next->high, last->high) > 0))
        {
          last->has_high = next->has_high;
          last->high = next->high;
        }
    }
  last->is_exact = is_exact;
  return TRUE;
}

void
kvsql_byte_ranges_sort (KvsqlByteRanges *self)
{
  guint n = 0;

  if (self->n_ranges == 0)
    return;
  qsort (self->ranges, self->n_ranges, sizeof (KvsqlByteRange), compare_ranges);
  for (guint i = 1; i < self->n_ranges; i++)
    if (!merge (&self->ranges[n], &self->ranges[i]))
      self->ranges[++n] = self->ranges[i];
  self->n_ranges = n + 1;
}
