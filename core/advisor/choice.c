/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * choice.c: what a set of items costs.
 */
#include "config.h"

#include "core/advisor/choice.h"

#include <math.h>
#include <string.h>

KvsqlSelection *
kvsql_selection_new (const KvsqlChoice *choice)
{
  KvsqlSelection *self = g_new0 (KvsqlSelection, 1);

  self->chosen = g_new0 (gboolean, choice->n_items);
  self->primary = g_new0 (guint, choice->n_classes);
  for (guint i = 0; i < choice->n_classes; i++)
    self->primary[i] = KVSQL_NO_ITEM;
  self->cost = INFINITY;
  return self;
}

void
kvsql_selection_free (KvsqlSelection *self)
{
  if (self == NULL)
    return;
  g_free (self->chosen);
  g_free (self->primary);
  g_free (self);
}

void
kvsql_selection_copy (KvsqlSelection *self, const KvsqlSelection *from, const KvsqlChoice *choice)
{
  memcpy (self->chosen, from->chosen, choice->n_items * sizeof *self->chosen);
  memcpy (self->primary, from->primary, choice->n_classes * sizeof *self->primary);
  self->cost = from->cost;
  self->n_chosen = from->n_chosen;
  self->size = from->size;
}

const KvsqlChoicePlan *
kvsql_selection_find_plan (const KvsqlSelection *self, const KvsqlChoiceGroup *group)
{
  for (guint i = 0; i < group->n_plans; i++)
    {
      const KvsqlChoicePlan *plan = &group->plans[i];

      if (self->chosen[plan->item]
          && (plan->primary == KVSQL_NO_ITEM || plan->primary == self->primary[group->class]))
        return plan;
    }
  return NULL;
}

gboolean
kvsql_selection_is_read (const KvsqlSelection *self, const KvsqlChoiceGroup *group)
{
  for (guint i = 0; i < group->n_triggers; i++)
    if (self->chosen[group->triggers[i]])
      return TRUE;
  return !group->is_conditional;
}

static gboolean
is_within_limits (const KvsqlSelection *self, const KvsqlChoice *choice)
{
  g_autofree guint *counts = g_new0 (guint, choice->n_classes);

  if (self->size > choice->size_limit)
    return FALSE;
  for (guint i = 0; i < choice->n_items; i++)
    if (self->chosen[i] && ++counts[choice->items[i].class] > choice->count_limit)
      return FALSE;
  for (guint i = 0; i < choice->n_classes; i++)
    if (self->primary[i] == KVSQL_NO_ITEM || !self->chosen[self->primary[i]])
      return FALSE;
  return TRUE;
}

void
kvsql_selection_evaluate (KvsqlSelection *self, const KvsqlChoice *choice)
{
  self->cost = self->size = 0;
  self->n_chosen = 0;
  for (guint i = 0; i < choice->n_items; i++)
    if (self->chosen[i])
      {
        self->cost += choice->items[i].cost;
        self->size += choice->items[i].size;
        self->n_chosen++;
      }
  if (!is_within_limits (self, choice))
    self->cost = INFINITY;
  for (guint i = 0; i < choice->n_groups && self->cost < INFINITY; i++)
    {
      const KvsqlChoiceGroup *group = &choice->groups[i];
      const KvsqlChoicePlan *plan;

      if (!kvsql_selection_is_read (self, group))
        continue;
      plan = kvsql_selection_find_plan (self, group);
      self->cost += plan != NULL ? group->weight * plan->cost : INFINITY;
    }
}

gint
kvsql_selection_compare (const KvsqlSelection *a, const KvsqlSelection *b)
{
  gdouble tolerance = 1e-12 * MAX (fabs (a->cost), fabs (b->cost));

  if (a->cost == INFINITY || b->cost == INFINITY)
    return (a->cost == INFINITY) - (b->cost == INFINITY);
  if (fabs (a->cost - b->cost) > tolerance)
    return a->cost < b->cost ? -1 : 1;
  if (a->n_chosen != b->n_chosen)
    return a->n_chosen < b->n_chosen ? -1 : 1;
  return (a->size > b->size) - (a->size < b->size);
}
