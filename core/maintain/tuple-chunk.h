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
 * @position: (nullable): @next of the last chunk
 * @max_bytes: memory for assembling tuples from several cells
 *
 * Reads from the primary schema about 2,000 tuples or 4 MiB, and always whole rows. If the cells of
 * a tuple lie in several rows, reads all tuples, because such a scan cannot resume.
 */
KvsqlTupleChunk *kvsql_tuple_chunk_read (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                                         const KvsqlScanPosition *position, gsize max_bytes,
                                         const KvsqlCall *call, GError **error);
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

KvsqlTupleChunk *kvsql_tuple_chunk_new (void); /* empty */

/* The first and the last row of the primary, if it has one table and the store knows them; FALSE
 * otherwise. */
gboolean kvsql_primary_bounds (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                               const KvsqlCall *call, KvsqlArena *arena, KvsqlRowRange *out);
/* Where @row lies between the first and the last row, 0 to 1, if rows are distributed evenly. */
gdouble kvsql_row_share (const KvsqlRowRange *bounds, KvsqlSlice row);

/* Copies the position, with its bytes in @arena. */
KvsqlScanPosition kvsql_scan_position_dup (const KvsqlScanPosition *self, KvsqlArena *arena);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlTupleChunk, kvsql_tuple_chunk_free)

G_END_DECLS
