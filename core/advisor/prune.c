/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * prune.c: leaves out the designs that are never better than another one.
 *
 * A design is left out if another one costs no more, is no larger, and does all that it does at no
 * more cost: each read with it alone, each read with a lookup in any primary, and as the primary
 * itself. In any selection it can be replaced then. Of equal designs the first stays. Schemas that
 * exist stay in any case.
 */
#include "config.h"

#include "core/advisor/problem.h"
#include "core/base/interrupt.h"

#include <math.h>

/* What is known of a design. Statements are those of the relation, the first ones of their shape.
 */
typedef struct
{
  const KvsqlDesign *design;
  gdouble upkeep, size;
  gdouble *alone;      /* by read: without a lookup */
  gdouble *looked_up;  /* by read: with a lookup in a primary with the KEY as its row */
  gboolean *needs_old; /* by statement */
  guint64 targets;     /* the kinds of primaries that it can be looked up in, as bits */
  gboolean is_dominated;
} Profile;

typedef struct
{
  const KvsqlWorkload *workload;
  const KvsqlCostModel *model;
  guint relation;
  const KvsqlDesigns *designs;
  KvsqlArena *arena; /* of the profiles */
  guint *statements; /* indexes in the workload */
  guint n_statements;
  Profile *profiles;
  KvsqlAttributeSet *targets; /* the attributes of the rows of possible primaries */
  guint n_targets;
} Pruner;

static void
add_target (Pruner *self, const KvsqlDesign *design)
{
  for (guint i = 0; i < self->n_targets; i++)
    if (memcmp (&self->targets[i], &design->in_row, sizeof design->in_row) == 0)
      return;
  *KVSQL_ARENA_ADD (self->arena, self->targets, self->n_targets) = design->in_row;
}

static guint64
find_targets (const Pruner *self, const KvsqlDesign *design)
{
  guint64 bits = 0;

  for (guint i = 0; i < MIN (self->n_targets, 64); i++)
    if (kvsql_attribute_set_contains (&design->holds, &self->targets[i]))
      bits |= G_GUINT64_CONSTANT (1) << i;
  return bits;
}

static void
profile_statement (const Pruner *self, const KvsqlWorkloadStatement *statement, guint number,
                   Profile *out)
{
  const KvsqlDesign *primary = &self->designs->items[0];
  KvsqlUpkeep upkeep = { 0, FALSE };
  KvsqlRead read;

  out->alone[number] = out->looked_up[number] = 0;
  if (statement->shape.kind != KVSQL_STATEMENT_SELECT)
    upkeep = self->model->write (self->workload, statement, out->design);
  out->upkeep += statement->total * upkeep.cost;
  out->needs_old[number] = upkeep.needs_old && !kvsql_problem_finds (self->workload, statement);
  if (statement->shape.kind == KVSQL_STATEMENT_INSERT)
    return;
  read = kvsql_problem_make_read (self->workload, statement, NULL);
  out->alone[number] = self->model->read (&read, out->design, NULL, NULL, NULL);
  out->looked_up[number]
      = MIN (out->alone[number], self->model->read (&read, out->design, primary, NULL, NULL));
}

static const KvsqlWorkloadStatement *
get_statement (const Pruner *self, guint number)
{
  return &self->workload->statements[self->statements[number]];
}

static void
find_statements (Pruner *self)
{
  for (guint i = 0; i < self->workload->n_statements; i++)
    if (self->workload->statements[i].relation == self->relation
        && self->workload->statements[i].first == i)
      *KVSQL_ARENA_ADD (self->arena, self->statements, self->n_statements) = i;
}

static void
profile (const Pruner *self, const KvsqlDesign *design, Profile *out)
{
  guint n = self->n_statements;

  *out = (Profile){ .design = design, .targets = find_targets (self, design) };
  out->alone = kvsql_arena_array (self->arena, gdouble, n);
  out->looked_up = kvsql_arena_array (self->arena, gdouble, n);
  out->needs_old = kvsql_arena_array (self->arena, gboolean, n);
  out->size = self->model->size (self->workload, design);
  for (guint i = 0; i < n; i++)
    profile_statement (self, get_statement (self, i), i, out);
}

/* Whether @a serves as the source and target of lookups wherever @b does. */
static gboolean
serves_lookups (const KvsqlDesign *a, const KvsqlDesign *b)
{
  return !b->is_whole || (a->is_whole && kvsql_attribute_set_contains (&b->in_row, &a->in_row));
}

static gboolean
reads_as_well (const Pruner *self, const Profile *a, const Profile *b, guint i)
{
  if (a->alone[i] > b->alone[i] || a->looked_up[i] > b->looked_up[i])
    return FALSE;
  /* a lookup of @b in any primary is possible for @a, too, or @a needs none */
  return a->alone[i] <= b->looked_up[i]
         || (self->n_targets <= 64 && (b->targets & ~a->targets) == 0)
         || kvsql_attribute_set_contains (&a->design->holds, &b->design->holds);
}

static gboolean
needs_less (const Profile *a, const Profile *b, guint i)
{
  if (!a->needs_old[i])
    return TRUE;
  return b->needs_old[i] && kvsql_attribute_set_contains (&b->design->holds, &a->design->holds)
         && kvsql_attribute_set_contains (&b->design->in_row, &a->design->in_row);
}

static gboolean
dominates (const Pruner *self, const Profile *a, const Profile *b)
{
  if (a->upkeep > b->upkeep || a->size > b->size || !serves_lookups (a->design, b->design))
    return FALSE;
  for (guint i = 0; i < self->n_statements; i++)
    if (!reads_as_well (self, a, b, i) || !needs_less (a, b, i))
      return FALSE;
  return TRUE;
}

/* Dominated designs dominate nothing that their dominators do not, so the order does not matter. */
static void
mark (const Pruner *self, guint n)
{
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < i && kvsql_interrupt_tick (); j++)
      {
        Profile *a = &self->profiles[j], *b = &self->profiles[i];

        if (a->is_dominated || b->is_dominated)
          continue;
        if (b->design->given == NULL && dominates (self, a, b))
          b->is_dominated = TRUE;
        else if (a->design->given == NULL && dominates (self, b, a))
          a->is_dominated = TRUE;
      }
}

gboolean
kvsql_problem_prune (const KvsqlWorkload *workload, const KvsqlCostModel *model, guint relation,
                     const KvsqlDesigns *designs, KvsqlArena *arena, guint **out, guint *out_n,
                     GError **error)
{
  Pruner self = { .workload = workload, .model = model, .relation = relation, .designs = designs };

  g_autoptr (KvsqlArena) own = kvsql_arena_new ();
  guint n = 0;

  self.arena = own;
  find_statements (&self);
  self.profiles = kvsql_arena_array (own, Profile, designs->n);
  for (guint i = 0; i < designs->n; i++)
    if (designs->items[i].is_whole)
      add_target (&self, &designs->items[i]);
  for (; n < designs->n && (n == 0 || kvsql_interrupt_tick ()); n++)
    profile (&self, &designs->items[n], &self.profiles[n]);
  mark (&self, n);
  *out = kvsql_arena_array (arena, guint, n);
  *out_n = 0;
  for (guint i = 0; i < n; i++)
    if (!self.profiles[i].is_dominated)
      (*out)[(*out_n)++] = i;
  return kvsql_interrupt_check (error);
}
