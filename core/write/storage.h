/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * storage.h: what all statements of a daemon share: the store, the clock, the locks.
 *
 * Threads: all functions may be called by any thread.
 */
#pragma once

#include "core/base/value.h"
#include "core/store/store.h"
#include "core/write/key-forecast.h"

G_BEGIN_DECLS

typedef struct _KvsqlRelation KvsqlRelation; /* core/schema/relation.h */
typedef struct _KvsqlSchema KvsqlSchema;     /* core/catalog/schema.h */
typedef struct _KvsqlStorage KvsqlStorage;
typedef struct _KvsqlWriteLog KvsqlWriteLog; /* core/write/write-log.h */

/* @store is borrowed and must outlive the storage. */
KvsqlStorage *kvsql_storage_new (KvsqlStore *store);
void kvsql_storage_free (KvsqlStorage *self); /* accepts NULL */
KvsqlStore *kvsql_storage_get_store (const KvsqlStorage *self);
/* The log of checked writes (write-log.h), borrowed. To be set before the first statement. NULL:
 * there is none. */
void kvsql_storage_set_log (KvsqlStorage *self, KvsqlWriteLog *log);
KvsqlWriteLog *kvsql_storage_get_log (const KvsqlStorage *self);
/* Does work of several statements on one storage, and frees it. */
typedef void (*KvsqlWorkFunc) (gpointer *work, guint n);
/* Has work done by another thread, soon, perhaps with other work of the same function. FALSE: there
 * is too much of it, and the caller has to do it. */
typedef gboolean (*KvsqlLaterFunc) (KvsqlWorkFunc run, gpointer work, gpointer data);
/* For work that need not be done before a statement's answer. To be set before the first statement;
 * all work has to be done before the storage is freed. */
void kvsql_storage_set_later (KvsqlStorage *self, KvsqlLaterFunc later, gpointer data);
/* FALSE also if no function is set. */
gboolean kvsql_storage_do_later (KvsqlStorage *self, KvsqlWorkFunc run,
                                 gpointer work) G_GNUC_WARN_UNUSED_RESULT;
/* What INSERTs will probably find (key-forecast.h), borrowed. */
KvsqlKeyForecast *kvsql_storage_get_forecast (KvsqlStorage *self);
/* How long the tables that are made remember deletes (KvsqlTableSpec). To be set before the first
 * statement. */
void kvsql_storage_set_delete_grace (KvsqlStorage *self, gint64 grace_ms);
/* The longest time that a request to the store may need to take effect, once its daemon has ended,
 * or has given it up. To be set before the first statement. */
void kvsql_storage_set_late (KvsqlStorage *self, gint64 late_ms);
gint64 kvsql_storage_get_late (const KvsqlStorage *self);
/* Whether tables may have forgotten deletes that are newer than @timestamp, so that what is put at
 * @timestamp now might not be hidden by them. */
gboolean kvsql_storage_forgets_deletes (const KvsqlStorage *self, gint64 timestamp);
/* Whether writes have no effect (KVSQL_STORE_DRY). */
gboolean kvsql_storage_is_dry (const KvsqlStorage *self);

/* The common time of all daemons of one store, in microseconds since 1970. @out_earliest_us: no
 * daemon's clock is before this (G_MAXINT64: there is no other daemon). @out_latest_us: no daemon's
 * clock is after this. */
typedef void (*KvsqlTimeFunc) (gint64 *out_earliest_us, gint64 *out_latest_us, gpointer data);

/* The smallest timestamp, at least @at_least, that belongs to this daemon alone, in milliseconds;
 * the same for the same @at_least. 0: error, this daemon may use no timestamps now. Does not
 * wait. */
typedef gint64 (*KvsqlStampFunc) (gint64 at_least, gpointer data, GError **error);

/* To be called before the first statement. Without it the machine's clock is used, and no write
 * waits for another daemon. */
void kvsql_storage_set_time (KvsqlStorage *self, KvsqlTimeFunc time, KvsqlStampFunc stamp,
                             gpointer data);
/* A time in milliseconds that has passed for the clocks of all daemons. */
gint64 kvsql_storage_get_past (const KvsqlStorage *self);
/* Whether the time function says that another daemon may write to the store now. */
gboolean kvsql_storage_has_others (const KvsqlStorage *self);

#define KVSQL_FEW_KEYS 2

/* The locks of one statement on keys, so that reading an old tuple and writing the new one is
 * atomic within this daemon. Statements with other keys are not blocked. Start with zeros, then add
 * keys. kvsql_storage_lock() acquires all keys in ascending order, and they are released together.
 * So there is no deadlock, unless a caller acquires a second list while it holds a first one. */
typedef struct
{
  guint n, capacity;
  guint64 *many;               /* hashes of keys; NULL: they are in @few */
  guint64 few[KVSQL_FEW_KEYS]; /* most statements have no more */
} KvsqlKeyLocks;

void kvsql_key_locks_clear (KvsqlKeyLocks *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlKeyLocks, kvsql_key_locks_clear)
/* Makes room for @n keys. */
void kvsql_key_locks_reserve (KvsqlKeyLocks *self, guint n);

/* kvsql_slice_hash() of the bytes of a key (tuple-key.h) */
void kvsql_key_locks_add_hash (KvsqlKeyLocks *self, guint64 hash);
void kvsql_key_locks_add (KvsqlKeyLocks *self, KvsqlSlice key);
void kvsql_key_locks_add_tuples (KvsqlKeyLocks *self, const KvsqlRelation *relation,
                                 const KvsqlValue *const *tuples, guint n_tuples);
/* Makes a new list of the locks of these tuples' keys. */
void kvsql_tuple_locks (const KvsqlRelation *relation, const KvsqlValue *const *tuples,
                        guint n_tuples, KvsqlKeyLocks *out_locks);
/* Whether @self has all keys of @other. */
gboolean kvsql_key_locks_contain (const KvsqlKeyLocks *self, const KvsqlKeyLocks *other);
/* Statements that wait for a key get it one after the other. If @call (nullable) has to end while
 * it waits, nothing is locked, and @locks is cleared. */
gboolean kvsql_storage_lock (KvsqlStorage *self, KvsqlKeyLocks *locks, const KvsqlCall *call,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Makes such a list and acquires it. */
gboolean kvsql_lock_tuples (KvsqlStorage *self, const KvsqlRelation *relation,
                            const KvsqlValue *const *tuples, guint n_tuples, const KvsqlCall *call,
                            KvsqlKeyLocks *out_locks, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Clears @locks. */
void kvsql_storage_unlock (KvsqlStorage *self, KvsqlKeyLocks *locks);
/* The lock of one key, if no statement holds it now. kvsql_storage_unlock_unchanged() releases it.
 */
gboolean kvsql_storage_try_lock (KvsqlStorage *self,
                                 KvsqlKeyLocks *locks) G_GNUC_WARN_UNUSED_RESULT;
/* For a caller that wrote nothing that a reader of the primary could see. */
void kvsql_storage_unlock_unchanged (KvsqlStorage *self, KvsqlKeyLocks *locks);

/**
 * kvsql_storage_next_timestamp:
 * @locks: of all tuples that are written, held by the caller
 * @deletes: the write also deletes, at the timestamp - 1
 *
 * A timestamp in milliseconds. The timestamps of a key never decrease. The call waits, a few
 * milliseconds at most, until no write that another daemon begins after this write is visible can
 * get a smaller timestamp. With @deletes the timestamp is greater than all earlier ones of these
 * keys, so that a delete at T - 1 covers what was put before, and what is put at T stays (store.h).
 *
 * Where other daemons write to the store, too, no two writes of a key have the same timestamp,
 * whichever daemons made them.
 *
 * Returns: 0 on error, which is only possible with a KvsqlStampFunc: KVSQL_ERROR_UNAVAILABLE
 */
gint64 kvsql_storage_next_timestamp (KvsqlStorage *self, const KvsqlKeyLocks *locks,
                                     gboolean deletes, GError **error);

/* The same, but at least @newest, the timestamp of a cell that was read; with @deletes, greater
 * than @newest. */
gint64 kvsql_storage_next_timestamp_after (KvsqlStorage *self, const KvsqlKeyLocks *locks,
                                           gboolean deletes, gint64 newest, GError **error);

/**
 * kvsql_storage_early_timestamp:
 * @newest: of the cells that were read
 *
 * A timestamp of a write that deletes nothing, greater than @newest and all earlier ones of these
 * keys. Does not wait: the timestamp is ahead of every daemon's clock, by about the time that such
 * a write takes. The caller writes at once, asks kvsql_storage_was_early() immediately after that,
 * and calls kvsql_storage_await() before it deletes anything at this timestamp, and before the
 * statement ends.
 *
 * What another daemon deleted before a write that was early has a smaller timestamp, because
 * deletes are not early.
 *
 * Returns: 0 on error, as above
 */
gint64 kvsql_storage_early_timestamp (KvsqlStorage *self, const KvsqlKeyLocks *locks, gint64 newest,
                                      GError **error);
/* The timestamp of a write that is ordered by the anchor of its key: greater than @newest, that of
 * the anchor, and all earlier ones of these keys. Does not wait. Returns: 0 on error, as above */
gint64 kvsql_storage_checked_timestamp (KvsqlStorage *self, const KvsqlKeyLocks *locks,
                                        gint64 newest, GError **error);
/* Whether no daemon's clock has reached @timestamp. */
gboolean kvsql_storage_was_early (KvsqlStorage *self, gint64 timestamp);
/* Waits until the clocks of all daemons have reached @timestamp. */
void kvsql_storage_await (const KvsqlStorage *self, gint64 timestamp);

/* Whether this daemon may use timestamps now; for writes that need none. */
gboolean kvsql_storage_may_write (KvsqlStorage *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* For each stripe, how often a writer of this daemon has released a lock. A reader without locks
 * compares two of these later, under the lock of a tuple, to see whether the tuple may have been
 * written in between. */
typedef struct
{
  guint64 ages[256];
} KvsqlKeyAges;

void kvsql_storage_get_ages (KvsqlStorage *self, KvsqlKeyAges *out);
/* The caller has locked @key. TRUE if no writer of this daemon wrote it since @ages were read. */
gboolean kvsql_storage_is_untouched (KvsqlStorage *self, const KvsqlKeyAges *ages, KvsqlSlice key);

/* Makes the table and family of a write, once. Does nothing in stores that make them on the first
 * write. */
gboolean kvsql_storage_ensure_table (KvsqlStorage *self, const KvsqlSchema *schema,
                                     KvsqlSlice table, KvsqlSlice family, const KvsqlCall *call,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same for the tables of anchors and of the log. */
gboolean kvsql_storage_ensure_anchors (KvsqlStorage *self, const KvsqlCall *call,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* After an error of a call: if these tables may have been dropped, they are made again. TRUE: the
 * call can be repeated. */
gboolean kvsql_storage_remake_anchors (KvsqlStorage *self, const GError *failure,
                                       const KvsqlCall *call);
/* Forgets which tables exist, because another program may have dropped one. */
void kvsql_storage_forget_tables (KvsqlStorage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlStorage, kvsql_storage_free)

G_END_DECLS
