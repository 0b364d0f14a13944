/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * slices.c: ranges of values that are stored as their own bytes.
 *
 * The order of such values is the order of their bytes only while nothing follows them. With a
 * separator behind them, "a" + '-' sorts after "a!" + '-' although "a" < "a!": proper prefixes of
 * an upper bound that are values in range too may lie beyond it. The bounds below include them.
 */
#include "config.h"

#include "core/layout/element.h"

/* The lower bound of every encoding of a value in the interval. */
static KvsqlSlice
low_bytes (const KvsqlInterval *interval, KvsqlArena *arena)
{
  guint8 *bytes;

  if (!interval->has_low)
    return KVSQL_SLICE_EMPTY;
  if (!interval->low_is_open)
    return interval->low.bytes;
  bytes = kvsql_arena_alloc (arena, interval->low.bytes.size + 1);
  if (interval->low.bytes.size > 0)
    memcpy (bytes, interval->low.bytes.data, interval->low.bytes.size);
  bytes[interval->low.bytes.size] = 0;
  return kvsql_slice (bytes, interval->low.bytes.size + 1);
}

static KvsqlSlice
with_tail (KvsqlArena *arena, KvsqlSlice head, KvsqlSlice tail)
{
  guint8 *bytes = kvsql_arena_alloc (arena, head.size + tail.size + 1);

  if (head.size > 0)
    memcpy (bytes, head.data, head.size);
  if (tail.size > 0)
    memcpy (bytes + head.size, tail.data, tail.size);
  return kvsql_slice (bytes, head.size + tail.size);
}

/* Whether what begins with @a reaches further than what begins with @b. */
static gboolean
reaches_further (KvsqlSlice a, KvsqlSlice b)
{
  return kvsql_slice_has_prefix (b, a) || kvsql_slice_compare (a, b) > 0;
}

/* A proper prefix of the upper bound that is itself in range may, with @tail behind it, sort after
 * the bound. Finds the one whose encoding is the highest. FALSE if there is none. */
static gboolean
prefix_beyond (const KvsqlInterval *interval, KvsqlArena *arena, KvsqlSlice tail,
               gboolean tail_is_unknown, KvsqlSlice *out_highest)
{
  KvsqlSlice high = interval->high.bytes;
  gboolean found = FALSE;

  for (gsize i = 0; i < high.size; i++)
    {
      KvsqlSlice prefix = kvsql_slice (high.data, i), candidate;
      gint order = interval->has_low ? kvsql_slice_compare (prefix, interval->low.bytes) : 1;
      if (order < 0 || (order == 0 && interval->low_is_open))
        continue;
      if (tail_is_unknown)
        {
          *out_highest = prefix;
          return TRUE;
        }
      if (!reaches_further (tail, kvsql_slice (high.data + i, high.size - i)))
        continue;
      candidate = with_tail (arena, prefix, tail);
      if (!found || !reaches_further (*out_highest, candidate))
        *out_highest = candidate;
      found = TRUE;
      if (tail.size == 1) /* the first to leave the bound is then the highest */
        return TRUE;
    }
  return found;
}

static void
add_interval (const KvsqlInterval *interval, KvsqlArena *arena, KvsqlFollow follow,
              KvsqlPieces *out)
{
  KvsqlSlice low = low_bytes (interval, arena), high = KVSQL_SLICE_EMPTY;
  gboolean has_high = interval->has_high, is_exact = TRUE;
  KvsqlSlice beyond;

  if (has_high && follow.kind == KVSQL_FOLLOW_END)
    high = interval->high_is_open ? interval->high.bytes
                                  : with_tail (arena, interval->high.bytes, kvsql_slice ("", 1));
  else if (has_high && follow.kind == KVSQL_FOLLOW_FIXED)
    {
      KvsqlSlice bound = interval->high.bytes;
      gboolean is_open = interval->high_is_open && bound.size <= follow.size;
      bound.size = MIN (bound.size, follow.size);
      has_high = TRUE;
      if (is_open)
        high = bound;
      else
        has_high = kvsql_slice_successor (arena, bound, &high);
    }
  else if (has_high)
    {
      gboolean is_unknown = follow.kind == KVSQL_FOLLOW_UNKNOWN;
      is_exact = FALSE;
      if (prefix_beyond (interval, arena, follow.bytes, is_unknown, &beyond))
        {
          /* the bound itself, where it is in range, may lie further out than all its prefixes */
          KvsqlSlice whole = with_tail (arena, interval->high.bytes, follow.bytes);
          if (!interval->high_is_open && !is_unknown && !reaches_further (beyond, whole))
            beyond = whole;
          has_high = kvsql_slice_successor (arena, beyond, &high);
        }
      else if (interval->high_is_open)
        {
          high = interval->high.bytes;
          is_exact = TRUE;
        }
      else
        has_high = kvsql_slice_successor (
            arena, with_tail (arena, interval->high.bytes, follow.bytes), &high);
    }
  if (has_high && kvsql_slice_compare (low, high) >= 0)
    return;
  kvsql_pieces_add_range (out, low, has_high, high, is_exact);
}

void
kvsql_pieces_from_slices (const KvsqlConstraint *constraint, const KvsqlConstrainer *constrainer,
                          KvsqlFollow follow, KvsqlPieces *out)
{
  if (!constraint->is_constrained)
    {
      *out = (KvsqlPieces){ .is_open = TRUE };
      return;
    }
  kvsql_pieces_init (out, constrainer, constraint->n_intervals);
  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      const KvsqlInterval *interval = &constraint->intervals[i];
      if (kvsql_interval_is_point (interval))
        kvsql_pieces_add_point (out, interval->low.bytes);
      else
        add_interval (interval, constrainer->arena, follow, out);
    }
}
