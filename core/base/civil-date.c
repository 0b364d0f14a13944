/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * civil-date.c: see the header. The algorithms for days are from Howard Hinnant's
 * "chrono-compatible low-level date algorithms".
 */
#include "config.h"

#include "core/base/civil-date.h"

static gint
days_in_month (gint year, gint month)
{
  static const gint8 days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
  gboolean is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

  return month == 2 && is_leap ? 29 : days[month - 1];
}

gboolean
kvsql_date_from_civil (gint year, gint month, gint day, gint64 *out_days)
{
  gint64 shifted, era, year_of_era, day_of_year, day_of_era;

  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1
      || day > days_in_month (year, month))
    return FALSE;
  shifted = month <= 2 ? year - 1 : year;
  era = shifted / 400;
  year_of_era = shifted - era * 400;
  day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  *out_days = era * 146097 + day_of_era - 719468;
  return TRUE;
}

gint64
kvsql_date_from_month (gint64 year, gint64 month, gint day)
{
  gint64 months = year * 12 + month - 1, days = 0, eras;
  gint m = (gint)((months % 12 + 12) % 12), y;

  /* the calendar repeats itself after 400 years */
  year = (months - m) / 12;
  y = (gint)((year % 400 + 400) % 400);
  eras = (year - y) / 400;
  y += 400;
  kvsql_date_from_civil (y, m + 1, MIN (day, days_in_month (y, m + 1)), &days);
  return days + (eras - 1) * 146097;
}

void
kvsql_date_to_civil (gint64 days, gint *year, gint *month, gint *day)
{
  gint64 z = days + 719468;
  gint64 era = (z >= 0 ? z : z - 146096) / 146097;
  gint64 day_of_era = z - era * 146097;
  gint64 year_of_era
      = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  gint64 day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  gint64 shifted_month = (5 * day_of_year + 2) / 153;

  *day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  *month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  *year = year_of_era + era * 400 + (*month <= 2);
}

void
kvsql_date_append_text (gint64 days, GString *out)
{
  gint year, month, day;

  kvsql_date_to_civil (days, &year, &month, &day);
  g_string_append_printf (out, "%04d-%02d-%02d", year, month, day);
}

void
kvsql_time_append_text (gint64 milliseconds, GString *out)
{
  gint64 days = kvsql_day_of_time (milliseconds);
  gint rest = (gint)(milliseconds - days * KVSQL_MS_PER_DAY);

  kvsql_date_append_text (days, out);
  g_string_append_printf (out, "T%02d:%02d:%02d.%03dZ", rest / 3600000, rest / 60000 % 60,
                          rest / 1000 % 60, rest % 1000);
}

void
kvsql_clock_append_text (gint64 milliseconds, GString *out)
{
  gint ms = (gint)(milliseconds % 1000), rest = (gint)(milliseconds / 1000);

  g_string_append_printf (out, "%02d:%02d:%02d", rest / 3600, rest / 60 % 60, rest % 60);
  if (ms == 0)
    return;
  g_string_append_printf (out, ".%03d", ms);
  while (out->str[out->len - 1] == '0')
    g_string_truncate (out, out->len - 1);
}
