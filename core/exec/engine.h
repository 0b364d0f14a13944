/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * engine.h: what all statements of a daemon share: the store, the clock, the locks.
 *
 * Threads: all of it may be used by all threads.
 */
#pragma once

#include "core/catalog/schema.h"
#include "core/store/store.h"

G_BEGIN_DECLS

typedef struct _KvsqlEngine KvsqlEngine;

/* @store is borrowed and must outlive the engine. */
KvsqlEngine *kvsql_engine_new (KvsqlStore *store);
void kvsql_engine_free (KvsqlEngine *self); /* accepts NULL */
KvsqlStore *kvsql_engine_get_store (KvsqlEngine *self);

/* The time that all daemons over one store share, in microseconds since 1970: what nobody's clock
 * is behind any more (G_MAXINT64: there is nobody else), and what nobody's is ahead of. */
typedef void (*KvsqlTimeFunc) (gint64 *out_earliest_us, gint64 *out_latest_us, gpointer data);

/* Before the first statement. Without it the clock of the machine counts, and nobody is waited for.
 */
void kvsql_engine_set_time (KvsqlEngine *self, KvsqlTimeFunc func, gpointer data);
/* Whether another daemon may write to the store now, by that time function. */
gboolean kvsql_engine_has_others (const KvsqlEngine *self);

#define KVSQL_FEW_KEYS 2

/* Locks on tuples, so that reading an old tuple and writing the new one is one step within this
 * daemon. Who has other keys is not in the way. Zeroed, then filled; those of some keys only once
 * are taken, in ascending order, and given back as a whole: no deadlock, but by whoever takes some
 * while he has others. */
typedef struct
{
  guint n, capacity;
  guint64 *many;               /* hashes of keys; NULL: they are in @few */
  guint64 few[KVSQL_FEW_KEYS]; /* most statements have no more */
} KvsqlKeyLocks;

void kvsql_key_locks_clear (KvsqlKeyLocks *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlKeyLocks, kvsql_key_locks_clear)
/* That @n keys will be added. */
void kvsql_key_locks_reserve (KvsqlKeyLocks *self, guint n);

/* Of the bytes of a key (kvsql_tuple_append_key()), for this process only. */
guint64 kvsql_key_hash (KvsqlSlice key);
void kvsql_key_locks_add_hash (KvsqlKeyLocks *self, guint64 hash);
void kvsql_key_locks_add (KvsqlKeyLocks *self, KvsqlSlice key);
void kvsql_key_locks_add_tuples (KvsqlKeyLocks *self, const KvsqlRelation *relation,
                                 const KvsqlValue *const *tuples, guint n_tuples);
/* Whether @self has all that @other has. */
gboolean kvsql_key_locks_contain (const KvsqlKeyLocks *self, const KvsqlKeyLocks *other);
void kvsql_engine_lock (KvsqlEngine *self, KvsqlKeyLocks *locks);
/* Clears @locks. */
void kvsql_engine_unlock (KvsqlEngine *self, KvsqlKeyLocks *locks);
/* For who wrote nothing that a reader of the primary could see. */
void kvsql_engine_unlock_unchanged (KvsqlEngine *self, KvsqlKeyLocks *locks);

/**
 * kvsql_engine_next_timestamp:
 * @locks: of all tuples that are written, held by the caller
 * @deletes: the write also deletes, at the timestamp - 1
 *
 * Milliseconds that never go back for a key. Waits, some milliseconds at most, until no other
 * daemon can write with a smaller one that begins when this write can be seen. With @deletes they
 * are greater than any that a write of these keys had, so that what is deleted at T - 1 was put
 * before and what is put at T stays (store.h).
 */
gint64 kvsql_engine_next_timestamp (KvsqlEngine *self, const KvsqlKeyLocks *locks,
                                    gboolean deletes);

/* The same, no less than @newest, the timestamp of a cell that was found; above it with @deletes.
 */
gint64 kvsql_engine_next_timestamp_after (KvsqlEngine *self, const KvsqlKeyLocks *locks,
                                          gboolean deletes, gint64 newest);

/* How often each lock was given back by a writer of this daemon: who reads without locks learns
 * later, under the lock of a tuple, whether it may have been written since. */
typedef struct
{
  guint64 ages[256];
} KvsqlKeyAges;

void kvsql_engine_get_ages (KvsqlEngine *self, KvsqlKeyAges *out);
/* With @key locked: TRUE if nobody has written it since @ages were taken. */
gboolean kvsql_engine_is_untouched (KvsqlEngine *self, const KvsqlKeyAges *ages, KvsqlSlice key);

/* Makes the table and family of a write exist, once; does nothing in stores that make them by
 * themselves. */
gboolean kvsql_engine_ensure_table (KvsqlEngine *self, const KvsqlSchema *schema, KvsqlSlice table,
                                    KvsqlSlice family, const KvsqlCall *call, GError **error);
/* Forgets which tables exist: somebody else may have dropped one. */
void kvsql_engine_forget_tables (KvsqlEngine *self);

/* A key attribute's values as bytes that no other key has. Appends. */
void kvsql_tuple_append_key (const KvsqlRelation *relation, const KvsqlValue *tuple,
                             KvsqlBuffer *out);
/* For people: a = 1, b = 'x'. (transfer full) */
gchar *kvsql_tuple_print_key (const KvsqlRelation *relation, const KvsqlValue *tuple);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlEngine, kvsql_engine_free)

G_END_DECLS
