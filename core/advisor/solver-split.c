/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * solver-split.c: solves a choice. Without a limit of the size, nothing connects its classes: each
 * is solved alone.
 */
#include "config.h"

#include "core/advisor/solver.h"
#include "core/base/error.h"

#include <math.h>

/* A class as a choice of its own. */
typedef struct
{
  KvsqlChoice choice;
  KvsqlArena *arena;
  guint *items;   /* of the whole choice, by item of this one */
  guint *numbers; /* of this choice, by item of the whole one */
} Part;

static void
add_items (Part *self, const KvsqlChoice *whole, guint class)
{
  for (guint i = 0; i < whole->n_items; i++)
    {
      guint n = self->choice.n_items;

      if (whole->items[i].class != class)
        continue;
      self->numbers[i] = n;
      *KVSQL_ARENA_ADD (self->arena, self->items, n) = i;
      *KVSQL_ARENA_ADD (self->arena, self->choice.items, self->choice.n_items) = whole->items[i];
      self->choice.items[self->choice.n_items - 1].class = 0;
    }
}

static guint
get_number (const Part *self, guint item)
{
  return item == KVSQL_NO_ITEM ? KVSQL_NO_ITEM : self->numbers[item];
}

static void
add_group (Part *self, const KvsqlChoiceGroup *from)
{
  KvsqlChoiceGroup *group
      = KVSQL_ARENA_ADD (self->arena, self->choice.groups, self->choice.n_groups);

  *group = *from;
  group->class = 0;
  group->plans = kvsql_arena_copy (self->arena, from->plans, from->n_plans * sizeof *from->plans);
  group->triggers = kvsql_arena_array (self->arena, guint, from->n_triggers);
  for (guint i = 0; i < from->n_triggers; i++)
    group->triggers[i] = get_number (self, from->triggers[i]);
  for (guint i = 0; i < from->n_plans; i++)
    {
      group->plans[i].item = get_number (self, from->plans[i].item);
      group->plans[i].primary = get_number (self, from->plans[i].primary);
    }
}

/* Solves a class, and takes its items into @best. */
static gboolean
solve_part (Part *self, const KvsqlChoice *whole, guint class, const gchar *solver, gdouble seconds,
            KvsqlSelection *best, gdouble *out_excess, GError **error)
{
  g_autoptr (KvsqlSelection) found = NULL;
  gdouble gap;

  self->choice = (KvsqlChoice){ .n_classes = 1, .size_limit = INFINITY };
  self->choice.count_limit = whole->count_limit;
  self->items = NULL;
  add_items (self, whole, class);
  for (guint i = 0; i < whole->n_groups; i++)
    if (whole->groups[i].class == class)
      add_group (self, &whole->groups[i]);
  found = kvsql_solve_whole (&self->choice, solver, seconds, &gap, error);
  if (found == NULL)
    return FALSE;
  for (guint i = 0; i < self->choice.n_items; i++)
    best->chosen[self->items[i]] = found->chosen[i];
  best->primary[class] = self->items[found->primary[0]];
  *out_excess += gap * found->cost;
  return TRUE;
}

static KvsqlSelection *
solve_split (const KvsqlChoice *choice, const gchar *solver, gdouble seconds, gdouble *out_gap,
             GError **error)
{
  g_autoptr (KvsqlSelection) best = kvsql_selection_new (choice);
  g_autofree guint *numbers = g_new0 (guint, choice->n_items);
  gint64 began_us = g_get_monotonic_time ();
  gdouble excess = 0;

  for (guint class = 0; class < choice->n_classes; class ++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      Part part = { .arena = arena, .numbers = numbers };
      gdouble used = (gdouble)(g_get_monotonic_time () - began_us) / G_USEC_PER_SEC;
      gdouble left = MAX (seconds - used, 0) / (choice->n_classes - class);

      if (!solve_part (&part, choice, class, solver, left, best, &excess, error))
        return NULL;
    }
  kvsql_selection_evaluate (best, choice);
  *out_gap = best->cost > 0 ? excess / best->cost : 0;
  return g_steal_pointer (&best);
}

KvsqlSelection *
kvsql_solve (const KvsqlChoice *choice, const gchar *solver, gdouble seconds, gdouble *out_gap,
             GError **error)
{
  if (choice->n_classes > 1 && !(choice->size_limit < INFINITY))
    return solve_split (choice, solver, seconds, out_gap, error);
  return kvsql_solve_whole (choice, solver, seconds, out_gap, error);
}
