/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * progress.h: shows the progress of a long transfer: as a bar on a terminal, else as occasional
 * lines.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KvsqlctlProgress KvsqlctlProgress;

/**
 * kvsqlctl_progress_new:
 * @verb: what is done, such as "importing"
 * @total: bytes; 0 if unknown
 * @done: bytes that were done before
 * @with_lines: whether to write lines if stderr is not a terminal
 * @with_bar: whether to draw a bar if stderr is a terminal
 *
 * Writes to stderr.
 */
KvsqlctlProgress *kvsqlctl_progress_new (const gchar *verb, guint64 total, guint64 done,
                                         gboolean with_lines, gboolean with_bar);
void kvsqlctl_progress_free (KvsqlctlProgress *self); /* accepts NULL */

/* Whether anything will be shown. */
gboolean kvsqlctl_progress_is_used (const KvsqlctlProgress *self);
/* Sets the estimated number of rows, for use without @total; 0: unknown. */
void kvsqlctl_progress_expect_rows (KvsqlctlProgress *self, guint64 n_rows);

/* Sets the estimated part that is done, 0 to 1; < 0: unknown. Used without @total. */
void kvsqlctl_progress_guess_part (KvsqlctlProgress *self, gdouble part);

/* Draws the progress, if enough time has passed. The first call sets what was done before. */
void kvsqlctl_progress_show (KvsqlctlProgress *self, guint64 done, guint64 n_rows);
/* Clears the bar before other lines are written. */
void kvsqlctl_progress_hide (KvsqlctlProgress *self);

/* The text: "importing  42%  [####------]  1.2 GB of 2.8 GB  310,000 rows/s  0:01:23 left" in
 * @width columns; 0: as a line without a bar. Free it. */
gchar *kvsqlctl_progress_text (const KvsqlctlProgress *self, guint64 done, guint64 n_rows,
                               gdouble seconds, guint width);

/* Appends 1234567 as 1,234,567. */
void kvsqlctl_append_count (GString *out, guint64 count);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlctlProgress, kvsqlctl_progress_free)

G_END_DECLS
