/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * insert.h: writes whole tuples into every schema of their relation.
 */
#pragma once

#include "core/write/mutations.h"
#include "core/write/engine.h"
#include "core/scan/read-by-keys.h"

G_BEGIN_DECLS

/**
 * kvsql_insert_run:
 * @tuples: (array length=n_tuples): by attribute, converted (kvsql_bind_convert())
 * @out_written: (out): tuples that were certainly written, also when the call fails
 *
 * A plain INSERT: a tuple replaces the one with the same key, and the old tuple's other cells are
 * deleted in every schema. All schemas get one timestamp. If the store has atomic batches, each
 * tuple is written as a unit. A statement over several tuples is not a unit.
 */
gboolean kvsql_insert_run (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                           const KvsqlValue *const *tuples, guint n_tuples, const KvsqlCall *call,
                           guint64 *out_written, GError **error);

/* The same with USING TIMESTAMP; 0: the clock's. Cells with a newer timestamp stay, and hide the
 * new ones. */
gboolean kvsql_insert_run_at (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                              const KvsqlValue *const *tuples, guint n_tuples, gint64 timestamp,
                              const KvsqlCall *call, guint64 *out_written, GError **error);

/* Reports the requests of kvsql_insert_run(). Reads what that would read, and writes nothing. */
gboolean kvsql_insert_explain (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                               const KvsqlValue *const *tuples, guint n_tuples,
                               const KvsqlCall *call, KvsqlCalls *calls, GError **error);

/* ---- shared with DELETE */

/* Whether cell keys of the relation depend on more than the key. Then a write has to know the old
 * tuple. */
gboolean kvsql_entry_needs_old_tuples (const KvsqlCatalogEntry *entry);

/* Makes a new list of the locks of these tuples' keys. */
void kvsql_tuple_locks (const KvsqlRelation *relation, const KvsqlValue *const *tuples,
                        guint n_tuples, KvsqlKeyLocks *out_locks);
void kvsql_lock_tuples (KvsqlEngine *engine, const KvsqlRelation *relation,
                        const KvsqlValue *const *tuples, guint n_tuples, KvsqlKeyLocks *out_locks);

gboolean kvsql_mutation_list_ensure_tables (const KvsqlMutationList *list, KvsqlEngine *engine,
                                            const KvsqlCall *call, GError **error);
/* Makes the tables of a list, then applies the list in one call. */
gboolean kvsql_mutation_list_apply (KvsqlMutationList *list, KvsqlEngine *engine,
                                    const KvsqlCall *call, GError **error);
void kvsql_mutation_list_explain (const KvsqlMutationList *list, KvsqlCalls *calls);

/* Whether the cell keys of a tuple depend on more than its KEY, and other daemons may change them
 * now. Then a replacement or delete of the tuple has to be a compare-and-set. */
gboolean kvsql_entry_needs_compare_and_set (const KvsqlCatalogEntry *entry,
                                            const KvsqlEngine *engine);

G_END_DECLS
