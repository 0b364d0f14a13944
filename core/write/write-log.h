/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write-log.h: what a daemon is writing, so that another one can finish its writes.
 *
 *   table kvsql_log, family l
 *   row        id of the daemon (8 bytes), place (4 bytes)
 *   keys       00: the place is free; or
 *              02, number of the entry (8 bytes), id of the relation (8 bytes), the keys
 *              (tuple-key.h), each with its size as varint: of a checked write; or
 *              03, number of the entry, id of the relation, an intent (blind-intent.h): of a blind
 *              write
 *
 * The timestamp of an entry is the time when the write began, and greater than that of all earlier
 * entries at its place. A daemon uses a place again, and deletes nothing: HBase keeps delete
 * markers until a major compaction, and a reader of the log would have to read them. Only entries
 * that daemons have left are deleted.
 *
 * An entry of keys is made before their anchors are changed. Its writer removes it when no anchor
 * is pending by this write any more, and certainly none will be. If the writer does not know that,
 * it leaves the entry. Then any daemon (daemon/recovery) removes it, after it has looked at the
 * anchors at a time when no request of the writer can arrive any more.
 *
 * An intent is the write itself: once it is in the log, it will be done. Its writer removes it when
 * all its cells are written. Any daemon may write the same cells again, and then remove it, at any
 * time.
 *
 * Threads: any thread may use a log.
 */
#pragma once

#include "core/base/slice.h"
#include "core/store/call.h"

G_BEGIN_DECLS

#define KVSQL_LOG_TABLE KVSQL_SLICE_LITERAL ("kvsql_log")
#define KVSQL_LOG_FAMILY KVSQL_SLICE_LITERAL ("l")

typedef struct _KvsqlStore KvsqlStore; /* core/store/store.h */
typedef struct _KvsqlWriteLog KvsqlWriteLog;

/* @store is borrowed. @daemon_id: of this process, and of no other at any time */
KvsqlWriteLog *kvsql_write_log_new (KvsqlStore *store, guint64 daemon_id);
void kvsql_write_log_free (KvsqlWriteLog *self); /* accepts NULL */

typedef struct
{
  guint64 daemon_id;
  guint64 number;
  guint32 place;
  gint64 begun_ms; /* wall clock */
  guint64 relation_id;
  KvsqlSlice *keys; /* (array length=n_keys): of a checked write */
  guint n_keys;
  KvsqlSlice intent; /* of a blind write; empty: it is a checked one */
} KvsqlLogEntry;

/* A new entry, of a write that runs until kvsql_write_log_end(). After an error there may be one
 * that does not run: it does no harm. */
gboolean kvsql_write_log_begin (KvsqlWriteLog *self, guint64 relation_id, const KvsqlSlice *keys,
                                guint n_keys, const KvsqlCall *call, KvsqlLogEntry *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same for a blind write. KVSQL_ERROR_UNKNOWN_OUTCOME: the intent may be in the log, or may
 * get there later. */
gboolean kvsql_write_log_begin_intent (KvsqlWriteLog *self, guint64 relation_id, KvsqlSlice intent,
                                       const KvsqlCall *call, KvsqlLogEntry *out,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The write has ended. @is_done: no anchor is pending by it, and certainly none will be, or all its
 * cells are written: its place is free. If that fails the entry stays, and does no harm. */
void kvsql_write_log_end (KvsqlWriteLog *self, const KvsqlLogEntry *entry, gboolean is_done,
                          const KvsqlCall *call);
/* The same of several writes that are done, by one request. */
void kvsql_write_log_end_done (KvsqlWriteLog *self, const KvsqlLogEntry *entries, guint n,
                               const KvsqlCall *call);
guint64 kvsql_write_log_get_daemon_id (const KvsqlWriteLog *self);
/* Whether the write of this daemon's entry still runs. */
gboolean kvsql_write_log_is_running (KvsqlWriteLog *self, guint64 number);
/* How many entries of this daemon may have stayed, and were not found to be gone since. */
guint kvsql_write_log_get_n_left (KvsqlWriteLog *self);
/* When the last intent got lost that may still get into the log (g_get_monotonic_time()); 0: none
 * did. */
gint64 kvsql_write_log_get_lost_us (KvsqlWriteLog *self);
/* @n of them are gone. */
void kvsql_write_log_forget_left (KvsqlWriteLog *self, guint n);

/* Deletes entries that daemons have left. An entry that is removed twice, or stays, does no harm.
 */
gboolean kvsql_log_entries_remove (KvsqlStore *store, const KvsqlLogEntry *entries, guint n,
                                   const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The entries of the daemons with these ids, both included. They live in @arena. */
gboolean kvsql_log_entries_read (KvsqlStore *store, guint64 first_id, guint64 last_id,
                                 const KvsqlCall *call, KvsqlArena *arena, KvsqlLogEntry **out,
                                 guint *out_n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlWriteLog, kvsql_write_log_free)

G_END_DECLS
