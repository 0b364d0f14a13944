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
      candidate = kvsql_slice_join (arena, prefix, tail);
      if (!found || !reaches_further (*out_highest, candidate))
        *out_highest = candidate;
      found = TRUE;
      if (tail.size == 1) /* the first to leave the bound is then the highest */
        return TRUE;
    }
  return found;
}

/* Whether a value below the lower bound may, with what follows it, lie in the range all the same.
 */
static gboolean
low_is_exact (const KvsqlInterval *interval, KvsqlFollow follow)
{
  KvsqlSlice low = interval->low.bytes;

  if (!interval->has_low || low.size == 0)
    return !interval->has_low || !interval->low_is_open;
  if (interval->low_is_open || follow.kind == KVSQL_FOLLOW_UNKNOWN)
    return FALSE;
  for (gsize i = 0; i < low.size; i++)
    if (reaches_further (follow.bytes, kvsql_slice (low.data + i, low.size - i)))
      return FALSE;
  return TRUE;
}

/* All values have @size bytes: none is a proper prefix of another, and bounds of another length
 * lie between two of them. FALSE: no value is in range. */
static gboolean
fixed_bounds (const KvsqlInterval *interval, KvsqlArena *arena, gsize size, KvsqlSlice *low,
              gboolean *has_high, KvsqlSlice *high)
{
  KvsqlSlice bound = interval->low.bytes;

  *low = KVSQL_SLICE_EMPTY;
  if (interval->has_low)
    *low = kvsql_slice (bound.data, MIN (bound.size, size));
  if (interval->has_low && (bound.size > size || (bound.size == size && interval->low_is_open))
      && !kvsql_slice_successor (arena, *low, low))
    return FALSE;
  *has_high = interval->has_high;
  if (!interval->has_high)
    return TRUE;
  bound = interval->high.bytes;
  *high = kvsql_slice (bound.data, MIN (bound.size, size));
  if (bound.size > size || (bound.size == size && !interval->high_is_open))
    *has_high = kvsql_slice_successor (arena, *high, high);
  return TRUE;
}

/* The upper bound where something follows. TRUE: nothing above the interval's is below it. */
static gboolean
followed_high (const KvsqlInterval *interval, KvsqlArena *arena, KvsqlFollow follow,
               gboolean *has_high, KvsqlSlice *high)
{
  gboolean is_unknown = follow.kind == KVSQL_FOLLOW_UNKNOWN;
  KvsqlSlice whole = kvsql_slice_join (arena, interval->high.bytes, follow.bytes), beyond;

  if (prefix_beyond (interval, arena, follow.bytes, is_unknown, &beyond))
    {
      /* the bound itself, where it is in range, may lie further out than all its prefixes */
      if (!interval->high_is_open && !is_unknown && !reaches_further (beyond, whole))
        beyond = whole;
      *has_high = kvsql_slice_successor (arena, beyond, high);
      return FALSE;
    }
  if (interval->high_is_open)
    {
      *high = interval->high.bytes;
      return TRUE;
    }
  *has_high = kvsql_slice_successor (arena, whole, high);
  return FALSE;
}

/* Whether what follows sorts before all that a longer value may go on with: then values sort with
 * it behind them as they do without. Not for bounds that no value is like. */
static gboolean
follows_below (const KvsqlInterval *interval, KvsqlFollow follow)
{
  guint8 first;

  if (follow.kind != KVSQL_FOLLOW_BYTES || follow.bytes.data[0] >= follow.least)
    return FALSE;
  first = follow.bytes.data[0];
  for (gsize i = 0; interval->has_low && i < interval->low.bytes.size; i++)
    if (interval->low.bytes.data[i] <= first)
      return FALSE;
  for (gsize i = 0; interval->has_high && i < interval->high.bytes.size; i++)
    if (interval->high.bytes.data[i] <= first)
      return FALSE;
  return TRUE;
}

static void
add_followed_below (const KvsqlInterval *interval, KvsqlArena *arena, KvsqlSlice tail,
                    KvsqlPieces *out)
{
  KvsqlSlice low = KVSQL_SLICE_EMPTY, high = KVSQL_SLICE_EMPTY;
  gboolean has_high = interval->has_high;

  if (interval->has_low)
    low = interval->low.bytes;
  if (interval->has_low && interval->low_is_open
      && !kvsql_slice_successor (arena, kvsql_slice_join (arena, low, tail), &low))
    return;
  if (interval->has_high)
    high = interval->high.bytes;
  if (interval->has_high && !interval->high_is_open)
    has_high = kvsql_slice_successor (arena, kvsql_slice_join (arena, high, tail), &high);
  if (!has_high || kvsql_slice_compare (low, high) < 0)
    kvsql_pieces_add_range (out, low, has_high, high, TRUE);
}

static void
add_interval (const KvsqlInterval *interval, KvsqlArena *arena, KvsqlFollow follow,
              KvsqlPieces *out)
{
  KvsqlSlice low = low_bytes (interval, arena), high = KVSQL_SLICE_EMPTY;
  gboolean has_high = interval->has_high, is_exact = TRUE;

  if (follow.kind == KVSQL_FOLLOW_FIXED)
    {
      if (!fixed_bounds (interval, arena, follow.size, &low, &has_high, &high))
        return;
    }
  else if (follow.kind != KVSQL_FOLLOW_END)
    {
      is_exact = low_is_exact (interval, follow);
      if (has_high && !followed_high (interval, arena, follow, &has_high, &high))
        is_exact = FALSE;
    }
  else if (has_high)
    high = interval->high_is_open
               ? interval->high.bytes
               : kvsql_slice_join (arena, interval->high.bytes, kvsql_slice ("", 1));
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
      else if (follows_below (interval, follow))
        add_followed_below (interval, constrainer->arena, follow.bytes, out);
      else
        add_interval (interval, constrainer->arena, follow, out);
    }
}
