/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select.c: see select.h.
 */
#include "config.h"

#include "core/engine/select.h"

#include "core/engine/subquery.h"

KvsqlResultColumn *
kvsql_columns_of_select (const KvsqlSelectPlan *plan, KvsqlArena *arena)
{
  KvsqlResultColumn *columns = kvsql_arena_array (arena, KvsqlResultColumn, plan->n_items);
  const KvsqlRelation *last_relation = NULL;
  const gchar *copy = NULL;

  for (guint i = 0; i < plan->n_items; i++)
    {
      guint attribute;
      const KvsqlRelation *relation = kvsql_select_plan_get_relation (plan, i, &attribute);

      if (relation != last_relation)
        copy = relation == NULL ? NULL : kvsql_arena_strdup (arena, relation->name);
      last_relation = relation;
      columns[i] = (KvsqlResultColumn){
        .name = kvsql_arena_strdup (arena, plan->item_names[i]),
        .type = kvsql_select_plan_get_type (plan, i),
        .is_nullable = plan->item_is_nullable[i],
        .relation = copy,
        .relation_number = relation == NULL ? 0 : relation->number,
        .attribute = relation == NULL ? 0 : attribute + 1,
        .limit = kvsql_select_plan_get_limit (plan, i),
      };
    }
  return columns;
}

/* Digits that are only shown may depend on parameters. */
static gboolean
has_limit (const KvsqlSelectPlan *plan, guint i, const KvsqlTypeLimit *limit)
{
  const KvsqlTypeLimit now = kvsql_select_plan_get_limit (plan, i);

  if (!kvsql_type_limit_is_named (&now) && !kvsql_type_limit_is_named (limit))
    return TRUE;
  return now.kind == limit->kind && now.size == limit->size && now.scale == limit->scale;
}

static gboolean
is_same_attribute (const KvsqlSelectPlan *plan, guint i, const KvsqlResultColumn *column)
{
  guint attribute;
  const KvsqlRelation *relation = kvsql_select_plan_get_relation (plan, i, &attribute);

  return relation == NULL
             ? column->relation == NULL
             : column->relation_number == relation->number && column->attribute == attribute + 1
                   && g_strcmp0 (column->relation, relation->name) == 0;
}

gboolean
kvsql_select_plan_has_columns (const KvsqlSelectPlan *plan, const KvsqlResultColumn *columns,
                               guint n_columns)
{
  if (plan->n_items != n_columns)
    return FALSE;
  for (guint i = 0; i < n_columns; i++)
    if (columns[i].type != kvsql_select_plan_get_type (plan, i)
        || !has_limit (plan, i, &columns[i].limit)
        || columns[i].is_nullable != plan->item_is_nullable[i]
        || strcmp (columns[i].name, plan->item_names[i]) != 0
        || !is_same_attribute (plan, i, &columns[i]))
      return FALSE;
  return TRUE;
}

KvsqlResultPage *
kvsql_execute_select_page (const KvsqlExecution *self, const KvsqlSelectPlan *plan,
                           KvsqlSelectRun *run, KvsqlPageBounds bounds, gboolean *out_has_more,
                           GError **error)
{
  g_autoptr (KvsqlResultPage) page = kvsql_result_page_new_empty (-1);
  KvsqlAssemblerCounts before;
  KvsqlSubqueryHost host;
  gboolean ok;

  page->arena = kvsql_arena_new ();
  page->n_columns = plan->n_items;
  kvsql_select_run_get_counts (run, &before);
  kvsql_execution_enter_subqueries (self, &host);
  ok = kvsql_select_run_page (run, bounds.max_rows, bounds.max_bytes, self->call, page->arena,
                              &page->rows, out_has_more, error);
  kvsql_subquery_host_leave (&host);
  if (!ok)
    return NULL;
  for (guint i = 0; i < plan->n_items; i++)
    {
      const KvsqlTypeLimit limit = kvsql_select_plan_get_limit (plan, i);

      kvsql_result_show_digits (page->rows, i, &limit, page->arena);
    }
  kvsql_execution_note_skipped (self, plan, run, before.undecodable);
  return g_steal_pointer (&page);
}
