/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * remains.h: the entries of the log of writes whose writers have ended, and when each of them is to
 * be looked at.
 *
 * The anchors of an entry's keys are looked at as soon as its writer seems to be gone, and again
 * after growing pauses: a request of the writer may still be on its way to the store. When no
 * request can arrive any more, they are looked at for the last time, and the entry is removed.
 *
 * Threads: belongs to one thread. Times are monotonic, in microseconds.
 */
#pragma once

#include "core/write/write-log.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 daemon_id, number; /* of the entry */
  gint64 begun_ms;
  gint64 found_us;  /* since then its writer seems to be gone */
  gint64 ended_us;  /* since then its writer has certainly ended; 0: it may still write */
  gint64 look_us;   /* when its keys are to be looked at next */
  gboolean is_done; /* nothing was pending after the last look */
  gboolean is_seen; /* of kvsqld_remains_forget_others() */
} KvsqldRemain;

typedef struct _KvsqldRemains KvsqldRemains;

/* @late_us: the longest time that a request may need to take effect, once its writer has ended */
KvsqldRemains *kvsqld_remains_new (gint64 late_us);
void kvsqld_remains_free (KvsqldRemains *self); /* accepts NULL */

/* What is known about the entry; new if it was not known. @has_ended: its writer had certainly
 * ended at @now_us. (transfer none) */
KvsqldRemain *kvsqld_remains_find (KvsqldRemains *self, const KvsqlLogEntry *entry,
                                   gboolean has_ended, gint64 now_us);
/* Whether no request of its writer can take effect any more: the next look is the last one. */
gboolean kvsqld_remain_is_last_look (const KvsqldRemains *self, const KvsqldRemain *remain,
                                     gint64 now_us);
/* After a look at @now_us. @is_done: it has succeeded */
void kvsqld_remains_note_look (const KvsqldRemains *self, KvsqldRemain *remain, gboolean is_done,
                               gint64 now_us);

/* Forgets the entries that were not found since the last call: they are not in the log any more. */
void kvsqld_remains_forget_others (KvsqldRemains *self);

/* How many entries of one daemon are known. */
guint kvsqld_remains_count_of (const KvsqldRemains *self, guint64 daemon_id);
/* *out_n_undone: how many entries have keys with possibly unfinished writes; *out_oldest_ms: when
 * the oldest of them began; 0: there is none. *out_n: all entries */
void kvsqld_remains_count (const KvsqldRemains *self, guint *out_n, guint *out_n_undone,
                           gint64 *out_oldest_ms);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldRemains, kvsqld_remains_free)

G_END_DECLS
