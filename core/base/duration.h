/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * duration.h: values of INTERVAL: months, days and microseconds, apart from each other.
 *
 * As a value, an INTERVAL is canonical text, as PostgreSQL shows it: "1 year 2 mons -3 days
 * +04:05:06.7". Each triple has one text. Different triples can be equal: they compare as
 * PostgreSQL compares them, with months of 30 days and days of 24 hours. So equal values may have
 * different bytes (kvsql_type_has_one_form()).
 *
 * All functions are pure. Those that can fail set an error without a position.
 */
#pragma once

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

typedef struct
{
  gint32 months;
  gint32 days;
  gint64 us;
} KvsqlDuration;

#define KVSQL_US_PER_DAY G_GINT64_CONSTANT (86400000000)
#define KVSQL_DAYS_PER_MONTH 30

/* The fields that a declaration as INTERVAL DAY TO SECOND keeps. */
typedef enum
{
  KVSQL_DURATION_YEAR = 1 << 0,
  KVSQL_DURATION_MONTH = 1 << 1,
  KVSQL_DURATION_DAY = 1 << 2,
  KVSQL_DURATION_HOUR = 1 << 3,
  KVSQL_DURATION_MINUTE = 1 << 4,
  KVSQL_DURATION_SECOND = 1 << 5,
  KVSQL_DURATION_ALL = (1 << 6) - 1,
} KvsqlDurationFields;

/* ---- text */

/* Text in PostgreSQL's forms: with units, of SQL ("1-2", "3 04:05:06"), of ISO 8601 ("P1Y2M").
 * @fields gives the unit of a number without one: the last field, else seconds. */
gboolean kvsql_duration_parse (KvsqlSlice text, KvsqlDurationFields fields, KvsqlDuration *out,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The canonical text, in @arena. */
KvsqlSlice kvsql_duration_to_text (const KvsqlDuration *self, KvsqlArena *arena);
void kvsql_duration_append_text (const KvsqlDuration *self, GString *out);
/* @text is canonical; of any other text, the result is 0. */
KvsqlDuration kvsql_duration_from_text (KvsqlSlice text);
/* The fields of "DAY TO SECOND(3)", in any case; *out_digits: after the point of seconds, 6 if
 * there is no number. FALSE: the words are no fields. */
gboolean kvsql_duration_fields_parse (const gchar *text, KvsqlDurationFields *out_fields,
                                      guint *out_digits);
/* Clears what is finer than @fields, and rounds to so many digits after the point of seconds. */
gboolean kvsql_duration_restrict (KvsqlDuration *self, KvsqlDurationFields fields, guint digits,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- order */

/* In microseconds, with months of 30 days. */
__int128 kvsql_duration_get_total (const KvsqlDuration *self);
gint kvsql_duration_compare_texts (KvsqlSlice a, KvsqlSlice b);

/* ---- arithmetic, by PostgreSQL's rules */

gboolean kvsql_duration_fail_range (GError **error);
gboolean kvsql_duration_add (const KvsqlDuration *a, const KvsqlDuration *b, KvsqlDuration *out,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_duration_negate (const KvsqlDuration *self, KvsqlDuration *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* What is left of a month becomes days, and what is left of a day becomes time. */
gboolean kvsql_duration_multiply (const KvsqlDuration *self, gdouble factor, KvsqlDuration *out,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* @divisor is not 0. */
gboolean kvsql_duration_divide (const KvsqlDuration *self, gdouble divisor, KvsqlDuration *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* 24 hours to a day; 30 days to a month. */
gboolean kvsql_duration_justify (KvsqlDuration *self, gboolean has_hours, gboolean has_days,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- times */

/* Milliseconds since 1970, plus the months (to the last day of a month at most), then the days,
 * then the time; rounded to milliseconds, half up. No calendar limits the result. */
gboolean kvsql_duration_move_time (const KvsqlDuration *self, gint64 ms, gint64 *out);
/* @a - @b, in days and time. */
KvsqlDuration kvsql_duration_between (gint64 a_ms, gint64 b_ms);
/* The same in years, months, days and time. */
KvsqlDuration kvsql_duration_get_age (gint64 a_ms, gint64 b_ms);
/* Rounded half up. */
gint64 kvsql_us_to_ms (gint64 us);

G_END_DECLS
