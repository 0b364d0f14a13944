/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * recovery.h: finishes checked writes that daemons have left: those that have ended in the middle
 * of a write, and those that do not know the outcome of one.
 *
 * Every daemon does this for all others. What several do at the same time does no harm
 * (core/write/checked-write.h).
 *
 * Threads: a thread of its own; all functions may be called by any thread.
 */
#pragma once

#include "core/write/storage.h"
#include "daemon/cluster/definitions.h"

G_BEGIN_DECLS

typedef struct _KvsqldRecovery KvsqldRecovery;

/**
 * kvsqld_recovery_new:
 * @storage: (borrowed): has a log of writes
 * @definitions: (borrowed)
 * @late_s: the longest time that a request to the store may need to take effect, once its daemon
 * has ended, or has given it up
 */
KvsqldRecovery *kvsqld_recovery_new (KvsqlStorage *storage, KvsqldDefinitions *definitions,
                                     gint64 late_s);
void kvsqld_recovery_free (KvsqldRecovery *self); /* accepts NULL */

typedef struct
{
  gboolean is_known;  /* FALSE: the log was not read yet, since the start */
  guint n_left;       /* statements whose daemon has ended in the middle, or does not know the
                       * outcome, that are not finished */
  gint64 oldest_ms;   /* when the oldest of them began; 0: there is none */
  guint n_watched;    /* finished ones, of which a request may still arrive */
  guint64 n_finished; /* tuples whose write was finished here, since the start */
  gchar *last_error;  /* (transfer full) (nullable): why the last look failed */
} KvsqldRecoveryStatus;

void kvsqld_recovery_get_status (KvsqldRecovery *self, KvsqldRecoveryStatus *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldRecovery, kvsqld_recovery_free)

G_END_DECLS
