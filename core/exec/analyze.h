/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * analyze.h: reading a relation for its statistics.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/plan/statistics.h"

G_BEGIN_DECLS

/* More tuples than this are not looked at. */
#define KVSQL_ANALYZE_TUPLES 1000000

/**
 * kvsql_analyze_run:
 * @until_us: g_get_monotonic_time() terms: ends with what was seen until then
 *
 * Reads the primary from its front. Returns: (transfer full) (nullable)
 */
KvsqlStatistics *kvsql_analyze_run (KvsqlStore *store, const KvsqlCatalogEntry *entry,
                                    gint64 until_us, const KvsqlCall *call, GError **error);

G_END_DECLS
