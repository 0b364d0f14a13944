/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * slow-log.h: statements that took long, in the log.
 *
 * A flood of them would hide everything else: of many in a short time the first few are logged, and
 * how many were not. Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KVSQLD_SLOW_LINES 20 /* at once, and as many for each window */
#define KVSQLD_SLOW_WINDOW_US (10 * G_TIME_SPAN_SECOND)

/* Zero it. */
typedef struct
{
  gint64 window_us; /* when the current one began */
  guint n_lines;    /* in it */
  guint n_left_out; /* since the last line */
} KvsqldSlowLog;

/* With a lock of the caller's. TRUE if a line may be written now; then @out_left_out says how many
 * were not since the last. */
gboolean kvsqld_slow_log_admit (KvsqldSlowLog *self, gint64 now_us, guint *out_left_out);

G_END_DECLS
