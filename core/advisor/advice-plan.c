/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * advice-plan.c: the plans of the planner with all advised schemas, as EXPLAIN shows them after
 * they are defined.
 */
#include "config.h"

#include "core/advisor/advice.h"

#include "core/advisor/planner.h"
#include "core/advisor/schema-text.h"
#include "core/catalog/catalog.h"

#include <math.h>

static KvsqlCatalog *
make_catalog (const KvsqlAdvice *self)
{
  const KvsqlWorkload *workload = self->problem->workload;
  KvsqlCatalog *catalog = kvsql_catalog_new (1);

  for (guint i = 0; i < workload->n_relations; i++)
    kvsql_catalog_add_definition (catalog, NULL, workload->relations[i].relation->text);
  for (guint i = 0; i < self->n_schemas; i++)
    {
      const KvsqlAdvisedSchema *schema = &self->schemas[i];
      g_autofree gchar *text = kvsql_design_to_text (
          schema->design, workload->relations[schema->design->relation].relation, schema->name,
          schema->is_primary);

      kvsql_catalog_add_definition (catalog, NULL, text);
    }
  return catalog;
}

static void
append_read (const KvsqlPlannedRead *read, GString *out)
{
  if (read->joined != NULL)
    g_string_append_printf (out, "; %s ", read->joined);
  else
    g_string_append (out, read->is_full_scan ? "scan " : "read ");
  g_string_append (out, read->schema);
  if (read->skips)
    g_string_append (out, " with skips");
  g_string_append_printf (out, ", %.6g row%s%s", read->rows, read->rows == 1 ? "" : "s",
                          read->is_looked_up ? " for each" : "");
  if (read->lookup != NULL)
    g_string_append_printf (out, "; look up in %s", read->lookup);
}

static void
add_reader (const KvsqlAdvice *self, const gchar *name, guint number)
{
  for (guint i = 0; name != NULL && i < self->n_schemas; i++)
    if (strcmp (self->schemas[i].name, name) == 0)
      kvsql_advised_schema_add_reader (&self->schemas[i], number, self->problem->arena);
}

/* What the statement writes is in the plan already, after what it reads. */
static gboolean
replan (KvsqlAdvice *self, const KvsqlCatalog *catalog, KvsqlAdvisedStatement *statement,
        GError **error)
{
  g_autoptr (GString) plan = g_string_new (NULL);
  const gchar *writes = strstr (statement->plan, "; write ");
  KvsqlPlanned planned;

  if (!kvsql_planner_plan (self->problem->workload, statement->statement, catalog, &planned, error))
    return FALSE;
  statement->is_scanned = TRUE; /* none of its reads is helped */
  for (guint i = 0; i < planned.n_reads; i++)
    {
      const KvsqlPlannedRead *read = &planned.reads[i];

      append_read (read, plan);
      add_reader (self, read->schema, statement->statement->number);
      add_reader (self, read->lookup, statement->statement->number);
      statement->is_scanned = statement->is_scanned && read->is_full_scan;
    }
  if (planned.sorts)
    g_string_append (plan, "; sort");
  if (writes != NULL)
    g_string_append (plan, writes);
  statement->plan = kvsql_arena_strndup (self->problem->arena, plan->str, plan->len);
  statement->cost += planned.cost - statement->read_cost;
  statement->read_cost = planned.cost;
  return TRUE;
}

gboolean
kvsql_advice_replan (KvsqlAdvice *self, GError **error)
{
  g_autoptr (KvsqlCatalog) catalog = make_catalog (self);

  self->cost = 0;
  for (guint i = 0; i < self->n_schemas; i++)
    self->schemas[i].n_statements = 0;
  for (guint i = 0; i < self->n_statements; i++)
    {
      KvsqlAdvisedStatement *statement = &self->statements[i];

      if (statement->statement->shape.kind != KVSQL_STATEMENT_INSERT
          && !replan (self, catalog, statement, error))
        return FALSE;
      self->cost += statement->statement->weight * statement->cost;
    }
  return TRUE;
}

gdouble
kvsql_advice_cost_selection (const KvsqlAdvice *self, KvsqlSelection *selection)
{
  KvsqlAdvice *other = kvsql_advice_new (self->problem, selection, 0);
  gdouble cost = other->cost;

  if (cost < INFINITY && self->problem->model->is_planner && kvsql_advice_replan (other, NULL))
    cost = other->cost;
  other->problem = NULL;
  kvsql_advice_free (other);
  return cost;
}

gdouble
kvsql_advice_get_ms (const KvsqlAdvice *self, gdouble cost)
{
  const KvsqlCostModel *model = self->problem->model;

  if (model->is_in_seconds)
    return cost * 1000;
  return model->is_planner ? cost * self->problem->workload->costs.unit_us / 1000 : 0;
}
