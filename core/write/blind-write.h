/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * blind-write.h: writes of whole tuples of a relation WITH (writes = blind).
 *
 * For stores without atomic batches, where any number of daemons write and each may end in the
 * middle of a write. All cell keys depend on the KEY alone. So nothing is read, and a write is a
 * set of cells that are put, or deleted, at its timestamp T. No two writes of a key have the same
 * T, and in each cell the write with the greatest T wins, in whatever order the cells arrive:
 *
 *   1. the intent is logged (blind-intent.h): T and the tuples;
 *   2. all cells are written at T, in parallel;
 *   3. the client gets its answer; the intent leaves the log.
 *
 * Step 2 may be done by any daemon, any number of times, also next to the writer: so what a dead
 * daemon has left is found in the log, and written again. If all cells of a tuple are in one row,
 * the store writes them as one, and there is no intent.
 *
 * A delete that HBase has forgotten does not hide a late put any more. So an intent may be written
 * again only as long as tables remember the deletes after it (kvsql_storage_forgets_deletes()).
 *
 * tests/model/blind.pml is the model: W () is kvsql_blind_apply (), R () is kvsql_blind_finish ().
 *
 * Threads: any.
 */
#pragma once

#include "core/write/blind-intent.h"
#include "core/write/mutations.h"

G_BEGIN_DECLS

typedef struct _KvsqlCatalogEntry KvsqlCatalogEntry; /* core/catalog/catalog.h */

/* Whether the relation has blind writes, also while they are paused. On a store with atomic batches
 * they are like plain ones. */
gboolean kvsql_entry_is_blind (const KvsqlCatalogEntry *entry,
                               const KvsqlStoreCapabilities *capabilities);
/* Whether such writes need intents: the cells of a tuple are in several rows. */
gboolean kvsql_entry_needs_intents (const KvsqlCatalogEntry *entry);
/* Whether they needed them before daemons wrote the schemas that are in state = deleting now. */
gboolean kvsql_entry_needed_intents (const KvsqlCatalogEntry *entry);

/**
 * kvsql_blind_apply:
 * @list: all cells of @write
 *
 * For any relation: applies the list. If the writes of the relation need intents, they are logged
 * before. KVSQL_ERROR_UNKNOWN_OUTCOME: what is logged will be done. The caller holds the locks of
 * the keys.
 */
gboolean kvsql_blind_apply (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                            const KvsqlBlindWrite *write, KvsqlMutationList *list,
                            const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Writes the cells of an intent again, under the schemas of @entry, which are those of now. Then
 * what the primary does not have is deleted in the other schemas, at the timestamp of the intent.
 * *out_n: its tuples. Does nothing to the log. */
gboolean kvsql_blind_finish (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                             KvsqlSlice intent, const KvsqlCall *call, guint *out_n,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same for all intents of the relation that are in the log now, of this daemon and others. */
gboolean kvsql_blind_finish_all (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                                 const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Writes these tuples to all schemas again, later than @newest. A write of another daemon in the
 * meantime may be lost. The caller has locked the keys. */
gboolean kvsql_blind_rewrite (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                              const KvsqlValue *const *tuples, guint n, gint64 newest,
                              const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the intent is too old for that. */
gboolean kvsql_blind_is_outdated (const KvsqlStorage *storage, KvsqlSlice intent);

G_END_DECLS
