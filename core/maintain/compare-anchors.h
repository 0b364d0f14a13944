/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * compare-anchors.h: compares the primary schema of a relation with its anchors, in both
 * directions.
 *
 * Anchors have whole tuples, so rows that another program has written, or deleted, differ from
 * them. A row without an anchor is a tuple as well: its next write makes the anchor.
 */
#pragma once

#include "core/maintain/compare.h"

G_BEGIN_DECLS

/* Whether the schema is a primary that can be compared. */
gboolean kvsql_primary_has_anchors (const KvsqlSchema *schema, const KvsqlCatalogEntry *entry,
                                    const KvsqlStorage *storage);

/**
 * kvsql_compare_anchors:
 * @position: (nullable): @out_next of the previous call
 * @out_has_next, @out_next: (out): where to continue; bytes in @arena
 * @out_n: (out): tuples compared
 *
 * From some anchors to the primary: each tuple that they say is current must have its cells there.
 * A repair writes what the anchor says.
 */
gboolean kvsql_compare_anchors (const KvsqlComparison *self, const KvsqlScanPosition *position,
                                KvsqlArena *arena, gboolean *out_has_next,
                                KvsqlScanPosition *out_next, guint64 *out_n,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* @out_n: how many of these tuples of the primary have no anchor. A repair makes it, with the
 * tuple. */
gboolean kvsql_compare_unanchored (const KvsqlComparison *self, const KvsqlTupleChunk *chunk,
                                   guint64 *out_n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
