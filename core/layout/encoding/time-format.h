/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * time-format.h: patterns such as yyyyMMddHH, and their time zones.
 *
 * The letters are those of Java's date formats: yyyy MM dd HH mm ss SSS, each at most once and with
 * exactly these widths. Text in single quotes is literal (two quotes mean one), and so is each
 * character that is not an ASCII letter.
 *
 * "Local" times are milliseconds since 1970-01-01T00:00 on the clock of the zone. Formats are
 * immutable; any thread may use them.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/value.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_TIME_YEAR,
  KVSQL_TIME_MONTH,
  KVSQL_TIME_DAY,
  KVSQL_TIME_HOUR,
  KVSQL_TIME_MINUTE,
  KVSQL_TIME_SECOND,
  KVSQL_TIME_MILLISECOND,
} KvsqlTimeField;

#define KVSQL_N_TIME_FIELDS 7

typedef struct
{
  gint fields[KVSQL_N_TIME_FIELDS];
} KvsqlCivilTime;

/* A field, or literal bytes (field is -1). */
typedef struct
{
  gint field;
  gsize at;
  gsize size;
  const guint8 *literal;
} KvsqlTimePart;

typedef struct
{
  const gchar *pattern;
  GTimeZone *zone;   /* NULL: UTC. Lives as long as the process */
  gboolean is_fixed; /* the clock of the zone has no transitions */
  KvsqlTimePart *parts;
  guint n_parts;
  gsize size;            /* in bytes */
  guint fields;          /* 1 << field for each field of the pattern */
  guint n_chain;         /* n if the fields are exactly the n largest ones, else 0 */
  gboolean is_ordered;   /* and they are in order, the largest first */
  gsize ordered_size;    /* size of the longest prefix whose fields are in order, beginning with the
                            year; 0: none */
  KvsqlTimeField finest; /* of the fields */
} KvsqlTimeFormat;

/**
 * kvsql_time_format_new:
 * @zone: (nullable): for example Asia/Seoul, +09:00, UTC
 *
 * Returns: (nullable): in @arena; %NULL and a %KVSQL_ERROR_DEFINITION without a span
 */
KvsqlTimeFormat *kvsql_time_format_new (KvsqlArena *arena, KvsqlSlice pattern, const gchar *zone,
                                        GError **error);

/* FALSE if the year is before 1 or after 9999. */
gboolean kvsql_time_from_local (gint64 local, KvsqlCivilTime *out);
/* FALSE if the day does not exist. */
gboolean kvsql_time_to_local (const KvsqlCivilTime *civil, gint64 *out);

/* The local time at @utc. */
gint64 kvsql_time_format_to_local (const KvsqlTimeFormat *self, gint64 utc);
/* The first UTC time with the local time @local; FALSE if there is none. */
gboolean kvsql_time_format_from_local (const KvsqlTimeFormat *self, gint64 local, gint64 *out);

/* The least and the greatest local time within the range from @low to @high; each bound may be
 * absent. */
gint64 kvsql_time_format_least_local (const KvsqlTimeFormat *self, gint64 low, gboolean has_high,
                                      gint64 high);
gint64 kvsql_time_format_greatest_local (const KvsqlTimeFormat *self, gboolean has_low, gint64 low,
                                         gint64 high);

/* Whether the zone has no transition within two days of @utc. Then local times there increase with
 * UTC and occur only once. */
gboolean kvsql_time_format_is_even (const KvsqlTimeFormat *self, gint64 utc);

/* Writes @size bytes. */
void kvsql_time_format_write (const KvsqlTimeFormat *self, const KvsqlCivilTime *civil,
                              guint8 *out);
/* Sets the fields of the format; FALSE if @bytes do not match it. */
gboolean kvsql_time_format_read (const KvsqlTimeFormat *self, KvsqlSlice bytes,
                                 KvsqlCivilTime *out);

/* Sets fields smaller than @finest to their least value. */
void kvsql_time_truncate (KvsqlCivilTime *civil, KvsqlTimeField finest);

G_END_DECLS
