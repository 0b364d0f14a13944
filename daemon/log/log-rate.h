/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * log-rate.h: limits log lines that a client can cause.
 *
 * A kind of line has one KvsqldLogRate, made by KVSQLD_LOG_RATE_INIT. A number of lines is written
 * in an interval. The first line after the interval says how many were suppressed.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KVSQLD_LOG_RATE_LINES 10
#define KVSQLD_LOG_RATE_INTERVAL_US (10 * G_TIME_SPAN_SECOND)

typedef struct
{
  GMutex mutex;
  gint64 until_us; /* end of the interval; 0: none yet */
  guint n_lines;   /* in the interval */
  guint n_left_out;
} KvsqldLogRate;

#define KVSQLD_LOG_RATE_INIT                                                                       \
  {                                                                                                \
    .n_lines = 0                                                                                   \
  }

/* Whether a line may be written now. @out_note (transfer full) is to be appended to it: "", or how
 * many lines were suppressed before. */
gboolean kvsqld_log_rate_admit (KvsqldLogRate *self, gint64 now_us, gchar **out_note);

G_END_DECLS
