/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-interval-part.c: parts of INTERVAL and TIME, by name and by pattern.
 */
#include "config.h"

#include "core/base/decimal.h"
#include "core/base/duration.h"
#include "core/expr/function.h"

#define US_PER_SECOND G_GINT64_CONSTANT (1000000)
#define US_PER_MINUTE (60 * US_PER_SECOND)
#define US_PER_HOUR (60 * US_PER_MINUTE)

typedef enum
{
  PART_MICROSECONDS,
  PART_MILLISECONDS,
  PART_SECOND,
  PART_MINUTE,
  PART_HOUR,
  PART_EPOCH, /* from here on not of a TIME, except epoch */
  PART_DAY,
  PART_WEEK,
  PART_MONTH,
  PART_QUARTER,
  PART_YEAR,
  PART_DECADE,
  PART_CENTURY,
  PART_MILLENNIUM,
  PART_OTHER, /* of dates only */
} Part;

static const struct
{
  const gchar *name;
  Part part;
} parts[] = {
  { "microsecond", PART_MICROSECONDS },
  { "microseconds", PART_MICROSECONDS },
  { "us", PART_MICROSECONDS },
  { "usec", PART_MICROSECONDS },
  { "millisecond", PART_MILLISECONDS },
  { "milliseconds", PART_MILLISECONDS },
  { "ms", PART_MILLISECONDS },
  { "msec", PART_MILLISECONDS },
  { "second", PART_SECOND },
  { "seconds", PART_SECOND },
  { "sec", PART_SECOND },
  { "s", PART_SECOND },
  { "minute", PART_MINUTE },
  { "minutes", PART_MINUTE },
  { "min", PART_MINUTE },
  { "m", PART_MINUTE },
  { "hour", PART_HOUR },
  { "hours", PART_HOUR },
  { "h", PART_HOUR },
  { "epoch", PART_EPOCH },
  { "day", PART_DAY },
  { "days", PART_DAY },
  { "d", PART_DAY },
  { "week", PART_WEEK },
  { "weeks", PART_WEEK },
  { "w", PART_WEEK },
  { "month", PART_MONTH },
  { "months", PART_MONTH },
  { "mon", PART_MONTH },
  { "mons", PART_MONTH },
  { "quarter", PART_QUARTER },
  { "year", PART_YEAR },
  { "years", PART_YEAR },
  { "y", PART_YEAR },
  { "decade", PART_DECADE },
  { "decades", PART_DECADE },
  { "century", PART_CENTURY },
  { "centuries", PART_CENTURY },
  { "c", PART_CENTURY },
  { "millennium", PART_MILLENNIUM },
  { "millennia", PART_MILLENNIUM },
  { "dow", PART_OTHER },
  { "isodow", PART_OTHER },
  { "doy", PART_OTHER },
  { "isoyear", PART_OTHER },
  { "julian", PART_OTHER },
  { "timezone", PART_OTHER },
  { "timezone_hour", PART_OTHER },
  { "timezone_minute", PART_OTHER },
};

/* *out_name: (transfer full) */
static gboolean
find_part (KvsqlSlice name, gchar **out_name, Part *out, GError **error)
{
  const gchar *names[G_N_ELEMENTS (parts)], *near;

  *out_name = g_strndup ((const gchar *)name.data, MIN (name.size, 40));
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      names[i] = parts[i].name;
      if (name.size <= 40 && g_ascii_strcasecmp (names[i], *out_name) == 0)
        {
          *out = parts[i].part;
          return TRUE;
        }
    }
  near = kvsql_suggest (*out_name, names, G_N_ELEMENTS (parts));
  kvsql_function_fail (error, "unit \"%s\" is not known", *out_name);
  kvsql_error_sqlstate (error, "22023");
  return near != NULL ? kvsql_error_hint (error, "Did you mean %s?", near)
                      : kvsql_error_hint (error, "Units are year, month, day, hour, minute, "
                                                 "second, milliseconds, epoch and the like.");
}

static gboolean
fail_part (const gchar *name, KvsqlType type, GError **error)
{
  kvsql_function_fail (error, "unit \"%s\" not supported for type %s", name,
                       kvsql_type_get_name (type));
  return kvsql_error_sqlstate (error, "0A000");
}

/* ---- extract */

/* With years of 365.25 days. */
static __int128
epoch_of (const KvsqlDuration *self)
{
  gint64 quarters = self->months / 12 * G_GINT64_CONSTANT (1461)
                    + ((gint64)(self->months % 12) * KVSQL_DAYS_PER_MONTH + self->days) * 4;

  return (__int128)quarters * (KVSQL_US_PER_DAY / 4) + self->us;
}

/* In millionths. FALSE: there is no such part. */
static gboolean
get_part (const KvsqlDuration *self, Part part, __int128 *out)
{
  __int128 number;

  switch (part)
    {
    case PART_EPOCH:
      *out = epoch_of (self);
      return TRUE;
    case PART_MICROSECONDS:
      number = self->us % US_PER_MINUTE;
      break;
    case PART_MILLISECONDS:
      *out = (__int128)(self->us % US_PER_MINUTE) * 1000;
      return TRUE;
    case PART_SECOND:
      *out = self->us % US_PER_MINUTE;
      return TRUE;
    case PART_MINUTE:
      number = self->us / US_PER_MINUTE % 60;
      break;
    case PART_HOUR:
      number = self->us / US_PER_HOUR;
      break;
    case PART_DAY:
      number = self->days;
      break;
    case PART_MONTH:
      number = self->months % 12;
      break;
    case PART_QUARTER:
      number = self->months % 12 / 3 + 1;
      break;
    case PART_YEAR:
      number = self->months / 12;
      break;
    case PART_DECADE:
      number = self->months / 120;
      break;
    case PART_CENTURY:
      number = self->months / 1200;
      break;
    case PART_MILLENNIUM:
      number = self->months / 12000;
      break;
    default:
      return FALSE;
    }
  *out = number * US_PER_SECOND;
  return TRUE;
}

static gboolean
find_number (const KvsqlValue *arguments, __int128 *out, GError **error)
{
  gboolean is_clock = arguments[1].type == KVSQL_TYPE_TIME;
  g_autofree gchar *name = NULL;
  KvsqlDuration duration = { 0 };
  Part part;

  if (!find_part (arguments[0].bytes, &name, &part, error))
    return FALSE;
  if (is_clock)
    duration.us = arguments[1].integer * 1000;
  else
    duration = kvsql_duration_from_text (arguments[1].bytes);
  return (get_part (&duration, part, out) && (!is_clock || part <= PART_EPOCH))
         || fail_part (name, arguments[1].type, error);
}

static gboolean
extract (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  __int128 number, magnitude;
  gchar text[64];

  if (!find_number (arguments, &number, error))
    return FALSE;
  magnitude = number < 0 ? -number : number;
  g_snprintf (text, sizeof text, "%s%" G_GINT64_FORMAT ".%06d", number < 0 ? "-" : "",
              (gint64)(magnitude / US_PER_SECOND), (gint)(magnitude % US_PER_SECOND));
  out->type = KVSQL_TYPE_DECIMAL;
  return kvsql_decimal_parse (kvsql_slice_from_text (text), call->arena, &out->bytes, error);
}

static gboolean
date_part (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  __int128 number;

  if (!find_number (arguments, &number, error))
    return FALSE;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE, .real = (gdouble)number / 1e6 };
  return TRUE;
}

/* ---- truncation, towards zero */

static gboolean
truncate_to (KvsqlDuration *self, Part part)
{
  static const gint64 times[] = {
    [PART_MICROSECONDS] = 1,       [PART_MILLISECONDS] = 1000, [PART_SECOND] = US_PER_SECOND,
    [PART_MINUTE] = US_PER_MINUTE, [PART_HOUR] = US_PER_HOUR,
  };
  static const gint months[] = {
    [PART_MONTH] = 1,    [PART_QUARTER] = 3,    [PART_YEAR] = 12,
    [PART_DECADE] = 120, [PART_CENTURY] = 1200, [PART_MILLENNIUM] = 12000,
  };

  if (part <= PART_HOUR)
    {
      self->us -= self->us % times[part];
      return TRUE;
    }
  self->us = 0;
  if (part == PART_DAY)
    return TRUE;
  if (part < PART_MONTH || part > PART_MILLENNIUM)
    return FALSE;
  self->days = 0;
  self->months -= self->months % months[part];
  return TRUE;
}

static gboolean
date_trunc (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  KvsqlDuration duration = kvsql_duration_from_text (arguments[1].bytes);
  g_autofree gchar *name = NULL;
  Part part;

  if (!find_part (arguments[0].bytes, &name, &part, error))
    return FALSE;
  if (!truncate_to (&duration, part))
    {
      fail_part (name, KVSQL_TYPE_INTERVAL, error);
      if (part == PART_WEEK)
        kvsql_error_hint (error, "Months usually have fractional weeks.");
      return FALSE;
    }
  *out = (KvsqlValue){ .type = KVSQL_TYPE_INTERVAL,
                       .bytes = kvsql_duration_to_text (&duration, call->arena) };
  return TRUE;
}

/* ---- patterns */

typedef enum
{
  PATTERN_YEAR,
  PATTERN_SHORT_YEAR,
  PATTERN_MONTH,
  PATTERN_DAY_OF_YEAR,
  PATTERN_DAY,
  PATTERN_HOUR,
  PATTERN_HOUR12,
  PATTERN_MINUTE,
  PATTERN_SECONDS,
  PATTERN_SECOND,
  PATTERN_MS,
  PATTERN_US,
  PATTERN_NOON,
  PATTERN_FILL,
  PATTERN_CALENDAR, /* what an interval has not */
} Pattern;

/* A pattern precedes its prefixes. */
static const struct
{
  const gchar *text;
  Pattern pattern;
} patterns[] = {
  { "FM", PATTERN_FILL },         { "YYYY", PATTERN_YEAR },      { "YY", PATTERN_SHORT_YEAR },
  { "MM", PATTERN_MONTH },        { "MI", PATTERN_MINUTE },      { "MS", PATTERN_MS },
  { "DDD", PATTERN_DAY_OF_YEAR }, { "DD", PATTERN_DAY },         { "HH24", PATTERN_HOUR },
  { "HH12", PATTERN_HOUR12 },     { "HH", PATTERN_HOUR12 },      { "SSSSS", PATTERN_SECONDS },
  { "SSSS", PATTERN_SECONDS },    { "SS", PATTERN_SECOND },      { "US", PATTERN_US },
  { "AM", PATTERN_NOON },         { "PM", PATTERN_NOON },        { "am", PATTERN_NOON },
  { "pm", PATTERN_NOON },         { "Month", PATTERN_CALENDAR }, { "MONTH", PATTERN_CALENDAR },
  { "month", PATTERN_CALENDAR },  { "Mon", PATTERN_CALENDAR },   { "MON", PATTERN_CALENDAR },
  { "mon", PATTERN_CALENDAR },    { "Day", PATTERN_CALENDAR },   { "DAY", PATTERN_CALENDAR },
  { "day", PATTERN_CALENDAR },    { "Dy", PATTERN_CALENDAR },    { "DY", PATTERN_CALENDAR },
  { "dy", PATTERN_CALENDAR },     { "D", PATTERN_CALENDAR },
};

/* With @width digits, and the minus sign if there is one. */
static void
append_number (gint64 number, gint width, GString *out)
{
  g_string_append_printf (out, "%s%0*" G_GINT64_FORMAT, number < 0 ? "-" : "", width,
                          number < 0 ? -number : number);
}

static void
append_pattern (const KvsqlDuration *self, guint index, gboolean is_filled, GString *out)
{
  gint64 hours = self->us / US_PER_HOUR, hour12 = hours % 12;
  gint width = is_filled ? 2 : 1;

  switch (patterns[index].pattern)
    {
    case PATTERN_YEAR:
      append_number (self->months / 12, is_filled ? 4 : 1, out);
      break;
    case PATTERN_SHORT_YEAR:
      append_number (self->months / 12 % 100, width, out);
      break;
    case PATTERN_MONTH:
      append_number (self->months % 12, width, out);
      break;
    case PATTERN_DAY_OF_YEAR:
      append_number (self->months * G_GINT64_CONSTANT (30) + self->days, is_filled ? 3 : 1, out);
      break;
    case PATTERN_DAY:
      append_number (self->days, width, out);
      break;
    case PATTERN_HOUR:
      append_number (hours, width, out);
      break;
    case PATTERN_HOUR12:
      append_number (hour12 == 0 ? 12 : hour12, width, out);
      break;
    case PATTERN_MINUTE:
      append_number (self->us / US_PER_MINUTE % 60, width, out);
      break;
    case PATTERN_SECONDS:
      append_number (self->us / US_PER_SECOND, 1, out);
      break;
    case PATTERN_SECOND:
      append_number (self->us / US_PER_SECOND % 60, width, out);
      break;
    case PATTERN_MS:
      append_number (self->us % US_PER_SECOND / 1000, 3, out);
      break;
    case PATTERN_US:
      append_number (self->us % US_PER_SECOND, 6, out);
      break;
    default:
      g_string_append (out, hours % 24 >= 12
                                ? (g_ascii_isupper (patterns[index].text[0]) ? "PM" : "pm")
                                : (g_ascii_isupper (patterns[index].text[0]) ? "AM" : "am"));
      break;
    }
}

static gboolean
fail_calendar (const gchar *text, GError **error)
{
  kvsql_function_fail (error, "an interval has no \"%s\"", text);
  kvsql_error_sqlstate (error, "22007");
  return kvsql_error_hint (error, "Intervals are not tied to specific calendar dates.");
}

static gboolean
to_char (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  KvsqlDuration duration = kvsql_duration_from_text (arguments[0].bytes);
  const gchar *p = (const gchar *)arguments[1].bytes.data, *end = p + arguments[1].bytes.size;
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_quoted = FALSE, is_filled = TRUE;

  while (p < end)
    {
      guint found = 0;
      if (text->len > KVSQL_FUNCTION_MAX_BYTES)
        return kvsql_function_fail_too_long (error);
      if (*p == '"')
        {
          is_quoted = !is_quoted;
          p++;
          continue;
        }
      while (!is_quoted && found < G_N_ELEMENTS (patterns)
             && ((gsize)(end - p) < strlen (patterns[found].text)
                 || strncmp (p, patterns[found].text, strlen (patterns[found].text)) != 0))
        found++;
      if (is_quoted || found == G_N_ELEMENTS (patterns))
        {
          g_string_append_c (text, *p++);
          continue;
        }
      p += strlen (patterns[found].text);
      if (patterns[found].pattern == PATTERN_CALENDAR)
        return fail_calendar (patterns[found].text, error);
      if (patterns[found].pattern == PATTERN_FILL)
        {
          is_filled = FALSE;
          continue;
        }
      append_pattern (&duration, found, is_filled, text);
      is_filled = TRUE;
    }
  return kvsql_function_set_text (call, kvsql_slice (text->str, text->len), out, error);
}

/* PostgreSQL's to_char of a time of day is that of an interval, too. */
static gboolean
clock_to_char (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  KvsqlDuration duration = { .us = arguments[0].integer * 1000 };
  KvsqlValue values[]
      = { { .type = KVSQL_TYPE_INTERVAL, .bytes = kvsql_duration_to_text (&duration, call->arena) },
          arguments[1] };

  return to_char (call, values, out, error);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("extract", STRING, INTERVAL, DECIMAL, extract),
  KVSQL_FUNCTION_2 ("extract", STRING, TIME, DECIMAL, extract),
  KVSQL_FUNCTION_2 ("date_part", STRING, INTERVAL, DOUBLE, date_part),
  KVSQL_FUNCTION_2 ("date_part", STRING, TIME, DOUBLE, date_part),
  KVSQL_FUNCTION_2 ("date_trunc", STRING, INTERVAL, INTERVAL, date_trunc),
  KVSQL_FUNCTION_2 ("to_char", INTERVAL, STRING, STRING, to_char),
  KVSQL_FUNCTION_2 ("to_char", TIME, STRING, STRING, clock_to_char),
};

const KvsqlFunctionFamily kvsql_functions_interval_part = { functions, G_N_ELEMENTS (functions) };
