/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-clock.c: arithmetic with TIME. A time of day goes round at midnight.
 */
#include "config.h"

#include "core/base/duration.h"
#include "core/expr/cast.h"
#include "core/expr/function.h"

#include <math.h>

/* Only the time of the interval counts, not its days and months. */
static gboolean
turn (gint64 clock, gint64 us, KvsqlValue *out)
{
  gint64 ms = (clock + kvsql_us_to_ms (us % KVSQL_US_PER_DAY)) % KVSQL_MS_PER_DAY;

  *out = (KvsqlValue){ .type = KVSQL_TYPE_TIME, .integer = ms < 0 ? ms + KVSQL_MS_PER_DAY : ms };
  return TRUE;
}

static gboolean
add_duration (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  gboolean is_first = arguments[0].type == KVSQL_TYPE_INTERVAL;

  return turn (arguments[is_first].integer,
               kvsql_duration_from_text (arguments[!is_first].bytes).us, out);
}

static gboolean
subtract_duration (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                   GError **error)
{
  gint64 us = kvsql_duration_from_text (arguments[1].bytes).us % KVSQL_US_PER_DAY;

  return turn (arguments[0].integer, -us, out);
}

static gboolean
subtract (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  KvsqlDuration duration = { .us = (arguments[0].integer - arguments[1].integer) * 1000 };

  *out = (KvsqlValue){ .type = KVSQL_TYPE_INTERVAL,
                       .bytes = kvsql_duration_to_text (&duration, call->arena) };
  return TRUE;
}

static gboolean
add_date (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  gboolean is_second = arguments[1].type == KVSQL_TYPE_DATE;

  *out = (KvsqlValue){ .type = KVSQL_TYPE_TIMESTAMP,
                       .integer = arguments[is_second].integer * KVSQL_MS_PER_DAY
                                  + arguments[!is_second].integer };
  return kvsql_cast_check_time (KVSQL_TYPE_TIMESTAMP, out->integer, error);
}

static gboolean
make_time (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  gint64 hour = arguments[0].integer, minute = arguments[1].integer;
  gdouble second = arguments[2].real;

  *out = (KvsqlValue){ .type = KVSQL_TYPE_TIME };
  if (hour >= 0 && hour <= 24 && minute >= 0 && minute < 60 && second >= 0 && second <= 60)
    {
      out->integer = (hour * 60 + minute) * 60000 + (gint64)rint (second * 1000);
      if (kvsql_type_has_integer (KVSQL_TYPE_TIME, out->integer))
        return TRUE;
    }
  kvsql_function_fail (
      error, "time field value out of range: %" G_GINT64_FORMAT ":%02" G_GINT64_FORMAT ":%02g",
      hour, minute, second);
  return kvsql_error_sqlstate (error, "22008");
}

#define PART(name, divisor, modulus)                                                               \
  static gboolean clock_##name (const KvsqlFunctionCall *call, const KvsqlValue *arguments,        \
                                KvsqlValue *out, GError **error)                                   \
  {                                                                                                \
    *out = (KvsqlValue){ .type = KVSQL_TYPE_INT,                                                   \
                         .integer = arguments[0].integer / (divisor) % (modulus) };                \
    return TRUE;                                                                                   \
  }

PART (hour, 3600000, 25)
PART (minute, 60000, 60)
PART (second, 1000, 60)

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("+", TIME, INTERVAL, TIME, add_duration, NULL, TRUE),
  KVSQL_FUNCTION_2 ("+", INTERVAL, TIME, TIME, add_duration, NULL, TRUE),
  KVSQL_FUNCTION_2 ("+", DATE, TIME, TIMESTAMP, add_date),
  KVSQL_FUNCTION_2 ("+", TIME, DATE, TIMESTAMP, add_date),
  KVSQL_FUNCTION_2 ("-", TIME, INTERVAL, TIME, subtract_duration, NULL, TRUE),
  KVSQL_FUNCTION_2 ("-", TIME, TIME, INTERVAL, subtract, NULL, TRUE),
  KVSQL_FUNCTION_3 ("make_time", INT, INT, DOUBLE, TIME, make_time),
  KVSQL_FUNCTION_1 ("hour", TIME, INT, clock_hour, NULL, TRUE),
  KVSQL_FUNCTION_1 ("minute", TIME, INT, clock_minute, NULL, TRUE),
  KVSQL_FUNCTION_1 ("second", TIME, INT, clock_second, NULL, TRUE),
};

const KvsqlFunctionFamily kvsql_functions_clock = { functions, G_N_ELEMENTS (functions) };
