/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-choice.c: the solvers find what enumeration finds, on random choices.
 */
#include "config.h"

#include "core/advisor/solver.h"
#include "core/base/error.h"
#include "tests/size.h"

#include <math.h>
#include <stdlib.h>

#define SECONDS 20.0
#define MOST_ITEMS 14

typedef struct
{
  KvsqlArena *arena;
  GRand *random;
  KvsqlChoice choice;
} Maker;

static guint
below (const Maker *self, guint n)
{
  return (guint)g_rand_int_range (self->random, 0, (gint32)n);
}

/* Few values, so that there are equal costs. */
static gdouble
random_cost (const Maker *self)
{
  return 1 + below (self, 20);
}

static gint
compare_plans (gconstpointer a, gconstpointer b)
{
  gdouble left = ((const KvsqlChoicePlan *)a)->cost, right = ((const KvsqlChoicePlan *)b)->cost;

  return (left > right) - (left < right);
}

static void
add_items (Maker *self)
{
  KvsqlChoice *choice = &self->choice;

  choice->n_classes = 1 + below (self, 2);
  choice->n_items = 4 + below (self, MOST_ITEMS - 3);
  choice->items = kvsql_arena_array (self->arena, KvsqlChoiceItem, choice->n_items);
  for (guint i = 0; i < choice->n_items; i++)
    {
      KvsqlChoiceItem *item = &choice->items[i];

      item->class = i < choice->n_classes ? i : below (self, choice->n_classes);
      item->cost = below (self, 15);
      item->size = 1 + below (self, 9);
      item->can_be_primary = i < choice->n_classes || below (self, 4) == 0;
    }
}

static void
add_plans (Maker *self, KvsqlChoiceGroup *group)
{
  for (guint i = 0; i < self->choice.n_items; i++)
    {
      const KvsqlChoiceItem *item = &self->choice.items[i];

      if (item->class != group->class)
        continue;
      if (item->can_be_primary || below (self, 3) == 0)
        *KVSQL_ARENA_ADD (self->arena, group->plans, group->n_plans)
            = (KvsqlChoicePlan){ random_cost (self) + 30 * item->can_be_primary, i, KVSQL_NO_ITEM };
      for (guint j = 0; j < self->choice.n_items; j++)
        if (self->choice.items[j].class == group->class && self->choice.items[j].can_be_primary
            && j != i && below (self, 3) == 0)
          *KVSQL_ARENA_ADD (self->arena, group->plans, group->n_plans)
              = (KvsqlChoicePlan){ random_cost (self), i, j };
    }
  qsort (group->plans, group->n_plans, sizeof *group->plans, compare_plans);
}

static void
add_group (Maker *self)
{
  KvsqlChoiceGroup *group
      = KVSQL_ARENA_ADD (self->arena, self->choice.groups, self->choice.n_groups);

  *group = (KvsqlChoiceGroup){ .weight = 1 + below (self, 3) };
  group->class = below (self, self->choice.n_classes);
  add_plans (self, group);
  group->is_conditional = below (self, 3) == 0;
  for (guint i = 0; group->is_conditional && i < self->choice.n_items; i++)
    if (self->choice.items[i].class == group->class && below (self, 4) == 0)
      *KVSQL_ARENA_ADD (self->arena, group->triggers, group->n_triggers) = i;
}

static void
make_choice (Maker *self)
{
  gdouble size = 0;

  add_items (self);
  for (guint i = 2 + below (self, 8); i > 0; i--)
    add_group (self);
  for (guint i = 0; i < self->choice.n_items; i++)
    size += self->choice.items[i].size;
  self->choice.size_limit
      = below (self, 2) == 0 ? INFINITY : floor (size / (1.5 + below (self, 4)));
  self->choice.count_limit = below (self, 3) == 0 ? 1 + below (self, 3) : G_MAXUINT;
}

/* ---- enumeration */

static void
try_primaries (const KvsqlChoice *choice, guint class, KvsqlSelection *trial, KvsqlSelection *best)
{
  if (class == choice->n_classes)
    {
      kvsql_selection_evaluate (trial, choice);
      if (kvsql_selection_compare (trial, best) < 0)
        kvsql_selection_copy (best, trial, choice);
      return;
    }
  for (guint i = 0; i < choice->n_items; i++)
    if (choice->items[i].class == class && choice->items[i].can_be_primary && trial->chosen[i])
      {
        trial->primary[class] = i;
        try_primaries (choice, class + 1, trial, best);
      }
}

static void
enumerate (const KvsqlChoice *choice, KvsqlSelection *best)
{
  g_autoptr (KvsqlSelection) trial = kvsql_selection_new (choice);

  for (guint bits = 0; bits < 1u << choice->n_items; bits++)
    {
      for (guint i = 0; i < choice->n_items; i++)
        trial->chosen[i] = (bits >> i & 1) != 0;
      try_primaries (choice, 0, trial, best);
    }
}

static void
check (guint32 seed, const gchar *solver)
{
  Maker self = { .arena = kvsql_arena_new (), .random = g_rand_new_with_seed (seed) };
  g_autoptr (KvsqlSelection) best = NULL, found = NULL;
  g_autoptr (GError) error = NULL;
  gdouble gap = 1;

  make_choice (&self);
  best = kvsql_selection_new (&self.choice);
  enumerate (&self.choice, best);
  found = kvsql_solve (&self.choice, solver, SECONDS, &gap, &error);
  if (found == NULL)
    {
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
      g_assert_true (isinf (best->cost));
    }
  else
    {
      g_test_message ("seed %u: cost %g, %u items, size %g; found %g, %u, %g", seed, best->cost,
                      best->n_chosen, best->size, found->cost, found->n_chosen, found->size);
      g_assert_cmpfloat_with_epsilon (found->cost, best->cost, 1e-9);
      g_assert_cmpfloat (gap, ==, 0);
      /* CBC knows only costs; local search does the rest, as far as single steps go */
      if (g_strcmp0 (solver, "builtin") == 0)
        g_assert_cmpint (kvsql_selection_compare (found, best), ==, 0);
    }
  g_rand_free (self.random);
  kvsql_arena_free (self.arena);
}

static void
test_builtin (void)
{
  guint n = test_size (400, 10);

  for (guint i = 0; i < n; i++)
    check (i, "builtin");
}

static void
test_cbc (void)
{
#ifdef HAVE_CBC
  guint n = test_size (30, 2);

  for (guint i = 0; i < n; i++)
    check (i, "cbc");
#else
  g_test_skip ("built without CBC");
#endif
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/advisor/choice/builtin", test_builtin);
  g_test_add_func ("/advisor/choice/cbc", test_cbc);
  return g_test_run ();
}
