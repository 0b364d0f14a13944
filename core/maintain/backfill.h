/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backfill.h: puts the tuples of a chunk into a schema that was added later.
 */
#pragma once

#include "core/maintain/tuple-chunk.h"
#include "core/write/storage.h"

G_BEGIN_DECLS

/**
 * kvsql_backfill_chunk:
 * @schema: of @entry; every daemon already writes to it
 * @out_n: (out): tuples that were put
 *
 * Each tuple is put with the newest timestamp of its cells in the primary, so that earlier and
 * later writes and deletes with a newer timestamp win. In a store that forgets deletes this is not
 * enough: there the tuple is locked, and read again if it may have been written since the chunk was
 * read.
 *
 * Of a key that has an anchor, the tuple of the anchor is put, with its T. That may be done any
 * number of times, by several daemons at once: it is what the write of that T puts there.
 */
gboolean kvsql_backfill_chunk (KvsqlTupleChunk *chunk, KvsqlStorage *storage,
                               const KvsqlCatalogEntry *entry, const KvsqlSchema *schema,
                               const KvsqlCall *call, guint64 *out_n,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
