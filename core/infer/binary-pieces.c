/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * binary-pieces.c: pieces that are no text: numbers, times and UUIDs of a fixed size, and the rest.
 */
#include "config.h"

#include "core/infer/column-types.h"
#include "core/infer/pieces.h"

/* 2000-01-01 to 2036-07-18. Beyond it are the small numbers that are written in reverse. */
#define MIN_SECONDS G_GINT64_CONSTANT (946684800)
#define MAX_SECONDS G_GINT64_CONSTANT (2100000000)
/* Numbers beyond it are rather other bytes. */
#define MAX_NUMBER (G_GINT64_CONSTANT (1) << 53)

typedef struct
{
  gint64 min, max;
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
  return size == 8 ? (gint64)value : (gint32)(guint32)value;
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

static Range
range_of (const KvsqlInferSearch *self, const KvsqlSlice *rests, guint size,
          gint64 (*read) (guint64, guint))
{
  Range range = { G_MAXINT64, G_MININT64 };

  for (guint i = 0; i < self->n; i++)
    {
      gint64 value = read ((guint64)read_number (rests[i].data, size), size);

      range.min = MIN (range.min, value);
      range.max = MAX (range.max, value);
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

static void
offer (KvsqlInferSearch *self, const KvsqlSlice *rests, guint size, KvsqlType type,
       const gchar *element, const gchar *stem, Range range)
{
  const KvsqlInferPiece piece
      = { .kind = KVSQL_INFER_ATTRIBUTE,
          .before = "",
          .after = "",
          .inner_before
          = element[0] != '\0' ? kvsql_arena_printf (self->arena, "%s{", element) : "",
          .inner_after = element[0] != '\0' ? "}" : "",
          .type = type,
          .stem = stem };

  kvsql_infer_offer (self, &piece, kvsql_infer_skip (self, rests, size),
                     kvsql_infer_bits_of_range (self, range.min, range.max));
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
      Range range = range_of (self, rests, size, forms[i].read);

      if (size == 8 && are_milliseconds (range))
        offer (self, rests, size, KVSQL_TYPE_TIMESTAMP, forms[i].element, "at", range);
      else if (lies_within (range, MIN_SECONDS, MAX_SECONDS))
        offer (self, rests, size, size == 8 ? KVSQL_TYPE_BIGINT : KVSQL_TYPE_INT, forms[i].element,
               "seconds", range);
      else
        continue;
      return TRUE;
    }
  return FALSE;
}

static void
offer_numbers (KvsqlInferSearch *self, const KvsqlSlice *rests, guint size)
{
  gint64 limit = size == 8 ? MAX_NUMBER : G_GINT64_CONSTANT (1) << 28;

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      Range range = range_of (self, rests, size, forms[i].read);

      if (lies_within (range, -limit, limit) && (i == 0 || range.max >= 0))
        offer (self, rests, size, size == 8 ? KVSQL_TYPE_BIGINT : KVSQL_TYPE_INT, forms[i].element,
               "n", range);
    }
}

static void
offer_doubles (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  const KvsqlInferPiece piece = { .kind = KVSQL_INFER_ATTRIBUTE,
                                  .before = "",
                                  .after = "",
                                  .inner_before = "",
                                  .inner_after = "",
                                  .type = KVSQL_TYPE_DOUBLE,
                                  .stem = "x" };

  for (guint i = 0; i < self->n; i++)
    if (!kvsql_infer_is_double (kvsql_slice (rests[i].data, 8)))
      return;
  /* signs and exponents are nearly the same */
  kvsql_infer_offer (self, &piece, kvsql_infer_skip (self, rests, 8), 54.0 * self->n);
}

/* Small numbers in one, two or three bytes. */
static void
offer_short_numbers (KvsqlInferSearch *self, const KvsqlSlice *rests, guint size)
{
  Range range = { G_MAXINT64, 0 };

  for (guint i = 0; i < self->n; i++)
    {
      gint64 value = read_number (rests[i].data, size);

      range.min = MIN (range.min, value);
      range.max = MAX (range.max, value);
    }
  offer (self, rests, size, KVSQL_TYPE_INT, kvsql_arena_printf (self->arena, "unsigned(%u)", size),
         "n", range);
}

static gboolean
are_printable (const KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size)
{
  for (guint i = 0; i < self->n; i++)
    for (gsize b = 0; b < size; b++)
      if (rests[i].data[b] < 0x20 || rests[i].data[b] >= 0x7f)
        return FALSE;
  return TRUE;
}

/* Whether all strings are so long, as those are that have only pieces of a fixed size. */
static gboolean
have_one_size (const KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  for (guint i = 1; i < self->n; i++)
    if (rests[i].size != rests[0].size)
      return FALSE;
  return TRUE;
}

void
kvsql_infer_numbers (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  static const guint sizes[] = { 8, 4 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    if (kvsql_infer_have (self, rests, sizes[i]) && !are_printable (self, rests, sizes[i])
        && !offer_times (self, rests, sizes[i]))
      {
        offer_numbers (self, rests, sizes[i]);
        if (sizes[i] == 8)
          offer_doubles (self, rests);
      }
  for (guint size = 3; size >= 1 && have_one_size (self, rests); size--)
    if (kvsql_infer_have (self, rests, size) && !are_printable (self, rests, size))
      offer_short_numbers (self, rests, size);
}

/* ---- UUIDs */

/* RFC 4122: the version, the same in all of them, and the variant. */
static gboolean
is_uuid (const guint8 *bytes, guint8 version)
{
  return bytes[6] >> 4 == version && (bytes[8] & 0xc0) == 0x80;
}

static gboolean
is_uuid_text (KvsqlSlice text)
{
  for (gsize i = 0; i < 36; i++)
    if (i == 8 || i == 13 || i == 18 || i == 23 ? text.data[i] != '-'
                                                : !g_ascii_isxdigit ((gchar)text.data[i]))
      return FALSE;
  return TRUE;
}

static void
offer_uuid (KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size, const gchar *before)
{
  const KvsqlInferPiece piece = { .kind = KVSQL_INFER_ATTRIBUTE,
                                  .before = size == 36 ? before : "",
                                  .after = size == 36 ? "}" : "",
                                  .inner_before = size == 16 ? before : "",
                                  .inner_after = size == 16 ? "}" : "",
                                  .type = KVSQL_TYPE_STRING,
                                  .stem = "id" };

  kvsql_infer_offer (self, &piece, kvsql_infer_skip (self, rests, size), 122.0 * self->n);
}

void
kvsql_infer_uuids (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  gboolean is_text = kvsql_infer_have (self, rests, 36);
  gboolean is_binary = kvsql_infer_have (self, rests, 16);
  guint8 version = is_binary ? rests[0].data[6] >> 4 : 0;

  for (guint i = 0; i < self->n; i++)
    {
      is_text = is_text && is_uuid_text (rests[i]);
      is_binary = is_binary && version >= 1 && version <= 8 && is_uuid (rests[i].data, version);
    }
  if (is_text)
    offer_uuid (self, rests, 36, "fixed(36){");
  if (is_binary)
    offer_uuid (self, rests, 16, "uuid{");
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
  gdouble bits = 0;

  for (guint i = 0; i < self->n; i++)
    {
      bits += 8 * (gdouble)rests[i].size + 8;
      nothing[i] = KVSQL_SLICE_EMPTY;
    }
  kvsql_infer_offer (self, &piece, nothing, bits);
}
