/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * analyze.c: samples the primary by a scan.
 */
#include "config.h"

#include "core/maintain/analyze.h"
#include "core/maintain/tuple-sample.h"
#include "core/plan/make-access-path.h"
#include "core/scan/table-scan.h"

KvsqlStatistics *
kvsql_analyze_run (KvsqlStore *store, const KvsqlCatalogEntry *entry, gint64 until_us,
                   const KvsqlCall *call, GError **error)
{
  static const KvsqlPredicate everything = { .kind = KVSQL_PREDICATE_CONSTANT, .truth = TRUE };
  g_autoptr (KvsqlTupleSample) sample = kvsql_tuple_sample_new (entry->relation);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlTableScan) scan = NULL;
  KvsqlAccessPath path;
  KvsqlBatch *batch;
  KvsqlDnf dnf;

  kvsql_dnf_from_predicate (&everything, entry->relation->n_attributes, arena, &dnf);
  kvsql_access_path_make (entry->schemas[0], &dnf, &entry->relation->all, &store->capabilities,
                          arena, &path);
  scan = kvsql_table_scan_new (store, &path, &entry->relation->all, NULL, 0, 0);
  do
    {
      if (!kvsql_table_scan_next (scan, call, &batch, error))
        return NULL;
      kvsql_tuple_sample_add (sample, batch);
    }
  while (batch->n_rows > 0 && kvsql_tuple_sample_get_n_tuples (sample) < KVSQL_ANALYZE_TUPLES
         && g_get_monotonic_time () < until_us);
  return kvsql_tuple_sample_finish (sample, batch->n_rows == 0);
}
