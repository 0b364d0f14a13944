/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-interval.c: arithmetic with INTERVAL, and times and intervals of numbers.
 */
#include "config.h"

#include "core/base/duration.h"
#include "core/expr/cast.h"
#include "core/expr/function.h"

#include <math.h>

#define US_PER_SECOND G_GINT64_CONSTANT (1000000)

static gboolean
set_duration (const KvsqlFunctionCall *call, const KvsqlDuration *duration, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_INTERVAL,
                       .bytes = kvsql_duration_to_text (duration, call->arena) };
  return TRUE;
}

/* ---- operators */

static gboolean
subtract (const KvsqlDuration *a, const KvsqlDuration *b, KvsqlDuration *out, GError **error)
{
  KvsqlDuration difference;

  if (__builtin_sub_overflow (a->months, b->months, &difference.months)
      || __builtin_sub_overflow (a->days, b->days, &difference.days)
      || __builtin_sub_overflow (a->us, b->us, &difference.us))
    return kvsql_duration_fail_range (error);
  *out = difference;
  return TRUE;
}

static gboolean
duration_add (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  KvsqlDuration a = kvsql_duration_from_text (arguments[0].bytes);
  KvsqlDuration b = kvsql_duration_from_text (arguments[1].bytes);

  return kvsql_duration_add (&a, &b, &a, error) && set_duration (call, &a, out);
}

static gboolean
duration_subtract (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                   GError **error)
{
  KvsqlDuration a = kvsql_duration_from_text (arguments[0].bytes);
  KvsqlDuration b = kvsql_duration_from_text (arguments[1].bytes);

  return subtract (&a, &b, &a, error) && set_duration (call, &a, out);
}

static gboolean
duration_negate (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                 GError **error)
{
  KvsqlDuration a = kvsql_duration_from_text (arguments[0].bytes);

  return kvsql_duration_negate (&a, &a, error) && set_duration (call, &a, out);
}

static gboolean
duration_multiply (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                   GError **error)
{
  gboolean is_second = arguments[1].type == KVSQL_TYPE_INTERVAL;
  KvsqlDuration a = kvsql_duration_from_text (arguments[is_second].bytes);

  return kvsql_duration_multiply (&a, arguments[!is_second].real, &a, error)
         && set_duration (call, &a, out);
}

static gboolean
duration_divide (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                 GError **error)
{
  KvsqlDuration a = kvsql_duration_from_text (arguments[0].bytes);

  if (arguments[1].real == 0)
    return kvsql_fail_division_by_zero (error);
  return kvsql_duration_divide (&a, arguments[1].real, &a, error) && set_duration (call, &a, out);
}

/* A DATE is its midnight. */
static gint64
ms_of (const KvsqlValue *time)
{
  return time->type == KVSQL_TYPE_DATE ? time->integer * KVSQL_MS_PER_DAY : time->integer;
}

static gboolean
move_time (const KvsqlValue *time, const KvsqlDuration *by, KvsqlValue *out, GError **error)
{
  gint64 ms;

  if (!kvsql_duration_move_time (by, ms_of (time), &ms))
    ms = G_MAXINT64;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_TIMESTAMP, .integer = ms };
  return kvsql_cast_check_time (KVSQL_TYPE_TIMESTAMP, ms, error)
         || kvsql_error_sqlstate (error, "22008");
}

static gboolean
time_add_duration (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                   GError **error)
{
  gboolean is_first = arguments[0].type == KVSQL_TYPE_INTERVAL;
  KvsqlDuration by = kvsql_duration_from_text (arguments[!is_first].bytes);

  return move_time (&arguments[is_first], &by, out, error);
}

static gboolean
time_subtract_duration (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                        GError **error)
{
  KvsqlDuration by = kvsql_duration_from_text (arguments[1].bytes);

  return kvsql_duration_negate (&by, &by, error) && move_time (&arguments[0], &by, out, error);
}

static gboolean
time_subtract (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  KvsqlDuration between = kvsql_duration_between (arguments[0].integer, arguments[1].integer);

  return set_duration (call, &between, out);
}

/* ---- functions */

static gboolean
age (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out, GError **error)
{
  KvsqlDuration duration = kvsql_duration_get_age (arguments[0].integer, arguments[1].integer);

  return set_duration (call, &duration, out);
}

#define JUSTIFY(name, has_hours, has_days)                                                         \
  static gboolean name (const KvsqlFunctionCall *call, const KvsqlValue *arguments,                \
                        KvsqlValue *out, GError **error)                                           \
  {                                                                                                \
    KvsqlDuration duration = kvsql_duration_from_text (arguments[0].bytes);                        \
                                                                                                   \
    return kvsql_duration_justify (&duration, has_hours, has_days, error)                          \
           && set_duration (call, &duration, out);                                                 \
  }

JUSTIFY (justify_hours, TRUE, FALSE)
JUSTIFY (justify_days, FALSE, TRUE)
JUSTIFY (justify_interval, TRUE, TRUE)

/* Years, months, weeks, days, hours, minutes, seconds: the first @n of them. */
static gboolean
make_from (const KvsqlFunctionCall *call, const KvsqlValue *arguments, guint n, KvsqlValue *out,
           GError **error)
{
  gint64 numbers[6] = { 0 }, us;
  gdouble seconds = n > 6 ? arguments[6].real : 0;
  KvsqlDuration duration;

  for (guint i = 0; i < MIN (n, 6); i++)
    numbers[i] = arguments[i].integer;
  if (!(fabs (seconds) < 9e12) || __builtin_mul_overflow (numbers[0], (gint64)12, &us)
      || __builtin_add_overflow (us, numbers[1], &duration.months)
      || __builtin_add_overflow (numbers[2] * 7, numbers[3], &duration.days))
    return kvsql_duration_fail_range (error);
  us = (numbers[4] * 3600 + numbers[5] * 60) * US_PER_SECOND;
  if (__builtin_add_overflow (us, (gint64)rint (seconds * 1e6), &duration.us))
    return kvsql_duration_fail_range (error);
  return set_duration (call, &duration, out);
}

#define MAKE_INTERVAL(n)                                                                           \
  static gboolean make_interval_##n (const KvsqlFunctionCall *call, const KvsqlValue *arguments,   \
                                     KvsqlValue *out, GError **error)                              \
  {                                                                                                \
    return make_from (call, arguments, n, out, error);                                             \
  }

MAKE_INTERVAL (0)
MAKE_INTERVAL (1)
MAKE_INTERVAL (2)
MAKE_INTERVAL (3)
MAKE_INTERVAL (4)
MAKE_INTERVAL (5)
MAKE_INTERVAL (6)
MAKE_INTERVAL (7)

/* The beginning of the bin of those that begin at the origin. */
static gboolean
date_bin (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  KvsqlDuration stride = kvsql_duration_from_text (arguments[0].bytes);
  gint64 since, rest;
  __int128 us = (__int128)stride.days * KVSQL_US_PER_DAY + stride.us;

  if (stride.months != 0)
    return kvsql_function_fail_as (
        error, "0A000", "timestamps cannot be binned into intervals containing months or years");
  if (us <= 0)
    return kvsql_function_fail_as (error, "22008", "stride must be greater than zero");
  since = (arguments[1].integer - arguments[2].integer) * 1000;
  rest = (gint64)(since % us);
  if (rest < 0)
    us -= -rest;
  us = rest < 0 ? us : rest;
  us = (__int128)arguments[1].integer * 1000 - us;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_TIMESTAMP };
  out->integer = us == (gint64)us ? kvsql_us_to_ms ((gint64)us) : G_MAXINT64;
  return kvsql_cast_check_time (KVSQL_TYPE_TIMESTAMP, out->integer, error);
}

/* ---- CAST to INTERVAL with fields */

static gboolean
restrict_to (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  g_autofree gchar *words
      = g_strndup ((const gchar *)arguments[1].bytes.data, arguments[1].bytes.size);
  KvsqlDurationFields fields;
  KvsqlDuration duration;
  guint digits;

  if (!kvsql_duration_fields_parse (words, &fields, &digits))
    return kvsql_function_fail (error, "invalid fields of an INTERVAL: \"%s\"", words)
           || kvsql_error_hint (error, "Write DAY, YEAR TO MONTH, DAY TO SECOND (3) or the like.");
  if (arguments[0].type == KVSQL_TYPE_INTERVAL)
    duration = kvsql_duration_from_text (arguments[0].bytes);
  else if (!kvsql_duration_parse (arguments[0].bytes, fields, &duration, error))
    return FALSE;
  return kvsql_duration_restrict (&duration, fields, digits, error)
         && set_duration (call, &duration, out);
}

#define MAKE_LINE(n) "make_interval", n, { INTS }, KVSQL_TYPE_INTERVAL, make_interval_##n
#define INTS                                                                                       \
  KVSQL_TYPE_INT, KVSQL_TYPE_INT, KVSQL_TYPE_INT, KVSQL_TYPE_INT, KVSQL_TYPE_INT, KVSQL_TYPE_INT,  \
      KVSQL_TYPE_DOUBLE

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("+", INTERVAL, INTERVAL, INTERVAL, duration_add),
  KVSQL_FUNCTION_2 ("+", TIMESTAMP, INTERVAL, TIMESTAMP, time_add_duration),
  KVSQL_FUNCTION_2 ("+", INTERVAL, TIMESTAMP, TIMESTAMP, time_add_duration),
  KVSQL_FUNCTION_2 ("+", DATE, INTERVAL, TIMESTAMP, time_add_duration),
  KVSQL_FUNCTION_2 ("+", INTERVAL, DATE, TIMESTAMP, time_add_duration),
  KVSQL_FUNCTION_2 ("-", INTERVAL, INTERVAL, INTERVAL, duration_subtract),
  KVSQL_FUNCTION_2 ("-", TIMESTAMP, TIMESTAMP, INTERVAL, time_subtract, NULL, TRUE),
  KVSQL_FUNCTION_2 ("-", TIMESTAMP, INTERVAL, TIMESTAMP, time_subtract_duration),
  KVSQL_FUNCTION_2 ("-", DATE, INTERVAL, TIMESTAMP, time_subtract_duration),
  KVSQL_FUNCTION_2 ("*", INTERVAL, DOUBLE, INTERVAL, duration_multiply),
  KVSQL_FUNCTION_2 ("*", DOUBLE, INTERVAL, INTERVAL, duration_multiply),
  KVSQL_FUNCTION_2 ("/", INTERVAL, DOUBLE, INTERVAL, duration_divide),
  KVSQL_FUNCTION_1 ("-", INTERVAL, INTERVAL, duration_negate),
  KVSQL_FUNCTION_2 ("age", TIMESTAMP, TIMESTAMP, INTERVAL, age, NULL, TRUE),
  KVSQL_FUNCTION_1 ("justify_hours", INTERVAL, INTERVAL, justify_hours),
  KVSQL_FUNCTION_1 ("justify_days", INTERVAL, INTERVAL, justify_days),
  KVSQL_FUNCTION_1 ("justify_interval", INTERVAL, INTERVAL, justify_interval),
  { MAKE_LINE (0) },
  { MAKE_LINE (1) },
  { MAKE_LINE (2) },
  { MAKE_LINE (3) },
  { MAKE_LINE (4) },
  { MAKE_LINE (5) },
  { MAKE_LINE (6) },
  { MAKE_LINE (7) },
  KVSQL_FUNCTION_3 ("date_bin", INTERVAL, TIMESTAMP, TIMESTAMP, TIMESTAMP, date_bin),
  KVSQL_FUNCTION_2 ("interval_fields", STRING, STRING, INTERVAL, restrict_to),
  KVSQL_FUNCTION_2 ("interval_fields", INTERVAL, STRING, INTERVAL, restrict_to),
};

const KvsqlFunctionFamily kvsql_functions_interval = { functions, G_N_ELEMENTS (functions) };
