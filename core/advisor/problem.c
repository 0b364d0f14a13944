/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * problem.c: see problem.h.
 *
 * Items are the designs of all relations. Groups are the reads: of each SELECT; of each UPDATE and
 * DELETE that has to find its tuples; and of old tuples, if a chosen design needs them.
 */
#include "config.h"

#include "core/advisor/problem.h"
#include "core/base/interrupt.h"

#include <math.h>

/* ---- items */

static gboolean
add_items (KvsqlProblem *self, guint relation, KvsqlDesignsFunction make, GError **error)
{
  KvsqlDesigns designs;
  guint *kept, n;

  if (!make (self->workload, relation, self->arena, &designs, error)
      || !kvsql_problem_prune (self->workload, self->model, relation, &designs, self->arena, &kept,
                               &n, error))
    return FALSE;
  self->n_candidates += designs.n;
  for (guint i = 0; i < n; i++)
    {
      const KvsqlDesign *design = &designs.items[kept[i]];
      guint n_designs = self->choice.n_items;

      *KVSQL_ARENA_ADD (self->arena, self->designs, n_designs) = design;
      *KVSQL_ARENA_ADD (self->arena, self->choice.items, self->choice.n_items)
          = (KvsqlChoiceItem){ .class = relation,
                               .size = self->model->size (self->workload, design),
                               .can_be_primary = design->is_whole };
    }
  return TRUE;
}

/* ---- groups */

static gint
compare_plans (gconstpointer a, gconstpointer b)
{
  const KvsqlChoicePlan *left = a, *right = b;

  if (left->cost < right->cost || left->cost > right->cost)
    return left->cost < right->cost ? -1 : 1;
  /* without a lookup first */
  if ((left->primary == KVSQL_NO_ITEM) != (right->primary == KVSQL_NO_ITEM))
    return left->primary == KVSQL_NO_ITEM ? -1 : 1;
  return left->item < right->item ? -1 : left->item > right->item;
}

static void
add_plan (const KvsqlProblem *self, KvsqlChoiceGroup *group, gdouble cost, guint item,
          guint primary)
{
  if (cost < INFINITY)
    *KVSQL_ARENA_ADD (self->arena, group->plans, group->n_plans)
        = (KvsqlChoicePlan){ cost, item, primary };
}

static void
add_plans_of (const KvsqlProblem *self, const KvsqlRead *read, guint item, KvsqlChoiceGroup *group)
{
  const KvsqlDesign *design = self->designs[item];
  gdouble cost = self->model->read (read, design, NULL, NULL, NULL);

  add_plan (self, group, cost, item, KVSQL_NO_ITEM);
  if (cost < INFINITY)
    return;
  for (guint i = 0; i < self->choice.n_items; i++)
    if (self->designs[i]->relation == read->relation && self->designs[i]->is_whole)
      add_plan (self, group, self->model->read (read, design, self->designs[i], NULL, NULL), item,
                i);
}

/* Any primary can be scanned, so no plan is taken that costs more than the worst of these. */
static void
cut_plans (const KvsqlProblem *self, KvsqlChoiceGroup *group)
{
  gdouble most = 0;

  qsort (group->plans, group->n_plans, sizeof *group->plans, compare_plans);
  for (guint i = 0; i < group->n_plans; i++)
    if (group->plans[i].primary == KVSQL_NO_ITEM
        && self->choice.items[group->plans[i].item].can_be_primary)
      most = MAX (most, group->plans[i].cost);
  while (group->n_plans > 0 && group->plans[group->n_plans - 1].cost > most)
    group->n_plans--;
}

/* @trigger: the only one; KVSQL_NO_ITEM: none yet */
static KvsqlChoiceGroup *
add_group (KvsqlProblem *self, guint statement, const KvsqlRead *read, gboolean is_conditional,
           guint trigger)
{
  const KvsqlWorkloadStatement *of = &self->workload->statements[statement];
  guint n_groups = self->choice.n_groups;
  KvsqlChoiceGroup *group
      = KVSQL_ARENA_ADD (self->arena, self->choice.groups, self->choice.n_groups);

  *group = (KvsqlChoiceGroup){ .weight = of->weight, .class = of->relation };
  group->is_conditional = is_conditional;
  *KVSQL_ARENA_ADD (self->arena, self->groups, n_groups) = (KvsqlProblemGroup){ statement, *read };
  for (guint i = 0; i < self->choice.n_items && kvsql_interrupt_tick (); i++)
    if (self->designs[i]->relation == of->relation)
      add_plans_of (self, read, i, group);
  cut_plans (self, group);
  if (trigger != KVSQL_NO_ITEM)
    *KVSQL_ARENA_ADD (self->arena, group->triggers, group->n_triggers) = trigger;
  return group;
}

/* The old tuple, for the items that need it: once for each, or once for all. */
static void
add_old_reads (KvsqlProblem *self, guint statement, const guint *items, guint n)
{
  const KvsqlWorkloadStatement *of = &self->workload->statements[statement];
  KvsqlRead read = kvsql_problem_make_read (self->workload, of, NULL);
  KvsqlChoiceGroup *group;

  for (guint i = 0; self->model->reads_separately && i < n; i++)
    {
      read = kvsql_problem_make_read (self->workload, of, self->designs[items[i]]);
      add_group (self, statement, &read, TRUE, items[i]);
    }
  if (self->model->reads_separately || n == 0)
    return;
  group = add_group (self, statement, &read, TRUE, KVSQL_NO_ITEM);
  group->triggers = kvsql_arena_copy (self->arena, items, n * sizeof *items);
  group->n_triggers = n;
}

static void
add_write (KvsqlProblem *self, guint statement)
{
  const KvsqlWorkloadStatement *of = &self->workload->statements[statement];
  g_autofree guint *readers = g_new0 (guint, self->choice.n_items + 1);
  guint n_readers = 0;

  for (guint i = 0; i < self->choice.n_items; i++)
    {
      KvsqlUpkeep upkeep = { 0, FALSE };

      if (self->designs[i]->relation == of->relation)
        upkeep = self->model->write (self->workload, of, self->designs[i]);
      self->choice.items[i].cost += of->weight * upkeep.cost;
      if (upkeep.needs_old && !kvsql_problem_finds (self->workload, of))
        readers[n_readers++] = i;
    }
  add_old_reads (self, statement, readers, n_readers);
}

static void
add_statement (KvsqlProblem *self, guint statement)
{
  const KvsqlWorkloadStatement *of = &self->workload->statements[statement];

  if (of->shape.kind != KVSQL_STATEMENT_SELECT)
    add_write (self, statement);
  if (of->shape.kind == KVSQL_STATEMENT_SELECT || kvsql_problem_finds (self->workload, of))
    {
      KvsqlRead read = kvsql_problem_make_read (self->workload, of, NULL);

      add_group (self, statement, &read, FALSE, KVSQL_NO_ITEM);
    }
}

KvsqlProblem *
kvsql_problem_new_of (const KvsqlWorkload *workload, const KvsqlCostModel *model,
                      KvsqlDesignsFunction make, GError **error)
{
  g_autoptr (KvsqlProblem) self = g_new0 (KvsqlProblem, 1);

  self->workload = workload;
  self->model = model;
  self->arena = kvsql_arena_new ();
  self->choice.n_classes = workload->n_relations;
  self->choice.size_limit = INFINITY;
  self->choice.count_limit = G_MAXUINT;
  for (guint i = 0; i < workload->n_relations; i++)
    if (!add_items (self, i, make, error))
      return NULL;
  for (guint i = 0; i < workload->n_statements; i++)
    add_statement (self, i);
  if (!kvsql_interrupt_check (error))
    return NULL;
  return g_steal_pointer (&self);
}

KvsqlProblem *
kvsql_problem_new (const KvsqlWorkload *workload, const KvsqlCostModel *model, GError **error)
{
  return kvsql_problem_new_of (workload, model, kvsql_designs_make, error);
}

void
kvsql_problem_free (KvsqlProblem *self)
{
  if (self == NULL)
    return;
  kvsql_arena_free (self->arena);
  g_free (self);
}
