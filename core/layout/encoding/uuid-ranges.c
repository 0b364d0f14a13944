/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * uuid-ranges.c: the 16 bytes between two texts.
 */
#include "config.h"

#include "core/layout/encoding/uuid-ranges.h"

#include "core/base/uuid.h"

#define UUID_SIZE KVSQL_UUID_BYTES
#define TEXT_SIZE KVSQL_UUID_TEXT

static const gchar digits[] = "0123456789abcdef";

static gboolean
is_dash_at (gsize i)
{
  return i == 8 || i == 13 || i == 18 || i == 23;
}

/* The least digit that is not less than @byte; 16: there is none. */
static guint
digit_from (guint8 byte)
{
  if (byte <= '9')
    return byte < '0' ? 0 : byte - '0';
  if (byte <= 'f')
    return byte < 'a' ? 10 : byte - 'a' + 10;
  return 16;
}

static void
set_digit (guint8 *bytes, gsize index, guint digit)
{
  bytes[index / 2] |= index % 2 == 0 ? digit << 4 : digit;
}

/* Adds one to the number that is the first @n_digits digits. All digits after them are 0. FALSE:
 * there is no greater number. */
static gboolean
increment (guint8 *bytes, gsize n_digits)
{
  for (gsize i = n_digits; i-- > 0;)
    {
      guint8 one = i % 2 == 0 ? 0x10 : 0x01, mask = i % 2 == 0 ? 0xf0 : 0x0f;

      if ((bytes[i / 2] & mask) != mask)
        {
          bytes[i / 2] += one;
          return TRUE;
        }
      bytes[i / 2] &= (guint8)~mask;
    }
  return FALSE;
}

/* The least UUID whose text is not less than @bound, or, if @is_open, greater than @bound. @bound
 * is any text. FALSE: there is none. */
static gboolean
least_from (KvsqlSlice bound, gboolean is_open, guint8 *out)
{
  gsize n = 0;

  memset (out, 0, UUID_SIZE);
  for (gsize i = 0; i < TEXT_SIZE; i++)
    {
      guint8 byte;
      guint digit;

      if (i == bound.size)
        return TRUE; /* each text that continues the bound is greater */
      byte = bound.data[i];
      digit = digit_from (byte);
      if (is_dash_at (i) ? byte > '-' : digit == 16)
        return increment (out, n);
      if (is_dash_at (i) && byte < '-')
        return TRUE;
      if (is_dash_at (i))
        continue;
      set_digit (out, n++, digit);
      if ((guint8)digits[digit] != byte)
        return TRUE;
    }
  return (bound.size == TEXT_SIZE && !is_open) || increment (out, n);
}

/* The bound without the zeros at its end: no 16 bytes are between the two. EXPLAIN shows it. */
static KvsqlSlice
bound_of (const guint8 *bytes, KvsqlArena *arena)
{
  gsize size = UUID_SIZE;

  while (size > 0 && bytes[size - 1] == 0)
    size--;
  return kvsql_slice_dup (arena, kvsql_slice (bytes, size));
}

static void
add_interval (const KvsqlInterval *interval, KvsqlArena *arena, KvsqlByteRanges *out)
{
  guint8 low[UUID_SIZE] = { 0 }, high[UUID_SIZE] = { 0 };
  gboolean has_high;

  if (kvsql_interval_is_point (interval))
    {
      /* any other text cannot be stored */
      if (kvsql_uuid_read (interval->low.bytes, low))
        kvsql_byte_ranges_add_point (out, kvsql_slice_dup (arena, kvsql_slice (low, UUID_SIZE)));
      return;
    }
  if (interval->has_low && !least_from (interval->low.bytes, interval->low_is_open, low))
    return;
  has_high = interval->has_high && least_from (interval->high.bytes, !interval->high_is_open, high);
  if (!has_high || memcmp (low, high, UUID_SIZE) < 0)
    kvsql_byte_ranges_add_range (out, bound_of (low, arena), has_high,
                                 has_high ? bound_of (high, arena) : KVSQL_SLICE_EMPTY, TRUE);
}

void
kvsql_uuid_constrain (const KvsqlConstraint *constraint, const KvsqlConstrainer *constrainer,
                      KvsqlByteRanges *out)
{
  if (!constraint->is_constrained)
    {
      *out = (KvsqlByteRanges){ .is_open = TRUE };
      return;
    }
  kvsql_byte_ranges_init (out, constrainer, constraint->n_intervals);
  for (guint i = 0; i < constraint->n_intervals; i++)
    add_interval (&constraint->intervals[i], constrainer->arena, out);
}
