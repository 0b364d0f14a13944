/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * duration.c: text, order and arithmetic of INTERVAL.
 */
#include "config.h"

#include "core/base/duration.h"

#include "core/base/civil-date.h"

#include <math.h>

#define US_PER_SECOND G_GINT64_CONSTANT (1000000)
#define US_PER_MINUTE (60 * US_PER_SECOND)
#define US_PER_HOUR (60 * US_PER_MINUTE)
#define SECONDS_PER_DAY 86400.0

/* ---- text */

/* A number after a negative one has its sign. */
static void
append_unit (gint number, const gchar *unit, gboolean *inout_after_negative, gsize start,
             GString *out)
{
  if (number == 0)
    return;
  g_string_append_printf (out, "%s%s%d %s%s", out->len > start ? " " : "",
                          *inout_after_negative && number > 0 ? "+" : "", number, unit,
                          number != 1 ? "s" : "");
  *inout_after_negative = number < 0;
}

void
kvsql_duration_append_text (const KvsqlDuration *self, GString *out)
{
  guint64 us = self->us < 0 ? -(guint64)self->us : (guint64)self->us;
  gboolean after_negative = FALSE;
  gsize start = out->len;

  append_unit (self->months / 12, "year", &after_negative, start, out);
  append_unit (self->months % 12, "mon", &after_negative, start, out);
  append_unit (self->days, "day", &after_negative, start, out);
  if (us == 0 && out->len > start)
    return;
  g_string_append_printf (out, "%s%s%02" G_GUINT64_FORMAT ":%02d:%02d", out->len > start ? " " : "",
                          self->us < 0     ? "-"
                          : after_negative ? "+"
                                           : "",
                          us / US_PER_HOUR, (gint)(us / US_PER_MINUTE % 60),
                          (gint)(us / US_PER_SECOND % 60));
  if (us % US_PER_SECOND == 0)
    return;
  g_string_append_printf (out, ".%06d", (gint)(us % US_PER_SECOND));
  while (out->str[out->len - 1] == '0')
    g_string_truncate (out, out->len - 1);
}

KvsqlSlice
kvsql_duration_to_text (const KvsqlDuration *self, KvsqlArena *arena)
{
  g_autoptr (GString) text = g_string_sized_new (48);

  kvsql_duration_append_text (self, text);
  return kvsql_slice_dup (arena, kvsql_slice (text->str, text->len));
}

KvsqlDuration
kvsql_duration_from_text (KvsqlSlice text)
{
  KvsqlDuration duration;

  /* another text can only be in a cursor's token that a client has changed */
  return kvsql_duration_parse (text, KVSQL_DURATION_ALL, &duration, NULL) ? duration
                                                                          : (KvsqlDuration){ 0 };
}

/* Half away from zero. FALSE: the result does not fit. */
static gboolean
round_to (gint64 *inout, gint64 unit)
{
  gint64 half = *inout < 0 ? -unit / 2 : unit / 2;

  if (__builtin_add_overflow (*inout, half, inout))
    return FALSE;
  *inout -= *inout % unit;
  return TRUE;
}

gboolean
kvsql_duration_restrict (KvsqlDuration *self, KvsqlDurationFields fields, guint digits,
                         GError **error)
{
  gint64 unit = 1;

  if (fields != KVSQL_DURATION_ALL)
    {
      if (fields == KVSQL_DURATION_YEAR)
        self->months -= self->months % 12;
      if (fields <= (KVSQL_DURATION_YEAR | KVSQL_DURATION_MONTH))
        self->days = 0;
      if ((fields & (KVSQL_DURATION_HOUR | KVSQL_DURATION_MINUTE | KVSQL_DURATION_SECOND)) == 0)
        self->us = 0;
      else if ((fields & (KVSQL_DURATION_MINUTE | KVSQL_DURATION_SECOND)) == 0)
        self->us -= self->us % US_PER_HOUR;
      else if ((fields & KVSQL_DURATION_SECOND) == 0)
        self->us -= self->us % US_PER_MINUTE;
    }
  for (guint i = digits; i < 6; i++)
    unit *= 10;
  return round_to (&self->us, unit) || kvsql_duration_fail_range (error);
}

/* ---- order */

__int128
kvsql_duration_get_total (const KvsqlDuration *self)
{
  return ((__int128)self->months * KVSQL_DAYS_PER_MONTH + self->days) * KVSQL_US_PER_DAY + self->us;
}

gint
kvsql_duration_compare_texts (KvsqlSlice a, KvsqlSlice b)
{
  KvsqlDuration left = kvsql_duration_from_text (a), right = kvsql_duration_from_text (b);
  __int128 x = kvsql_duration_get_total (&left), y = kvsql_duration_get_total (&right);

  return (x > y) - (x < y);
}

/* ---- arithmetic */

gboolean
kvsql_duration_add (const KvsqlDuration *a, const KvsqlDuration *b, KvsqlDuration *out,
                    GError **error)
{
  KvsqlDuration sum; /* gcc 12 reads @a again after it has written @out, if both are in memory */

  if (__builtin_add_overflow (a->months, b->months, &sum.months)
      || __builtin_add_overflow (a->days, b->days, &sum.days)
      || __builtin_add_overflow (a->us, b->us, &sum.us))
    return kvsql_duration_fail_range (error);
  *out = sum;
  return TRUE;
}

gboolean
kvsql_duration_negate (const KvsqlDuration *self, KvsqlDuration *out, GError **error)
{
  if (self->months == G_MININT32 || self->days == G_MININT32 || self->us == G_MININT64)
    return kvsql_duration_fail_range (error);
  *out = (KvsqlDuration){ -self->months, -self->days, -self->us };
  return TRUE;
}

static gdouble
round_to_us (gdouble seconds)
{
  return rint (seconds * 1e6) / 1e6;
}

static gboolean
fits_32 (gdouble number)
{
  return number >= G_MININT32 && number <= G_MAXINT32;
}

/* From the exact products or quotients of the three numbers. */
static gboolean
from_reals (gdouble months, gdouble days, gdouble us, KvsqlDuration *out, GError **error)
{
  gdouble rest_days, rest_seconds;

  if (!fits_32 (months) || !fits_32 (days))
    return kvsql_duration_fail_range (error);
  *out = (KvsqlDuration){ .months = (gint32)months, .days = (gint32)days };
  rest_days = round_to_us ((months - out->months) * KVSQL_DAYS_PER_MONTH);
  rest_seconds = round_to_us ((days - out->days + rest_days - (gint)rest_days) * SECONDS_PER_DAY);
  if (fabs (rest_seconds) >= SECONDS_PER_DAY)
    {
      gint whole = (gint)(rest_seconds / SECONDS_PER_DAY);
      if (__builtin_add_overflow (out->days, whole, &out->days))
        return kvsql_duration_fail_range (error);
      rest_seconds -= whole * SECONDS_PER_DAY;
    }
  us = rint (us + rest_seconds * 1e6);
  if (__builtin_add_overflow (out->days, (gint32)rest_days, &out->days)
      || !(us >= -9223372036854775808.0 && us < 9223372036854775808.0))
    return kvsql_duration_fail_range (error);
  out->us = (gint64)us;
  return TRUE;
}

gboolean
kvsql_duration_multiply (const KvsqlDuration *self, gdouble factor, KvsqlDuration *out,
                         GError **error)
{
  return from_reals (self->months * factor, self->days * factor, (gdouble)self->us * factor, out,
                     error);
}

gboolean
kvsql_duration_divide (const KvsqlDuration *self, gdouble divisor, KvsqlDuration *out,
                       GError **error)
{
  return from_reals (self->months / divisor, self->days / divisor, (gdouble)self->us / divisor, out,
                     error);
}

/* ---- justify */

static gboolean
carry_hours (KvsqlDuration *self)
{
  gint32 days = (gint32)(self->us / KVSQL_US_PER_DAY);

  self->us -= days * KVSQL_US_PER_DAY;
  return !__builtin_add_overflow (self->days, days, &self->days);
}

static gboolean
carry_days (KvsqlDuration *self)
{
  gint32 months = self->days / KVSQL_DAYS_PER_MONTH;

  self->days -= months * KVSQL_DAYS_PER_MONTH;
  return !__builtin_add_overflow (self->months, months, &self->months);
}

gboolean
kvsql_duration_justify (KvsqlDuration *self, gboolean has_hours, gboolean has_days, GError **error)
{
  /* days first, if hours would add to them, so that they do not overflow */
  gboolean may_grow = (self->days > 0 && self->us > 0) || (self->days < 0 && self->us < 0);

  if (has_hours && has_days && may_grow && !carry_days (self))
    return kvsql_duration_fail_range (error);
  if ((has_hours && !carry_hours (self)) || (has_days && !carry_days (self)))
    return kvsql_duration_fail_range (error);
  if (has_days)
    {
      gboolean is_below = self->days < 0 || (has_hours && self->days == 0 && self->us < 0);
      gboolean is_above = self->days > 0 || (has_hours && self->days == 0 && self->us > 0);
      if (self->months > 0 && is_below)
        {
          self->days += KVSQL_DAYS_PER_MONTH;
          self->months--;
        }
      else if (self->months < 0 && is_above)
        {
          self->days -= KVSQL_DAYS_PER_MONTH;
          self->months++;
        }
    }
  if (has_hours && self->days > 0 && self->us < 0)
    {
      self->us += KVSQL_US_PER_DAY;
      self->days--;
    }
  else if (has_hours && self->days < 0 && self->us > 0)
    {
      self->us -= KVSQL_US_PER_DAY;
      self->days++;
    }
  return TRUE;
}

/* ---- times */

gint64
kvsql_us_to_ms (gint64 us)
{
  gint64 ms = us / 1000, rest = us % 1000;

  if (rest < 0)
    {
      ms--;
      rest += 1000;
    }
  return ms + (rest >= 500);
}

gboolean
kvsql_duration_move_time (const KvsqlDuration *self, gint64 ms, gint64 *out)
{
  gint64 day = kvsql_day_of_time (ms), rest = ms - day * KVSQL_MS_PER_DAY;
  __int128 result;

  if (self->months != 0)
    {
      gint y, m, d;
      kvsql_date_to_civil (day, &y, &m, &d);
      day = kvsql_date_from_month (y, (gint64)m + self->months, d);
    }
  result = ((__int128)day + self->days) * KVSQL_MS_PER_DAY + rest + kvsql_us_to_ms (self->us);
  *out = (gint64)result;
  return result == *out;
}

KvsqlDuration
kvsql_duration_between (gint64 a_ms, gint64 b_ms)
{
  gint64 ms = a_ms - b_ms;

  return (KvsqlDuration){ .days = (gint32)(ms / KVSQL_MS_PER_DAY),
                          .us = ms % KVSQL_MS_PER_DAY * 1000 };
}

KvsqlDuration
kvsql_duration_get_age (gint64 a_ms, gint64 b_ms)
{
  gboolean is_negative = a_ms < b_ms;
  gint64 late = is_negative ? b_ms : a_ms, early = is_negative ? a_ms : b_ms;
  gint64 late_day = kvsql_day_of_time (late), early_day = kvsql_day_of_time (early);
  gint64 ms = (late - late_day * KVSQL_MS_PER_DAY) - (early - early_day * KVSQL_MS_PER_DAY);
  gint y1, m1, d1, y2, m2, d2;
  KvsqlDuration age;

  kvsql_date_to_civil (late_day, &y1, &m1, &d1);
  kvsql_date_to_civil (early_day, &y2, &m2, &d2);
  age = (KvsqlDuration){ .months = (y1 - y2) * 12 + m1 - m2, .days = d1 - d2, .us = ms * 1000 };
  if (ms < 0)
    {
      age.us += KVSQL_US_PER_DAY;
      age.days--;
    }
  /* a month that is not whole has the days of the month of the earlier time */
  if (age.days < 0)
    {
      age.days
          += (gint32)(kvsql_date_from_month (y2, m2 + 1, 1) - kvsql_date_from_month (y2, m2, 1));
      age.months--;
    }
  return is_negative ? (KvsqlDuration){ -age.months, -age.days, -age.us } : age;
}
