/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bound.c: see bound.h.
 */
#include "config.h"

#include "core/advisor/bound.h"
#include "core/base/interrupt.h"

#include <math.h>

#define MAX_ROUNDS 1000
#define BYTE_PRICES 24 /* that are tried, each half of the one before */

KvsqlBound *
kvsql_bound_new (const KvsqlChoice *choice)
{
  KvsqlBound *self = g_new0 (KvsqlBound, 1);

  self->choice = choice;
  self->costs = g_new0 (gdouble, (gsize)choice->n_groups * choice->n_items);
  self->least = g_new0 (gdouble, choice->n_items);
  self->slack = g_new0 (gdouble, choice->n_items);
  self->prices = g_new0 (gdouble, choice->n_groups + choice->n_classes);
  return self;
}

void
kvsql_bound_free (KvsqlBound *self)
{
  if (self == NULL)
    return;
  g_free (self->costs);
  g_free (self->least);
  g_free (self->slack);
  g_free (self->prices);
  g_free (self);
}

static gdouble *
costs_of (const KvsqlBound *self, guint group)
{
  return self->costs + (gsize)group * self->choice->n_items;
}

/* ---- costs */

static void
set_costs (KvsqlBound *self, guint number, const guint *primary)
{
  const KvsqlChoiceGroup *group = &self->choice->groups[number];
  gdouble *costs = costs_of (self, number);

  for (guint i = 0; i < self->choice->n_items; i++)
    costs[i] = INFINITY;
  for (guint i = 0; i < group->n_plans; i++)
    {
      const KvsqlChoicePlan *plan = &group->plans[i];
      guint decided = primary[group->class];

      if (plan->primary == KVSQL_NO_ITEM || decided == KVSQL_NO_ITEM || plan->primary == decided)
        costs[plan->item] = MIN (costs[plan->item], group->weight * plan->cost);
    }
}

static gdouble
find_least (const KvsqlBound *self, guint group)
{
  gdouble least = INFINITY;

  for (guint i = 0; i < self->choice->n_items; i++)
    least = MIN (least, costs_of (self, group)[i]);
  return least;
}

void
kvsql_bound_set_primaries (KvsqlBound *self, const guint *primary)
{
  const KvsqlChoice *choice = self->choice;

  for (guint i = 0; i < choice->n_items; i++)
    self->least[i] = choice->items[i].cost;
  for (guint g = 0; g < choice->n_groups; g++)
    {
      set_costs (self, g, primary);
      if (choice->groups[g].is_conditional && choice->groups[g].n_triggers == 1)
        self->least[choice->groups[g].triggers[0]] += find_least (self, g);
    }
}

/* ---- the ascent */

/* Whether the group is read by what is chosen for sure, and not counted in `least`. */
static gboolean
is_counted (const KvsqlChoiceGroup *group, const KvsqlItemState *states)
{
  if (!group->is_conditional)
    return TRUE;
  for (guint i = 0; group->n_triggers > 1 && i < group->n_triggers; i++)
    if (states[group->triggers[i]] == KVSQL_ITEM_IN)
      return TRUE;
  return FALSE;
}

/* The cost of a group by an item. After the groups, each class is a group of its own: one item that
 * can be the primary has to be chosen, and that costs nothing more. */
static gdouble
get_cost (const KvsqlBound *self, guint group, guint item)
{
  const KvsqlChoice *choice = self->choice;

  if (group < choice->n_groups)
    return costs_of (self, group)[item];
  return choice->items[item].can_be_primary && choice->items[item].class == group - choice->n_groups
             ? 0
             : INFINITY;
}

/* Raises the price of a group to the next cost of an item, or as far as the items allow. */
static gboolean
raise_price (KvsqlBound *self, guint group, const KvsqlItemState *states)
{
  gdouble price = self->prices[group], next = INFINITY, most = INFINITY;

  for (guint i = 0; i < self->choice->n_items; i++)
    {
      gdouble cost = states[i] != KVSQL_ITEM_OUT ? get_cost (self, group, i) : INFINITY;

      if (cost <= price)
        most = MIN (most, self->slack[i]);
      else
        next = MIN (next, cost);
    }
  most = MIN (most, next - price);
  if (!(most > 0) || most == INFINITY)
    return FALSE;
  for (guint i = 0; i < self->choice->n_items; i++)
    if (states[i] != KVSQL_ITEM_OUT && get_cost (self, group, i) <= price)
      self->slack[i] = MAX (self->slack[i] - most, 0);
  /* exactly the next cost, so that it counts from now on */
  self->prices[group] = most < next - price ? price + most : next;
  return TRUE;
}

/* The least cost of the group; FALSE: it has no plan. */
static gboolean
start_price (KvsqlBound *self, guint group, const KvsqlItemState *states)
{
  gdouble least = INFINITY;

  for (guint i = 0; i < self->choice->n_items; i++)
    if (states[i] != KVSQL_ITEM_OUT)
      least = MIN (least, get_cost (self, group, i));
  self->prices[group] = least;
  return least < INFINITY;
}

static gboolean
is_in_ascent (const KvsqlBound *self, guint group, const KvsqlItemState *states)
{
  return group >= self->choice->n_groups || is_counted (&self->choice->groups[group], states);
}

/* FALSE: some group has no plan. */
static gboolean
ascend (KvsqlBound *self, const KvsqlItemState *states)
{
  guint n = self->choice->n_groups + self->choice->n_classes;
  gboolean has_risen = TRUE;

  for (guint g = 0; g < n; g++)
    {
      self->prices[g] = 0;
      if (is_in_ascent (self, g, states) && !start_price (self, g, states))
        return FALSE;
    }
  /* the prices are a bound after each step, so it may end at any time */
  for (guint round = 0; has_risen && round < MAX_ROUNDS && !kvsql_choice_is_late (self->choice);
       round++)
    {
      has_risen = FALSE;
      for (guint g = 0; g < n && kvsql_interrupt_tick (); g++)
        if (is_in_ascent (self, g, states) && raise_price (self, g, states))
          has_risen = TRUE;
    }
  return TRUE;
}

gdouble
kvsql_bound_compute (KvsqlBound *self, const KvsqlItemState *states)
{
  const KvsqlChoice *choice = self->choice;
  gdouble bound = 0;

  if (choice->size_limit < INFINITY)
    bound -= self->byte_price * choice->size_limit;
  for (guint i = 0; i < choice->n_items; i++)
    {
      gdouble cost = self->least[i] + self->byte_price * choice->items[i].size;

      self->slack[i] = states[i] == KVSQL_ITEM_FREE ? cost : 0;
      bound += states[i] == KVSQL_ITEM_IN ? cost : 0;
    }
  if (!ascend (self, states))
    return INFINITY;
  for (guint g = 0; g < choice->n_groups + choice->n_classes; g++)
    bound += self->prices[g];
  return bound;
}

void
kvsql_bound_find_byte_price (KvsqlBound *self, const KvsqlItemState *states)
{
  gdouble best_price = 0, best, price;

  self->byte_price = 0;
  best = kvsql_bound_compute (self, states);
  if (!(self->choice->size_limit < INFINITY) || !(self->choice->size_limit > 0))
    return;
  /* the first price makes the limit cost as much as everything else, many times over */
  price = 1024 * best / self->choice->size_limit;
  for (guint i = 0; i < BYTE_PRICES && !kvsql_choice_is_late (self->choice); i++, price /= 2)
    {
      gdouble bound;

      self->byte_price = price;
      bound = kvsql_bound_compute (self, states);
      if (bound > best)
        {
          best = bound;
          best_price = price;
        }
    }
  self->byte_price = best_price;
}
