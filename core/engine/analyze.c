/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * analyze.c: see the header.
 */
#include "config.h"

#include "core/engine/analyze.h"
#include "core/maintain/analyze.h"
#include "core/plan/find-relation.h"

static void
add_attribute (KvsqlResultPage *page, const KvsqlRelation *relation, guint attribute,
               const KvsqlStatistics *statistics)
{
  const KvsqlAttributeStatistics *known = &statistics->attributes[attribute];
  guint sampled = MAX (statistics->n_sampled, 1), n;
  g_autofree gchar *distinct = g_strdup_printf ("%.0f", known->distinct);
  g_autofree gchar *nulls = g_strdup_printf ("%.1f %%", 100.0 * known->n_nulls / sampled);
  g_autofree gchar *min = known->n_values == 0 ? NULL : kvsql_value_to_text (&known->values[0]);
  g_autofree gchar *max
      = known->n_values == 0 ? NULL : kvsql_value_to_text (&known->values[known->n_values - 1]);
  g_autofree gchar *common = NULL, *often = NULL;
  KvsqlValue value;

  if (kvsql_statistics_get_most_common (statistics, attribute, &value, &n))
    {
      common = kvsql_value_to_text (&value);
      often = g_strdup_printf ("%.1f %%", 100.0 * n / sampled);
    }
  kvsql_result_page_add_row (page, (const gchar *[]){ relation->attributes[attribute].name,
                                                      distinct, nulls, min, max, common, often });
}

static KvsqlResultPage *
make_page (const KvsqlRelation *relation, const KvsqlStatistics *statistics)
{
  static const gchar *const names[]
      = { "attribute", "distinct", "NULL", "least", "greatest", "most common", "share" };
  KvsqlResultPage *page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));

  for (guint a = 0; a < relation->n_attributes; a++)
    add_attribute (page, relation, a, statistics);
  if (!statistics->is_complete)
    kvsql_result_page_warn (page, "only the first %.0f tuples were looked at",
                            statistics->n_tuples);
  return page;
}

KvsqlResultPage *
kvsql_execute_analyze (const KvsqlExecution *execution, const KvsqlName *relation,
                       KvsqlStatistics **out_statistics, GError **error)
{
  const KvsqlCatalogEntry *entry = kvsql_plan_find_relation (execution->catalog, relation, error);
  gint64 now = g_get_monotonic_time ();
  gint64 half_us = (execution->call->deadline_us - now) / 2;

  if (entry == NULL)
    return NULL;
  *out_statistics = kvsql_analyze_run (kvsql_execution_get_store (execution), entry, now + half_us,
                                       execution->call, error);
  return *out_statistics == NULL ? NULL : make_page (entry->relation, *out_statistics);
}
