/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * slices.c: byte ranges of values that are stored as their own bytes.
 *
 * Such values sort as their bytes do only if nothing follows them. With a separator, "a" + '-'
 * sorts after "a!" + '-' although "a" < "a!". So a proper prefix of an upper bound that is a value
 * in the interval may sort after the bound. The bounds below include such values.
 */
#include "config.h"

#include "core/layout/ranges/byte-ranges.h"

/* The lower bound of all encodings of values in the interval. */
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

/* Whether the bytes that begin with @a end after those that begin with @b. */
static gboolean
reaches_further (KvsqlSlice a, KvsqlSlice b)
{
  return kvsql_slice_has_prefix (b, a) || kvsql_slice_compare (a, b) > 0;
}

/* A proper prefix of the upper bound that is in the interval may, with @tail after it, sort after
 * the bound. Finds the one whose encoding is the greatest. FALSE if there is none. */
static gboolean
prefix_beyond (const KvsqlInterval *interval, KvsqlArena *arena, KvsqlSlice tail,
               gboolean tail_is_unknown, KvsqlSlice *out_highest)
{
  KvsqlSlice high = interval->high.bytes;
  gboolean found = FALSE;

  for (gsize i = 0; i < high.size; i++)
    {
      KvsqlSlice prefix = kvsql_slice (high.data, i), tried;
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
      tried = kvsql_slice_join (arena, prefix, tail);
      if (!found || !reaches_further (*out_highest, tried))
        *out_highest = tried;
      found = TRUE;
      if (tail.size == 1) /* the first one that sorts after the bound is then the greatest */
        return TRUE;
    }
  return found;
}

/* Whether all values in the byte range are at or above the lower bound. A lower value may be in the
 * range because of the bytes after it. */
static gboolean
low_is_exact (const KvsqlInterval *interval, KvsqlDelimiter delimiter)
{
  KvsqlSlice low = interval->low.bytes;

  if (!interval->has_low || low.size == 0)
    return !interval->has_low || !interval->low_is_open;
  if (interval->low_is_open || delimiter.kind == KVSQL_DELIMITER_UNKNOWN)
    return FALSE;
  for (gsize i = 0; i < low.size; i++)
    if (reaches_further (delimiter.bytes, kvsql_slice (low.data + i, low.size - i)))
      return FALSE;
  return TRUE;
}

/* All values have @size bytes, so none is a proper prefix of another, and a bound of another length
 * is between two of them. FALSE: the interval is empty. */
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

/* The upper bound of a value with a delimiter. TRUE: the range admits no values above the
 * interval. */
static gboolean
delimited_high (const KvsqlInterval *interval, KvsqlArena *arena, KvsqlDelimiter delimiter,
                gboolean *has_high, KvsqlSlice *high)
{
  gboolean is_unknown = delimiter.kind == KVSQL_DELIMITER_UNKNOWN;
  KvsqlSlice whole = kvsql_slice_join (arena, interval->high.bytes, delimiter.bytes), beyond;

  if (prefix_beyond (interval, arena, delimiter.bytes, is_unknown, &beyond))
    {
      /* if the bound is in the interval, it may sort after all of its prefixes */
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

/* Whether the delimiter sorts before each byte with which a longer value may continue. Then values
 * with the delimiter sort as values without it. FALSE if a bound contains a byte that no value
 * contains. */
static gboolean
delimiter_sorts_below (const KvsqlInterval *interval, KvsqlDelimiter delimiter)
{
  guint8 first;

  if (delimiter.kind != KVSQL_DELIMITER_BYTES || delimiter.bytes.data[0] >= delimiter.least)
    return FALSE;
  first = delimiter.bytes.data[0];
  for (gsize i = 0; interval->has_low && i < interval->low.bytes.size; i++)
    if (interval->low.bytes.data[i] <= first)
      return FALSE;
  for (gsize i = 0; interval->has_high && i < interval->high.bytes.size; i++)
    if (interval->high.bytes.data[i] <= first)
      return FALSE;
  return TRUE;
}

static void
add_range_below (const KvsqlInterval *interval, KvsqlArena *arena, KvsqlSlice tail,
                 KvsqlByteRanges *out)
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
    kvsql_byte_ranges_add_range (out, low, has_high, high, TRUE);
}

static void
add_interval (const KvsqlInterval *interval, KvsqlArena *arena, KvsqlDelimiter delimiter,
              KvsqlByteRanges *out)
{
  KvsqlSlice low = low_bytes (interval, arena), high = KVSQL_SLICE_EMPTY;
  gboolean has_high = interval->has_high, is_exact = TRUE;

  if (delimiter.kind == KVSQL_DELIMITER_FIXED)
    {
      if (!fixed_bounds (interval, arena, delimiter.size, &low, &has_high, &high))
        return;
    }
  else if (delimiter.kind != KVSQL_DELIMITER_END)
    {
      is_exact = low_is_exact (interval, delimiter);
      if (has_high && !delimited_high (interval, arena, delimiter, &has_high, &high))
        is_exact = FALSE;
    }
  else if (has_high)
    high = interval->high_is_open
               ? interval->high.bytes
               : kvsql_slice_join (arena, interval->high.bytes, kvsql_slice ("", 1));
  if (has_high && kvsql_slice_compare (low, high) >= 0)
    return;
  kvsql_byte_ranges_add_range (out, low, has_high, high, is_exact);
}

void
kvsql_byte_ranges_from_slices (const KvsqlConstraint *constraint,
                               const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
                               KvsqlByteRanges *out)
{
  g_assert (delimiter.kind != KVSQL_DELIMITER_BYTES || delimiter.bytes.size > 0);
  if (!constraint->is_constrained)
    {
      *out = (KvsqlByteRanges){ .is_open = TRUE };
      return;
    }
  kvsql_byte_ranges_init (out, constrainer, constraint->n_intervals);
  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      const KvsqlInterval *interval = &constraint->intervals[i];
      if (kvsql_interval_is_point (interval))
        kvsql_byte_ranges_add_point (out, interval->low.bytes);
      else if (delimiter_sorts_below (interval, delimiter))
        add_range_below (interval, constrainer->arena, delimiter.bytes, out);
      else
        add_interval (interval, constrainer->arena, delimiter, out);
    }
}
