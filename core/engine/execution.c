/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * execution.c: see execution.h.
 */
#include "config.h"

#include "core/engine/execution.h"

#include "core/expr/uses.h"

#include "core/plan/select-plan.h"
#include "core/plan/select-planner.h"

KvsqlStore *
kvsql_execution_get_store (const KvsqlExecution *self)
{
  return kvsql_storage_get_store (self->storage);
}

const KvsqlStoreCapabilities *
kvsql_execution_get_capabilities (const KvsqlExecution *self)
{
  return self->capabilities != NULL ? self->capabilities
                                    : &kvsql_execution_get_store (self)->capabilities;
}

GPtrArray *
kvsql_execution_list_history (const KvsqlExecution *self, const gchar *name, GError **error)
{
  return self->list_history (name, self->data, error);
}

gchar *
kvsql_execution_describe_state (const KvsqlExecution *self, const KvsqlSchema *schema)
{
  if (!kvsql_schema_is_filled (schema))
    return self->describe_filling (schema, self->data);
  return g_strdup (schema->options.role == KVSQL_ROLE_ANY
                       ? "readable"
                       : kvsql_schema_role_get_name (schema->options.role));
}

gboolean
kvsql_execution_check_uses (const KvsqlExecution *self, const KvsqlUses *uses, GError **error)
{
  for (guint i = 0; i < uses->n; i++)
    {
      const KvsqlRelation *relation = uses->all[i].relation;
      g_autofree gchar *key = kvsql_name_fold (relation->name, relation->is_quoted);
      const KvsqlCatalogEntry *entry = kvsql_catalog_find_key (self->catalog, key);

      /* else it is the result of a query in FROM, whose own relations are among the uses, or a
       * table of the store */
      if (entry != NULL && entry->relation == relation
          && !kvsql_authority_check (&self->authority, entry, KVSQL_RIGHT_SELECT,
                                     &uses->all[i].attributes, KVSQL_SPAN_NONE, error))
        return FALSE;
    }
  return TRUE;
}

KvsqlSelectPlan *
kvsql_execution_plan_select (const KvsqlExecution *self, const KvsqlSelect *select, GError **error)
{
  const KvsqlSelect *planned = select;
  KvsqlUses uses = { 0 };
  KvsqlSelectPlan *plan;
  KvsqlBinder binder;

  if (self->is_verified && !select->is_verified)
    {
      KvsqlSelect *verified = kvsql_arena_copy (self->binder.arena, select, sizeof *select);

      verified->is_verified = TRUE;
      verified->verified_span = KVSQL_SPAN_NONE;
      planned = verified;
    }
  if (!self->checks_attributes)
    return kvsql_select_plan_make (self->catalog, planned, &self->binder,
                                   kvsql_execution_get_capabilities (self), error);
  binder = self->binder;
  binder.uses = &uses;
  plan = kvsql_select_plan_make (self->catalog, planned, &binder,
                                 kvsql_execution_get_capabilities (self), error);
  return plan != NULL && kvsql_execution_check_uses (self, &uses, error) ? plan : NULL;
}

void
kvsql_execution_note_skipped (const KvsqlExecution *self, const KvsqlSelectPlan *plan,
                              KvsqlSelectRun *run, guint64 before)
{
  const KvsqlJoinPlan *join = plan->join;
  KvsqlAssemblerCounts counts;

  kvsql_select_run_take_operand_counts (run, self->skipped, self->data);
  if (plan->entry != NULL)
    {
      kvsql_select_run_get_counts (run, &counts);
      self->skipped (plan->best->schema, counts.undecodable - before, counts.samples,
                     counts.n_samples, self->data);
    }
  for (guint i = 0; join != NULL && i < join->n_parts; i++)
    if (join->parts[i].query == NULL && kvsql_select_run_take_joined_counts (run, i, &counts))
      self->skipped (join->parts[i].plan->best->schema, counts.undecodable, counts.samples,
                     counts.n_samples, self->data);
}
