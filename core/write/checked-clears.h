/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-clears.h: anchors whose writes are finished, and that are not pending any more after the
 * answer to the client.
 *
 * Clearing only saves work for others, so a failure does not matter. But it changes the state that
 * the next writer of the key compares. So a writer of this daemon and the clearing exclude each
 * other, and an anchor that has a next writer already is left to it.
 *
 * Threads: belongs to one thread at a time.
 */
#pragma once

#include "core/write/storage.h"

G_BEGIN_DECLS

typedef struct _KvsqlCheckedClears KvsqlCheckedClears;

KvsqlCheckedClears *kvsql_checked_clears_new (void);
void kvsql_checked_clears_free (KvsqlCheckedClears *self); /* accepts NULL */

typedef struct
{
  KvsqlSlice key;           /* tuple-key.h */
  KvsqlSlice row;           /* of its anchor */
  KvsqlSlice before, after; /* the state, and what it becomes if it is still @before */
  gint64 timestamp;
} KvsqlCheckedClear;

void kvsql_checked_clears_add (KvsqlCheckedClears *self, const KvsqlCheckedClear *clear);
/* @holds_locks: the caller has locked the keys */
void kvsql_checked_clears_run (const KvsqlCheckedClears *self, KvsqlStorage *storage,
                               gboolean holds_locks, const KvsqlCall *call);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlCheckedClears, kvsql_checked_clears_free)

G_END_DECLS
