/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * slow-log.h: logs slow statements.
 *
 * Many slow statements would hide all other lines. So in each time window only the first ones are
 * logged, and then how many were not.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KVSQLD_SLOW_LINES 20 /* at once, and in each window */
#define KVSQLD_SLOW_WINDOW_US (10 * G_TIME_SPAN_SECOND)

/* Zero it. */
typedef struct
{
  gint64 window_us; /* when the window began */
  guint n_lines;    /* in the window */
  guint n_left_out; /* since the last line */
} KvsqldSlowLog;

/* The caller holds a lock. TRUE if a line may be written now. @out_left_out: how many were not
 * written since the last line. */
gboolean kvsqld_slow_log_admit (KvsqldSlowLog *self, gint64 now_us, guint *out_left_out);

G_END_DECLS
