/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * binary-pieces.c: pieces that are no text: numbers, times and UUIDs of a fixed size, and the rest.
 */
#include "config.h"

#include <math.h>

#include "core/infer/column-types.h"
#include "core/infer/pieces.h"

/* 2000-01-01 to 2030-03-17. Beyond it are the small numbers that are written in reverse. */
#define MIN_SECONDS G_GINT64_CONSTANT (946684800)
#define MAX_SECONDS G_GINT64_CONSTANT (1900000000)
/* Numbers beyond it are rather other bytes. */
#define MAX_NUMBER (G_GINT64_CONSTANT (1) << 53)

typedef struct
{
  gint64 min, max;
  gint64 step; /* all are multiples of it */
} Range;

static gint64
read_number (const guint8 *bytes, guint size)
{
  guint64 value = 0;

  for (guint i = 0; i < size; i++)
    value = value << 8 | bytes[i];
  return (gint64)value;
}

static gint64
as_is (guint64 value, guint size)
{
  return size == 4 ? (gint32)(guint32)value : (gint64)value;
}

static gint64
flipped (guint64 value, guint size)
{
  return as_is (value ^ (G_GUINT64_CONSTANT (1) << (8 * size - 1)), size);
}

static gint64
reversed (guint64 value, guint size)
{
  return size == 8 ? (gint64)(G_MAXINT64 - value) : G_MAXINT32 - (gint64)(guint32)value;
}

static gint64
common_divisor (gint64 a, gint64 b)
{
  guint64 x = a < 0 ? -(guint64)a : (guint64)a, y = b < 0 ? -(guint64)b : (guint64)b;

  while (y != 0)
    {
      guint64 rest = x % y;

      x = y;
      y = rest;
    }
  return (gint64)(x & G_MAXINT64);
}

static Range
range_of (const KvsqlInferSearch *self, const KvsqlSlice *rests, guint size,
          gint64 (*read) (guint64, guint))
{
  Range range = { G_MAXINT64, G_MININT64, 0 };

  for (guint i = 0; i < self->n; i++)
    {
      gint64 value = read ((guint64)read_number (rests[i].data, size), size);

      range.min = MIN (range.min, value);
      range.max = MAX (range.max, value);
      range.step = common_divisor (range.step, value);
    }
  return range;
}

static gboolean
lies_within (Range range, gint64 min, gint64 max)
{
  return range.min >= min && range.max < max;
}

static gboolean
are_milliseconds (Range range)
{
  return lies_within (range, MIN_SECONDS * 1000, MAX_SECONDS * 1000);
}

typedef struct
{
  KvsqlType type;
  const gchar *element; /* around the name; empty: none */
  const gchar *stem;
  const gchar *remark;
  Range range;
  gdouble more_bits; /* for each string, in addition to those of the range */
} Number;

static void
offer (KvsqlInferSearch *self, const KvsqlSlice *rests, guint size, const Number *number)
{
  gboolean is_bare = number->element[0] == '\0';
  const KvsqlInferPiece piece
      = { .kind = KVSQL_INFER_ATTRIBUTE,
          .before = "",
          .after = "",
          .inner_before = is_bare ? "" : kvsql_arena_printf (self->arena, "%s{", number->element),
          .inner_after = is_bare ? "" : "}",
          .type = number->type,
          .stem = number->stem,
          .remark = number->remark,
          .is_number = TRUE,
          .min = number->range.min,
          .max = number->range.max,
          .step = number->range.step };

  gboolean is_time = number->type == KVSQL_TYPE_TIMESTAMP || !g_str_equal (number->stem, "n");
  /* whole hours and days are usual; other numbers have a common divisor by chance */
  gint64 step = is_time ? MAX (number->range.step, 1) : 1;

  gint64 min = number->range.min / step, max = number->range.max / step;
  gdouble bits = kvsql_infer_bits_of_range (self, min, max);

  /* the bounds of times are nearly known */
  if (is_time)
    bits = MIN (bits, 16 + self->n * log2 ((gdouble)(max - min) + 1));
  kvsql_infer_offer (self, &piece, kvsql_infer_skip (self, rests, size),
                     bits + number->more_bits * self->n);
}

/* Forms of numbers: of Bytes.toBytes (), with the sign bit inverted, and reversed, so that the
 * newest is first. */
static const struct
{
  const gchar *element;
  gint64 (*read) (guint64, guint);
} forms[] = { { "", as_is }, { "flipped", flipped }, { "desc", reversed } };

/* Times are hardly ever anything else. */
static gboolean
offer_times (KvsqlInferSearch *self, const KvsqlSlice *rests, guint size)
{
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      Number number = { .type = size == 8 ? KVSQL_TYPE_BIGINT : KVSQL_TYPE_INT,
                        .element = forms[i].element,
                        .range = range_of (self, rests, size, forms[i].read) };

      if (size == 8 && are_milliseconds (number.range))
        {
          number.type = KVSQL_TYPE_TIMESTAMP;
          number.stem = "at";
        }
      else if (lies_within (number.range, MIN_SECONDS, MAX_SECONDS))
        {
          number.stem = "seconds";
          number.remark = "seconds since 1970";
        }
      else if (size == 8
               && lies_within (number.range, MIN_SECONDS * 1000000, MAX_SECONDS * 1000000))
        {
          number.stem = "us";
          number.remark = "microseconds since 1970";
        }
      else if (size == 8
               && lies_within (number.range, MIN_SECONDS * 1000000000, MAX_SECONDS * 1000000000))
        {
          number.stem = "ns";
          number.remark = "nanoseconds since 1970";
        }
      else
        continue;
      offer (self, rests, size, &number);
      return TRUE;
    }
  return FALSE;
}

/* Whether nothing comes after these bytes, and no others like them before. */
static gboolean
is_all (const KvsqlInferSearch *self, const KvsqlSlice *rests, guint size)
{
  const KvsqlInferPiece *last = self->now.n > 0 ? &self->now.pieces[self->now.n - 1] : NULL;

  return kvsql_infer_have_one_size (self, rests) && rests[0].size == size
         && (last == NULL || last->kind != KVSQL_INFER_ATTRIBUTE || last->type == KVSQL_TYPE_STRING
             || last->type == KVSQL_TYPE_TIMESTAMP || last->type == KVSQL_TYPE_DATE);
}

static void
offer_numbers (KvsqlInferSearch *self, const KvsqlSlice *rests, guint size)
{
  gint64 limit = size == 8 ? MAX_NUMBER : G_GINT64_CONSTANT (1) << 28;

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      Number number = { .type = size == 8 ? KVSQL_TYPE_BIGINT : KVSQL_TYPE_INT,
                        .element = forms[i].element,
                        .stem = "n",
                        .range = range_of (self, rests, size, forms[i].read) };
      gboolean is_small = lies_within (number.range, -limit, limit);

      /* bytes that may be anything are rather those of a hash, unless there are just so many */
      if (i == 0 && !is_small && !is_all (self, rests, size)
          && ((gdouble)number.range.max - (gdouble)number.range.min)
                 > (size == 4 ? 0x1p31 : 0x1p62))
        number.more_bits = 1;
      /* with the sign bit inverted, numbers have signs; reversed ones are hardly ever negative */
      if (i == 0 || (is_small && number.range.max >= 0 && (i == 1 || number.range.min >= 0)))
        offer (self, rests, size, &number);
    }
}

/* Times of our years as the bits of a FLOAT are large numbers that are not round. */
static gboolean
are_reals (const KvsqlInferSearch *self, const KvsqlSlice *rests, guint size)
{
  KvsqlSlice *values = kvsql_infer_take (self, rests, size);

  return size == 8 ? kvsql_infer_are_doubles (values, self->n)
                   : kvsql_infer_are_floats (values, self->n);
}

static void
offer_reals (KvsqlInferSearch *self, const KvsqlSlice *rests, guint size)
{
  const KvsqlInferPiece piece = { .kind = KVSQL_INFER_ATTRIBUTE,
                                  .before = "",
                                  .after = "",
                                  .inner_before = "",
                                  .inner_after = "",
                                  .type = size == 8 ? KVSQL_TYPE_DOUBLE : KVSQL_TYPE_FLOAT,
                                  .stem = "x" };
  Range range = range_of (self, rests, size, as_is);
  /* the lowest bits of round numbers are zeros */
  gint64 step = MAX (range.step, 1);
  gdouble bits = kvsql_infer_bits_of_range (self, range.min / step, range.max / step);

  /* signs and exponents are nearly the same; and as whole numbers they would be huge */
  kvsql_infer_offer (self, &piece, kvsql_infer_skip (self, rests, size),
                     MIN (bits, (size == 8 ? 54.0 : 27.0) * self->n) - 2.0 * self->n);
}

/* All that is left. */
static gboolean
are_amounts (const KvsqlInferSearch *self, const KvsqlSlice *rests, guint size)
{
  return size == 8 && kvsql_infer_have_one_size (self, rests) && rests[0].size == size
         && kvsql_infer_are_amounts (rests, self->n);
}

static void
offer_amounts (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  const KvsqlInferPiece piece = { .kind = KVSQL_INFER_ATTRIBUTE,
                                  .before = "",
                                  .after = "",
                                  .inner_before = "",
                                  .inner_after = "",
                                  .type = KVSQL_TYPE_DECIMAL,
                                  .stem = "x",
                                  .remark = "8 bytes each: a BIGINT if they are no amounts" };

  kvsql_infer_offer (self, &piece, kvsql_infer_skip (self, rests, 8), 26.0 * self->n);
}

/* ---- numbers of one, two or three bytes */

/* OpenTSDB and others keep flags in the lowest four bits. */
static gboolean
have_same_low_bits (const KvsqlInferSearch *self, const KvsqlSlice *rests, guint size)
{
  for (guint i = 0; i < self->n; i++)
    if ((rests[i].data[size - 1] & 0xf) != (rests[0].data[size - 1] & 0xf))
      return FALSE;
  return self->n >= 8;
}

static void
offer_short_numbers (KvsqlInferSearch *self, const KvsqlSlice *rests, guint size)
{
  Number number = { .type = KVSQL_TYPE_INT,
                    .element = kvsql_arena_printf (self->arena, "unsigned(%u)", size),
                    .stem = "n",
                    .range = range_of (self, rests, size, as_is) };
  guint flags = rests[0].data[size - 1] & 0xf;

  if (number.range.max - number.range.min > (G_GINT64_CONSTANT (1) << (8 * size - 1))
      && !is_all (self, rests, size))
    number.more_bits = 1;
  offer (self, rests, size, &number);
  if (size != 2 || !have_same_low_bits (self, rests, size))
    return;
  number.element = kvsql_arena_printf (self->arena, "unsigned(2, 4, %u)", flags);
  number.remark = "the four lowest bits are the same in all";
  number.range.min >>= 4;
  number.range.max >>= 4;
  number.range.step = 0;
  offer (self, rests, size, &number);
}

static gint64
as_signed (guint64 value, guint size)
{
  return size == 1 ? (gint8)(guint8)value : (gint16)(guint16)value;
}

/* Java's short and byte: some are negative, and all are near zero. */
static gboolean
may_be_negative (const KvsqlInferSearch *self, const KvsqlSlice *rests, guint size)
{
  gint64 half = G_GINT64_CONSTANT (1) << (8 * size - 1);
  guint n_near_zero = 0, n_negative = 0;

  for (guint i = 0; i < self->n; i++)
    {
      gint64 value = read_number (rests[i].data, size);

      n_negative += value >= half;
      n_near_zero += value < half / 2 || value >= 2 * half - half / 2;
    }
  return size <= 2 && n_negative > 0 && n_negative < self->n && n_near_zero == self->n;
}

static void
offer_signed_number (KvsqlInferSearch *self, const KvsqlSlice *rests, guint size)
{
  const Number number = { .type = KVSQL_TYPE_INT,
                          .element = size == 1 ? "byte" : "short",
                          .stem = "n",
                          .range = range_of (self, rests, size, as_signed) };

  offer (self, rests, size, &number);
}

/* Bytes.toBytes (true) is ff. */
static gboolean
are_booleans (const KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  guint n_true = 0;

  for (guint i = 0; i < self->n; i++)
    {
      if (rests[i].data[0] != 0 && rests[i].data[0] != 0xff)
        return FALSE;
      n_true += rests[i].data[0] == 0xff;
    }
  return n_true > 0;
}

static void
offer_booleans (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  const KvsqlInferPiece piece = { .kind = KVSQL_INFER_ATTRIBUTE,
                                  .before = "",
                                  .after = "",
                                  .inner_before = "",
                                  .inner_after = "",
                                  .type = KVSQL_TYPE_BOOLEAN,
                                  .stem = "is" };

  kvsql_infer_offer (self, &piece, kvsql_infer_skip (self, rests, 1), self->n);
}

/* A byte at the beginning of rows that spreads them. */
static gboolean
is_bucket (const KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  return self->now.n == 0 && self->n >= 8 && kvsql_infer_have (self, rests, 2);
}

static void
offer_bucket (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  const Number number = { .type = KVSQL_TYPE_INT,
                          .element = "unsigned(1)",
                          .stem = "bucket",
                          .range = range_of (self, rests, 1, as_is) };

  if (!kvsql_infer_are_printable (self, rests, 1) && number.range.min < number.range.max)
    offer (self, rests, 1, &number);
}

static gboolean
is_unlike_numbers (const KvsqlInferSearch *self, const KvsqlSlice *rests, guint size)
{
  const KvsqlSlice *values = kvsql_infer_take (self, rests, size);

  return kvsql_infer_are_partly_text (values, self->n)
         || kvsql_infer_are_little_endian (values, self->n, FALSE);
}

void
kvsql_infer_numbers (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  static const guint sizes[] = { 8, 4 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      if (!kvsql_infer_have (self, rests, sizes[i]) || is_unlike_numbers (self, rests, sizes[i]))
        continue;
      if (are_amounts (self, rests, sizes[i]))
        offer_amounts (self, rests);
      else if (are_reals (self, rests, sizes[i]))
        offer_reals (self, rests, sizes[i]);
      else if (!offer_times (self, rests, sizes[i]))
        offer_numbers (self, rests, sizes[i]);
    }
  for (guint size = 3; size >= 1 && kvsql_infer_have_one_size (self, rests); size--)
    if (kvsql_infer_have (self, rests, size) && !kvsql_infer_are_printable (self, rests, size))
      {
        if (size == 1 && rests[0].size == 1 && are_booleans (self, rests))
          offer_booleans (self, rests);
        else if (may_be_negative (self, rests, size) && rests[0].size == size)
          offer_signed_number (self, rests, size);
        else
          offer_short_numbers (self, rests, size);
      }
  if (is_bucket (self, rests) && !kvsql_infer_have_one_size (self, rests))
    offer_bucket (self, rests);
}

/* ---- UUIDs */

/* RFC 4122: the version, the same in all of them, and the variant. */
static gboolean
is_uuid (const guint8 *bytes, guint8 version)
{
  return bytes[6] >> 4 == version && (bytes[8] & 0xc0) == 0x80;
}

void
kvsql_infer_uuids (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  const KvsqlInferPiece piece = { .kind = KVSQL_INFER_ATTRIBUTE,
                                  .before = "",
                                  .inner_before = "uuid{",
                                  .inner_after = "}",
                                  .after = "",
                                  .type = KVSQL_TYPE_STRING,
                                  .stem = "id" };
  guint8 version;

  if (!kvsql_infer_have (self, rests, 16))
    return;
  version = rests[0].data[6] >> 4;
  if (version < 1 || version > 8)
    return;
  for (guint i = 0; i < self->n; i++)
    if (!is_uuid (rests[i].data, version))
      return;
  kvsql_infer_offer (self, &piece, kvsql_infer_skip (self, rests, 16), 122.0 * self->n);
}

/* ---- what nothing is known of */

void
kvsql_infer_open_bytes (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  const KvsqlInferPiece piece = { .kind = KVSQL_INFER_ATTRIBUTE,
                                  .before = "",
                                  .after = "",
                                  .inner_before = "",
                                  .inner_after = "",
                                  .type = KVSQL_TYPE_BYTES,
                                  .stem = "b" };
  KvsqlSlice *nothing = kvsql_arena_array (self->arena, KvsqlSlice, self->n);
  const KvsqlInferPiece *last = self->now.n > 0 ? &self->now.pieces[self->now.n - 1] : NULL;
  gdouble bits = 0;

  for (guint i = 0; i < self->n; i++)
    {
      bits += 8 * (gdouble)rests[i].size + 8;
      nothing[i] = KVSQL_SLICE_EMPTY;
    }
  /* what all begin with is a part of them, as in the messages of a program */
  if (last != NULL
      && (last->type == KVSQL_TYPE_BYTES
          || (last->kind == KVSQL_INFER_CONSTANT && last->before[0] == 'x')))
    bits += 64.0 * self->n;
  if (last != NULL && last->is_number && last->before[0] == '\0')
    bits += 12.0 * self->n;
  kvsql_infer_offer (self, &piece, nothing, bits);
}
