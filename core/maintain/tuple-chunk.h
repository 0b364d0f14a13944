/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tuple-chunk.h: some whole tuples of a relation, for jobs that visit all tuples.
 *
 * A chunk is read without locks. For each tuple it knows the newest timestamp of its cells, and
 * whether this daemon may have written the tuple since.
 */
#pragma once

#include "core/scan/read-by-keys.h"
#include "core/write/storage.h"
#include "core/scan/table-scan.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlArena *arena;
  GPtrArray *tuples;  /* const KvsqlValue *, by attribute */
  GArray *timestamps; /* gint64, one for each tuple */
  KvsqlKeyAges ages;  /* as they were before anything was read */
  gboolean has_next;
  KvsqlScanPosition next; /* where the next chunk begins, if there is one: after the end of a row */
} KvsqlTupleChunk;

/**
 * kvsql_tuple_chunk_read:
 * @part: (nullable): of kvsql_primary_cut(): only tuples of this part
 * @position: (nullable): @next of the last chunk
 * @max_bytes: memory for assembling tuples from several cells
 *
 * Reads from the primary schema about 2,000 tuples or 4 MiB, and always whole rows. If the cells of
 * a tuple lie in several rows, reads all tuples, because such a scan cannot resume.
 */
KvsqlTupleChunk *kvsql_tuple_chunk_read (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                                         const KvsqlScanPart *part,
                                         const KvsqlScanPosition *position, gsize max_bytes,
                                         const KvsqlCall *call, GError **error);
/**
 * kvsql_primary_cut:
 * @position: (nullable): only what comes after it; it belongs to the first part
 * @out_n: (out): 0 if the primary can only be read as a whole
 *
 * Cuts the primary schema into about @n_wanted parts that can be read in parallel. What is written
 * to a table that did not exist then is in no part.
 */
gboolean kvsql_primary_cut (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                            const KvsqlScanPosition *position, guint n_wanted,
                            const KvsqlCall *call, KvsqlArena *arena, KvsqlScanPart **out_parts,
                            guint *out_n, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsql_tuple_chunk_free (KvsqlTupleChunk *self); /* accepts NULL */

/* Copies a tuple. */
void kvsql_tuple_chunk_add (KvsqlTupleChunk *self, const KvsqlRelation *relation,
                            const KvsqlValue *tuple, gint64 timestamp);

/**
 * kvsql_tuple_chunk_refresh:
 * @first, @n: of the chunk's tuples, whose keys are locked
 * @out: empty
 * @out_untouched: (array length=n): tuples that were not written since they were read
 *
 * Puts the present values of the other tuples into @out. Tuples whose cell keys have changed are
 * left out: the daemon that changed them has written them to every schema.
 */
gboolean kvsql_tuple_chunk_refresh (KvsqlTupleChunk *self, guint first, guint n,
                                    KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                                    const KvsqlCall *call, gboolean *out_untouched,
                                    KvsqlTupleChunk *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_tuple_chunk_add_current:
 * @from: at least keys, read from the primary schema before this call
 * @first, @n: of the tuples of @from
 * @takes_rows: also those of keys without an anchor, as they are in @from
 *
 * For a relation that has anchors: adds the tuples that they say are current, each with its T. A
 * key whose anchor says that there is no tuple adds nothing.
 */
gboolean kvsql_tuple_chunk_add_current (KvsqlTupleChunk *self, const KvsqlTupleChunk *from,
                                        guint first, guint n, gboolean takes_rows,
                                        KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                                        const KvsqlCall *call,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

KvsqlTupleChunk *kvsql_tuple_chunk_new (void); /* empty */

/* The first and the last row of the primary, if it has one table and the store knows them; FALSE
 * otherwise. */
gboolean kvsql_primary_bounds (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                               const KvsqlCall *call, KvsqlArena *arena, KvsqlRowRange *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlTupleChunk, kvsql_tuple_chunk_free)

G_END_DECLS
