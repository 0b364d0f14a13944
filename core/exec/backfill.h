/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backfill.h: putting the tuples of a chunk into a schema that was added later.
 */
#pragma once

#include "core/exec/tuple-chunk.h"

G_BEGIN_DECLS

/**
 * kvsql_backfill_chunk:
 * @schema: of @entry; every daemon writes to it by now
 * @out_n: (out): tuples that were put
 *
 * Each tuple is put with the newest timestamp of its cells in the primary, so that what was or will
 * be written and deleted later wins. A store that forgets deletes needs more: there the tuple is
 * locked, and read again if it may have been written since the chunk was read.
 */
gboolean kvsql_backfill_chunk (KvsqlTupleChunk *chunk, KvsqlEngine *engine,
                               const KvsqlCatalogEntry *entry, const KvsqlSchema *schema,
                               const KvsqlCall *call, guint64 *out_n, GError **error);

G_END_DECLS
