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

/**
 * kvsql_engine_next_timestamp:
 * @deletes: the write also deletes, at the timestamp - 1
 *
 * Milliseconds that never go back. With @deletes it is greater than any given before, so that what
 * is deleted at T - 1 was put before and what is put at T stays (store.h).
 */
gint64 kvsql_engine_next_timestamp (KvsqlEngine *self, gboolean deletes);

/* The same for a write that deletes, and above @newest, the timestamp of a cell that another daemon
 * may have written. */
gint64 kvsql_engine_next_timestamp_after (KvsqlEngine *self, gint64 newest);

/* Locks on tuples, so that reading an old tuple and writing the new one is one step within this
 * daemon. A set of stripes is taken in ascending order and given back as a whole: no deadlock. */
typedef struct
{
  guint64 stripes[4]; /* a bit a stripe */
} KvsqlKeyLocks;

void kvsql_key_locks_add (KvsqlKeyLocks *self, KvsqlSlice key);
/* Whether @self has all that @other has. */
gboolean kvsql_key_locks_contain (const KvsqlKeyLocks *self, const KvsqlKeyLocks *other);
void kvsql_engine_lock (KvsqlEngine *self, const KvsqlKeyLocks *locks);
void kvsql_engine_unlock (KvsqlEngine *self, const KvsqlKeyLocks *locks);
/* For who wrote nothing that a reader of the primary could see. */
void kvsql_engine_unlock_unchanged (KvsqlEngine *self, const KvsqlKeyLocks *locks);

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
