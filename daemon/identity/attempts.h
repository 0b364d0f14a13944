/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * attempts.h: failed log-ins of each peer, and the delay of the next failure.
 *
 * Each failure of a peer doubles the delay of its next one, from 100 ms to 3.2 s. A minute without
 * a failure makes it forget them. A log-in with the right password is not delayed.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KvsqldAttempts KvsqldAttempts;

#define KVSQLD_ATTEMPTS_MAX_PEERS 10000 /* beyond it, new peers share one count */

KvsqldAttempts *kvsqld_attempts_new (void);
void kvsqld_attempts_free (KvsqldAttempts *self); /* accepts NULL */

/* Counts a failure. Returns the delay of its answer in microseconds. */
gint64 kvsqld_attempts_note_failure (KvsqldAttempts *self, const gchar *peer, gint64 now_us);

G_END_DECLS
