/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-ranges.c: sorts, merges and intersects ranges of rows.
 */
#include "config.h"

#include "core/plan/row-ranges.h"

#include "core/base/interrupt.h"
#include "core/base/sort.h"

KvsqlSlice
kvsql_row_key_next (KvsqlSlice key, KvsqlArena *arena)
{
  guint8 *bytes = kvsql_arena_alloc (arena, key.size + 1);

  if (key.size > 0)
    memcpy (bytes, key.data, key.size);
  bytes[key.size] = 0;
  return kvsql_slice (bytes, key.size + 1);
}

void
kvsql_row_ranges_append (KvsqlRowRanges *self, KvsqlRowRange range, KvsqlArena *arena)
{
  *KVSQL_ARENA_ADD (arena, self->ranges, self->n) = range;
}

gboolean
kvsql_row_ranges_add (KvsqlRowRanges *self, const KvsqlByteRanges *bytes, KvsqlArena *arena)
{
  gboolean is_everything = FALSE;

  for (guint i = 0; i < bytes->n_ranges && kvsql_interrupt_tick (); i++)
    {
      const KvsqlByteRange *one = &bytes->ranges[i];
      KvsqlRowRange range = { .start = one->low };

      if (one->is_point)
        range.stop = kvsql_row_key_next (one->low, arena);
      else if (one->has_high)
        range.stop = one->high;
      is_everything = is_everything || (range.stop.size == 0 && range.start.size == 0);
      if (range.stop.size == 0 || kvsql_slice_compare (range.start, range.stop) < 0)
        kvsql_row_ranges_append (self, range, arena);
    }
  return is_everything;
}

static gint
compare_ranges (gconstpointer a, gconstpointer b)
{
  return kvsql_slice_compare (((const KvsqlRowRange *)a)->start, ((const KvsqlRowRange *)b)->start);
}

void
kvsql_row_ranges_merge (KvsqlRowRanges *self, KvsqlArena *arena)
{
  guint kept = 0;

  kvsql_sort (self->ranges, self->n, sizeof *self->ranges, compare_ranges, arena);
  for (guint i = 0; i < self->n; i++)
    {
      KvsqlRowRange *range = &self->ranges[i];
      KvsqlRowRange *last = kept > 0 ? &self->ranges[kept - 1] : NULL;

      /* Adjacent points are not merged: "a" and "a\0" stay two gets. */
      if (last != NULL && last->stop.size == 0)
        continue;
      if (last != NULL
          && (kvsql_slice_compare (range->start, last->stop) < 0
              || (kvsql_slice_equal (range->start, last->stop)
                  && !(kvsql_row_range_is_point (last) && kvsql_row_range_is_point (range)))))
        {
          if (range->stop.size == 0 || kvsql_slice_compare (range->stop, last->stop) > 0)
            last->stop = range->stop;
        }
      else
        self->ranges[kept++] = *range;
    }
  self->n = kept;
}

void
kvsql_row_ranges_invert (const KvsqlRowRanges *self, KvsqlRowRanges *out, KvsqlArena *arena)
{
  KvsqlSlice start = { 0 }; /* the first row that is in none of the ranges so far */

  *out = (KvsqlRowRanges){ 0 };
  for (guint i = 0; i < self->n && kvsql_interrupt_tick (); i++)
    {
      KvsqlRowRange gap = { .start = start, .stop = self->ranges[i].start };

      if (kvsql_slice_compare (gap.start, gap.stop) < 0)
        kvsql_row_ranges_append (out, gap, arena);
      if (self->ranges[i].stop.size == 0)
        return;
      start = self->ranges[i].stop;
    }
  kvsql_row_ranges_append (out, (KvsqlRowRange){ .start = start }, arena);
}

void
kvsql_row_ranges_assert (const KvsqlRowRange *ranges, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const KvsqlRowRange *range = &ranges[i];

      g_assert (range->stop.size == 0 || kvsql_slice_compare (range->start, range->stop) < 0);
      g_assert (i == 0 || ranges[i - 1].stop.size > 0);
      g_assert (i == 0 || kvsql_slice_compare (ranges[i - 1].stop, range->start) <= 0);
    }
}

gboolean
kvsql_row_range_intersect (const KvsqlRowRange *a, const KvsqlRowRange *b, KvsqlRowRange *out)
{
  gboolean a_stops
      = a->stop.size > 0 && (b->stop.size == 0 || kvsql_slice_compare (a->stop, b->stop) < 0);

  out->start = kvsql_slice_compare (a->start, b->start) > 0 ? a->start : b->start;
  out->stop = a_stops ? a->stop : b->stop;
  return out->stop.size == 0 || kvsql_slice_compare (out->start, out->stop) < 0;
}
