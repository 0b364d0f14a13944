/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * time-parts.h: year, month and the like of a time, in UTC.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The Julian day of 1970-01-01. */
#define KVSQL_JULIAN_1970 2440588

typedef struct
{
  gint64 days; /* since 1970-01-01 */
  gint year, month, day, hour, minute, second, ms;
} KvsqlTimeParts;

/* @time: milliseconds since 1970 */
KvsqlTimeParts kvsql_time_parts (gint64 time);
/* 1 Monday to 7 Sunday. */
gint kvsql_time_iso_weekday (gint64 days);
/* The day of the first of a month. */
gint64 kvsql_time_first_of (gint year, gint month);
/* The year and week of ISO 8601: a week belongs to the year of its Thursday. */
gint kvsql_time_iso_week (gint64 days, gint *out_year);

G_END_DECLS
