/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-key.c: a byte that says whether there is a value, then the value.
 *
 * Integers: big-endian, with the sign bit inverted. Reals: IEEE bits, with the sign bit inverted,
 * or all bits if negative. Text and bytes: 00 as 00 ff, then 00 00 as the end. DECIMAL: sign,
 * exponent, digits. INTERVAL: its microseconds in 16 bytes, as an integer. JSONB:
 * core/base/json-order.c. Descending: the value's bytes are inverted.
 */
#include "config.h"

#include "core/exec/row-key.h"

#include "core/base/duration.h"
#include "core/base/json.h"

#include <math.h>

#define SIGN_BIT G_GUINT64_CONSTANT (0x8000000000000000)
#define NULL_FIRST 0
#define HAS_VALUE 1
#define NULL_LAST 2

void
kvsql_row_keys_init (KvsqlRowKeys *self, const KvsqlKeyPart *parts, guint n_parts)
{
  *self = (KvsqlRowKeys){ .parts = parts, .n_parts = n_parts };
}

static void
set_capacity (KvsqlRowKeys *self, gsize capacity)
{
  g_free (self->bytes);
  self->bytes = capacity > 0 ? g_malloc (capacity) : NULL;
  if (self->account == NULL)
    self->account = kvsql_account_ref (kvsql_account_get_current ());
  kvsql_account_add (self->account, (gssize)capacity - (gssize)self->bytes_capacity);
  self->bytes_capacity = capacity;
}

void
kvsql_row_keys_clear (KvsqlRowKeys *self)
{
  set_capacity (self, 0);
  kvsql_account_unref (self->account);
  g_free (self->starts);
  g_free (self->cursors);
  *self = (KvsqlRowKeys){ 0 };
}

/* ---- DECIMAL */

#define DECIMAL_ZERO 0x80

/* The start of the significant digits, and how many of them are before the decimal point. */
typedef struct
{
  gboolean is_negative;
  const guint8 *at; /* may contain the point */
  const guint8 *end;
  guint n_digits;
  gint exponent;
} DecimalParts;

static DecimalParts
split_decimal (KvsqlSlice text)
{
  DecimalParts parts = { .at = text.data, .end = text.data + text.size };
  const guint8 *point;

  if (parts.at < parts.end && *parts.at == '-')
    {
      parts.is_negative = TRUE;
      parts.at++;
    }
  point = memchr (parts.at, '.', parts.end - parts.at);
  parts.exponent = (point == NULL ? parts.end : point) - parts.at;
  if (*parts.at == '0')
    {
      parts.at += point == NULL ? 1 : 2;
      for (parts.exponent = 0; parts.at < parts.end && *parts.at == '0'; parts.at++)
        parts.exponent--;
      point = NULL;
    }
  parts.n_digits = parts.end - parts.at - (point != NULL);
  return parts;
}

static gsize
decimal_size (KvsqlSlice text)
{
  DecimalParts parts = split_decimal (text);

  return parts.n_digits == 0 ? 1 : 1 + 2 + parts.n_digits + 1;
}

static guint8 *
put_decimal (guint8 *at, KvsqlSlice text)
{
  DecimalParts parts = split_decimal (text);
  guint8 turn = parts.is_negative ? 0xff : 0;
  guint16 exponent = (guint16)(parts.exponent + 0x8000);

  if (parts.n_digits == 0)
    {
      *at++ = DECIMAL_ZERO;
      return at;
    }
  *at++ = parts.is_negative ? DECIMAL_ZERO - 1 : DECIMAL_ZERO + 1;
  *at++ = exponent >> 8 ^ turn;
  *at++ = (exponent & 0xff) ^ turn;
  for (const guint8 *digit = parts.at; digit < parts.end; digit++)
    if (*digit != '.')
      *at++ = *digit ^ turn;
  *at++ = turn;
  return at;
}

/* ---- text and bytes */

static gsize
escaped_size (KvsqlSlice slice)
{
  gsize size = slice.size + 2;
  const guint8 *at = slice.data, *end = slice.data + slice.size;

  while (at < end && (at = memchr (at, 0, end - at)) != NULL)
    {
      size++;
      at++;
    }
  return size;
}

static guint8 *
put_escaped (guint8 *to, KvsqlSlice slice)
{
  const guint8 *at = slice.data, *end = slice.data + slice.size;

  while (at < end)
    {
      const guint8 *zero = memchr (at, 0, end - at);
      gsize n = (zero == NULL ? end : zero) - at;
      memcpy (to, at, n);
      to += n;
      at += n;
      if (zero != NULL)
        {
          *to++ = 0;
          *to++ = 0xff;
          at++;
        }
    }
  *to++ = 0;
  *to++ = 0;
  return to;
}

/* ---- JSONB */

/* A JSONB is made twice, for its size and for its bytes. */
static gsize
jsonb_size (KvsqlSlice text)
{
  KvsqlBuffer key = { 0 };
  gsize size;

  kvsql_jsonb_append_key (text, &key);
  size = key.size;
  kvsql_buffer_clear (&key);
  return size;
}

static guint8 *
put_jsonb (guint8 *at, KvsqlSlice text)
{
  KvsqlBuffer key = { 0 };

  kvsql_jsonb_append_key (text, &key);
  memcpy (at, key.data, key.size);
  at += key.size;
  kvsql_buffer_clear (&key);
  return at;
}

/* ---- sizes */

static gsize
slice_size (KvsqlType type, KvsqlSlice slice)
{
  switch (type)
    {
    case KVSQL_TYPE_DECIMAL:
      return decimal_size (slice);
    case KVSQL_TYPE_JSONB:
      return jsonb_size (slice);
    default:
      return escaped_size (slice);
    }
}

/* Equal intervals have one key. */
static guint8 *
put_interval (guint8 *at, KvsqlSlice text)
{
  KvsqlDuration duration = kvsql_duration_from_text (text);
  __int128 total = kvsql_duration_get_total (&duration);

  kvsql_put_be64 (at, (guint64)(total >> 64) ^ SIGN_BIT);
  kvsql_put_be64 (at + 8, (guint64)total);
  return at + 16;
}

static guint8 *
put_slice (guint8 *at, KvsqlType type, KvsqlSlice slice)
{
  switch (type)
    {
    case KVSQL_TYPE_DECIMAL:
      return put_decimal (at, slice);
    case KVSQL_TYPE_INTERVAL:
      return put_interval (at, slice);
    case KVSQL_TYPE_JSONB:
      return put_jsonb (at, slice);
    default:
      return put_escaped (at, slice);
    }
}

/* The size of every row's key, NULLs included; 0: it varies. */
static gsize
fixed_size (KvsqlType type)
{
  switch (kvsql_type_get_class (type))
    {
    case KVSQL_CLASS_NONE:
      return 1;
    case KVSQL_CLASS_BOOLEAN:
      return 2;
    case KVSQL_CLASS_INTEGER:
    case KVSQL_CLASS_REAL:
      return 9;
    default:
      return type == KVSQL_TYPE_INTERVAL ? 17 : 0;
    }
}

static void
add_sizes (const KvsqlVector *column, guint n, gsize *sizes)
{
  gsize fixed = fixed_size (column->type);

  if (fixed > 0)
    for (guint i = 0; i < n; i++)
      sizes[i] += fixed;
  else
    for (guint i = 0; i < n; i++)
      sizes[i] += kvsql_vector_is_null (column, i)
                      ? 1
                      : 1 + slice_size (column->type, column->slices[i]);
}

/* ---- bytes */

static guint64
real_bits (gdouble real)
{
  guint64 bits;

  real = real == 0 ? 0.0 : isnan (real) ? NAN : real;
  memcpy (&bits, &real, 8);
  if (isnan (real))
    return G_MAXUINT64;
  return bits & SIGN_BIT ? ~bits : bits ^ SIGN_BIT;
}

static guint8 *
put_value (const KvsqlVector *column, guint row, guint8 *at)
{
  switch (kvsql_type_get_class (column->type))
    {
    case KVSQL_CLASS_BOOLEAN:
      *at = column->booleans[row];
      return at + 1;
    case KVSQL_CLASS_INTEGER:
      kvsql_put_be64 (at, (guint64)column->integers[row] ^ SIGN_BIT);
      return at + 8;
    case KVSQL_CLASS_REAL:
      kvsql_put_be64 (at, real_bits (column->reals[row]));
      return at + 8;
    case KVSQL_CLASS_SLICE:
      return put_slice (at, column->type, column->slices[row]);
    default:
      return at;
    }
}

/* Like put_column(), for ascending integers without NULL: days, ids and numbers. */
static void
put_integers (const gint64 *integers, guint n, guint8 *bytes, gsize *cursors)
{
  for (guint i = 0; i < n; i++)
    {
      guint8 *at = bytes + cursors[i];

      at[0] = HAS_VALUE;
      kvsql_put_be64 (at + 1, (guint64)integers[i] ^ SIGN_BIT);
      cursors[i] += 9;
    }
}

static void
put_column (const KvsqlVector *column, const KvsqlKeyPart *part, guint n, guint8 *bytes,
            gsize *cursors)
{
  gsize fixed = fixed_size (column->type);
  guint8 null_byte = part->nulls_first ? NULL_FIRST : NULL_LAST;

  if (kvsql_type_get_class (column->type) == KVSQL_CLASS_INTEGER && !column->has_nulls
      && !part->is_descending)
    {
      put_integers (column->integers, n, bytes, cursors);
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      guint8 *at = bytes + cursors[i], *end;

      if (column->type == KVSQL_TYPE_NULL || kvsql_vector_is_null (column, i))
        {
          at[0] = null_byte;
          if (fixed > 1)
            memset (at + 1, 0, fixed - 1);
          cursors[i] += MAX (fixed, 1);
          continue;
        }
      at[0] = HAS_VALUE;
      end = put_value (column, i, at + 1);
      if (part->is_descending)
        for (guint8 *byte = at + 1; byte < end; byte++)
          *byte ^= 0xff;
      cursors[i] = end - bytes;
    }
}

static void
make_room (KvsqlRowKeys *self, guint n)
{
  if (n < self->capacity)
    return;
  self->capacity = MAX (n + 1, KVSQL_BATCH_ROWS + 1);
  self->starts = g_renew (gsize, self->starts, self->capacity);
  self->cursors = g_renew (gsize, self->cursors, self->capacity);
}

void
kvsql_row_keys_run (KvsqlRowKeys *self, const KvsqlBatch *batch)
{
  guint n = batch->n_rows;
  gsize total = 0;

  make_room (self, n);
  memset (self->cursors, 0, n * sizeof (gsize));
  for (guint p = 0; p < self->n_parts; p++)
    add_sizes (&batch->columns[self->parts[p].column], n, self->cursors);
  for (guint i = 0; i < n; i++)
    {
      gsize size = self->cursors[i];
      self->starts[i] = self->cursors[i] = total;
      total += size;
    }
  self->starts[n] = total;
  if (total > self->bytes_capacity)
    set_capacity (self, total + total / 2);
  for (guint p = 0; p < self->n_parts; p++)
    put_column (&batch->columns[self->parts[p].column], &self->parts[p], n, self->bytes,
                self->cursors);
}
