/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * column-types.c: see column-types.h.
 */
#include "config.h"

#include "core/infer/column-types.h"

#include <math.h>

#include "core/base/conversion.h"
#include "core/infer/json-text.h"
#include "core/layout/encoding/ordered.h"
#include "core/layout/encoding/phoenix.h"

#define MAX_WHOLE (G_GINT64_CONSTANT (1) << 53)
#define BITS_PER_CHARACTER 6.6
/* Of an amount of kvsql_infer_are_amounts (). As a BIGINT it would be about 40. */
#define BITS_PER_AMOUNT 38
/* So many different bytes are rather numbers than codes. */
#define MIN_NUMBERS 8
/* Of so many numbers, one in so many may be something else, if the others are explained in this
 * share of the bits of BYTES at most. It costs so much more. */
#define MIN_WITH_STRANGE 20
#define ONE_STRANGE_IN 20
#define SHARE_WITH_STRANGE 0.7
#define BITS_PER_STRANGE 30
/* What it takes to say that one column of a table is as Phoenix writes it. */
#define BITS_PER_UNUSUAL 4

typedef struct
{
  const KvsqlSlice *values;
  guint n;
  KvsqlArena *arena;
} Column;

gboolean
kvsql_infer_is_time (gint64 ms)
{
  return ms >= G_GINT64_CONSTANT (946684800000) && ms < G_GINT64_CONSTANT (2208988800000);
}

/* ---- the value of one cell. Each returns its bits; negative: it is none of the type. */

static gdouble
bits_of_whole (gint64 number)
{
  return log2 (fabs ((gdouble)number) + 2) + 6;
}

static gdouble
bits_of_bytes (gsize size)
{
  return 8.1 * (gdouble)size + 8;
}

static gboolean
is_printable (KvsqlSlice value)
{
  for (gsize i = 0; i < value.size; i++)
    if ((value.data[i] < 0x20 && strchr ("\t\n\r", value.data[i]) == NULL) || value.data[i] == 0
        || value.data[i] == 0x7f)
      return FALSE;
  return g_utf8_validate ((const gchar *)value.data, (gssize)value.size, NULL);
}

/* Of a value that was read. */
static gdouble
bits_of_value (const KvsqlValue *value, gsize size)
{
  switch (value->type)
    {
    case KVSQL_TYPE_NULL:
    case KVSQL_TYPE_BOOLEAN:
      return 2;
    case KVSQL_TYPE_INT:
      return ABS (value->integer) < G_GINT64_CONSTANT (1) << 31 ? bits_of_whole (value->integer)
                                                                : -1;
    case KVSQL_TYPE_BIGINT:
      return bits_of_whole (value->integer);
    case KVSQL_TYPE_DATE:
      return 15;
    case KVSQL_TYPE_TIMESTAMP:
      return kvsql_infer_is_time (value->integer) ? 40 : -1;
    case KVSQL_TYPE_FLOAT:
    case KVSQL_TYPE_DOUBLE:
      if (value->real != 0 && (fabs (value->real) < 1e-9 || fabs (value->real) > 1e15))
        return -1;
      return value->type == KVSQL_TYPE_FLOAT ? 26 : 50;
    case KVSQL_TYPE_STRING:
      return is_printable (value->bytes) ? BITS_PER_CHARACTER * (gdouble)size + 4 : -1;
    case KVSQL_TYPE_DECIMAL:
      return value->bytes.size < 20 ? 4 * (gdouble)value->bytes.size + 6 : -1;
    default:
      return bits_of_bytes (size);
    }
}

static gdouble
bits_as_bytes (KvsqlSlice value, KvsqlType type, KvsqlArena *arena)
{
  switch (type)
    {
    case KVSQL_TYPE_STRING:
      return is_printable (value) ? BITS_PER_CHARACTER * (gdouble)value.size + 4 : -1;
    case KVSQL_TYPE_BOOLEAN:
      return value.size == 1 && (value.data[0] <= 1 || value.data[0] == 0xff) ? 2 : -1;
    case KVSQL_TYPE_INT:
      return value.size == 4 ? bits_of_whole ((gint32)kvsql_get_be32 (value.data)) : -1;
    case KVSQL_TYPE_TIMESTAMP:
      return value.size == 8 && kvsql_infer_is_time ((gint64)kvsql_get_be64 (value.data)) ? 40 : -1;
    case KVSQL_TYPE_BIGINT:
      return value.size == 8 ? bits_of_whole ((gint64)kvsql_get_be64 (value.data)) : -1;
    case KVSQL_TYPE_DECIMAL:
      /* a scale, and an unscaled number */
      return value.size >= 5 && value.size <= 20 && kvsql_get_be32 (value.data) <= 12
                 ? 8 * (gdouble)value.size - 20
                 : -1;
    default:
      return bits_of_bytes (value.size);
    }
}

static gdouble
bits_as_text (KvsqlSlice value, KvsqlType type, KvsqlArena *arena)
{
  g_autoptr (GString) text = g_string_new (NULL);
  KvsqlValue parsed;

  if (type == KVSQL_TYPE_STRING)
    return is_printable (value) ? BITS_PER_CHARACTER * (gdouble)value.size + 4 : -1;
  if (value.size == 0 || value.size > 40 || !kvsql_value_parse (type, value, arena, &parsed, NULL))
    return -1;
  kvsql_value_append_text (&parsed, text);
  return kvsql_slice_equal (kvsql_slice (text->str, text->len), value)
             ? bits_of_value (&parsed, value.size)
             : -1;
}

static gdouble
bits_as_phoenix (KvsqlSlice value, KvsqlType type, KvsqlArena *arena)
{
  KvsqlValue read;

  /* these are their own bytes */
  if (type == KVSQL_TYPE_STRING || type == KVSQL_TYPE_BYTES)
    return bits_as_bytes (value, type, arena);
  if (!kvsql_phoenix_read (type, value, arena, &read))
    return -1;
  return bits_of_value (&read, value.size);
}

static gdouble
bits_as_ordered (KvsqlSlice value, KvsqlType type, KvsqlArena *arena)
{
  KvsqlValue read;

  return kvsql_ordered_get_length (type, value) == (gssize)value.size
                 && kvsql_ordered_decode (type, value, arena, &read)
             ? bits_of_value (&read, value.size)
             : -1;
}

/* ---- numbers of two bytes and of one byte */

static gdouble
bits_of_small (gint64 number, gsize size)
{
  return MIN (log2 (fabs ((gdouble)number) + 2) + 2, 8 * (gdouble)size);
}

static gint64
read_small (KvsqlSlice value)
{
  return value.size == 1 ? (gint8)value.data[0] : (gint16)(value.data[0] << 8 | value.data[1]);
}

static gdouble
bits_as_signed (KvsqlSlice value, KvsqlType type, KvsqlArena *arena)
{
  return bits_of_small (read_small (value), value.size);
}

static gdouble
bits_as_flipped (KvsqlSlice value, KvsqlType type, KvsqlArena *arena)
{
  gint64 half = G_GINT64_CONSTANT (1) << (8 * value.size - 1);
  gint64 number = read_small (value);

  return bits_of_small (number < 0 ? number + half : number - half, value.size);
}

static gdouble
bits_as_unsigned (KvsqlSlice value, KvsqlType type, KvsqlArena *arena)
{
  return 8 * (gdouble)value.size;
}

static gboolean
have_size (const Column *self, gsize size)
{
  for (guint i = 0; i < self->n; i++)
    if (self->values[i].size != size && self->values[i].size != 0)
      return FALSE;
  return TRUE;
}

/* Codes of one or two characters, such as a grade or a country. Many bytes that are printable by
 * chance, such as ages, are not all letters and digits. */
static gboolean
are_codes (const Column *self, gsize size)
{
  gboolean seen[256] = { FALSE };
  guint n_distinct = 0, n_others = 0;

  for (guint i = 0; i < self->n; i++)
    for (gsize b = 0; b < self->values[i].size; b++)
      {
        guint8 byte = self->values[i].data[b];

        if (!g_ascii_isprint ((gchar)byte))
          return FALSE;
        n_others += !g_ascii_isalnum ((gchar)byte);
        n_distinct += !seen[byte];
        seen[byte] = TRUE;
      }
  return size > 1 || n_others == 0 || n_distinct < MIN_NUMBERS;
}

static gboolean
are_small_numbers (const Column *self, gsize size)
{
  return have_size (self, size) && !are_codes (self, size);
}

/* Negative numbers are mostly near zero. Otherwise a first bit that is set is that of a large
 * number. */
static gboolean
may_have_sign (const Column *self)
{
  guint n_negative = 0;
  gboolean are_near = TRUE;

  for (guint i = 0; i < self->n; i++)
    {
      gint64 number, quarter;

      if (self->values[i].size == 0)
        continue;
      number = read_small (self->values[i]);
      quarter = G_GINT64_CONSTANT (1) << (8 * self->values[i].size - 2);
      n_negative += number < 0;
      are_near = are_near && number >= -quarter && number < quarter;
    }
  return n_negative == 0 || are_near;
}

static gboolean
are_signed_shorts (const Column *self)
{
  return are_small_numbers (self, 2) && may_have_sign (self);
}

static gboolean
are_signed_bytes (const Column *self)
{
  return are_small_numbers (self, 1) && may_have_sign (self);
}

static gboolean
are_shorts (const Column *self)
{
  return are_small_numbers (self, 2);
}

static gboolean
are_bytes (const Column *self)
{
  return are_small_numbers (self, 1);
}

/* ---- UUIDs: RFC 4122's version, the same in all of them, and variant */

static gdouble
bits_as_uuid (KvsqlSlice value, KvsqlType type, KvsqlArena *arena)
{
  return 122;
}

static gboolean
are_uuids (const Column *self)
{
  guint version = 0;

  if (!have_size (self, 16))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    {
      const guint8 *bytes = self->values[i].data;

      if (self->values[i].size == 0)
        continue;
      version = version == 0 ? bytes[6] >> 4 : version;
      if (bytes[6] >> 4 != version || version < 1 || version > 8 || (bytes[8] & 0xc0) != 0x80)
        return FALSE;
    }
  return version != 0;
}

/* ---- encodings */

static const struct
{
  const gchar *element; /* nullable */
  gdouble (*bits) (KvsqlSlice value, KvsqlType type, KvsqlArena *arena);
  gboolean counts_empty;                /* values of no bytes, too */
  KvsqlType types[12];                  /* that are tried; NULL ends them */
  gboolean (*fits) (const Column *all); /* nullable: asked before */
  gboolean is_of_phoenix;
} encodings[KVSQL_INFER_N_ENCODINGS] = {
  [KVSQL_INFER_AS_BYTES] = { NULL,
                             bits_as_bytes,
                             FALSE,
                             { KVSQL_TYPE_STRING, KVSQL_TYPE_BOOLEAN, KVSQL_TYPE_INT,
                               KVSQL_TYPE_FLOAT, KVSQL_TYPE_TIMESTAMP, KVSQL_TYPE_BIGINT,
                               KVSQL_TYPE_DOUBLE, KVSQL_TYPE_DECIMAL, KVSQL_TYPE_BYTES } },
  [KVSQL_INFER_AS_TEXT]
  = { "text",
      bits_as_text,
      TRUE,
      { KVSQL_TYPE_INT, KVSQL_TYPE_BIGINT, KVSQL_TYPE_DECIMAL, KVSQL_TYPE_DATE,
        KVSQL_TYPE_TIMESTAMP, KVSQL_TYPE_BOOLEAN, KVSQL_TYPE_DOUBLE, KVSQL_TYPE_STRING } },
  [KVSQL_INFER_AS_PHOENIX] = { "phoenix",
                               bits_as_phoenix,
                               FALSE,
                               { KVSQL_TYPE_STRING, KVSQL_TYPE_BOOLEAN, KVSQL_TYPE_INT,
                                 KVSQL_TYPE_FLOAT, KVSQL_TYPE_TIMESTAMP, KVSQL_TYPE_BIGINT,
                                 KVSQL_TYPE_DOUBLE, KVSQL_TYPE_DECIMAL, KVSQL_TYPE_BYTES } },
  [KVSQL_INFER_AS_ORDERED] = { "ordered",
                               bits_as_ordered,
                               TRUE,
                               { KVSQL_TYPE_STRING, KVSQL_TYPE_BOOLEAN, KVSQL_TYPE_INT,
                                 KVSQL_TYPE_FLOAT, KVSQL_TYPE_TIMESTAMP, KVSQL_TYPE_BIGINT,
                                 KVSQL_TYPE_DOUBLE, KVSQL_TYPE_DECIMAL, KVSQL_TYPE_BYTES } },
  [KVSQL_INFER_AS_SHORT]
  = { "short", bits_as_signed, FALSE, { KVSQL_TYPE_INT }, are_signed_shorts },
  [KVSQL_INFER_AS_BYTE] = { "byte", bits_as_signed, FALSE, { KVSQL_TYPE_INT }, are_signed_bytes },
  [KVSQL_INFER_AS_UNSIGNED_SHORT]
  = { "unsigned(2)", bits_as_unsigned, FALSE, { KVSQL_TYPE_INT }, are_shorts },
  [KVSQL_INFER_AS_UNSIGNED_BYTE]
  = { "unsigned(1)", bits_as_unsigned, FALSE, { KVSQL_TYPE_INT }, are_bytes },
  [KVSQL_INFER_AS_FLIPPED_SHORT]
  = { "flipped(2)", bits_as_flipped, FALSE, { KVSQL_TYPE_INT }, are_shorts, TRUE },
  [KVSQL_INFER_AS_FLIPPED_BYTE]
  = { "flipped(1)", bits_as_flipped, FALSE, { KVSQL_TYPE_INT }, are_bytes, TRUE },
  [KVSQL_INFER_AS_UUID] = { "uuid", bits_as_uuid, FALSE, { KVSQL_TYPE_STRING }, are_uuids },
};

void
kvsql_infer_append_encoded (KvsqlInferEncoding encoding, const gchar *inner, GString *out)
{
  const gchar *element = encodings[encoding].element;

  if (element != NULL)
    g_string_append_printf (out, "%s{%s}", element, inner);
  else
    g_string_append (out, inner);
}

gboolean
kvsql_infer_is_of_phoenix (KvsqlInferEncoding encoding)
{
  return encodings[encoding].is_of_phoenix;
}

/* Whether a few values may be of another type: if an old program has written some numbers in
 * another form. They are reported as undecodable. */
static gboolean
may_have_strange (KvsqlInferEncoding encoding, KvsqlType type)
{
  return (type == KVSQL_TYPE_INT || type == KVSQL_TYPE_BIGINT || type == KVSQL_TYPE_TIMESTAMP)
         && (encoding == KVSQL_INFER_AS_BYTES || encoding == KVSQL_INFER_AS_PHOENIX
             || encoding == KVSQL_INFER_AS_ORDERED);
}

static gboolean
is_number (KvsqlType type)
{
  return type == KVSQL_TYPE_INT || type == KVSQL_TYPE_BIGINT || type == KVSQL_TYPE_TIMESTAMP
         || type == KVSQL_TYPE_FLOAT || type == KVSQL_TYPE_DOUBLE;
}

/* Bytes of a fixed size are always some number. */
static gboolean
is_unlike_numbers (const Column *self, KvsqlInferEncoding encoding)
{
  if (encoding != KVSQL_INFER_AS_BYTES && encoding != KVSQL_INFER_AS_PHOENIX)
    return FALSE;
  return kvsql_infer_are_partly_text (self->values, self->n)
         || kvsql_infer_are_little_endian (self->values, self->n,
                                           encoding == KVSQL_INFER_AS_PHOENIX);
}

/* Bits of all values as @type; negative: not all are of it. */
static gdouble
bits_of_column (const Column *self, KvsqlInferEncoding encoding, KvsqlType type)
{
  guint n_strange = 0, most = may_have_strange (encoding, type) ? self->n / ONE_STRANGE_IN : 0;
  gdouble bits = 0, bytes = 0;
  guint n_full = 0;

  if (is_number (type) && is_unlike_numbers (self, encoding))
    return -1;
  if (encoding == KVSQL_INFER_AS_BYTES && type == KVSQL_TYPE_DECIMAL
      && kvsql_infer_are_amounts (self->values, self->n))
    return BITS_PER_AMOUNT * (gdouble)self->n;
  if (encoding == KVSQL_INFER_AS_BYTES && type == KVSQL_TYPE_DOUBLE)
    return kvsql_infer_are_doubles (self->values, self->n) ? 50 * (gdouble)self->n : -1;
  if (encoding == KVSQL_INFER_AS_BYTES && type == KVSQL_TYPE_FLOAT)
    return kvsql_infer_are_floats (self->values, self->n) ? 20 * (gdouble)self->n : -1;
  /* Phoenix's FLOATs are not round as other FLOATs */
  if (encoding == KVSQL_INFER_AS_PHOENIX && type == KVSQL_TYPE_FLOAT
      && kvsql_infer_have_few_digits (self->values, self->n))
    return -1;
  for (guint i = 0; i < self->n; i++)
    {
      gdouble one;

      if (self->values[i].size == 0 && !encodings[encoding].counts_empty)
        continue;
      one = encodings[encoding].bits (self->values[i], type, self->arena);
      bytes += bits_of_bytes (self->values[i].size);
      if (one < 0 && ++n_strange > most)
        return -1;
      bits += one >= 0 ? one : bits_of_bytes (self->values[i].size) + BITS_PER_STRANGE;
      n_full++;
    }
  if (n_strange > 0 && (n_full < MIN_WITH_STRANGE || bits > bytes * SHARE_WITH_STRANGE))
    return -1;
  return n_full > 0 ? bits : -1;
}

/* ---- remarks */

static gsize
common_size (const Column *self)
{
  for (guint i = 1; i < self->n; i++)
    if (self->values[i].size != self->values[0].size)
      return 0;
  return self->values[0].size;
}

static gboolean
are_numbers_as_text (const Column *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      gsize sign = self->values[i].size > 1 && self->values[i].data[0] == '-';

      if (self->values[i].size == sign)
        return FALSE;
      for (gsize b = sign; b < self->values[i].size; b++)
        if (!g_ascii_isdigit ((gchar)self->values[i].data[b]) && self->values[i].data[b] != '.')
          return FALSE;
    }
  return TRUE;
}

static const gchar *
describe_bytes (const Column *self)
{
  gsize size = common_size (self);

  if (kvsql_infer_are_little_endian (self->values, self->n, FALSE))
    return "numbers with the lowest byte first, which kvsql does not read";
  return size == 0 ? NULL
                   : kvsql_arena_printf (self->arena, "%u byte%s each", (guint)size,
                                         size == 1 ? "" : "s");
}

static const gchar *
describe (const Column *self, KvsqlInferEncoding encoding, KvsqlType type)
{
  if (type == KVSQL_TYPE_STRING
      && (encoding == KVSQL_INFER_AS_ORDERED || encoding == KVSQL_INFER_AS_UUID))
    return NULL;
  if (type == KVSQL_TYPE_STRING)
    return kvsql_infer_describe_json (self->arena, self->values, self->n)
               ?: (encoding != KVSQL_INFER_AS_TEXT && are_numbers_as_text (self)
                       ? "numbers as text, while other columns are not text: cast them"
                       : NULL);
  if (type == KVSQL_TYPE_DECIMAL && encoding == KVSQL_INFER_AS_BYTES && have_size (self, 8)
      && kvsql_infer_are_amounts (self->values, self->n))
    return "8 bytes each: a BIGINT if they are no amounts";
  return type == KVSQL_TYPE_BYTES ? describe_bytes (self) : NULL;
}

/* Without a remark. */
static gboolean
find_type (const Column *self, KvsqlInferEncoding encoding, KvsqlInferColumnType *out)
{
  const KvsqlType *types = encodings[encoding].types;

  if (encodings[encoding].fits != NULL && !encodings[encoding].fits (self))
    return FALSE;
  *out = (KvsqlInferColumnType){ .type = KVSQL_TYPE_NULL, .bits = G_MAXDOUBLE };
  for (guint i = 0; types[i] != KVSQL_TYPE_NULL; i++)
    {
      gdouble bits = bits_of_column (self, encoding, types[i]);

      if (bits < 0 || bits >= out->bits)
        continue;
      *out = (KvsqlInferColumnType){ .type = types[i], .bits = bits };
      /* what all is text is text, unless it is text of something */
      if (types[i] == KVSQL_TYPE_STRING)
        break;
    }
  if (out->type != KVSQL_TYPE_NULL)
    return TRUE;
  for (guint i = 0; i < self->n; i++)
    if (self->values[i].size > 0)
      return FALSE;
  out->type = KVSQL_TYPE_STRING;
  out->bits = 0;
  return TRUE;
}

gboolean
kvsql_infer_column_type (KvsqlInferEncoding encoding, const KvsqlSlice *values, guint n,
                         KvsqlArena *arena, KvsqlInferColumnType *out)
{
  const Column self = { values, n, arena };

  if (!find_type (&self, encoding, out))
    return FALSE;
  out->remark = n > 0 ? describe (&self, encoding, out->type) : NULL;
  return TRUE;
}

/* ---- the best encoding */

static gboolean
is_whole (KvsqlType type)
{
  return type == KVSQL_TYPE_INT || type == KVSQL_TYPE_BIGINT || type == KVSQL_TYPE_TIMESTAMP;
}

/* In a table of Phoenix, its types, and those without a sign, which are big-endian numbers. In
 * another table, what looks like Phoenix's bytes has to be whole numbers, mostly not negative. */
static gboolean
is_likely (KvsqlInferEncoding encoding, gboolean is_phoenix, const Column *column, KvsqlType type)
{
  guint n_positive = 0;

  if (is_phoenix)
    return is_whole (type) && encoding != KVSQL_INFER_AS_TEXT && encoding != KVSQL_INFER_AS_ORDERED;
  if (encoding != KVSQL_INFER_AS_PHOENIX)
    return !kvsql_infer_is_of_phoenix (encoding);
  for (guint i = 0; i < column->n; i++)
    n_positive += column->values[i].size > 0 && column->values[i].data[0] >= 0x80;
  return is_whole (type) && n_positive * 2 >= column->n;
}

KvsqlInferEncoding
kvsql_infer_best_encoding (const KvsqlSlice *values, guint n, gboolean is_phoenix,
                           KvsqlArena *arena, KvsqlInferColumnType *out)
{
  const Column column = { values, n, arena };
  KvsqlInferEncoding best = is_phoenix ? KVSQL_INFER_AS_PHOENIX : KVSQL_INFER_AS_BYTES;

  /* these two have all values as BYTES, if as nothing else */
  find_type (&column, best, out);
  for (guint i = 0; i < KVSQL_INFER_N_ENCODINGS; i++)
    {
      KvsqlInferEncoding encoding = (KvsqlInferEncoding)i;
      KvsqlInferColumnType type;

      if (!find_type (&column, encoding, &type)
          || !is_likely (encoding, is_phoenix, &column, type.type))
        continue;
      if (is_phoenix || encoding == KVSQL_INFER_AS_PHOENIX)
        type.bits += BITS_PER_UNUSUAL * n;
      if (type.bits >= out->bits)
        continue;
      *out = type;
      best = encoding;
    }
  out->remark = describe (&column, best, out->type);
  return best;
}
