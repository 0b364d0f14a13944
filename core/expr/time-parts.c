/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * time-parts.c: see the header.
 */
#include "config.h"

#include "core/expr/time-parts.h"

#include "core/base/civil-date.h"
#include "core/base/value.h"

KvsqlTimeParts
kvsql_time_parts (gint64 time)
{
  KvsqlTimeParts parts;
  gint64 ms = ((time % KVSQL_MS_PER_DAY) + KVSQL_MS_PER_DAY) % KVSQL_MS_PER_DAY;

  parts.days = (time - ms) / KVSQL_MS_PER_DAY;
  kvsql_date_to_civil (parts.days, &parts.year, &parts.month, &parts.day);
  parts.hour = ms / 3600000;
  parts.minute = ms / 60000 % 60;
  parts.second = ms / 1000 % 60;
  parts.ms = ms % 1000;
  return parts;
}

/* 1970-01-01 was a Thursday. */
gint
kvsql_time_iso_weekday (gint64 days)
{
  return ((days + 3) % 7 + 7) % 7 + 1;
}

gint64
kvsql_time_first_of (gint year, gint month)
{
  gint64 days = 0;

  kvsql_date_from_civil (year, month, 1, &days);
  return days;
}

gint
kvsql_time_iso_week (gint64 days, gint *out_year)
{
  gint64 thursday = days + 4 - kvsql_time_iso_weekday (days);
  gint month, day;

  kvsql_date_to_civil (thursday, out_year, &month, &day);
  return (thursday - kvsql_time_first_of (*out_year, 1)) / 7 + 1;
}
