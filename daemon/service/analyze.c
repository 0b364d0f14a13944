/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * analyze.c: ANALYZE. The statistics stay in this daemon's memory until the daemon ends
 * or the relation is defined again.
 */
#include "config.h"

#include "core/maintain/analyze.h"
#include "daemon/service/service-private.h"

static gchar *
text_of (const KvsqlValue *value)
{
  GString *out = g_string_new (NULL);

  kvsql_value_append_text (value, out);
  return g_string_free (out, FALSE);
}

static void
add_attribute (KvsqlResultPage *page, const KvsqlRelation *relation, guint attribute,
               const KvsqlStatistics *statistics)
{
  const KvsqlAttributeStatistics *known = &statistics->attributes[attribute];
  guint sampled = MAX (statistics->n_sampled, 1), n;
  g_autofree gchar *distinct = g_strdup_printf ("%.0f", known->distinct);
  g_autofree gchar *nulls = g_strdup_printf ("%.1f %%", 100.0 * known->n_nulls / sampled);
  g_autofree gchar *min = known->n_values == 0 ? NULL : text_of (&known->values[0]);
  g_autofree gchar *max
      = known->n_values == 0 ? NULL : text_of (&known->values[known->n_values - 1]);
  g_autofree gchar *common = NULL, *often = NULL;
  KvsqlValue value;

  if (kvsql_statistics_get_most_common (statistics, attribute, &value, &n))
    {
      common = text_of (&value);
      often = g_strdup_printf ("%.1f %%", 100.0 * n / sampled);
    }
  kvsql_result_page_add_row (page, (const gchar *[]){ relation->attributes[attribute].name,
                                                      distinct, nulls, min, max, common, often });
}

KvsqlResultPage *
kvsqld_run_analyze (KvsqldContext *context, GError **error)
{
  static const gchar *const names[]
      = { "attribute", "distinct", "NULL", "least", "greatest", "most common", "share" };
  const KvsqlCatalogEntry *entry
      = kvsql_plan_find_relation (context->catalog, &context->statement->analyze.relation, error);
  gint64 now = g_get_monotonic_time ();
  g_autoptr (KvsqlStatistics) statistics = NULL;
  g_autoptr (GHashTable) old = NULL;
  KvsqldService *service = context->service;
  KvsqlResultPage *page;

  if (entry == NULL)
    return NULL;
  statistics = kvsql_analyze_run (
      service->store, entry, now + (context->call.deadline_us - now) / 2, &context->call, error);
  if (statistics == NULL)
    return NULL;
  g_mutex_lock (&service->mutex);
  old = service->statistics;
  service->statistics = kvsql_statistics_set_add (old, statistics);
  g_mutex_unlock (&service->mutex);

  page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  for (guint a = 0; a < entry->relation->n_attributes; a++)
    add_attribute (page, entry->relation, a, statistics);
  if (!statistics->is_complete)
    kvsql_result_page_warn (page, "only the first %.0f tuples were looked at",
                            statistics->n_tuples);
  return page;
}
