/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tuple-chunk.h: whole tuples of a relation, some at a time, for whoever walks over all of them.
 *
 * A chunk is read without locks. It knows of each tuple the newest timestamp of its cells, and
 * whether this daemon may have written the tuple since.
 */
#pragma once

#include "core/exec/read-by-keys.h"
#include "core/exec/tuple-scan.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlArena *arena;
  GPtrArray *tuples;  /* const KvsqlValue *, by attribute */
  GArray *timestamps; /* gint64, of each */
  KvsqlKeyAges ages;  /* from before anything was read */
  gboolean has_next;
  KvsqlScanPosition next; /* where to go on, if so: behind all of a row */
} KvsqlTupleChunk;

/**
 * kvsql_tuple_chunk_read:
 * @position: (nullable): @next of the chunk before
 * @max_bytes: of the memory for cells that have to be put together
 *
 * From the primary schema. About 2,000 tuples or 4 MiB, and always whole rows; all tuples where the
 * cells of one lie in several rows, because such a scan cannot be taken up again.
 */
KvsqlTupleChunk *kvsql_tuple_chunk_read (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
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
 * @out_untouched: (array length=n): which of them nobody has written since they were read
 *
 * Puts the others into @out as they are now. Those that lie elsewhere by now are left out: whoever
 * moved them has written them to every schema.
 */
gboolean kvsql_tuple_chunk_refresh (KvsqlTupleChunk *self, guint first, guint n,
                                    KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                                    const KvsqlCall *call, gboolean *out_untouched,
                                    KvsqlTupleChunk *out, GError **error);

KvsqlTupleChunk *kvsql_tuple_chunk_new (void); /* empty */

/* The first and the last row of the primary, as far as one table holds it and the store can tell;
 * FALSE if not. */
gboolean kvsql_primary_bounds (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                               const KvsqlCall *call, KvsqlArena *arena, KvsqlRowRange *out);
/* How far @row is on the way from one to the other, if rows lie evenly between: 0 to 1. */
gdouble kvsql_row_share (const KvsqlRowRange *bounds, KvsqlSlice row);

/* The position, with bytes of its own in @arena. */
KvsqlScanPosition kvsql_scan_position_dup (const KvsqlScanPosition *self, KvsqlArena *arena);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlTupleChunk, kvsql_tuple_chunk_free)

G_END_DECLS
