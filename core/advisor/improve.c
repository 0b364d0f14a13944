/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * improve.c: local search.
 *
 * In each round the best of all changes is made: one item more, one less, one for another, or
 * another primary. It ends where no single change is better.
 */
#include "config.h"

#include "core/advisor/solver.h"
#include "core/base/interrupt.h"

#include <math.h>

typedef struct
{
  const KvsqlChoice *choice;
  const KvsqlSelection *from;
  KvsqlSelection *trial, *best;
} Round;

/* Takes the trial if it is the best one so far, and makes it @from again. */
static void
offer (Round *self)
{
  kvsql_selection_evaluate (self->trial, self->choice);
  if (kvsql_selection_compare (self->trial, self->best) < 0)
    kvsql_selection_copy (self->best, self->trial, self->choice);
  kvsql_selection_copy (self->trial, self->from, self->choice);
}

static gboolean
is_a_primary (const KvsqlSelection *self, const KvsqlChoice *choice, guint item)
{
  return self->primary[choice->items[item].class] == item;
}

static gboolean
is_over (const Round *self)
{
  return kvsql_choice_is_late (self->choice) || !kvsql_interrupt_tick ();
}

static void
try_exchanges (Round *self, guint added)
{
  for (guint i = 0; i < self->choice->n_items && !is_over (self); i++)
    {
      if (!self->from->chosen[i])
        continue;
      if (is_a_primary (self->from, self->choice, i))
        {
          if (self->choice->items[i].class != self->choice->items[added].class
              || !self->choice->items[added].can_be_primary)
            continue;
          self->trial->primary[self->choice->items[i].class] = added;
        }
      self->trial->chosen[added] = TRUE;
      self->trial->chosen[i] = FALSE;
      offer (self);
    }
}

static void
try_item (Round *self, guint item)
{
  guint class = self->choice->items[item].class;

  if (self->from->chosen[item] && !is_a_primary (self->from, self->choice, item))
    {
      self->trial->chosen[item] = FALSE;
      offer (self);
    }
  if (!self->from->chosen[item])
    {
      self->trial->chosen[item] = TRUE;
      offer (self);
      try_exchanges (self, item);
    }
  if (self->choice->items[item].can_be_primary && self->from->primary[class] != item)
    {
      self->trial->chosen[item] = TRUE;
      self->trial->primary[class] = item;
      offer (self);
    }
}

void
kvsql_selection_improve (KvsqlSelection *self, const KvsqlChoice *choice)
{
  g_autoptr (KvsqlSelection) trial = kvsql_selection_new (choice);
  g_autoptr (KvsqlSelection) best = kvsql_selection_new (choice);
  Round round = { .choice = choice, .from = self, .trial = trial, .best = best };

  for (;;)
    {
      kvsql_selection_copy (trial, self, choice);
      kvsql_selection_copy (best, self, choice);
      for (guint i = 0; i < choice->n_items && !is_over (&round); i++)
        try_item (&round, i);
      if (kvsql_selection_compare (best, self) >= 0)
        return;
      kvsql_selection_copy (self, best, choice);
    }
}

gboolean
kvsql_selection_start (KvsqlSelection *self, const KvsqlChoice *choice)
{
  for (guint i = 0; i < choice->n_items; i++)
    {
      const KvsqlChoiceItem *item = &choice->items[i];
      guint *primary = &self->primary[item->class];

      if (item->can_be_primary
          && (*primary == KVSQL_NO_ITEM || item->size < choice->items[*primary].size))
        *primary = i;
    }
  for (guint i = 0; i < choice->n_classes; i++)
    if (self->primary[i] != KVSQL_NO_ITEM)
      self->chosen[self->primary[i]] = TRUE;
  /* what only one item can do */
  for (guint i = 0; i < choice->n_groups; i++)
    if (!choice->groups[i].is_conditional && choice->groups[i].n_plans == 1
        && choice->groups[i].plans[0].primary == KVSQL_NO_ITEM)
      self->chosen[choice->groups[i].plans[0].item] = TRUE;
  kvsql_selection_evaluate (self, choice);
  return self->cost < INFINITY;
}
