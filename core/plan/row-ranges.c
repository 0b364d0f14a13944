/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-ranges.c: sorted, merged, and laid over each other.
 */
#include "config.h"

#include "core/plan/row-ranges.h"

#include <stdlib.h>

KvsqlSlice
kvsql_row_key_next (KvsqlSlice key, KvsqlArena *arena)
{
  guint8 *bytes = kvsql_arena_alloc (arena, key.size + 1);

  if (key.size > 0)
    memcpy (bytes, key.data, key.size);
  bytes[key.size] = 0;
  return kvsql_slice (bytes, key.size + 1);
}

gboolean
kvsql_row_ranges_add (GArray *out, const KvsqlPieces *pieces, KvsqlArena *arena)
{
  gboolean is_everything = FALSE;

  for (guint i = 0; i < pieces->n_pieces; i++)
    {
      const KvsqlPiece *piece = &pieces->pieces[i];
      KvsqlRowRange range = { .start = piece->low };

      if (piece->is_point)
        range.stop = kvsql_row_key_next (piece->low, arena);
      else if (piece->has_high)
        range.stop = piece->high;
      is_everything = is_everything || (range.stop.size == 0 && range.start.size == 0);
      if (range.stop.size == 0 || kvsql_slice_compare (range.start, range.stop) < 0)
        g_array_append_val (out, range);
    }
  return is_everything;
}

static int
compare_ranges (const void *x, const void *y)
{
  const KvsqlRowRange *a = x, *b = y;

  return kvsql_slice_compare (a->start, b->start);
}

/* Those of an IN list mostly are. */
static gboolean
are_in_order (const GArray *ranges)
{
  for (guint i = 1; i < ranges->len; i++)
    if (compare_ranges (&g_array_index (ranges, KvsqlRowRange, i - 1),
                        &g_array_index (ranges, KvsqlRowRange, i))
        > 0)
      return FALSE;
  return TRUE;
}

void
kvsql_row_ranges_merge (GArray *ranges)
{
  guint kept = 0;

  if (!are_in_order (ranges))
    qsort (ranges->data, ranges->len, sizeof (KvsqlRowRange), compare_ranges);
  for (guint i = 0; i < ranges->len; i++)
    {
      KvsqlRowRange *range = &g_array_index (ranges, KvsqlRowRange, i);
      KvsqlRowRange *last = kept > 0 ? &g_array_index (ranges, KvsqlRowRange, kept - 1) : NULL;

      /* Touching points stay apart: "a" and "a\0" are two keys to get. */
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
        g_array_index (ranges, KvsqlRowRange, kept++) = *range;
    }
  g_array_set_size (ranges, kept);
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
