/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write-value.c: see write-value.h.
 */
#include "config.h"

#include "daemon/postgres/write-value.h"

#include <math.h>

#include "core/base/duration.h"
#include "core/base/shortest-digits.h"
#include "core/base/uuid.h"
#include "daemon/postgres/binary.h"
#include "daemon/postgres/numeric.h"
#include "daemon/postgres/output.h"

void
kvsqld_pg_write_bytes (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  kvsql_buffer_append_slice (out, column->slices[row]);
}

/* ---- text */

void
kvsqld_pg_write_bytea_text (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  static const gchar digits[] = "0123456789abcdef";
  KvsqlSlice bytes = column->slices[row];
  guint8 *at = kvsql_buffer_extend (out, 2 + 2 * bytes.size);

  *at++ = '\\';
  *at++ = 'x';
  for (gsize i = 0; i < bytes.size; i++)
    {
      *at++ = (guint8)digits[bytes.data[i] >> 4];
      *at++ = (guint8)digits[bytes.data[i] & 15];
    }
}

void
kvsqld_pg_write_boolean_text (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  kvsql_buffer_append_byte (out, column->booleans[row] ? 't' : 'f');
}

/* At least @width digits. */
static void
put_digits (KvsqlBuffer *out, guint64 value, gint width)
{
  gchar text[24];
  gint at = sizeof text;

  do
    {
      text[--at] = (gchar)('0' + value % 10);
      value /= 10;
    }
  while (value > 0 || (gint)sizeof text - at < width);
  kvsql_buffer_append (out, text + at, sizeof text - (gsize)at);
}

void
kvsqld_pg_write_integer_text (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  gint64 value = column->integers[row];

  if (value < 0)
    kvsql_buffer_append_byte (out, '-');
  put_digits (out, value < 0 ? -(guint64)value : (guint64)value, 1);
}

static void
put_scientific (KvsqlBuffer *out, const gchar *digits, gint n, gint exponent)
{
  kvsql_buffer_append_byte (out, (guint8)digits[0]);
  if (n > 1)
    {
      kvsql_buffer_append_byte (out, '.');
      kvsql_buffer_append (out, digits + 1, (gsize)n - 1);
    }
  kvsql_buffer_append (out, exponent < 0 ? "e-" : "e+", 2);
  put_digits (out, (guint64)ABS (exponent), 2);
}

static void
put_zeros (KvsqlBuffer *out, gint n)
{
  while (n-- > 0)
    kvsql_buffer_append_byte (out, '0');
}

static void
put_fixed (KvsqlBuffer *out, const gchar *digits, gint n, gint exponent)
{
  gint n_whole = MAX (exponent + 1, 0), n_given = MIN (n_whole, n);

  if (n_whole == 0)
    kvsql_buffer_append_byte (out, '0');
  kvsql_buffer_append (out, digits, (gsize)n_given);
  put_zeros (out, n_whole - n_given);
  if (n_given == n)
    return;
  kvsql_buffer_append_byte (out, '.');
  put_zeros (out, -1 - exponent);
  kvsql_buffer_append (out, digits + n_given, (gsize)(n - n_given));
}

/* As PostgreSQL: with an exponent below 1e-4, and from 1e15 (float4: 1e6) on. */
static void
put_real (KvsqlBuffer *out, gdouble value, gboolean is_float)
{
  gchar digits[KVSQL_SHORTEST_DIGITS_MAX];
  gint n, exponent;

  if (isnan (value))
    {
      kvsql_buffer_append (out, "NaN", 3);
      return;
    }
  if (signbit (value))
    kvsql_buffer_append_byte (out, '-');
  if (isinf (value))
    {
      kvsql_buffer_append (out, "Infinity", 8);
      return;
    }
  n = (gint)kvsql_shortest_digits (fabs (value), is_float, 1, digits, &exponent);
  if (exponent < -4 || exponent >= (is_float ? 6 : 15))
    put_scientific (out, digits, n, exponent);
  else
    put_fixed (out, digits, n, exponent);
}

void
kvsqld_pg_write_float4_text (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  put_real (out, column->reals[row], TRUE);
}

void
kvsqld_pg_write_float8_text (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  put_real (out, column->reals[row], FALSE);
}

static void
put_date (KvsqlBuffer *out, gint64 days)
{
  gint year, month, day;

  kvsql_date_to_civil (days, &year, &month, &day);
  put_digits (out, (guint64)year, 4);
  kvsql_buffer_append_byte (out, '-');
  put_digits (out, (guint64)month, 2);
  kvsql_buffer_append_byte (out, '-');
  put_digits (out, (guint64)day, 2);
}

void
kvsqld_pg_write_date_text (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  put_date (out, column->integers[row]);
}

/* Milliseconds since midnight. */
static void
put_clock (KvsqlBuffer *out, guint64 ms)
{
  guint64 fraction = ms % 1000;
  gint width = 3;

  put_digits (out, ms / 3600000, 2);
  kvsql_buffer_append_byte (out, ':');
  put_digits (out, ms / 60000 % 60, 2);
  kvsql_buffer_append_byte (out, ':');
  put_digits (out, ms / 1000 % 60, 2);
  if (fraction == 0)
    return;
  for (; fraction % 10 == 0; width--)
    fraction /= 10;
  kvsql_buffer_append_byte (out, '.');
  put_digits (out, fraction, width);
}

void
kvsqld_pg_write_timestamp_text (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  gint64 days = kvsql_day_of_time (column->integers[row]);

  put_date (out, days);
  kvsql_buffer_append_byte (out, ' ');
  put_clock (out, (guint64)(column->integers[row] - days * KVSQL_MS_PER_DAY));
}

void
kvsqld_pg_write_timestamptz_text (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  kvsqld_pg_write_timestamp_text (out, column, row);
  kvsql_buffer_append (out, "+00", 3);
}

void
kvsqld_pg_write_time_text (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  put_clock (out, (guint64)column->integers[row]);
}

/* ---- binary */

void
kvsqld_pg_write_boolean_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  kvsql_buffer_append_byte (out, column->booleans[row] != 0);
}

void
kvsqld_pg_write_int2_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  kvsqld_pg_put_int16 (out, (guint16)column->integers[row]);
}

void
kvsqld_pg_write_int4_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  kvsqld_pg_put_int32 (out, (guint32)column->integers[row]);
}

void
kvsqld_pg_write_int8_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  kvsqld_pg_put_int64 (out, (guint64)column->integers[row]);
}

void
kvsqld_pg_write_float4_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  gfloat value = (gfloat)column->reals[row];
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  kvsqld_pg_put_int32 (out, bits);
}

void
kvsqld_pg_write_float8_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  guint64 bits;

  memcpy (&bits, &column->reals[row], sizeof bits);
  kvsqld_pg_put_int64 (out, bits);
}

void
kvsqld_pg_write_date_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  kvsqld_pg_put_int32 (out, (guint32)(column->integers[row] - KVSQLD_PG_EPOCH_DAYS));
}

void
kvsqld_pg_write_timestamp_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  kvsqld_pg_put_int64 (
      out, (guint64)((column->integers[row] - KVSQLD_PG_EPOCH_DAYS * KVSQL_MS_PER_DAY) * 1000));
}

void
kvsqld_pg_write_time_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  kvsqld_pg_put_int64 (out, (guint64)column->integers[row] * 1000);
}

void
kvsqld_pg_write_interval_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  KvsqlDuration duration = kvsql_duration_from_text (column->slices[row]);

  kvsqld_pg_put_int64 (out, (guint64)duration.us);
  kvsqld_pg_put_int32 (out, (guint32)duration.days);
  kvsqld_pg_put_int32 (out, (guint32)duration.months);
}

void
kvsqld_pg_write_numeric_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  kvsqld_pg_numeric_write (column->slices[row], out);
}

void
kvsqld_pg_write_uuid_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  kvsql_uuid_parse (column->slices[row], kvsql_buffer_extend (out, KVSQL_UUID_BYTES));
}

void
kvsqld_pg_write_jsonb_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  kvsql_buffer_append_byte (out, KVSQLD_PG_JSONB_VERSION);
  kvsql_buffer_append_slice (out, column->slices[row]);
}
