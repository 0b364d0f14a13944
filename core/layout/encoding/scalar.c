/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scalar.c: HBase's Bytes encodings, and the byte ranges of intervals in them.
 *
 * Two's complement and IEEE 754 sort as unsigned bytes only among values of the same sign. So an
 * interval that contains zero becomes two ranges, and negative reals are in descending order.
 */
#include "config.h"

#include "core/base/collection.h"
#include "core/base/decimal.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/uuid.h"
#include "core/layout/encoding/scalar.h"
#include "core/layout/encoding/uuid-ranges.h"

#include <math.h>

gssize
kvsql_scalar_get_size (KvsqlType type)
{
  switch (type)
    {
    case KVSQL_TYPE_BOOLEAN:
      return 1;
    case KVSQL_TYPE_INT:
    case KVSQL_TYPE_DATE:
    case KVSQL_TYPE_TIME:
    case KVSQL_TYPE_FLOAT:
      return 4;
    case KVSQL_TYPE_BIGINT:
    case KVSQL_TYPE_TIMESTAMP:
    case KVSQL_TYPE_DOUBLE:
      return 8;
    case KVSQL_TYPE_UUID:
      return KVSQL_UUID_BYTES;
    default:
      return -1;
    }
}

/* ---- bits of reals */

guint64
kvsql_scalar_get_real_bits (KvsqlType type, gdouble real)
{
  if (type == KVSQL_TYPE_FLOAT)
    {
      gfloat narrow = (gfloat)real;
      guint32 bits;
      memcpy (&bits, &narrow, 4);
      return isnan (real) ? 0x7fc00000u : bits;
    }
  guint64 bits;
  memcpy (&bits, &real, 8);
  return isnan (real) ? G_GUINT64_CONSTANT (0x7ff8000000000000) : bits;
}

static gdouble
real_from_bytes (const guint8 *bytes, gsize size)
{
  if (size == 4)
    {
      guint32 bits = kvsql_get_be32 (bytes);
      gfloat narrow;
      memcpy (&narrow, &bits, 4);
      return narrow;
    }
  guint64 bits = kvsql_get_be64 (bytes);
  gdouble real;
  memcpy (&real, &bits, 8);
  return real;
}

/* Accepts only our form of NaN. */
static inline gboolean
is_canonical_real (KvsqlSlice bytes, gdouble real)
{
  return !isnan (real)
         || (bytes.size == 4
                 ? kvsql_get_be32 (bytes.data) == kvsql_scalar_get_real_bits (KVSQL_TYPE_FLOAT, NAN)
                 : kvsql_get_be64 (bytes.data)
                       == kvsql_scalar_get_real_bits (KVSQL_TYPE_DOUBLE, NAN));
}

/* ---- encoding and decoding */

static void
append_bits (guint64 bits, gsize size, KvsqlBuffer *out)
{
  guint8 *at = kvsql_buffer_extend (out, size);

  if (size == 4)
    kvsql_put_be32 (at, (guint32)bits);
  else
    kvsql_put_be64 (at, bits);
}

void
kvsql_scalar_encode (KvsqlType type, const KvsqlValue *value, KvsqlBuffer *out)
{
  switch (kvsql_type_get_class (type))
    {
    case KVSQL_CLASS_BOOLEAN:
      kvsql_buffer_append_byte (out, value->boolean ? 0xff : 0x00);
      break;
    case KVSQL_CLASS_INTEGER:
      append_bits ((guint64)value->integer, kvsql_scalar_get_size (type), out);
      break;
    case KVSQL_CLASS_REAL:
      append_bits (kvsql_scalar_get_real_bits (type, value->real), kvsql_scalar_get_size (type),
                   out);
      break;
    default:
      if (type == KVSQL_TYPE_DECIMAL)
        kvsql_decimal_append_bytes (value->bytes, out);
      else if (type == KVSQL_TYPE_UUID)
        kvsql_uuid_parse (value->bytes, kvsql_buffer_extend (out, KVSQL_UUID_BYTES));
      else
        kvsql_buffer_append_slice (out, value->bytes);
      break;
    }
}

/* A DECIMAL with the canonical bytes of its value. */
static gboolean
decode_decimal (KvsqlSlice bytes, gboolean is_strict, KvsqlArena *arena, KvsqlSlice *out)
{
  KvsqlBuffer again = { 0 };
  gboolean is_same;

  if (!kvsql_decimal_from_bytes (bytes, arena, out))
    return FALSE;
  if (!is_strict)
    return TRUE;
  kvsql_decimal_append_bytes (*out, &again);
  is_same = kvsql_slice_equal (kvsql_buffer_slice (&again), bytes);
  kvsql_buffer_clear (&again);
  return is_same;
}

gboolean
kvsql_scalar_decode (KvsqlType type, KvsqlSlice bytes, gboolean is_strict, KvsqlArena *arena,
                     KvsqlValue *out)
{
  gssize size = kvsql_scalar_get_size (type);

  if (size >= 0 && bytes.size != (gsize)size)
    return FALSE;
  out->type = type;
  switch (type)
    {
    case KVSQL_TYPE_BOOLEAN:
      out->boolean = bytes.data[0] != 0;
      return !is_strict || bytes.data[0] == 0 || bytes.data[0] == 0xff;
    case KVSQL_TYPE_INT:
    case KVSQL_TYPE_DATE:
    case KVSQL_TYPE_TIME:
      out->integer = (gint32)kvsql_get_be32 (bytes.data);
      return kvsql_type_has_integer (type, out->integer);
    case KVSQL_TYPE_BIGINT:
      out->integer = (gint64)kvsql_get_be64 (bytes.data);
      return TRUE;
    case KVSQL_TYPE_TIMESTAMP:
      out->integer = (gint64)kvsql_get_be64 (bytes.data);
      return out->integer >= KVSQL_DATE_MIN * KVSQL_MS_PER_DAY
             && out->integer < (KVSQL_DATE_MAX + 1LL) * KVSQL_MS_PER_DAY;
    case KVSQL_TYPE_FLOAT:
    case KVSQL_TYPE_DOUBLE:
      out->real = real_from_bytes (bytes.data, size);
      return !is_strict || is_canonical_real (bytes, out->real);
    case KVSQL_TYPE_DECIMAL:
      return decode_decimal (bytes, is_strict, arena, &out->bytes);
    case KVSQL_TYPE_STRING:
      out->bytes = bytes;
      return kvsql_text_is_valid (bytes);
    case KVSQL_TYPE_BYTES:
      out->bytes = bytes;
      return TRUE;
    case KVSQL_TYPE_UUID:
      out->bytes = kvsql_uuid_to_text (bytes.data, arena);
      return TRUE;
    case KVSQL_TYPE_JSON:
      out->bytes = bytes;
      return kvsql_json_check (bytes, NULL);
    case KVSQL_TYPE_JSONB:
      return kvsql_jsonb_parse (bytes, arena, &out->bytes, NULL)
             && (!is_strict || kvsql_slice_equal (out->bytes, bytes));
    default:
      return kvsql_collection_parse (type, bytes, arena, &out->bytes, NULL)
             && (!is_strict || kvsql_slice_equal (out->bytes, bytes));
    }
}

gboolean
kvsql_scalar_check (KvsqlType type, KvsqlSlice bytes, gboolean is_strict, KvsqlArena *arena)
{
  KvsqlValue unused;

  if (type == KVSQL_TYPE_STRING)
    return kvsql_text_is_valid (bytes);
  return type == KVSQL_TYPE_BYTES || kvsql_scalar_decode (type, bytes, is_strict, arena, &unused);
}

gboolean
kvsql_scalar_decode_into (KvsqlType type, KvsqlSlice bytes, gboolean is_strict, KvsqlArena *arena,
                          KvsqlVector *column, guint row)
{
  KvsqlValue value;

  /* the most common types of scans */
  switch (type)
    {
    case KVSQL_TYPE_STRING:
      column->slices[row] = bytes;
      return kvsql_text_is_valid (bytes);
    case KVSQL_TYPE_INT:
      if (bytes.size != 4)
        return FALSE;
      column->integers[row] = (gint32)kvsql_get_be32 (bytes.data);
      return TRUE;
    case KVSQL_TYPE_BIGINT:
      if (bytes.size != 8)
        return FALSE;
      column->integers[row] = (gint64)kvsql_get_be64 (bytes.data);
      return TRUE;
    case KVSQL_TYPE_DATE:
      if (bytes.size != 4)
        return FALSE;
      column->integers[row] = (gint32)kvsql_get_be32 (bytes.data);
      return column->integers[row] >= KVSQL_DATE_MIN && column->integers[row] <= KVSQL_DATE_MAX;
    case KVSQL_TYPE_DOUBLE:
      if (bytes.size != 8)
        return FALSE;
      column->reals[row] = real_from_bytes (bytes.data, 8);
      return !is_strict || is_canonical_real (bytes, column->reals[row]);
    default:
      if (!kvsql_scalar_decode (type, bytes, is_strict, arena, &value))
        return FALSE;
      kvsql_vector_set (column, row, &value);
      return TRUE;
    }
}

/* ---- intervals to bytes */

static KvsqlSlice
bits_slice (KvsqlArena *arena, guint64 bits, gsize size)
{
  guint8 *bytes = kvsql_arena_alloc (arena, 8);

  if (size == 4)
    kvsql_put_be32 (bytes, (guint32)bits);
  else
    kvsql_put_be64 (bytes, bits);
  return kvsql_slice (bytes, size);
}

/* Adds the range of unsigned numbers @first .. @last, both inclusive. */
static void
add_bits_range (KvsqlByteRanges *out, KvsqlArena *arena, guint64 first, guint64 last, gsize size)
{
  guint64 top = size == 4 ? G_MAXUINT32 : G_MAXUINT64;

  if (first == last)
    kvsql_byte_ranges_add_point (out, bits_slice (arena, first, size));
  else
    kvsql_byte_ranges_add_range (out, bits_slice (arena, first, size), last != top,
                                 bits_slice (arena, last + 1, size), TRUE);
}

gboolean
kvsql_scalar_clip (KvsqlType type, const KvsqlInterval *interval, gint64 *out_low, gint64 *out_high)
{
  gsize size = kvsql_scalar_get_size (type);
  gint64 min = size == 4 ? G_MININT32 : G_MININT64, max = size == 4 ? G_MAXINT32 : G_MAXINT64;
  gint64 low, high;

  if (type == KVSQL_TYPE_TIME)
    {
      min = 0;
      max = KVSQL_MS_PER_DAY;
    }
  low = interval->has_low ? interval->low.integer : min;
  high = interval->has_high ? interval->high.integer : max;
  if ((interval->has_low && interval->low_is_open && low >= max)
      || (interval->has_high && interval->high_is_open && high <= min))
    return FALSE;
  *out_low = MAX (low + (interval->has_low && interval->low_is_open), min);
  *out_high = MIN (high - (interval->has_high && interval->high_is_open), max);
  return *out_low <= *out_high;
}

static void
integers (KvsqlType type, const KvsqlConstraint *constraint, const KvsqlConstrainer *constrainer,
          KvsqlByteRanges *out)
{
  gsize size = kvsql_scalar_get_size (type);
  guint64 mask = size == 4 ? G_MAXUINT32 : G_MAXUINT64;
  gint64 low, high;

  kvsql_byte_ranges_init (out, constrainer, constraint->n_intervals * 2);
  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      if (!kvsql_scalar_clip (type, &constraint->intervals[i], &low, &high))
        continue;
      if (high >= 0)
        add_bits_range (out, constrainer->arena, (guint64)MAX (low, 0), (guint64)high, size);
      if (low < 0)
        add_bits_range (out, constrainer->arena, (guint64)low & mask,
                        (guint64)MIN (high, -1) & mask, size);
    }
}

/* Maps reals to integers in ascending order: negative reals are below 0, -0 and 0 are different,
 * NaN is the greatest. */
static gint64
real_rank (KvsqlType type, gdouble real)
{
  guint64 bits = kvsql_scalar_get_real_bits (type, real);
  guint64 sign = type == KVSQL_TYPE_FLOAT ? 0x80000000u : G_GUINT64_CONSTANT (0x8000000000000000);

  return (bits & sign) != 0 ? -(gint64)(bits ^ sign) - 1 : (gint64)bits;
}

static void
reals (KvsqlType type, const KvsqlConstraint *constraint, const KvsqlConstrainer *constrainer,
       KvsqlByteRanges *out)
{
  gsize size = kvsql_scalar_get_size (type);
  guint64 sign = size == 4 ? 0x80000000u : G_GUINT64_CONSTANT (0x8000000000000000);

  kvsql_byte_ranges_init (out, constrainer, constraint->n_intervals * 2);
  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      const KvsqlInterval *interval = &constraint->intervals[i];
      gdouble low_real = interval->low.real == 0 ? -0.0 : interval->low.real;
      gdouble high_real = interval->high.real == 0 ? 0.0 : interval->high.real;
      gint64 low = -(gint64)(sign - 1) - 1, high = (gint64)(sign - 1);

      if (interval->has_low && interval->low_is_open)
        low = real_rank (type, interval->low.real == 0 ? 0.0 : interval->low.real) + 1;
      else if (interval->has_low)
        low = real_rank (type, low_real);
      if (interval->has_high && interval->high_is_open)
        high = real_rank (type, interval->high.real == 0 ? -0.0 : interval->high.real) - 1;
      else if (interval->has_high)
        high = isnan (interval->high.real) ? high : real_rank (type, high_real);
      if (low > high)
        continue;
      if (high >= 0)
        add_bits_range (out, constrainer->arena, (guint64)MAX (low, 0), (guint64)high, size);
      if (low < 0)
        add_bits_range (out, constrainer->arena, sign | (guint64)(-(MIN (high, -1) + 1)),
                        sign | (guint64)(-(low + 1)), size);
    }
}

static void
booleans (const KvsqlConstraint *constraint, const KvsqlConstrainer *constrainer,
          KvsqlByteRanges *out)
{
  KvsqlValue value = { .type = KVSQL_TYPE_BOOLEAN };

  kvsql_byte_ranges_init (out, constrainer, 2);
  for (value.boolean = FALSE; value.boolean <= TRUE; value.boolean++)
    if (kvsql_constraint_admits (constraint, &value))
      kvsql_byte_ranges_add_point (out, value.boolean ? KVSQL_SLICE_LITERAL ("\xff")
                                                      : KVSQL_SLICE_LITERAL ("\0"));
}

/* The encoding does not sort as numbers do, but equal numbers have equal bytes. */
static void
decimals (const KvsqlConstraint *constraint, const KvsqlConstrainer *constrainer,
          KvsqlByteRanges *out)
{
  for (guint i = 0; i < constraint->n_intervals; i++)
    if (!kvsql_interval_is_point (&constraint->intervals[i]))
      {
        *out = (KvsqlByteRanges){ .is_open = TRUE };
        return;
      }
  kvsql_byte_ranges_init (out, constrainer, constraint->n_intervals);
  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      KvsqlBuffer bytes = { 0 };
      kvsql_decimal_append_bytes (constraint->intervals[i].low.bytes, &bytes);
      kvsql_byte_ranges_add_point (
          out, kvsql_slice_dup (constrainer->arena, kvsql_buffer_slice (&bytes)));
      kvsql_buffer_clear (&bytes);
    }
}

void
kvsql_scalar_constrain (KvsqlType type, const KvsqlConstraint *constraint,
                        const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
                        KvsqlByteRanges *out)
{
  if (!constraint->is_constrained)
    {
      *out = (KvsqlByteRanges){ .is_open = TRUE };
      return;
    }
  switch (kvsql_type_get_class (type))
    {
    case KVSQL_CLASS_BOOLEAN:
      booleans (constraint, constrainer, out);
      break;
    case KVSQL_CLASS_INTEGER:
      integers (type, constraint, constrainer, out);
      break;
    case KVSQL_CLASS_REAL:
      reals (type, constraint, constrainer, out);
      break;
    default:
      if (type == KVSQL_TYPE_DECIMAL)
        decimals (constraint, constrainer, out);
      else if (type == KVSQL_TYPE_UUID)
        kvsql_uuid_constrain (constraint, constrainer, out);
      else if (kvsql_type_is_json (type)) /* equal values may have other bytes */
        *out = (KvsqlByteRanges){ .is_open = TRUE };
      else
        kvsql_byte_ranges_from_slices (constraint, constrainer, delimiter, out);
      break;
    }
}
