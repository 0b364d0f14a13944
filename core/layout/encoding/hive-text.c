/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-text.c: see the header.
 *
 * Reals have the shortest digits, at least two, that read back as the same number. So does
 * Double.toString () since JDK 19 (Javadoc of Double); earlier ones sometimes give more.
 */
#include "config.h"

#include "core/layout/encoding/hive-text.h"

#include <math.h>
#include <string.h>

#include "core/base/civil-date.h"
#include "core/base/conversion.h"
#include "core/base/decimal.h"
#include "core/base/shortest-digits.h"

#define REAL_SIGNS "+-.0123456789EeNaInfity"
#define LEAST_DIGITS 2
#define LEAST_PLAIN (-3) /* exponents of ten without E */
#define MOST_PLAIN 6
#define SECONDS_SIZE 19 /* "2024-02-29 12:00:00" */
#define FRACTION_DIGITS 9
#define MILLISECOND_DIGITS 3

/* ---- reals */

/* @digits: (array length=n): without the point; @exponent: of the first one */
static void
append_plain (const gchar *digits, gint n, gint exponent, GString *out)
{
  gint n_whole = exponent + 1;

  if (n_whole <= 0)
    g_string_append (out, "0.");
  for (gint i = n_whole; i < 0; i++)
    g_string_append_c (out, '0');
  for (gint i = 0; i < MAX (n, n_whole + 1); i++)
    {
      if (i == n_whole && i > 0)
        g_string_append_c (out, '.');
      g_string_append_c (out, i < n ? digits[i] : '0');
    }
}

static void
append_finite (gdouble real, gboolean is_float, GString *out)
{
  gchar digits[KVSQL_SHORTEST_DIGITS_MAX];
  gint exponent;
  gint n = (gint)kvsql_shortest_digits (fabs (real), is_float, LEAST_DIGITS, digits, &exponent);

  if (signbit (real))
    g_string_append_c (out, '-');
  if (exponent >= LEAST_PLAIN && exponent <= MOST_PLAIN)
    append_plain (digits, n, exponent, out);
  else
    {
      append_plain (digits, n, 0, out);
      g_string_append_printf (out, "E%d", exponent);
    }
}

static void
append_real (const KvsqlValue *value, GString *out)
{
  if (isfinite (value->real))
    append_finite (value->real, value->type == KVSQL_TYPE_FLOAT, out);
  else
    kvsql_value_append_text (value, out);
}

static gboolean
parse_real (KvsqlType type, KvsqlSlice text, KvsqlArena *arena, KvsqlValue *out)
{
  for (gsize i = 0; i < text.size; i++)
    if (text.data[i] == '\0' || strchr (REAL_SIGNS, text.data[i]) == NULL)
      return FALSE;
  return text.size > 0 && kvsql_value_parse (type, text, arena, out, NULL);
}

/* ---- decimal numbers */

static gsize
count_decimals (KvsqlSlice text)
{
  const guint8 *point = memchr (text.data, '.', text.size);

  return point != NULL ? text.size - (gsize)(point - text.data) - 1 : 0;
}

static gboolean
append_decimal (KvsqlSlice text, guint scale, GString *out)
{
  gsize n = count_decimals (text);

  if (n > scale)
    return FALSE;
  g_string_append_len (out, (const gchar *)text.data, (gssize)text.size);
  if (n == 0 && scale > 0)
    g_string_append_c (out, '.');
  for (; n < scale; n++)
    g_string_append_c (out, '0');
  return TRUE;
}

/* -?digits[.digits] */
static gboolean
is_decimal (KvsqlSlice text)
{
  gsize at = text.size > 0 && text.data[0] == '-', n_points = 0;

  for (gsize i = at; i < text.size; i++)
    {
      if (text.data[i] == '.' && i > at && i + 1 < text.size)
        n_points++;
      else if (!g_ascii_isdigit (text.data[i]))
        return FALSE;
    }
  return text.size > at && n_points <= 1;
}

static gboolean
parse_decimal (guint scale, KvsqlSlice text, KvsqlArena *arena, KvsqlValue *out)
{
  KvsqlValue value;

  if (!is_decimal (text) || !kvsql_value_parse (KVSQL_TYPE_DECIMAL, text, arena, &value, NULL)
      || count_decimals (value.bytes) > scale)
    return FALSE;
  *out = value;
  return TRUE;
}

/* ---- times */

static void
append_time (gint64 milliseconds, GString *out)
{
  gint64 day = kvsql_day_of_time (milliseconds);

  kvsql_date_append_text (day, out);
  g_string_append_c (out, ' ');
  kvsql_clock_append_text (milliseconds - day * KVSQL_MS_PER_DAY, out);
}

/* The number in @size digits at @start; -1: it is none. */
static gint
parse_digits (KvsqlSlice text, gsize start, gsize size)
{
  gint number = 0;

  for (gsize i = start; i < start + size; i++)
    {
      if (!g_ascii_isdigit (text.data[i]))
        return -1;
      number = number * 10 + text.data[i] - '0';
    }
  return number;
}

static gboolean
has_signs (KvsqlSlice text)
{
  static const gchar shape[] = "0000-00-00 00:00:00";

  for (gsize i = 0; i < SECONDS_SIZE; i++)
    if (shape[i] != '0' && text.data[i] != (guint8)shape[i])
      return FALSE;
  return TRUE;
}

/* What is after the seconds, in milliseconds; -1: it is none. */
static gint
parse_fraction (KvsqlSlice text)
{
  gint milliseconds = 0;

  if (text.size == 0)
    return 0;
  if (text.data[0] != '.' || text.size == 1 || text.size > FRACTION_DIGITS + 1)
    return -1;
  for (gsize i = 1; i <= MAX (text.size - 1, MILLISECOND_DIGITS); i++)
    {
      gint digit = i < text.size ? text.data[i] - '0' : 0;

      if (digit < 0 || digit > 9 || (i > MILLISECOND_DIGITS && digit != 0))
        return -1;
      if (i <= MILLISECOND_DIGITS)
        milliseconds = milliseconds * 10 + digit;
    }
  return milliseconds;
}

static gboolean
parse_time (KvsqlSlice text, KvsqlValue *out)
{
  gint year, month, day, hour, minute, second, fraction;
  gint64 days;

  if (text.size < SECONDS_SIZE || !has_signs (text))
    return FALSE;
  year = parse_digits (text, 0, 4);
  month = parse_digits (text, 5, 2);
  day = parse_digits (text, 8, 2);
  hour = parse_digits (text, 11, 2);
  minute = parse_digits (text, 14, 2);
  second = parse_digits (text, 17, 2);
  fraction = parse_fraction (kvsql_slice (text.data + SECONDS_SIZE, text.size - SECONDS_SIZE));
  if (year < 0 || month < 0 || day < 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59
      || second < 0 || second > 59 || fraction < 0
      || !kvsql_date_from_civil (year, month, day, &days))
    return FALSE;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_TIMESTAMP,
                       .integer = days * KVSQL_MS_PER_DAY
                                  + ((hour * 60 + minute) * 60 + second) * 1000LL + fraction };
  return TRUE;
}

/* ---- all */

gboolean
kvsql_hive_append_text (const KvsqlValue *value, guint scale, GString *out)
{
  if (value->type == KVSQL_TYPE_DECIMAL)
    return append_decimal (value->bytes, scale, out);
  if (value->type == KVSQL_TYPE_TIMESTAMP)
    append_time (value->integer, out);
  else
    append_real (value, out);
  return TRUE;
}

gboolean
kvsql_hive_parse_text (KvsqlType type, guint scale, KvsqlSlice text, KvsqlArena *arena,
                       KvsqlValue *out)
{
  if (type == KVSQL_TYPE_DECIMAL)
    return parse_decimal (scale, text, arena, out);
  return type == KVSQL_TYPE_TIMESTAMP ? parse_time (text, out)
                                      : parse_real (type, text, arena, out);
}
