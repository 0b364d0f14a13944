/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * analyze.c: ANALYZE, and what other changes of definitions do to its result.
 */
#include "config.h"

#include "core/engine/analyze.h"
#include "core/engine/definitions-private.h"
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
  g_autofree gchar *bytes = known->bytes > 0 ? g_strdup_printf ("%.1f", known->bytes) : NULL;
  g_autofree gchar *min = known->n_steps == 0 ? NULL : kvsql_value_to_text (&known->steps[0].value);
  g_autofree gchar *max
      = known->n_steps == 0 ? NULL : kvsql_value_to_text (&known->steps[known->n_steps - 1].value);
  g_autofree gchar *common = NULL, *often = NULL;
  KvsqlValue value;

  if (kvsql_statistics_get_most_common (statistics, attribute, &value, &n))
    {
      common = kvsql_value_to_text (&value);
      often = g_strdup_printf ("%.1f %%", 100.0 * n / sampled);
    }
  kvsql_result_page_add_row (page,
                             (const gchar *[]){ relation->attributes[attribute].name, distinct,
                                                nulls, bytes, min, max, common, often });
}

static KvsqlResultPage *
make_page (const KvsqlRelation *relation, const KvsqlStatistics *statistics)
{
  static const gchar *const names[]
      = { "attribute", "distinct", "NULL", "bytes", "least", "greatest", "most common", "share" };
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

/* ---- definitions */

gboolean
kvsql_decision_set_statistics (KvsqlDecision *self, const KvsqlName *relation,
                               const KvsqlStatistics *statistics, GError **error)
{
  const KvsqlCatalogEntry *entry
      = kvsql_plan_find_relation (self->execution->catalog, relation, error);
  g_autofree gchar *text = NULL;

  if (entry == NULL || entry->is_store_table)
    return entry != NULL;
  if (!g_str_equal (entry->relation->text, statistics->relation_text))
    {
      kvsql_error_set (error, KVSQL_ERROR_CONFLICT, relation->span,
                       "relation \"%s\" was defined again in the meantime", relation->text);
      return kvsql_error_hint (error, "Try again.");
    }
  text = kvsql_statistics_print (statistics, entry->relation);
  kvsql_decision_add (self, KVSQL_DEFINITION_STATISTICS, entry->relation->name,
                      entry->relation->is_quoted, text);
  return TRUE;
}

void
kvsql_decision_remove_statistics (KvsqlDecision *self, const KvsqlRelation *relation)
{
  if (kvsql_statistics_set_find (self->execution->catalog->statistics, relation) != NULL)
    kvsql_decision_add (self, KVSQL_DEFINITION_STATISTICS, relation->name, relation->is_quoted,
                        NULL);
}

void
kvsql_decision_follow_statistics (KvsqlDecision *self, const KvsqlRelation *old,
                                  const KvsqlRelation *new)
{
  const KvsqlStatistics *known
      = kvsql_statistics_set_find (self->execution->catalog->statistics, old);
  g_autofree gchar *old_key = kvsql_name_fold (old->name, old->is_quoted);
  g_autofree gchar *new_key = kvsql_name_fold (new->name, new->is_quoted);

  if (known == NULL || known->text == NULL || g_str_equal (old_key, new_key))
    return;
  kvsql_decision_remove_statistics (self, old);
  kvsql_decision_add (self, KVSQL_DEFINITION_STATISTICS, new->name, new->is_quoted, known->text);
}
