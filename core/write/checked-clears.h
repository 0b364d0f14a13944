/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-clears.h: anchors whose writes are finished, and that are not pending any more after the
 * answer to the client.
 *
 * The state of version T of an anchor is put again, with the same timestamp T. Without a condition:
 * if the anchor has a newer version by then, that one has taken over what was pending, and version
 * T is not read any more. So many anchors are cleared in one request.
 *
 * If the version is that of a load, the payloads of other loads that it replaced are deleted.
 *
 * Clearing only saves work for others, so a failure does not matter. But it changes the state that
 * the next writer of the key compares. So a writer of this daemon and the clearing exclude each
 * other, and an anchor that has a next writer already is left to it.
 *
 * Threads: belongs to one thread at a time.
 */
#pragma once

#include "core/anchor/anchor.h"
#include "core/write/storage.h"

G_BEGIN_DECLS

typedef struct _KvsqlCheckedClears KvsqlCheckedClears;

KvsqlCheckedClears *kvsql_checked_clears_new (void);
void kvsql_checked_clears_free (KvsqlCheckedClears *self); /* accepts NULL */

typedef struct
{
  KvsqlSlice key;   /* tuple-key.h */
  KvsqlSlice row;   /* of its anchor */
  KvsqlSlice state; /* not pending */
  gint64 timestamp; /* T of the version that is pending, which certainly exists */
  KvsqlSlice replaced_loads[KVSQL_ANCHOR_MAX_LOADS]; /* qualifiers of payloads that it replaced */
  guint n_replaced_loads;
  guint n_attempts; /* so often its key was locked */
} KvsqlCheckedClear;

void kvsql_checked_clears_add (KvsqlCheckedClears *self, const KvsqlCheckedClear *clear);
void kvsql_checked_clears_add_all (KvsqlCheckedClears *self, const KvsqlCheckedClears *more);

/* Of several versions of an anchor, both clear only the newest one. */

/* The caller has locked the keys. */
void kvsql_checked_clears_run_locked (const KvsqlCheckedClears *self, KvsqlStorage *storage,
                                      const KvsqlCall *call);
/* Locks those keys that are free. (transfer full) (nullable): the anchors of the others, to be
 * tried again. Those that were tried often are left as they are. */
KvsqlCheckedClears *kvsql_checked_clears_run (const KvsqlCheckedClears *self, KvsqlStorage *storage,
                                              const KvsqlCall *call) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlCheckedClears, kvsql_checked_clears_free)

G_END_DECLS
