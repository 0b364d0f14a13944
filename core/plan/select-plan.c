/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select-plan.c: facts that follow from a plan.
 */
#include "config.h"

#include "core/plan/select-plan.h"

gboolean
kvsql_select_plan_is_streaming (const KvsqlSelectPlan *self)
{
  return self->groups == NULL && self->windows == NULL && !self->is_distinct
         && self->n_distinct_on == 0 && !kvsql_select_plan_sorts (self);
}

KvsqlExpr *const *
kvsql_select_plan_get_tuple_exprs (const KvsqlSelectPlan *self, guint *out_n)
{
  if (self->groups != NULL)
    {
      *out_n = self->groups->n_inputs;
      return self->groups->inputs;
    }
  if (self->windows != NULL)
    {
      *out_n = self->windows->n_inputs;
      return self->windows->inputs;
    }
  *out_n = self->n_outputs;
  return self->outputs;
}

gboolean
kvsql_select_plan_remembers_keys (const KvsqlSelectPlan *self)
{
  return self->is_verified && self->best != NULL && !self->best->schema->is_located_by_key;
}

KvsqlType
kvsql_select_plan_get_type (const KvsqlSelectPlan *self, guint item)
{
  return self->outputs != NULL ? self->outputs[item]->type
                               : self->relation->attributes[self->items[item]].type;
}

/* Of a column of a join; NULL for one that the join computes. */
static const KvsqlRelation *
relation_of_column (const KvsqlSelectPlan *self, guint column)
{
  for (guint i = 0; i <= self->join->n_parts; i++)
    {
      const KvsqlBinderRelation *one = &self->join->relations[i];

      if (column >= one->first && column - one->first < one->relation->n_attributes)
        return one->relation;
    }
  return NULL;
}

const KvsqlRelation *
kvsql_select_plan_get_relation (const KvsqlSelectPlan *self, guint item)
{
  if (self->items[item] == KVSQL_NO_ATTRIBUTE || self->entry == NULL)
    return NULL;
  return self->join == NULL ? self->relation : relation_of_column (self, self->items[item]);
}

gboolean
kvsql_select_plan_is_plain (const KvsqlSelectPlan *self)
{
  if (self->groups != NULL || self->windows != NULL || self->n_distinct_on > 0)
    return FALSE;
  for (guint i = 0; i < self->n_items; i++)
    if (self->items[i] == KVSQL_NO_ATTRIBUTE)
      return FALSE;
  return TRUE;
}

const KvsqlAttributeSet *
kvsql_select_plan_get_scanned (const KvsqlSelectPlan *self)
{
  return self->best->lookup_schema == NULL ? &self->needed : &self->best->schema->holds;
}
