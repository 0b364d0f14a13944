/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sorted.c: byte ranges of values whose forms have a fixed size and sort as the values do.
 *
 * So the bytes of its bounds are sufficient for a range, whatever follows.
 */
#include "config.h"

#include "core/layout/encoding/scalar.h"
#include "core/layout/encoding/sorted.h"

void
kvsql_sorted_turn_sign (guint8 *bytes, gsize size, gboolean all_bits)
{
  bytes[0] ^= all_bits ? 0xff : 0x80;
  for (gsize i = 1; i < size && all_bits; i++)
    bytes[i] ^= 0xff;
}

void
kvsql_sorted_append_real (KvsqlType type, const KvsqlValue *value, KvsqlBuffer *out)
{
  gsize start = out->size;

  kvsql_scalar_encode (type, value, out);
  kvsql_sorted_turn_sign (out->data + start, out->size - start, (out->data[start] & 0x80) != 0);
}

gboolean
kvsql_sorted_read_real (KvsqlType type, const guint8 *bytes, KvsqlArena *arena, KvsqlValue *out)
{
  gsize size = kvsql_scalar_get_size (type);
  guint8 copy[8];

  memcpy (copy, bytes, size);
  kvsql_sorted_turn_sign (copy, size, (copy[0] & 0x80) == 0);
  return kvsql_scalar_decode (type, kvsql_slice (copy, size), TRUE, arena, out);
}

/* ---- ranges */

static KvsqlSlice
bytes_of (const KvsqlSortedForm *self, const KvsqlValue *value, KvsqlArena *arena)
{
  KvsqlBuffer buffer = { 0 };

  self->append (self, value, &buffer);
  return kvsql_buffer_move (&buffer, arena);
}

static void
add (const KvsqlSortedForm *self, const KvsqlValue *low, const KvsqlValue *high, KvsqlArena *arena,
     KvsqlByteRanges *out)
{
  KvsqlSlice first = bytes_of (self, low, arena), last = bytes_of (self, high, arena),
             end = KVSQL_SLICE_EMPTY;
  gboolean has_end;

  if (kvsql_slice_equal (first, last))
    kvsql_byte_ranges_add_point (out, first);
  else if (kvsql_slice_compare (first, last) < 0)
    {
      has_end = kvsql_slice_successor (arena, last, &end);
      kvsql_byte_ranges_add_range (out, first, has_end, end, TRUE);
    }
}

static void
add_whole (const KvsqlSortedForm *self, const KvsqlInterval *interval, KvsqlArena *arena,
           KvsqlByteRanges *out)
{
  KvsqlValue low = { .type = self->type }, high = { .type = self->type };

  if (!kvsql_scalar_clip (self->type, interval, &low.integer, &high.integer))
    return;
  low.integer = MAX (low.integer, self->min);
  high.integer = MIN (high.integer, self->max);
  if (low.integer <= high.integer)
    add (self, &low, &high, arena, out);
}

/* -0 and 0 are equal and have two forms: a bound includes both or none. NaN is the greatest. */
static void
add_real (const KvsqlSortedForm *self, const KvsqlInterval *interval, KvsqlArena *arena,
          KvsqlByteRanges *out)
{
  KvsqlValue value = { .type = self->type };
  KvsqlSlice low = KVSQL_SLICE_EMPTY, high = KVSQL_SLICE_EMPTY;
  gboolean has_high = interval->has_high;

  if (interval->has_low)
    {
      value.real = interval->low.real;
      if (value.real == 0)
        value.real = interval->low_is_open ? 0.0 : -0.0;
      low = bytes_of (self, &value, arena);
      if (interval->low_is_open && !kvsql_slice_successor (arena, low, &low))
        return;
    }
  if (interval->has_high)
    {
      value.real = interval->high.real;
      if (value.real == 0)
        value.real = interval->high_is_open ? -0.0 : 0.0;
      high = bytes_of (self, &value, arena);
      if (!interval->high_is_open)
        has_high = kvsql_slice_successor (arena, high, &high);
    }
  if (!has_high || kvsql_slice_compare (low, high) < 0)
    kvsql_byte_ranges_add_range (out, low, has_high, high, TRUE);
}

static void
add_real_point (const KvsqlSortedForm *self, KvsqlValue value, KvsqlArena *arena,
                KvsqlByteRanges *out)
{
  if (value.real == 0)
    {
      value.real = -0.0;
      kvsql_byte_ranges_add_point (out, bytes_of (self, &value, arena));
      value.real = 0.0;
    }
  kvsql_byte_ranges_add_point (out, bytes_of (self, &value, arena));
}

static void
add_booleans (const KvsqlSortedForm *self, const KvsqlConstraint *constraint, KvsqlArena *arena,
              KvsqlByteRanges *out)
{
  KvsqlValue value = { .type = KVSQL_TYPE_BOOLEAN };

  for (value.boolean = FALSE; value.boolean <= TRUE; value.boolean++)
    if (kvsql_constraint_admits (constraint, &value))
      kvsql_byte_ranges_add_point (out, bytes_of (self, &value, arena));
}

void
kvsql_sorted_constrain (const KvsqlSortedForm *self, const KvsqlConstraint *constraint,
                        const KvsqlConstrainer *constrainer, KvsqlByteRanges *out)
{
  KvsqlTypeClass klass = kvsql_type_get_class (self->type);
  KvsqlArena *arena = constrainer->arena;

  if (!constraint->is_constrained)
    {
      *out = (KvsqlByteRanges){ .is_open = TRUE };
      return;
    }
  kvsql_byte_ranges_init (out, constrainer, constraint->n_intervals * 2 + 2);
  if (klass == KVSQL_CLASS_BOOLEAN)
    add_booleans (self, constraint, arena, out);
  for (guint i = 0; i < constraint->n_intervals && klass != KVSQL_CLASS_BOOLEAN; i++)
    {
      const KvsqlInterval *interval = &constraint->intervals[i];
      if (klass == KVSQL_CLASS_INTEGER)
        add_whole (self, interval, arena, out);
      else if (kvsql_interval_is_point (interval))
        add_real_point (self, interval->low, arena, out);
      else
        add_real (self, interval, arena, out);
    }
}
