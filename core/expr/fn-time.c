/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-time.c: parts and truncation of times. All times are UTC. A DATE is the time of its
 * midnight.
 */
#include "config.h"

#include "core/expr/cast.h"
#include "core/expr/function.h"
#include "core/expr/time-parts.h"

#include <math.h>

#include "core/base/decimal.h"

/* ---- fields */

typedef enum
{
  FIELD_MICROSECONDS,
  FIELD_MILLISECONDS,
  FIELD_SECOND,
  FIELD_MINUTE,
  FIELD_HOUR,
  FIELD_DAY,
  FIELD_WEEK,
  FIELD_MONTH,
  FIELD_QUARTER,
  FIELD_YEAR,
  FIELD_DECADE,
  FIELD_CENTURY,
  FIELD_MILLENNIUM,
  FIELD_EPOCH, /* from here on: a time cannot be truncated to it */
  FIELD_DOW,
  FIELD_ISODOW,
  FIELD_DOY,
  FIELD_ISOYEAR,
  FIELD_JULIAN,
} Field;

static const struct
{
  const gchar *name;
  Field field;
} fields[] = {
  { "microsecond", FIELD_MICROSECONDS },
  { "microseconds", FIELD_MICROSECONDS },
  { "millisecond", FIELD_MILLISECONDS },
  { "milliseconds", FIELD_MILLISECONDS },
  { "second", FIELD_SECOND },
  { "minute", FIELD_MINUTE },
  { "hour", FIELD_HOUR },
  { "day", FIELD_DAY },
  { "week", FIELD_WEEK },
  { "month", FIELD_MONTH },
  { "quarter", FIELD_QUARTER },
  { "year", FIELD_YEAR },
  { "decade", FIELD_DECADE },
  { "century", FIELD_CENTURY },
  { "millennium", FIELD_MILLENNIUM },
  { "epoch", FIELD_EPOCH },
  { "dow", FIELD_DOW },
  { "isodow", FIELD_ISODOW },
  { "doy", FIELD_DOY },
  { "isoyear", FIELD_ISOYEAR },
  { "julian", FIELD_JULIAN },
};

static gboolean
find_field (KvsqlSlice name, Field *out, GError **error)
{
  const gchar *names[G_N_ELEMENTS (fields)], *near;
  g_autofree gchar *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      names[i] = fields[i].name;
      if (strlen (names[i]) == name.size
          && g_ascii_strncasecmp (names[i], (const gchar *)name.data, name.size) == 0)
        {
          *out = fields[i].field;
          return TRUE;
        }
    }
  text = g_strndup ((const gchar *)name.data, MIN (name.size, 40));
  near = kvsql_suggest (text, names, G_N_ELEMENTS (fields));
  kvsql_function_fail_as (error, "22023", "unit \"%s\" is not known", text);
  return near != NULL ? kvsql_error_hint (error, "Did you mean %s?", near)
                      : kvsql_error_hint (error, "Units are year, quarter, month, week, day, hour, "
                                                 "minute, second, milliseconds and the like.");
}

/* The unit of the result is 1/1000, so that seconds are exact. The day of JULIAN is whole. */
static gint64
field_of (gint64 time, Field field)
{
  KvsqlTimeParts parts = kvsql_time_parts (time);
  gint year;

  switch (field)
    {
    case FIELD_MICROSECONDS:
      return (parts.second * 1000LL + parts.ms) * 1000000;
    case FIELD_MILLISECONDS:
      return (parts.second * 1000LL + parts.ms) * 1000;
    case FIELD_SECOND:
      return parts.second * 1000LL + parts.ms;
    case FIELD_EPOCH:
      return time;
    case FIELD_MINUTE:
      return parts.minute * 1000LL;
    case FIELD_HOUR:
      return parts.hour * 1000LL;
    case FIELD_DAY:
      return parts.day * 1000LL;
    case FIELD_WEEK:
      return kvsql_time_iso_week (parts.days, &year) * 1000LL;
    case FIELD_MONTH:
      return parts.month * 1000LL;
    case FIELD_QUARTER:
      return ((parts.month + 2) / 3) * 1000LL;
    case FIELD_YEAR:
      return parts.year * 1000LL;
    case FIELD_DECADE:
      return parts.year / 10 * 1000LL;
    case FIELD_CENTURY:
      return (parts.year + 99) / 100 * 1000LL;
    case FIELD_MILLENNIUM:
      return (parts.year + 999) / 1000 * 1000LL;
    case FIELD_JULIAN:
      return (parts.days + KVSQL_JULIAN_1970) * 1000;
    case FIELD_DOW:
      return kvsql_time_iso_weekday (parts.days) % 7 * 1000LL;
    case FIELD_ISODOW:
      return kvsql_time_iso_weekday (parts.days) * 1000LL;
    case FIELD_DOY:
      return (parts.days - kvsql_time_first_of (parts.year, 1) + 1) * 1000LL;
    case FIELD_ISOYEAR:
      kvsql_time_iso_week (parts.days, &year);
      return year * 1000LL;
    }
  return 0;
}

static gint64
ms_of_day (gint64 time)
{
  return ((time % KVSQL_MS_PER_DAY) + KVSQL_MS_PER_DAY) % KVSQL_MS_PER_DAY;
}

static gboolean
date_part (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  Field field;

  if (!find_field (arguments[0].bytes, &field, error))
    return FALSE;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE,
                       .real = field_of (arguments[1].integer, field) / 1000.0 };
  if (field == FIELD_JULIAN)
    out->real += ms_of_day (arguments[1].integer) / (gdouble)KVSQL_MS_PER_DAY;
  return TRUE;
}

/* Adds the part of the day that is over. */
static gboolean
add_part_of_day (const KvsqlFunctionCall *call, gint64 time, KvsqlSlice *inout, GError **error)
{
  KvsqlSlice ms = kvsql_decimal_from_int64 (ms_of_day (time) * 1000, call->arena);
  KvsqlSlice day = kvsql_decimal_from_int64 (KVSQL_MS_PER_DAY * 1000, call->arena);

  return kvsql_decimal_divide (ms, day, call->arena, &ms, error)
         && kvsql_decimal_add (*inout, ms, call->arena, inout, error);
}

static gboolean
extract (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  Field field;

  if (!find_field (arguments[0].bytes, &field, error))
    return FALSE;
  out->type = KVSQL_TYPE_DECIMAL;
  return kvsql_decimal_multiply (
             kvsql_decimal_from_int64 (field_of (arguments[1].integer, field), call->arena),
             KVSQL_SLICE_LITERAL ("0.001"), call->arena, &out->bytes, error)
         && (field != FIELD_JULIAN
             || add_part_of_day (call, arguments[1].integer, &out->bytes, error));
}

#define FIELD_FUNCTION(name, field)                                                                \
  static gboolean time_##name (const KvsqlFunctionCall *call, const KvsqlValue *arguments,         \
                               KvsqlValue *out, GError **error)                                    \
  {                                                                                                \
    *out = (KvsqlValue){ .type = KVSQL_TYPE_INT,                                                   \
                         .integer = field_of (arguments[0].integer, field) / 1000 };               \
    return TRUE;                                                                                   \
  }

FIELD_FUNCTION (year, FIELD_YEAR)
FIELD_FUNCTION (quarter, FIELD_QUARTER)
FIELD_FUNCTION (month, FIELD_MONTH)
FIELD_FUNCTION (week, FIELD_WEEK)
FIELD_FUNCTION (day, FIELD_DAY)
FIELD_FUNCTION (hour, FIELD_HOUR)
FIELD_FUNCTION (minute, FIELD_MINUTE)
FIELD_FUNCTION (second, FIELD_SECOND)

/* ---- truncation */

static gint64
truncate_days (const KvsqlTimeParts *parts, Field field)
{
  switch (field)
    {
    case FIELD_WEEK:
      return parts->days + 1 - kvsql_time_iso_weekday (parts->days);
    case FIELD_MONTH:
      return kvsql_time_first_of (parts->year, parts->month);
    case FIELD_QUARTER:
      return kvsql_time_first_of (parts->year, (parts->month - 1) / 3 * 3 + 1);
    case FIELD_YEAR:
      return kvsql_time_first_of (parts->year, 1);
    case FIELD_DECADE:
      return kvsql_time_first_of (MAX (parts->year / 10 * 10, 1), 1);
    case FIELD_MILLENNIUM:
      return kvsql_time_first_of ((parts->year - 1) / 1000 * 1000 + 1, 1);
    case FIELD_CENTURY:
      return kvsql_time_first_of ((parts->year - 1) / 100 * 100 + 1, 1);
    default:
      return parts->days;
    }
}

static gboolean
date_trunc (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  gint64 time = arguments[1].integer;
  KvsqlTimeParts parts = kvsql_time_parts (time);
  gint64 ms = time - parts.days * KVSQL_MS_PER_DAY;
  Field field;

  if (!find_field (arguments[0].bytes, &field, error))
    return FALSE;
  if (field >= FIELD_EPOCH)
    return kvsql_function_fail_as (error, "22023", "a time cannot be truncated to \"%.*s\"",
                                   (gint)arguments[0].bytes.size,
                                   (const gchar *)arguments[0].bytes.data);
  if (field == FIELD_SECOND)
    ms -= ms % 1000;
  else if (field == FIELD_MINUTE)
    ms -= ms % 60000;
  else if (field == FIELD_HOUR)
    ms -= ms % 3600000;
  else if (field > FIELD_MILLISECONDS)
    ms = 0;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_TIMESTAMP,
                       .integer = truncate_days (&parts, field) * KVSQL_MS_PER_DAY + ms };
  return kvsql_cast_check_time (KVSQL_TYPE_TIMESTAMP, out->integer, error);
}

/* ---- numbers to times */

/* From seconds since 1970, as in PostgreSQL. */
static gboolean
to_timestamp (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  gdouble ms = rint (arguments[0].real * 1000);

  *out = (KvsqlValue){ .type = KVSQL_TYPE_TIMESTAMP };
  if (!(fabs (ms) < 1e15))
    return kvsql_cast_check_time (KVSQL_TYPE_TIMESTAMP, G_MAXINT64, error);
  out->integer = (gint64)ms;
  return kvsql_cast_check_time (KVSQL_TYPE_TIMESTAMP, out->integer, error);
}

static gboolean
make_date (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  gint64 days;

  if (!kvsql_date_from_civil (arguments[0].integer, arguments[1].integer, arguments[2].integer,
                              &days))
    return kvsql_function_fail_as (
        error, "22008",
        "date out of range: %04" G_GINT64_FORMAT "-%02" G_GINT64_FORMAT "-%02" G_GINT64_FORMAT,
        arguments[0].integer, arguments[1].integer, arguments[2].integer);
  *out = (KvsqlValue){ .type = KVSQL_TYPE_DATE, .integer = days };
  return TRUE;
}

static gboolean
make_timestamp (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  gint64 hour = arguments[3].integer, minute = arguments[4].integer, days, ms;
  gdouble second = arguments[5].real;

  if (!kvsql_date_from_civil ((gint)arguments[0].integer, (gint)arguments[1].integer,
                              (gint)arguments[2].integer, &days))
    return kvsql_function_fail_as (error, "22008",
                                   "date field value out of range: %" G_GINT64_FORMAT
                                   "-%02" G_GINT64_FORMAT "-%02" G_GINT64_FORMAT,
                                   arguments[0].integer, arguments[1].integer,
                                   arguments[2].integer);
  if (hour < 0 || minute < 0 || minute > 59 || !(second >= 0 && second <= 60) || hour > 24
      || (hour == 24 && (minute > 0 || second > 0)))
    return kvsql_function_fail_as (error, "22008",
                                   "time field value out of range: %" G_GINT64_FORMAT
                                   ":%02" G_GINT64_FORMAT ":%02g",
                                   hour, minute, second);
  ms = (hour * 60 + minute) * 60000 + (gint64)rint (second * 1000);
  *out = (KvsqlValue){ .type = KVSQL_TYPE_TIMESTAMP, .integer = days * KVSQL_MS_PER_DAY + ms };
  return kvsql_cast_check_time (KVSQL_TYPE_TIMESTAMP, out->integer, error);
}

/* The beginning of the bin of @stride milliseconds, of those that begin at the origin. */
static gboolean
date_bin (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  gint64 stride = arguments[0].integer, since = arguments[1].integer - arguments[2].integer, rest;

  if (stride <= 0)
    return kvsql_function_fail_as (error, "22008", "stride must be greater than zero");
  rest = since % stride;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_TIMESTAMP, .integer = arguments[1].integer - rest };
  if (rest < 0 && __builtin_sub_overflow (out->integer, stride, &out->integer))
    return kvsql_function_fail_as (error, "22008", "TIMESTAMP out of range");
  return kvsql_cast_check_time (KVSQL_TYPE_TIMESTAMP, out->integer, error);
}

/* No time is infinite. */
static gboolean
time_isfinite (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = TRUE };
  return TRUE;
}

/* The clock's time, not the statement's. */
static gboolean
clock_timestamp (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                 GError **error)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_TIMESTAMP, .integer = g_get_real_time () / 1000 };
  return TRUE;
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("date_part", STRING, TIMESTAMP, DOUBLE, date_part),
  KVSQL_FUNCTION_2 ("extract", STRING, TIMESTAMP, DECIMAL, extract),
  KVSQL_FUNCTION_2 ("date_trunc", STRING, TIMESTAMP, TIMESTAMP, date_trunc),
  KVSQL_FUNCTION_1 ("year", TIMESTAMP, INT, time_year, NULL, TRUE),
  KVSQL_FUNCTION_1 ("quarter", TIMESTAMP, INT, time_quarter, NULL, TRUE),
  KVSQL_FUNCTION_1 ("month", TIMESTAMP, INT, time_month, NULL, TRUE),
  KVSQL_FUNCTION_1 ("week", TIMESTAMP, INT, time_week, NULL, TRUE),
  KVSQL_FUNCTION_1 ("day", TIMESTAMP, INT, time_day, NULL, TRUE),
  KVSQL_FUNCTION_1 ("hour", TIMESTAMP, INT, time_hour, NULL, TRUE),
  KVSQL_FUNCTION_1 ("minute", TIMESTAMP, INT, time_minute, NULL, TRUE),
  KVSQL_FUNCTION_1 ("second", TIMESTAMP, INT, time_second, NULL, TRUE),
  KVSQL_FUNCTION_1 ("to_timestamp", DOUBLE, TIMESTAMP, to_timestamp, .zone = KVSQL_ZONE_ALWAYS),
  KVSQL_FUNCTION_3 ("make_date", INT, INT, INT, DATE, make_date),
  { "make_timestamp",
    6,
    { KVSQL_TYPE_INT, KVSQL_TYPE_INT, KVSQL_TYPE_INT, KVSQL_TYPE_INT, KVSQL_TYPE_INT,
      KVSQL_TYPE_DOUBLE },
    KVSQL_TYPE_TIMESTAMP,
    make_timestamp,
    NULL,
    FALSE,
    FALSE,
    FALSE },
  KVSQL_FUNCTION_3 ("date_bin", BIGINT, TIMESTAMP, TIMESTAMP, TIMESTAMP, date_bin),
  KVSQL_FUNCTION_1 ("isfinite", TIMESTAMP, BOOLEAN, time_isfinite, NULL, TRUE),
  KVSQL_FUNCTION_0 ("clock_timestamp", TIMESTAMP, clock_timestamp, .is_volatile = TRUE,
                    .zone = KVSQL_ZONE_ALWAYS),
};

const KvsqlFunctionFamily kvsql_functions_time = { functions, G_N_ELEMENTS (functions) };
