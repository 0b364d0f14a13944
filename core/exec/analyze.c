/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * analyze.c: a scan of the primary into a sample.
 */
#include "config.h"

#include "core/exec/analyze.h"
#include "core/exec/tuple-scan.h"

KvsqlStatistics *
kvsql_analyze_run (KvsqlStore *store, const KvsqlCatalogEntry *entry, gint64 until_us,
                   const KvsqlCall *call, GError **error)
{
  static const KvsqlPredicate everything = { .kind = KVSQL_PREDICATE_CONSTANT, .truth = TRUE };
  g_autoptr (KvsqlStatistics) result = kvsql_statistics_new (entry->relation);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlTupleScan) scan = NULL;
  KvsqlCandidate candidate;
  KvsqlBatch *batch;
  KvsqlBoxes boxes;

  kvsql_boxes_from_predicate (&everything, entry->relation->n_attributes, arena, &boxes);
  kvsql_candidate_make (entry->schemas[0], &boxes, &entry->relation->all, &store->capabilities,
                        arena, &candidate);
  scan = kvsql_tuple_scan_new (store, &candidate, &entry->relation->all, NULL, 0, 0);
  do
    {
      if (!kvsql_tuple_scan_next (scan, call, &batch, error))
        return NULL;
      kvsql_statistics_add (result, batch);
    }
  while (batch->n_rows > 0 && result->n_tuples < KVSQL_ANALYZE_TUPLES
         && g_get_monotonic_time () < until_us);
  kvsql_statistics_finish (result, batch->n_rows == 0);
  return g_steal_pointer (&result);
}
