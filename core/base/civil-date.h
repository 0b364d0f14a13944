/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * civil-date.h: days and milliseconds since 1970 as dates and times of day, and their text.
 *
 * The calendar is the proleptic Gregorian one, with the years 0001 to 9999. Times are in UTC.
 * libkvsql contains this file, too.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KVSQL_DATE_MIN (-719162) /* 0001-01-01 */
#define KVSQL_DATE_MAX 2932896   /* 9999-12-31 */
#define KVSQL_MS_PER_DAY 86400000LL

/* FALSE: there is no such date. */
gboolean kvsql_date_from_civil (gint year, gint month, gint day, gint64 *out_days);
/* @days: from KVSQL_DATE_MIN to KVSQL_DATE_MAX */
void kvsql_date_to_civil (gint64 days, gint *year, gint *month, gint *day);

/* Days from the same calendar without an end: any month and year, counted on if they are outside of
 * 1 to 12. The day is at most the last one of its month. */
gint64 kvsql_date_from_month (gint64 year, gint64 month, gint day);

/* The day of a time, rounded down. */
static inline gint64
kvsql_day_of_time (gint64 milliseconds)
{
  return milliseconds / KVSQL_MS_PER_DAY - (milliseconds % KVSQL_MS_PER_DAY < 0);
}

/* "2024-02-29" */
void kvsql_date_append_text (gint64 days, GString *out);
/* A time of day, in milliseconds since midnight: "12:00:00", "12:00:00.5" */
void kvsql_clock_append_text (gint64 milliseconds, GString *out);
/* "2024-02-29T12:00:00.000Z" */
void kvsql_time_append_text (gint64 milliseconds, GString *out);

G_END_DECLS
