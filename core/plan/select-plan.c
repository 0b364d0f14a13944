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

gboolean
kvsql_select_plan_has_verified (const KvsqlSelectPlan *self)
{
  gboolean found = self->is_verified || (self->set != NULL && self->set->is_verified);

  for (guint i = 0; self->join != NULL && i < self->join->n_parts && !found; i++)
    found = self->join->parts[i].query != NULL
            && kvsql_select_plan_has_verified (self->join->parts[i].query);
  return found;
}

guint
kvsql_select_plan_count_operands (const KvsqlSelectPlan *self)
{
  guint n = self->set == NULL ? 0 : self->set->n_numbers;

  for (guint i = 0; self->join != NULL && i < self->join->n_parts; i++)
    if (self->join->parts[i].query != NULL)
      n += self->join->parts[i].query->set->n_numbers;
  return n;
}

/* ---- estimates */

#define FILTERED_SHARE 0.3 /* of the rows of a query that satisfy a condition */

static gdouble
estimate_set (const KvsqlSetPlan *self)
{
  gdouble rows = 0;

  for (guint i = 0; i < self->n_operands; i++)
    {
      gdouble one = kvsql_select_plan_estimate_rows (self->operands[i].plan);

      if (i == 0 || self->kind == KVSQL_SET_UNION)
        rows += one;
      else if (self->kind == KVSQL_SET_INTERSECT)
        rows = MIN (rows, one);
    }
  return rows;
}

gdouble
kvsql_select_plan_estimate_rows (const KvsqlSelectPlan *self)
{
  gdouble rows = 1;

  if (self->join != NULL)
    rows = self->join->root->rows;
  else if (self->set != NULL)
    rows = estimate_set (self->set);
  else if (self->entry != NULL)
    rows = self->best->rows;
  else if (self->values != NULL)
    rows = self->values->n_rows;
  else if (self->function != NULL)
    rows = self->function->rows;
  if (self->set != NULL && self->predicate->kind != KVSQL_PREDICATE_CONSTANT)
    rows *= FILTERED_SHARE;
  if (self->groups != NULL && self->groups->n_groups == 0)
    rows = 1;
  return MIN (rows, (gdouble)self->limit);
}

/* ---- items */

KvsqlType
kvsql_select_plan_get_type (const KvsqlSelectPlan *self, guint item)
{
  return self->outputs != NULL ? self->outputs[item]->type
                               : self->relation->attributes[self->items[item]].type;
}

/* Of a column of a join; NULL for one that the join computes. */
static const KvsqlRelation *
relation_of_column (const KvsqlSelectPlan *self, guint column, guint *out_attribute)
{
  for (guint i = 0; i <= self->join->n_parts; i++)
    {
      const KvsqlBinderRelation *one = &self->join->relations[i];

      *out_attribute = column - one->first;
      if (column >= one->first && *out_attribute < one->relation->n_attributes)
        return one->relation;
    }
  return NULL;
}

const KvsqlRelation *
kvsql_select_plan_get_relation (const KvsqlSelectPlan *self, guint item, guint *out_attribute)
{
  const KvsqlRelation *relation;

  if (self->items[item] == KVSQL_NO_ATTRIBUTE || (self->entry == NULL && self->join == NULL))
    return NULL;
  *out_attribute = self->items[item];
  relation = self->join == NULL ? self->relation
                                : relation_of_column (self, self->items[item], out_attribute);
  return relation == NULL || relation->is_derived ? NULL : relation;
}

KvsqlTypeLimit
kvsql_select_plan_get_limit (const KvsqlSelectPlan *self, guint item)
{
  if (self->items[item] == KVSQL_NO_ATTRIBUTE)
    return self->outputs != NULL ? self->outputs[item]->limit : (KvsqlTypeLimit){ 0 };
  return self->relation->attributes[self->items[item]].limit;
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
