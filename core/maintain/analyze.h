/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * analyze.h: reading a relation for its statistics.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/store/store.h"

G_BEGIN_DECLS

/* The most tuples that are sampled. */
#define KVSQL_ANALYZE_TUPLES 1000000

/**
 * kvsql_analyze_run:
 * @until_us: of g_get_monotonic_time(). At this time the run ends with the tuples seen so far.
 *
 * Reads the primary from its start.
 * Returns: (transfer full) (nullable)
 */
KvsqlStatistics *kvsql_analyze_run (KvsqlStore *store, const KvsqlCatalogEntry *entry,
                                    gint64 until_us, const KvsqlCall *call, GError **error);

G_END_DECLS
