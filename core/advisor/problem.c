/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * problem.c: see problem.h.
 *
 * Items are the designs of all relations. Groups are the reads: of each SELECT; of each UPDATE and
 * DELETE that has to find its tuples; and of old tuples, if a chosen design needs them.
 */
#include "config.h"

#include "core/advisor/problem.h"
#include "core/advisor/planner.h"
#include "core/base/interrupt.h"

#include <math.h>

/* ---- time */

/* Shares of the time: for the candidates of all relations, and for the costs of all of them. */
#define SHARE_OF_CANDIDATES 0.5
/* The candidates of a relation that are left if the costs of all take too long. */
#define FEW 32

typedef struct
{
  KvsqlInterrupt interrupt;
  gint64 until_us;
} Limit;

static gboolean
check_time (gconstpointer data, GError **error)
{
  const Limit *self = data;

  return g_get_monotonic_time () <= self->until_us
         || kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE, "the time is over");
}

/* Ends loops when the time is over, until leave_limit (). */
static void
enter_limit (Limit *self, gdouble seconds)
{
  self->until_us = G_MAXINT64;
  if (seconds < 1e9)
    self->until_us = g_get_monotonic_time () + (gint64)(seconds * G_USEC_PER_SEC);
  kvsql_interrupt_enter (&self->interrupt, check_time, self);
}

/* FALSE: the time was over. */
static gboolean
leave_limit (Limit *self)
{
  gboolean is_in_time = kvsql_interrupt_check (NULL);

  kvsql_interrupt_leave (&self->interrupt);
  return is_in_time;
}

/* ---- items */

/* The candidates of a relation. */
typedef struct
{
  KvsqlDesigns designs;
  guint *kept, n;
} Candidates;

static gboolean
find_candidates (KvsqlProblem *self, guint relation, KvsqlDesignsFunction make, gdouble seconds,
                 Candidates *out, GError **error)
{
  gboolean ok = TRUE;
  Limit limit;

  enter_limit (&limit, seconds / 2);
  (void)!make (self->workload, relation, self->arena, &out->designs, NULL);
  kvsql_designs_add_given (self->workload, relation, self->arena, &out->designs);
  if (self->model->is_planner)
    ok = kvsql_planner_cost (self->workload, relation, &out->designs, error);
  self->is_cut = !leave_limit (&limit) || self->is_cut;
  if (!ok)
    return FALSE;
  enter_limit (&limit, seconds / 2);
  (void)!kvsql_problem_prune (self->workload, self->model, relation, &out->designs, self->arena,
                              &out->kept, &out->n, NULL);
  self->is_cut = !leave_limit (&limit) || self->is_cut;
  self->n_candidates += out->designs.n;
  return TRUE;
}

/* Of many candidates, those at equal distances, and those that exist. */
static void
add_items (KvsqlProblem *self, guint relation, const Candidates *candidates, guint most)
{
  guint step = candidates->n <= most ? 1 : (candidates->n - 1) / most + 1;

  self->first_items[relation] = self->choice.n_items;
  for (guint i = 0; i < candidates->n; i++)
    {
      const KvsqlDesign *design = &candidates->designs.items[candidates->kept[i]];
      guint n_designs = self->choice.n_items;

      if (i % step != 0 && design->given == NULL)
        continue;
      *KVSQL_ARENA_ADD (self->arena, self->designs, n_designs) = design;
      *KVSQL_ARENA_ADD (self->arena, self->choice.items, self->choice.n_items)
          = (KvsqlChoiceItem){ .class = relation,
                               .size = self->model->size (self->workload, design),
                               .can_be_primary
                               = kvsql_design_can_be_primary (self->workload, design) };
    }
  self->first_items[relation + 1] = self->choice.n_items;
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
  const KvsqlProblemGroup *of = &self->groups[group - self->choice.groups];
  gdouble slo = self->workload->statements[of->statement].slo;

  if (slo > 0 && cost > slo)
    cost *= KVSQL_SLO_PENALTY;
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
  for (guint i = self->first_items[read->relation]; i < self->first_items[read->relation + 1]; i++)
    if (self->choice.items[i].can_be_primary)
      add_plan (self, group, self->model->read (read, design, self->designs[i], NULL, NULL), item,
                i);
}

/* A plan with a lookup needs its primary to be chosen: it is never needed if that alone costs no
 * more. @group is sorted. */
static void
cut_lookups (const KvsqlProblem *self, KvsqlChoiceGroup *group)
{
  g_autofree gboolean *seen = g_new0 (gboolean, self->choice.n_items + 1);
  guint n = 0;

  for (guint i = 0; i < group->n_plans; i++)
    {
      const KvsqlChoicePlan plan = group->plans[i];

      if (plan.primary == KVSQL_NO_ITEM)
        seen[plan.item] = TRUE;
      if (plan.primary == KVSQL_NO_ITEM || !seen[plan.primary])
        group->plans[n++] = plan;
    }
  group->n_plans = n;
}

/* Any primary can be scanned, so no plan is taken that costs more than the worst of these. */
static void
cut_plans (const KvsqlProblem *self, KvsqlChoiceGroup *group)
{
  gdouble most = 0;

  qsort (group->plans, group->n_plans, sizeof *group->plans, compare_plans);
  cut_lookups (self, group);
  for (guint i = 0; i < group->n_plans; i++)
    if (group->plans[i].primary == KVSQL_NO_ITEM
        && self->choice.items[group->plans[i].item].can_be_primary)
      most = MAX (most, group->plans[i].cost);
  while (group->n_plans > 0 && group->plans[group->n_plans - 1].cost > most)
    group->n_plans--;
}

/* If the group is read, its only trigger is chosen: what costs more than a read by that item, or as
 * much, is never needed. Such groups are as many as the items that an UPDATE needs old tuples for,
 * and each has a plan for each item. */
static void
cut_by_trigger (KvsqlChoiceGroup *group, guint trigger)
{
  for (guint i = 0; i < group->n_plans; i++)
    {
      KvsqlChoicePlan own = group->plans[i];
      guint n = i;

      if (own.item != trigger || own.primary != KVSQL_NO_ITEM)
        continue;
      while (n > 0 && !(group->plans[n - 1].cost < own.cost))
        n--;
      group->plans[n] = own;
      group->n_plans = n + 1;
      return;
    }
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

  *group = (KvsqlChoiceGroup){ .weight = of->total, .class = of->relation };
  group->is_conditional = is_conditional;
  *KVSQL_ARENA_ADD (self->arena, self->groups, n_groups) = (KvsqlProblemGroup){ statement, *read };
  for (guint i = self->first_items[of->relation];
       i < self->first_items[of->relation + 1] && kvsql_interrupt_tick (); i++)
    add_plans_of (self, read, i, group);
  cut_plans (self, group);
  if (trigger != KVSQL_NO_ITEM)
    {
      cut_by_trigger (group, trigger);
      *KVSQL_ARENA_ADD (self->arena, group->triggers, group->n_triggers) = trigger;
    }
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

  for (guint i = self->first_items[of->relation]; i < self->first_items[of->relation + 1]; i++)
    {
      KvsqlUpkeep upkeep = self->model->write (self->workload, of, self->designs[i]);

      self->choice.items[i].cost += of->total * upkeep.cost;
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

/* A group that only this item serves. */
static void
require (KvsqlProblem *self, guint item)
{
  guint n_groups = self->choice.n_groups;
  KvsqlChoiceGroup *group
      = KVSQL_ARENA_ADD (self->arena, self->choice.groups, self->choice.n_groups);

  *group = (KvsqlChoiceGroup){ .weight = 1, .class = self->designs[item]->relation };
  *KVSQL_ARENA_ADD (self->arena, self->groups, n_groups)
      = (KvsqlProblemGroup){ .statement = KVSQL_NO_STATEMENT };
  *KVSQL_ARENA_ADD (self->arena, group->plans, group->n_plans)
      = (KvsqlChoicePlan){ 0, item, KVSQL_NO_ITEM };
}

/* FALSE: the time was over. */
static gboolean
make_choice (KvsqlProblem *self, const Candidates *candidates, guint most, gdouble seconds)
{
  Limit limit;

  self->designs = NULL;
  self->groups = NULL;
  self->choice = (KvsqlChoice){ .n_classes = self->workload->n_relations };
  self->choice.size_limit = INFINITY;
  self->choice.count_limit = G_MAXUINT;
  enter_limit (&limit, seconds);
  for (guint i = 0; i < self->workload->n_relations; i++)
    add_items (self, i, &candidates[i], most);
  for (guint i = 0; i < self->workload->n_statements && kvsql_interrupt_tick (); i++)
    if (self->workload->statements[i].first == i)
      add_statement (self, i);
  for (guint i = 0; i < self->choice.n_items; i++)
    if (self->designs[i]->given != NULL && self->designs[i]->given->is_kept)
      require (self, i);
  return leave_limit (&limit);
}

KvsqlProblem *
kvsql_problem_new_of (KvsqlWorkload *workload, const KvsqlCostModel *model,
                      KvsqlDesignsFunction make, gdouble seconds, GError **error)
{
  g_autoptr (KvsqlProblem) self = g_new0 (KvsqlProblem, 1);
  g_autofree Candidates *candidates = g_new0 (Candidates, workload->n_relations);
  gint64 began_us = g_get_monotonic_time ();

  self->workload = workload;
  self->model = model;
  self->arena = kvsql_arena_new ();
  if (model->is_planner)
    workload->planned
        = kvsql_arena_array (workload->arena, KvsqlPlannedCosts, workload->n_statements);
  self->first_items = kvsql_arena_array (self->arena, guint, workload->n_relations + 1);
  for (guint i = 0; i < workload->n_relations; i++)
    {
      gdouble used = (gdouble)(g_get_monotonic_time () - began_us) / G_USEC_PER_SEC;
      gdouble left = MAX (SHARE_OF_CANDIDATES * seconds - used, 0);

      if (!find_candidates (self, i, make, left / (workload->n_relations - i), &candidates[i],
                            error))
        return NULL;
    }
  if (!make_choice (self, candidates, G_MAXUINT, seconds / 4)
      && (self->is_cut = TRUE, !make_choice (self, candidates, FEW, seconds / 8)))
    (void)!make_choice (self, candidates, 1, INFINITY);
  if (!kvsql_interrupt_check (error))
    return NULL;
  return g_steal_pointer (&self);
}

KvsqlProblem *
kvsql_problem_new (KvsqlWorkload *workload, const KvsqlCostModel *model, gdouble seconds,
                   GError **error)
{
  return kvsql_problem_new_of (workload, model, kvsql_designs_make, seconds, error);
}

void
kvsql_problem_free (KvsqlProblem *self)
{
  if (self == NULL)
    return;
  kvsql_arena_free (self->arena);
  g_free (self);
}
