/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * solver-builtin.c: branch and bound.
 *
 * The search decides the primaries first, one class after the other, and then items: each is in or
 * out. It starts with a selection that local search has found, follows the branch with the item
 * first, and leaves a branch whose bound (bound.h) is not below the best selection.
 *
 * Among selections of equal cost, the one with fewer items, then the smaller one is wanted. So a
 * tiny part of the cost is added for each item, and a tinier one for its size.
 */
#include "config.h"

#include "core/advisor/bound.h"
#include "core/advisor/solver.h"
#include "core/base/interrupt.h"

#include <math.h>

#define COST_OF_ITEM 1e-10 /* of the cost of the first selection */
#define COST_OF_SIZE 1e-11
#define ROUNDING 1e-13

typedef struct
{
  const KvsqlChoice *original;
  KvsqlChoice choice; /* with the additional costs */
  KvsqlBound *bound;
  KvsqlItemState *states;
  guint *primary;
  KvsqlSelection *trial, *best; /* of the choice with additional costs */
  gdouble byte_price;
  gint64 deadline_us;
  gboolean is_late;
} Search;

static gpointer
search_new (const KvsqlChoice *choice)
{
  Search *self = g_new0 (Search, 1);

  self->original = choice;
  self->choice = *choice;
  self->choice.items = g_memdup2 (choice->items, choice->n_items * sizeof *choice->items);
  self->bound = kvsql_bound_new (&self->choice);
  self->states = g_new0 (KvsqlItemState, choice->n_items);
  self->primary = g_new0 (guint, choice->n_classes);
  for (guint i = 0; i < choice->n_classes; i++)
    self->primary[i] = KVSQL_NO_ITEM;
  self->trial = kvsql_selection_new (choice);
  self->best = kvsql_selection_new (choice);
  return self;
}

static void
search_free (gpointer data)
{
  Search *self = data;

  kvsql_bound_free (self->bound);
  kvsql_selection_free (self->trial);
  kvsql_selection_free (self->best);
  g_free (self->choice.items);
  g_free (self->states);
  g_free (self->primary);
  g_free (self);
}

static void
add_costs (Search *self, gdouble unit)
{
  gdouble total = 0;

  for (guint i = 0; i < self->choice.n_items; i++)
    total += self->choice.items[i].size;
  for (guint i = 0; i < self->choice.n_items; i++)
    {
      KvsqlChoiceItem *item = &self->choice.items[i];

      item->cost += unit * COST_OF_ITEM;
      if (total > 0)
        item->cost += unit * COST_OF_SIZE * item->size / total;
    }
}

/* ---- selections */

/* Completes what is decided by all items that are worth their price, and takes it if it is better.
 * A selection without the others, too, since prices know no limits. */
static void
try_selection (Search *self, gboolean with_free)
{
  const KvsqlChoice *choice = &self->choice;

  for (guint i = 0; i < choice->n_items; i++)
    self->trial->chosen[i]
        = self->states[i] == KVSQL_ITEM_IN
          || (with_free && self->states[i] == KVSQL_ITEM_FREE && !(self->bound->slack[i] > 0));
  memcpy (self->trial->primary, self->primary, choice->n_classes * sizeof *self->primary);
  kvsql_selection_evaluate (self->trial, choice);
  if (self->trial->cost < self->best->cost)
    kvsql_selection_copy (self->best, self->trial, choice);
}

static gdouble
compute_bound (Search *self)
{
  gdouble priced = -INFINITY, plain;

  self->bound->byte_price = self->byte_price;
  if (self->byte_price > 0)
    priced = kvsql_bound_compute (self->bound, self->states);
  self->bound->byte_price = 0;
  plain = kvsql_bound_compute (self->bound, self->states);
  return MAX (plain, priced);
}

static gboolean
is_hopeless (const Search *self, gdouble bound)
{
  return bound >= self->best->cost * (1 - ROUNDING);
}

static gboolean
exceeds_limits (const Search *self)
{
  g_autofree guint *counts = g_new0 (guint, self->choice.n_classes);
  gdouble size = 0;

  for (guint i = 0; i < self->choice.n_items; i++)
    if (self->states[i] == KVSQL_ITEM_IN)
      {
        size += self->choice.items[i].size;
        if (++counts[self->choice.items[i].class] > self->choice.count_limit)
          return TRUE;
      }
  return size > self->choice.size_limit;
}

/* ---- branches */

/* How much the groups would pay for an item. */
static gdouble
get_worth (const Search *self, guint item)
{
  gdouble worth = 0;

  for (guint g = 0; g < self->choice.n_groups; g++)
    worth += MAX (
        self->bound->prices[g] - self->bound->costs[(gsize)g * self->choice.n_items + item], 0);
  return worth;
}

/* The free item that matters most; KVSQL_NO_ITEM: all are decided. */
static guint
choose_item (const Search *self)
{
  guint best = KVSQL_NO_ITEM;
  gdouble most = -1;

  for (guint i = 0; i < self->choice.n_items; i++)
    {
      gdouble worth;

      if (self->states[i] != KVSQL_ITEM_FREE)
        continue;
      worth = get_worth (self, i) + (self->bound->slack[i] > 0 ? 0 : self->best->cost);
      if (worth > most)
        {
          most = worth;
          best = i;
        }
    }
  return best;
}

static gboolean
check_late (Search *self)
{
  self->is_late
      = self->is_late || g_get_monotonic_time () > self->deadline_us || !kvsql_interrupt_tick ();
  return self->is_late;
}

static void
branch (Search *self)
{
  gdouble bound;
  guint item;

  if (check_late (self) || exceeds_limits (self))
    return;
  bound = compute_bound (self);
  if (is_hopeless (self, bound))
    return;
  try_selection (self, TRUE);
  try_selection (self, FALSE);
  if (is_hopeless (self, bound))
    return;
  item = choose_item (self);
  if (item == KVSQL_NO_ITEM)
    return;
  self->states[item] = KVSQL_ITEM_IN;
  branch (self);
  self->states[item] = KVSQL_ITEM_OUT;
  branch (self);
  self->states[item] = KVSQL_ITEM_FREE;
}

static void
decide_primary (Search *self, guint class)
{
  if (check_late (self))
    return;
  kvsql_bound_set_primaries (self->bound, self->primary);
  if (exceeds_limits (self) || is_hopeless (self, compute_bound (self)))
    return;
  if (class == self->choice.n_classes)
    {
      branch (self);
      return;
    }
  for (guint i = 0; i < self->choice.n_items; i++)
    {
      if (!self->choice.items[i].can_be_primary || self->choice.items[i].class != class)
        continue;
      self->primary[class] = i;
      self->states[i] = KVSQL_ITEM_IN;
      decide_primary (self, class + 1);
      self->states[i] = KVSQL_ITEM_FREE;
    }
  self->primary[class] = KVSQL_NO_ITEM;
}

static gboolean
search_solve (gpointer data, gdouble seconds, KvsqlSelection *best, gdouble *out_bound,
              GError **error)
{
  Search *self = data;

  self->deadline_us = g_get_monotonic_time () + (gint64)(seconds * G_USEC_PER_SEC);
  add_costs (self, MAX (best->cost, G_MINDOUBLE));
  kvsql_selection_copy (self->best, best, &self->choice);
  kvsql_selection_evaluate (self->best, &self->choice);
  kvsql_bound_set_primaries (self->bound, self->primary);
  kvsql_bound_find_byte_price (self->bound, self->states);
  self->byte_price = self->bound->byte_price;
  *out_bound = compute_bound (self);
  decide_primary (self, 0);
  kvsql_selection_evaluate (self->best, self->original);
  kvsql_selection_copy (best, self->best, self->original);
  if (!self->is_late)
    *out_bound = best->cost;
  return kvsql_interrupt_check (error);
}

const KvsqlSolver kvsql_solver_builtin = {
  .name = "builtin",
  .new = search_new,
  .solve = search_solve,
  .free = search_free,
};
