/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-duration.c: INTERVAL: text, order and arithmetic, with values of PostgreSQL's regression
 * tests. tests/differential/test-intervals.py asks a running PostgreSQL.
 */
#include "config.h"

#include "core/base/civil-date.h"
#include "core/base/duration.h"

#include <math.h>

typedef struct
{
  const gchar *text;
  const gchar *answer; /* NULL: there is an error */
} Case;

static gchar *
text_of (const KvsqlDuration *duration)
{
  GString *text = g_string_new (NULL);

  kvsql_duration_append_text (duration, text);
  return g_string_free (text, FALSE);
}

/* ---- text */

static const Case cases[] = {
  { "@ 1 minute", "00:01:00" },
  { "@ 5 hour", "05:00:00" },
  { "@ 10 day", "10 days" },
  { "@ 34 year", "34 years" },
  { "@ 3 months", "3 mons" },
  { "@ 14 seconds ago", "-00:00:14" },
  { "1 day 2 hours 3 minutes 4 seconds", "1 day 02:03:04" },
  { "6 years", "6 years" },
  { "5 months 12 hours", "5 mons 12:00:00" },
  { "1.5 weeks", "10 days 12:00:00" },
  { "1.5 months", "1 mon 15 days" },
  { "10 years -11 month -12 days +13:14", "9 years 1 mon -12 days +13:14:00" },
  { "-23 hours 45 min 12.34 sec", "-22:14:47.66" },
  { "-1 day 23 hours 45 min 12.34 sec", "-1 days +23:45:12.34" },
  { "1-2", "1 year 2 mons" },
  { "-1-2", "-1 years -2 mons" },
  { "1 2:03:04", "1 day 02:03:04" },
  { "2:03.5", "00:02:03.5" },
  { "P1Y2M3DT4H5M6S", "1 year 2 mons 3 days 04:05:06" },
  { "P00021015T103020", "2 years 10 mons 15 days 10:30:20" },
  { "P0002-10-15T10:30:20", "2 years 10 mons 15 days 10:30:20" },
  { "P0.5Y", "6 mons" },
  { "PT-10M", "-00:10:00" },
  { "0", "00:00:00" },
  { "178956970 years 7 mons 2147483647 days 2562047788:00:54.775807",
    "178956970 years 7 mons 2147483647 days 2562047788:00:54.775807" },
  { "-178956970 years -8 mons -2147483648 days -2562047788:00:54.775808",
    "-178956970 years -8 mons -2147483648 days -2562047788:00:54.775808" },
  { "178956970 years 8 mons", NULL },
  { "2147483648 days", NULL },
  { "2562047788:00:54.775808", NULL },
  { "99999999999999999999 us", NULL },
  { "badly formatted interval", NULL },
  { "@ 30 eons ago", NULL },
  { "1 day 1 day", NULL },
  { "1 hour 01:00", NULL },
  { "24:60:00", NULL },
  { "1 2 3", NULL },
  { "1 ago", NULL },
  { "-.5", NULL },
  { "P", NULL },
  { "P1", "1 year" },
  { "P1Y2", NULL },
  { "PT1Y", NULL },
  { "1y2mons3d", NULL },
  { "", NULL },
};

static void
test_text (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      KvsqlSlice text = kvsql_slice_from_text (cases[i].text);
      g_autoptr (GError) error = NULL;
      g_autofree gchar *shown = NULL;
      KvsqlDuration duration;

      g_test_message ("%s", cases[i].text);
      if (cases[i].answer == NULL)
        {
          g_assert_false (kvsql_duration_parse (text, KVSQL_DURATION_ALL, &duration, &error));
          g_assert_nonnull (error);
          continue;
        }
      g_assert_true (kvsql_duration_parse (text, KVSQL_DURATION_ALL, &duration, &error));
      g_assert_no_error (error);
      shown = text_of (&duration);
      g_assert_cmpstr (shown, ==, cases[i].answer);
    }
}

/* Texts of any bytes are read or refused, and what is read has a text that reads back. */
static void
test_hostile (void)
{
  static const gchar signs[] = "0123456789 +-:.,@PTYMWDHSaghory\t\xff";

  for (guint i = 0; i < 200000; i++)
    {
      gchar text[300];
      gsize size = (gsize)g_test_rand_int_range (0, i % 50 == 0 ? sizeof text : 14);
      KvsqlDuration duration, again;
      g_autofree gchar *shown = NULL;

      for (gsize at = 0; at < size; at++)
        text[at] = signs[g_test_rand_int_range (0, sizeof signs)];
      if (!kvsql_duration_parse (kvsql_slice (text, size), KVSQL_DURATION_ALL, &duration, NULL))
        continue;
      shown = text_of (&duration);
      again = kvsql_duration_from_text (kvsql_slice_from_text (shown));
      g_assert_cmpint (again.months, ==, duration.months);
      g_assert_cmpint (again.days, ==, duration.days);
      g_assert_cmpint (again.us, ==, duration.us);
    }
}

/* Any three numbers have a text that reads back. */
static void
test_round_trip (void)
{
  for (guint i = 0; i < 20000; i++)
    {
      guint shift = (guint)g_test_rand_int_range (0, 63);
      KvsqlDuration duration
          = { g_test_rand_int () >> (shift & 31), g_test_rand_int () >> (i % 32),
              (gint64)((guint64)(guint32)g_test_rand_int () << 32 | (guint32)g_test_rand_int ())
                  >> shift },
          again;
      g_autofree gchar *shown = text_of (&duration), *once_more = NULL;

      again = kvsql_duration_from_text (kvsql_slice_from_text (shown));
      once_more = text_of (&again);
      g_assert_cmpstr (once_more, ==, shown);
      g_assert_true (kvsql_duration_get_total (&again) == kvsql_duration_get_total (&duration));
    }
}

static void
test_fields (void)
{
  static const struct
  {
    const gchar *words, *text, *answer;
  } fields[] = {
    { "YEAR", "999", "999 years" },
    { "MONTH", "999", "83 years 3 mons" },
    { "DAY", "999", "999 days" },
    { "HOUR", "999", "999:00:00" },
    { "MINUTE", "999", "16:39:00" },
    { "SECOND", "999", "00:16:39" },
    { "YEAR TO MONTH", "1", "1 mon" },
    { "DAY TO HOUR", "1 2:03:04", "1 day 02:00:00" },
    { "MINUTE TO SECOND", "1 2:03", "1 day 00:02:03" },
    { "DAY TO SECOND(2)", "1 2:03:04.5678", "1 day 02:03:04.57" },
    { "(0)", "1.5 s", "00:00:02" },
    { "", "1.5 s", "00:00:01.5" },
    { "YEAR TO DAY", NULL, NULL },
    { "DAY TO YEAR", NULL, NULL },
    { "DAY TO", NULL, NULL },
    { "DAY DAY", NULL, NULL },
    { "WEEK", NULL, NULL },
    { "TO", NULL, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      KvsqlDurationFields found;
      KvsqlDuration duration;
      g_autofree gchar *shown = NULL;
      guint digits;

      g_test_message ("%s", fields[i].words);
      g_assert_cmpint (kvsql_duration_fields_parse (fields[i].words, &found, &digits), ==,
                       fields[i].text != NULL);
      if (fields[i].text == NULL)
        continue;
      g_assert_true (
          kvsql_duration_parse (kvsql_slice_from_text (fields[i].text), found, &duration, NULL));
      g_assert_true (kvsql_duration_restrict (&duration, found, digits, NULL));
      shown = text_of (&duration);
      g_assert_cmpstr (shown, ==, fields[i].answer);
    }
}

/* ---- arithmetic */

static gint
order (const gchar *a, const gchar *b)
{
  return kvsql_duration_compare_texts (kvsql_slice_from_text (a), kvsql_slice_from_text (b));
}

static void
test_order (void)
{
  g_assert_cmpint (order ("1 mon", "30 days"), ==, 0);
  g_assert_cmpint (order ("1 day", "24:00:00"), ==, 0);
  g_assert_cmpint (order ("1 year", "365 days"), <, 0);
  g_assert_cmpint (order ("-00:00:01", "00:00:00"), <, 0);
  g_assert_cmpint (order ("178956970 years", "-178956970 years"), >, 0);
}

/* Both operands and the result in one place, and results at the limits. */
static void
test_limits (void)
{
  KvsqlDuration most = { G_MAXINT32, G_MAXINT32, G_MAXINT64 }, least = { 0, G_MININT32, 0 };
  const KvsqlDuration day = { .days = 1 };
  g_autoptr (GError) error = NULL;

  g_assert_false (kvsql_duration_add (&most, &day, &most, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_VALUE);
  g_assert_cmpint (most.days, ==, G_MAXINT32);
  g_assert_false (kvsql_duration_negate (&least, &least, NULL));
  g_assert_false (kvsql_duration_multiply (&most, 2, &most, NULL));
  g_assert_false (kvsql_duration_divide (&most, 0.5, &most, NULL));
  g_assert_false (kvsql_duration_multiply (&day, NAN, &most, NULL));
}

static gint64
ms_of (gint year, gint month, gint day)
{
  gint64 days;

  g_assert_true (kvsql_date_from_civil (year, month, day, &days));
  return days * KVSQL_MS_PER_DAY;
}

static void
test_times (void)
{
  const KvsqlDuration month = { .months = 1 }, back = { .months = -13 }, far = { .months = 200000 };
  KvsqlDuration age;
  gint64 ms;

  g_assert_true (kvsql_duration_move_time (&month, ms_of (2024, 1, 31), &ms));
  g_assert_cmpint (ms, ==, ms_of (2024, 2, 29));
  g_assert_true (kvsql_duration_move_time (&back, ms_of (2024, 1, 31), &ms));
  g_assert_cmpint (ms, ==, ms_of (2022, 12, 31));
  /* beyond the years of dates the calendar goes on */
  g_assert_true (kvsql_duration_move_time (&far, ms_of (2024, 1, 31), &ms));
  g_assert_cmpint (ms, >, ms_of (9999, 12, 31));
  age = kvsql_duration_get_age (ms_of (2001, 4, 10), ms_of (1957, 6, 13));
  g_assert_cmpint (age.months, ==, 43 * 12 + 9);
  g_assert_cmpint (age.days, ==, 27);
  g_assert_cmpint (kvsql_us_to_ms (-500), ==, 0);
  g_assert_cmpint (kvsql_us_to_ms (-501), ==, -1);
  g_assert_cmpint (kvsql_us_to_ms (500), ==, 1);
}

/* Every day of 800 years, by months from the year 2000. */
static void
test_calendar (void)
{
  for (gint64 month = -400 * 12; month < 400 * 12; month++)
    {
      gint y, m, d;
      gint64 first = kvsql_date_from_month (2000, 1 + month, 1);
      gint64 last = kvsql_date_from_month (2000, 1 + month, 31);

      kvsql_date_to_civil (first, &y, &m, &d);
      g_assert_cmpint ((y - 2000) * 12 + m - 1, ==, month);
      g_assert_cmpint (d, ==, 1);
      g_assert_cmpint (kvsql_date_from_month (2000, 2 + month, 1), ==, last + 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/duration/text", test_text);
  g_test_add_func ("/duration/hostile", test_hostile);
  g_test_add_func ("/duration/round-trip", test_round_trip);
  g_test_add_func ("/duration/fields", test_fields);
  g_test_add_func ("/duration/order", test_order);
  g_test_add_func ("/duration/limits", test_limits);
  g_test_add_func ("/duration/times", test_times);
  g_test_add_func ("/duration/calendar", test_calendar);
  return g_test_run ();
}
