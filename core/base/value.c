/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * value.c: order and text of values, and the scalar values of texts.
 */
#include "config.h"

#include "core/base/decimal.h"
#include "core/base/duration.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/uuid.h"
#include "core/base/value.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* ---- order */

static gint
compare_reals (gdouble a, gdouble b)
{
  if (isnan (a) || isnan (b))
    return (isnan (a) != 0) - (isnan (b) != 0);
  return (a > b) - (a < b);
}

gint
kvsql_type_compare_slices (KvsqlType type, KvsqlSlice a, KvsqlSlice b)
{
  switch (type)
    {
    case KVSQL_TYPE_DECIMAL:
      return kvsql_decimal_compare (a, b);
    case KVSQL_TYPE_INTERVAL:
      return kvsql_duration_compare_texts (a, b);
    case KVSQL_TYPE_JSONB:
      return kvsql_jsonb_compare (a, b);
    default:
      return kvsql_slice_compare (a, b);
    }
}

gint
kvsql_value_compare (const KvsqlValue *a, const KvsqlValue *b)
{
  switch (kvsql_type_get_class (a->type))
    {
    case KVSQL_CLASS_BOOLEAN:
      return (a->boolean != FALSE) - (b->boolean != FALSE);
    case KVSQL_CLASS_INTEGER:
      return (a->integer > b->integer) - (a->integer < b->integer);
    case KVSQL_CLASS_REAL:
      return compare_reals (a->real, b->real);
    case KVSQL_CLASS_SLICE:
      return kvsql_type_compare_slices (a->type, a->bytes, b->bytes);
    default:
      return 0;
    }
}

gboolean
kvsql_value_equal (const KvsqlValue *a, const KvsqlValue *b)
{
  return a->type == b->type && kvsql_value_compare (a, b) == 0;
}

gboolean
kvsql_values_contain (const KvsqlValue *values, guint n, const KvsqlValue *value)
{
  guint low = 0, high = n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      gint order = kvsql_value_compare (&values[middle], value);
      if (order == 0)
        return TRUE;
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return FALSE;
}

/* ---- reading */

typedef struct
{
  const gchar *p;
  const gchar *end;
  gboolean is_out_of_range; /* the form is right, but there is no such month, day or hour */
} Scanner;

static Scanner
trimmed (KvsqlSlice text)
{
  Scanner s = { (const gchar *)text.data, (const gchar *)text.data + text.size, FALSE };

  while (s.p < s.end && g_ascii_isspace (*s.p))
    s.p++;
  while (s.end > s.p && g_ascii_isspace (s.end[-1]))
    s.end--;
  return s;
}

static gboolean
invalid (KvsqlType type, KvsqlSlice text, GError **error)
{
  g_autofree gchar *shown = kvsql_readable (kvsql_slice (text.data, MIN (text.size, 60)));

  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "invalid %s \"%s\"",
                   kvsql_type_get_name (type), shown);
  kvsql_error_sqlstate (error, type == KVSQL_TYPE_TIME    ? "22007"
                               : type == KVSQL_TYPE_BYTES ? "22023"
                                                          : "22P02");
  if (type == KVSQL_TYPE_DATE)
    kvsql_error_hint (error, "Write a date as 2024-02-29.");
  else if (type == KVSQL_TYPE_TIMESTAMP)
    kvsql_error_hint (error, "Write a time as 2024-02-29T12:00:00.000Z.");
  else if (type == KVSQL_TYPE_TIME)
    kvsql_error_hint (error, "Write a time of day as 12:34:56.");
  else if (type == KVSQL_TYPE_UUID)
    kvsql_error_hint (error, "Write a UUID as 123e4567-e89b-12d3-a456-426614174000.");
  return FALSE;
}

/* @s: that has read a DATE or TIMESTAMP. */
static gboolean
invalid_day (KvsqlType type, const Scanner *s, KvsqlSlice text, GError **error)
{
  (void)invalid (type, text, error);
  return kvsql_error_sqlstate (error, s->is_out_of_range ? "22008" : "22007");
}

gboolean
kvsql_value_fail_range (KvsqlType type, const gchar *text, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "%s is out of range for %s", text,
                   kvsql_type_get_name (type));
  return kvsql_error_sqlstate (error, type == KVSQL_TYPE_TIMESTAMP ? "22008" : "22003");
}

static gboolean
parse_integer (KvsqlType type, KvsqlSlice text, KvsqlValue *out, GError **error)
{
  Scanner s = trimmed (text);
  gchar digits[32];
  gsize n = s.end - s.p;
  gchar *end;
  gint64 value;

  if (n == 0)
    return invalid (type, text, error);
  for (gsize i = 0; i < n; i++)
    if (!g_ascii_isdigit (s.p[i]) && !(i == 0 && n > 1 && (s.p[i] == '-' || s.p[i] == '+')))
      return invalid (type, text, error);
  if (n >= sizeof digits)
    return kvsql_value_fail_range (type, "the number", error);
  memcpy (digits, s.p, n);
  digits[n] = '\0';
  errno = 0;
  value = g_ascii_strtoll (digits, &end, 10);
  if (errno == ERANGE || !kvsql_type_has_integer (type, value))
    return kvsql_value_fail_range (type, digits, error);
  out->integer = value;
  return TRUE;
}

static gboolean
parse_real (KvsqlType type, KvsqlSlice text, KvsqlValue *out, GError **error)
{
  Scanner s = trimmed (text);
  gchar buffer[400];
  gsize n = s.end - s.p;
  gchar *end;
  gdouble value;

  if (n == 0 || n >= sizeof buffer || memchr (s.p, '\0', n) != NULL
      || (n > 1 && (s.p[1] == 'x' || s.p[1] == 'X')))
    return invalid (type, text, error);
  memcpy (buffer, s.p, n);
  buffer[n] = '\0';
  if (buffer[0] == '-' && g_ascii_strcasecmp (buffer + 1, "nan") == 0)
    return invalid (type, text, error);
  errno = 0;
  value = g_ascii_strtod (buffer, &end);
  if (*end != '\0')
    return invalid (type, text, error);
  /* A number near 0 that is only rounded to fewer digits is in range. */
  if (errno == ERANGE && (isinf (value) || value == 0))
    return kvsql_value_fail_range (type, buffer, error);
  if (isnan (value))
    value = NAN;
  if (type == KVSQL_TYPE_FLOAT)
    {
      gdouble narrow = (gfloat)value;
      if ((isinf (narrow) && !isinf (value)) || (narrow == 0 && value != 0))
        return kvsql_value_fail_range (type, buffer, error);
      value = narrow;
    }
  out->real = value;
  return TRUE;
}

static gboolean
parse_boolean (KvsqlSlice text, KvsqlValue *out, GError **error)
{
  static const gchar *const yes[] = { "t", "true", "y", "yes", "on", "1" };
  static const gchar *const no[] = { "f", "false", "n", "no", "off", "0" };
  Scanner s = trimmed (text);
  gsize n = s.end - s.p;

  for (guint i = 0; i < G_N_ELEMENTS (yes); i++)
    {
      gboolean is_yes = n == strlen (yes[i]) && g_ascii_strncasecmp (s.p, yes[i], n) == 0;
      gboolean is_no = n == strlen (no[i]) && g_ascii_strncasecmp (s.p, no[i], n) == 0;
      if (is_yes || is_no)
        {
          out->boolean = is_yes;
          return TRUE;
        }
    }
  return invalid (KVSQL_TYPE_BOOLEAN, text, error);
}

/* Reads exactly @n digits. */
static gboolean
take_digits (Scanner *s, guint n, gint *out)
{
  gint value = 0;

  if ((gsize)(s->end - s->p) < n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      if (!g_ascii_isdigit (s->p[i]))
        return FALSE;
      value = value * 10 + (s->p[i] - '0');
    }
  s->p += n;
  *out = value;
  return TRUE;
}

static gboolean
take (Scanner *s, gchar c)
{
  if (s->p == s->end || *s->p != c)
    return FALSE;
  s->p++;
  return TRUE;
}

static gboolean
take_date (Scanner *s, gint64 *out_days)
{
  gint year, month, day;

  if (!take_digits (s, 4, &year))
    return FALSE;
  /* a year of more digits */
  s->is_out_of_range = s->p < s->end && g_ascii_isdigit (*s->p);
  if (!take (s, '-') || !take_digits (s, 2, &month) || !take (s, '-') || !take_digits (s, 2, &day))
    return FALSE;
  s->is_out_of_range = !kvsql_date_from_civil (year, month, day, out_days);
  return !s->is_out_of_range;
}

/* Reads the digits after the point as milliseconds. The fourth digit rounds half up. */
static gboolean
take_fraction (Scanner *s, gint *out_ms)
{
  const gchar *start = s->p;
  gint ms = 0;

  for (gint scale = 100; s->p < s->end && g_ascii_isdigit (*s->p); s->p++, scale /= 10)
    {
      if (s->p == start + 3 && *s->p >= '5')
        ms++;
      ms += (*s->p - '0') * scale;
    }
  *out_ms = ms;
  return s->p > start;
}

/* Reads hh:mm[:ss[.fraction]] as milliseconds. */
static gboolean
take_time (Scanner *s, gint64 *out_ms)
{
  gint hour, minute, second = 0, ms = 0;

  if (!take_digits (s, 2, &hour) || !take (s, ':') || !take_digits (s, 2, &minute))
    return FALSE;
  if (take (s, ':'))
    {
      if (!take_digits (s, 2, &second))
        return FALSE;
      if (take (s, '.') && !take_fraction (s, &ms))
        return FALSE;
    }
  s->is_out_of_range = hour > 23 || minute > 59 || second > 59;
  if (s->is_out_of_range)
    return FALSE;
  *out_ms = ((hour * 60 + minute) * 60 + second) * 1000LL + ms;
  return TRUE;
}

/* The rest of the text is a name of UTC. */
static gboolean
take_utc (Scanner *s)
{
  static const gchar *const names[] = { "Z", "UTC", "GMT", "UT", "ZULU" };
  gsize n = s->end - s->p;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (n == strlen (names[i]) && g_ascii_strncasecmp (s->p, names[i], n) == 0)
      {
        s->p = s->end;
        return TRUE;
      }
  return n == 0;
}

/* Reads an empty zone (UTC), UTC by its name, ±hh or ±hh:mm: the offset of local time from UTC in
 * milliseconds. */
static gboolean
take_zone (Scanner *s, gint64 *out_ms)
{
  gint hour, minute = 0, sign;

  *out_ms = 0;
  if (take_utc (s))
    return TRUE;
  if (*s->p != '+' && *s->p != '-')
    return FALSE;
  sign = *s->p++ == '-' ? -1 : 1;
  if (!take_digits (s, 2, &hour))
    return FALSE;
  take (s, ':');
  if (s->p < s->end && !take_digits (s, 2, &minute))
    return FALSE;
  if (hour > 15 || minute > 59)
    return FALSE;
  *out_ms = sign * (hour * 60 + minute) * 60000LL;
  return TRUE;
}

static gboolean
parse_date (KvsqlSlice text, KvsqlValue *out, GError **error)
{
  Scanner s = trimmed (text);

  if (!take_date (&s, &out->integer) || s.p != s.end)
    return invalid_day (KVSQL_TYPE_DATE, &s, text, error);
  return TRUE;
}

static gboolean
parse_timestamp (KvsqlSlice text, gboolean is_clock, KvsqlValue *out, GError **error)
{
  Scanner s = trimmed (text);
  gint64 days, ms = 0, zone = 0;

  if (!take_date (&s, &days))
    return invalid_day (KVSQL_TYPE_TIMESTAMP, &s, text, error);
  if (take (&s, 'T') || take (&s, 't') || take (&s, ' '))
    {
      if (!take_time (&s, &ms))
        return invalid_day (KVSQL_TYPE_TIMESTAMP, &s, text, error);
      while (take (&s, ' '))
        ;
      if (!take_zone (&s, &zone))
        return invalid_day (KVSQL_TYPE_TIMESTAMP, &s, text, error);
    }
  if (s.p != s.end)
    return invalid_day (KVSQL_TYPE_TIMESTAMP, &s, text, error);
  out->integer = days * KVSQL_MS_PER_DAY + ms - (is_clock ? 0 : zone);
  if (out->integer < KVSQL_DATE_MIN * KVSQL_MS_PER_DAY
      || out->integer >= (KVSQL_DATE_MAX + 1LL) * KVSQL_MS_PER_DAY)
    {
      /* its zone or its rounding changes the year */
      g_autofree gchar *shown = g_strndup ((const gchar *)text.data, text.size);
      return kvsql_value_fail_range (KVSQL_TYPE_TIMESTAMP, shown, error);
    }
  return TRUE;
}

gboolean
kvsql_value_parse_clock (KvsqlSlice text, KvsqlValue *out, GError **error)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_TIMESTAMP };
  return parse_timestamp (text, TRUE, out, error);
}

static gboolean
fail_time (KvsqlSlice text, GError **error)
{
  g_autofree gchar *shown = kvsql_readable (kvsql_slice (text.data, MIN (text.size, 60)));

  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "TIME out of range: \"%s\"", shown);
  kvsql_error_hint (error, "Times of day are from 00:00:00 to 24:00:00.");
  return kvsql_error_sqlstate (error, "22008");
}

/* Two digits, or one. */
static gboolean
take_pair (Scanner *s, gint *out)
{
  return take_digits (s, 2, out) || take_digits (s, 1, out);
}

/* AM or PM, after an hour of 1 to 12. */
static gboolean
take_noon (Scanner *s, gint *inout_hour, gboolean *out_is_wrong)
{
  gboolean is_pm;

  while (take (s, ' '))
    ;
  if (s->end - s->p < 2 || strchr ("aApP", s->p[0]) == NULL || g_ascii_tolower (s->p[1]) != 'm')
    return FALSE;
  is_pm = g_ascii_tolower (s->p[0]) == 'p';
  s->p += 2;
  *out_is_wrong = *inout_hour > 12;
  *inout_hour = *inout_hour % 12 + (is_pm ? 12 : 0);
  return TRUE;
}

/* h:mm[:ss[.fraction]], hhmmss, hhmm, each with AM or PM. A zone is read and has no meaning, as in
 * PostgreSQL. */
static gboolean
parse_time (KvsqlSlice text, KvsqlValue *out, GError **error)
{
  Scanner s = trimmed (text);
  const gchar *digits = s.p;
  gint hour, minute = 0, second = 0, ms = 0;
  gint64 zone, result;
  gboolean has_colons, is_wrong = FALSE;
  gsize n = 0;

  if (s.p < s.end && (*s.p == 'T' || *s.p == 't'))
    digits = ++s.p;
  while (digits + n < s.end && g_ascii_isdigit (digits[n]))
    n++;
  has_colons = digits + n < s.end && digits[n] == ':';
  if (has_colons ? n != 1 && n != 2 : n != 4 && n != 6)
    return invalid (KVSQL_TYPE_TIME, text, error);
  if (!take_digits (&s, has_colons ? (guint)n : 2, &hour) || (has_colons && !take (&s, ':'))
      || !take_pair (&s, &minute))
    return invalid (KVSQL_TYPE_TIME, text, error);
  if ((has_colons && take (&s, ':')) || n == 6)
    if (!take_pair (&s, &second) || (take (&s, '.') && !take_fraction (&s, &ms)))
      return invalid (KVSQL_TYPE_TIME, text, error);
  take_noon (&s, &hour, &is_wrong);
  while (take (&s, ' '))
    ;
  if (!take_zone (&s, &zone) || s.p != s.end)
    return invalid (KVSQL_TYPE_TIME, text, error);
  result = ((hour * 60 + minute) * 60 + second) * 1000LL + ms;
  if (is_wrong || minute > 59 || second > 60 || result > KVSQL_MS_PER_DAY)
    return fail_time (text, error);
  out->integer = result;
  return TRUE;
}

static gboolean
parse_duration (KvsqlSlice text, KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  KvsqlDuration duration;

  if (!kvsql_duration_parse (text, KVSQL_DURATION_ALL, &duration, error))
    return FALSE;
  out->bytes = kvsql_duration_to_text (&duration, arena);
  return TRUE;
}

static gboolean
parse_bytes (KvsqlSlice text, KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  const gchar *p = (const gchar *)text.data;
  gsize n = text.size;
  guint8 *bytes;

  /* x'00ff' and PostgreSQL's \x00ff; any other text is its own bytes. */
  if (n >= 3 && (p[0] == 'x' || p[0] == 'X') && p[1] == '\'' && p[n - 1] == '\'')
    p += 2, n -= 3;
  else if (n >= 2 && p[0] == '\\' && p[1] == 'x')
    p += 2, n -= 2;
  else
    {
      out->bytes = kvsql_slice_dup (arena, text);
      return TRUE;
    }
  if (n % 2 != 0)
    return invalid (KVSQL_TYPE_BYTES, text, error);
  bytes = kvsql_arena_alloc (arena, n / 2 + 1);
  for (gsize i = 0; i < n; i += 2)
    {
      gint high = g_ascii_xdigit_value (p[i]), low = g_ascii_xdigit_value (p[i + 1]);
      if (high < 0 || low < 0)
        return invalid (KVSQL_TYPE_BYTES, text, error);
      bytes[i / 2] = high << 4 | low;
    }
  out->bytes = kvsql_slice (bytes, n / 2);
  return TRUE;
}

static gboolean
parse_uuid (KvsqlSlice text, KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  guint8 bytes[KVSQL_UUID_BYTES];

  if (!kvsql_uuid_parse (text, bytes))
    return invalid (KVSQL_TYPE_UUID, text, error);
  out->bytes = kvsql_uuid_to_text (bytes, arena);
  return TRUE;
}

static gboolean
parse_json (KvsqlSlice text, KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  if (!kvsql_json_check (text, error))
    return FALSE;
  out->bytes = kvsql_slice_dup (arena, text);
  return TRUE;
}

gboolean
kvsql_value_parse_scalar (KvsqlType type, KvsqlSlice text, KvsqlArena *arena, KvsqlValue *out,
                          GError **error)
{
  KvsqlValue value = { .type = type };
  gboolean ok = FALSE;

  switch (type)
    {
    case KVSQL_TYPE_STRING:
      value.bytes = kvsql_slice_dup (arena, text);
      ok = TRUE;
      break;
    case KVSQL_TYPE_BYTES:
      ok = parse_bytes (text, arena, &value, error);
      break;
    case KVSQL_TYPE_BOOLEAN:
      ok = parse_boolean (text, &value, error);
      break;
    case KVSQL_TYPE_INT:
    case KVSQL_TYPE_BIGINT:
      ok = parse_integer (type, text, &value, error);
      break;
    case KVSQL_TYPE_FLOAT:
    case KVSQL_TYPE_DOUBLE:
      ok = parse_real (type, text, &value, error);
      break;
    case KVSQL_TYPE_DECIMAL:
      ok = kvsql_decimal_parse (text, arena, &value.bytes, error);
      break;
    case KVSQL_TYPE_DATE:
      ok = parse_date (text, &value, error);
      break;
    case KVSQL_TYPE_TIMESTAMP:
      ok = parse_timestamp (text, FALSE, &value, error);
      break;
    case KVSQL_TYPE_TIME:
      ok = parse_time (text, &value, error);
      break;
    case KVSQL_TYPE_INTERVAL:
      ok = parse_duration (text, arena, &value, error);
      break;
    case KVSQL_TYPE_UUID:
      ok = parse_uuid (text, arena, &value, error);
      break;
    case KVSQL_TYPE_JSON:
      ok = parse_json (text, arena, &value, error);
      break;
    case KVSQL_TYPE_JSONB:
      ok = kvsql_jsonb_parse (text, arena, &value.bytes, error);
      break;
    default:
      break;
    }
  if (ok)
    *out = value;
  return ok;
}

/* ---- text */

static void
append_real (gdouble real, gboolean is_float, GString *out)
{
  gchar buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (real))
    g_string_append (out, "NaN");
  else if (isinf (real))
    g_string_append (out, real < 0 ? "-Infinity" : "Infinity");
  else
    {
      /* the shortest text that reads back as the same number */
      for (gint digits = is_float ? 6 : 15; digits <= (is_float ? 9 : 17); digits++)
        {
          gchar format[8];
          g_snprintf (format, sizeof format, "%%.%dg", digits);
          g_ascii_formatd (buffer, sizeof buffer, format, real);
          gdouble back = g_ascii_strtod (buffer, NULL);
          if (is_float ? (gfloat)back == (gfloat)real : back == real)
            break;
        }
      g_string_append (out, buffer);
    }
}

void
kvsql_value_append_text (const KvsqlValue *self, GString *out)
{
  switch (self->type)
    {
    case KVSQL_TYPE_NULL:
      g_string_append (out, "NULL");
      break;
    case KVSQL_TYPE_BOOLEAN:
      g_string_append (out, self->boolean ? "true" : "false");
      break;
    case KVSQL_TYPE_INT:
    case KVSQL_TYPE_BIGINT:
      g_string_append_printf (out, "%" G_GINT64_FORMAT, self->integer);
      break;
    case KVSQL_TYPE_DATE:
      kvsql_date_append_text (self->integer, out);
      break;
    case KVSQL_TYPE_TIMESTAMP:
      kvsql_time_append_text (self->integer, out);
      break;
    case KVSQL_TYPE_TIME:
      kvsql_clock_append_text (self->integer, out);
      break;
    case KVSQL_TYPE_FLOAT:
    case KVSQL_TYPE_DOUBLE:
      append_real (self->real, self->type == KVSQL_TYPE_FLOAT, out);
      break;
    case KVSQL_TYPE_BYTES:
      {
        g_autofree gchar *hex = kvsql_hex (self->bytes);
        g_string_append_printf (out, "x'%s'", hex);
        break;
      }
    default:
      g_string_append_len (out, (const gchar *)self->bytes.data, self->bytes.size);
      break;
    }
}

gchar *
kvsql_value_to_text (const KvsqlValue *self)
{
  GString *text = g_string_new (NULL);

  kvsql_value_append_text (self, text);
  return g_string_free (text, FALSE);
}

#define QUOTED_BYTES 4096 /* at a time: an interrupt is noticed between two */

static void
append_quoted (KvsqlSlice text, GString *out)
{
  g_string_append_c (out, '\'');
  for (gsize i = 0, n; i < text.size && kvsql_interrupt_tick (); i += n)
    {
      const guint8 *from = text.data + i;
      gsize most = MIN (text.size - i, QUOTED_BYTES);
      const guint8 *quote = memchr (from, '\'', most);

      n = quote == NULL ? most : (gsize)(quote - from) + 1;
      g_string_append_len (out, (const gchar *)from, n);
      if (quote != NULL)
        g_string_append_c (out, '\'');
    }
  g_string_append_c (out, '\'');
}

void
kvsql_value_append_literal (const KvsqlValue *self, GString *out)
{
  switch (self->type)
    {
    case KVSQL_TYPE_STRING:
    case KVSQL_TYPE_UUID:
    case KVSQL_TYPE_JSON:
    case KVSQL_TYPE_JSONB:
      append_quoted (self->bytes, out);
      break;
    case KVSQL_TYPE_DATE:
    case KVSQL_TYPE_TIMESTAMP:
    case KVSQL_TYPE_TIME:
    case KVSQL_TYPE_INTERVAL:
      g_string_append_c (out, '\'');
      kvsql_value_append_text (self, out);
      g_string_append_c (out, '\'');
      break;
    case KVSQL_TYPE_FLOAT:
    case KVSQL_TYPE_DOUBLE:
      if (isnan (self->real) || isinf (self->real))
        {
          g_string_append_c (out, '\'');
          append_real (self->real, FALSE, out);
          g_string_append_c (out, '\'');
        }
      else
        {
          /* A number with an exponent is parsed as a DOUBLE. */
          gsize start = out->len;
          append_real (self->real, self->type == KVSQL_TYPE_FLOAT, out);
          if (strpbrk (out->str + start, "eE") == NULL)
            g_string_append (out, "e0");
        }
      break;
    default:
      if (kvsql_type_is_collection (self->type))
        append_quoted (self->bytes, out);
      else
        kvsql_value_append_text (self, out);
      break;
    }
}

KvsqlValue
kvsql_value_dup (const KvsqlValue *self, KvsqlArena *arena)
{
  KvsqlValue copy = *self;

  if (kvsql_type_get_class (self->type) == KVSQL_CLASS_SLICE)
    copy.bytes = kvsql_slice_dup (arena, self->bytes);
  return copy;
}
