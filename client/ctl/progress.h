/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * progress.h: how far a long transfer is: a bar on a terminal, else a line now and then.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KvsqlctlProgress KvsqlctlProgress;

/**
 * kvsqlctl_progress_new:
 * @verb: what is done, such as "importing"
 * @total: bytes; 0 if that is not known
 * @done: bytes that were done before
 * @with_lines: whether to write lines where stderr is no terminal
 * @with_bar: whether to draw a bar where it is one
 *
 * Writes on stderr.
 */
KvsqlctlProgress *kvsqlctl_progress_new (const gchar *verb, guint64 total, guint64 done,
                                         gboolean with_lines, gboolean with_bar);
void kvsqlctl_progress_free (KvsqlctlProgress *self); /* accepts NULL */

/* Whether anybody will see it. */
gboolean kvsqlctl_progress_is_used (const KvsqlctlProgress *self);
/* About how many rows there will be, where the bytes are not known; 0: nobody knows. */
void kvsqlctl_progress_expect_rows (KvsqlctlProgress *self, guint64 n_rows);

/* How much is done, 0 to 1, as far as somebody can guess it; < 0: nobody can. Without @total, this
 * is what counts then. */
void kvsqlctl_progress_guess_part (KvsqlctlProgress *self, gdouble part);

/* Draws it, if enough time has passed. The first call says what was done before. */
void kvsqlctl_progress_show (KvsqlctlProgress *self, guint64 done, guint64 n_rows);
/* Takes it away, before other lines are written. */
void kvsqlctl_progress_hide (KvsqlctlProgress *self);

/* What it says: "importing  42%  [####------]  1.2 GB of 2.8 GB  310,000 rows/s  0:01:23 left" in
 * @width columns; 0: as a line without a bar. Free it. */
gchar *kvsqlctl_progress_text (const KvsqlctlProgress *self, guint64 done, guint64 n_rows,
                               gdouble seconds, guint width);

/* 1234567 as 1,234,567. */
void kvsqlctl_append_count (GString *out, guint64 count);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlctlProgress, kvsqlctl_progress_free)

G_END_DECLS
