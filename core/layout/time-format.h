/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * time-format.h: patterns such as yyyyMMddHH, and the zones they are read in.
 *
 * The letters are those of Java's date formats: yyyy MM dd HH mm ss SSS, each at most once and
 * with just these widths. Text between single quotes stands for itself (two quotes are one), as
 * does every other character that is no ASCII letter.
 *
 * "Local" times are milliseconds since 1970-01-01T00:00 by the clock of the zone. Immutable; any
 * thread may use a format.
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

/* A field, or literal bytes (field -1). */
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
  gboolean is_fixed; /* its clock is never set forward or back */
  KvsqlTimePart *parts;
  guint n_parts;
  gsize size;            /* in bytes */
  guint fields;          /* 1 << field for each that is there */
  guint n_chain;         /* n if these are exactly the n largest fields, else 0 */
  gboolean is_ordered;   /* and they stand from the largest to the smallest */
  gsize ordered_size;    /* of the front in which they do, from the year on; 0: none */
  KvsqlTimeField finest; /* of the fields */
} KvsqlTimeFormat;

/**
 * kvsql_time_format_new:
 * @zone: (nullable): as Asia/Seoul, +09:00, UTC
 *
 * Returns: (nullable): in @arena; %NULL and a %KVSQL_ERROR_DEFINITION without a place
 */
KvsqlTimeFormat *kvsql_time_format_new (KvsqlArena *arena, KvsqlSlice pattern, const gchar *zone,
                                        GError **error);

/* FALSE if it lies before year 1 or after year 9999. */
gboolean kvsql_time_from_local (gint64 local, KvsqlCivilTime *out);
/* FALSE if there is no such day. */
gboolean kvsql_time_to_local (const KvsqlCivilTime *civil, gint64 *out);

/* The zone's clock at @utc. */
gint64 kvsql_time_format_to_local (const KvsqlTimeFormat *self, gint64 utc);
/* When the zone's clock shows @local, the first time; FALSE if it never does. */
gboolean kvsql_time_format_from_local (const KvsqlTimeFormat *self, gint64 local, gint64 *out);

/* What the clock shows from @low to @high, at least and at most; both may be left open. */
gint64 kvsql_time_format_least_local (const KvsqlTimeFormat *self, gint64 low, gboolean has_high,
                                      gint64 high);
gint64 kvsql_time_format_greatest_local (const KvsqlTimeFormat *self, gboolean has_low, gint64 low,
                                         gint64 high);

/* The zone's clock is not set for two days around @utc: there it runs evenly, and shows nothing
 * that it shows at another time. */
gboolean kvsql_time_format_is_even (const KvsqlTimeFormat *self, gint64 utc);

/* Writes @size bytes. */
void kvsql_time_format_write (const KvsqlTimeFormat *self, const KvsqlCivilTime *civil,
                              guint8 *out);
/* Sets the fields that the format has; FALSE if the bytes are not of it. */
gboolean kvsql_time_format_read (const KvsqlTimeFormat *self, KvsqlSlice bytes,
                                 KvsqlCivilTime *out);

/* Fields finer than @finest become their least. */
void kvsql_time_truncate (KvsqlCivilTime *civil, KvsqlTimeField finest);

G_END_DECLS
