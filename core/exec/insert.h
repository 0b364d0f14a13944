/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * insert.h: writing whole tuples into every schema of their relation.
 */
#pragma once

#include "core/exec/mutations.h"
#include "core/exec/read-by-keys.h"

G_BEGIN_DECLS

/**
 * kvsql_insert_run:
 * @tuples: (array length=n_tuples): by attribute, converted (kvsql_bind_convert())
 * @out_written: (out): tuples that were certainly written, also when the call fails
 *
 * A plain INSERT: the tuple replaces the one of the same key, and what that left in any schema
 * goes. All schemas get one timestamp. Each tuple is written as a whole if the store has atomic
 * batches; the statement over several tuples is not one unit.
 */
gboolean kvsql_insert_run (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                           const KvsqlValue *const *tuples, guint n_tuples, const KvsqlCall *call,
                           guint64 *out_written, GError **error);

/* The same USING TIMESTAMP; 0: the clock's. Cells that are newer stay, and hide what is written. */
gboolean kvsql_insert_run_at (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                              const KvsqlValue *const *tuples, guint n_tuples, gint64 timestamp,
                              const KvsqlCall *call, guint64 *out_written, GError **error);

/* The requests that kvsql_insert_run() would make. Reads what it would read, writes nothing. */
gboolean kvsql_insert_explain (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                               const KvsqlValue *const *tuples, guint n_tuples,
                               const KvsqlCall *call, KvsqlCalls *calls, GError **error);

/* ---- shared with DELETE */

/* Whether addresses of the relation depend on more than the key: then a write has to know the old
 * tuple. */
gboolean kvsql_entry_needs_old_tuples (const KvsqlCatalogEntry *entry);

/* The locks of the keys of these tuples, as a new list. */
void kvsql_tuple_locks (const KvsqlRelation *relation, const KvsqlValue *const *tuples,
                        guint n_tuples, KvsqlKeyLocks *out_locks);
void kvsql_lock_tuples (KvsqlEngine *engine, const KvsqlRelation *relation,
                        const KvsqlValue *const *tuples, guint n_tuples, KvsqlKeyLocks *out_locks);

gboolean kvsql_mutation_list_ensure_tables (const KvsqlMutationList *list, KvsqlEngine *engine,
                                            const KvsqlCall *call, GError **error);
/* Applies a list in one call, after making sure that its tables exist. */
gboolean kvsql_mutation_list_apply (KvsqlMutationList *list, KvsqlEngine *engine,
                                    const KvsqlCall *call, GError **error);
void kvsql_mutation_list_explain (const KvsqlMutationList *list, KvsqlCalls *calls);

/* Whether a tuple has addresses that depend on more than its KEY, and other daemons may move it
 * now: then what takes its place or deletes it has to be a compare-and-set. */
gboolean kvsql_entry_must_exchange (const KvsqlCatalogEntry *entry, const KvsqlEngine *engine);

G_END_DECLS
