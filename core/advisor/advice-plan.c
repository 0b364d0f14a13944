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
append_plan (const KvsqlPlanned *planned, GString *out)
{
  g_string_append_printf (out, "%s %s", planned->is_full_scan ? "scan" : "read", planned->schema);
  if (planned->skips)
    g_string_append (out, " with skips");
  g_string_append_printf (out, ", %.6g row%s", planned->rows, planned->rows == 1 ? "" : "s");
  if (planned->lookup != NULL)
    g_string_append_printf (out, "; look up in %s", planned->lookup);
  if (planned->sorts)
    g_string_append (out, "; sort");
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
  append_plan (&planned, plan);
  if (writes != NULL)
    g_string_append (plan, writes);
  statement->plan = kvsql_arena_strndup (self->problem->arena, plan->str, plan->len);
  statement->cost += planned.cost - statement->read_cost;
  statement->read_cost = planned.cost;
  statement->is_scanned = planned.is_full_scan;
  add_reader (self, planned.schema, statement->statement->number);
  add_reader (self, planned.lookup, statement->statement->number);
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
