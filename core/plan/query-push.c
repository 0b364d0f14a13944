/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * query-push.c: see the header.
 *
 * A query takes a condition on columns that are attributes of what it reads. Before GROUP BY these
 * are its groups, if all grouping sets have them, and before DISTINCT all of its columns, so a
 * condition may move below both. It
 * must not move below LIMIT, OFFSET, windows and DISTINCT ON. A set operation hands it on to its
 * operands: a row is in the result because of equal rows of the operands. A condition that can fail
 * stays, since it is computed only for rows that satisfy the others.
 */
#include "config.h"

#include "core/plan/query-push.h"

#include "core/base/interrupt.h"
#include "core/plan/predicate-private.h"

typedef struct
{
  KvsqlPredicate *predicate;
  KvsqlAttributeSet columns;
  gboolean is_taken; /* no check is left */
} Condition;

typedef struct
{
  Condition *all;
  guint n;
} Conditions;

static void
add (Conditions *self, KvsqlPredicate *predicate, KvsqlArena *arena)
{
  Condition *condition = KVSQL_ARENA_ADD (arena, self->all, self->n);

  *condition = (Condition){ predicate, kvsql_predicate_get_columns (predicate), FALSE };
}

/* Whether the item is NULL in some grouping sets, where a tuple has a value. */
static gboolean
is_in_some_sets (const KvsqlSelectPlan *query, guint item)
{
  const KvsqlExpr *output = query->outputs == NULL ? NULL : query->outputs[item];

  for (guint s = 0; query->groups != NULL && s < query->groups->n_sets && kvsql_interrupt_tick ();
       s++)
    if (output->kind != KVSQL_EXPR_COLUMN || !query->groups->sets[s].has[output->column])
      return TRUE;
  return FALSE;
}

/* A column for each item that is an attribute; else NULL. */
static KvsqlExpr **
map_items (const KvsqlSelectPlan *query, KvsqlArena *arena)
{
  KvsqlExpr **columns = kvsql_arena_array (arena, KvsqlExpr *, query->n_items);

  for (guint i = 0; i < query->n_items; i++)
    {
      guint a = query->items[i];
      const KvsqlAttribute *attribute = &query->relation->attributes[a];

      columns[i]
          = a == KVSQL_NO_ATTRIBUTE || is_in_some_sets (query, i)
                ? NULL
                : kvsql_expr_column (arena, a, attribute->type, attribute->name, KVSQL_SPAN_NONE);
    }
  return columns;
}

static gboolean
is_mapped (const KvsqlAttributeSet *used, KvsqlExpr *const *columns)
{
  for (gint c = kvsql_attribute_set_next (used, -1); c >= 0; c = kvsql_attribute_set_next (used, c))
    if (columns[c] == NULL)
      return FALSE;
  return TRUE;
}

static void take (KvsqlSelectPlan *self, Conditions *conditions, KvsqlArena *arena);

/* A column that is converted has another type in the operand. */
static void
give_to_operands (KvsqlSetPlan *set, Conditions *conditions, KvsqlArena *arena)
{
  for (guint c = 0; c < conditions->n; c++)
    conditions->all[c].is_taken = TRUE;
  for (guint i = 0; i < set->n_operands && kvsql_interrupt_tick (); i++)
    {
      KvsqlSetOperand *operand = &set->operands[i];
      Conditions own = { 0 };

      for (guint c = 0; c < conditions->n && kvsql_interrupt_tick (); c++)
        add (&own, conditions->all[c].predicate, arena);
      if (!operand->is_converted)
        take (operand->plan, &own, arena);
      for (guint c = 0; c < own.n; c++)
        conditions->all[c].is_taken = conditions->all[c].is_taken && own.all[c].is_taken;
    }
}

static void
add_to_where (KvsqlSelectPlan *self, Conditions *conditions, KvsqlArena *arena)
{
  KvsqlPredicate **all = kvsql_arena_array (arena, KvsqlPredicate *, conditions->n);

  for (guint c = 0; c < conditions->n; c++)
    {
      all[c] = conditions->all[c].predicate;
      kvsql_predicate_collect (all[c], &self->needed);
      conditions->all[c].is_taken = TRUE;
    }
  if (conditions->n > 0)
    self->predicate = kvsql_predicate_and (
        self->predicate, kvsql_predicate_unite (all, conditions->n, arena), arena);
}

/* Notes which conditions the query has taken over. Where it has not, parts of it may have, so that
 * the condition has to be checked, too. */
static void
take (KvsqlSelectPlan *self, Conditions *conditions, KvsqlArena *arena)
{
  Conditions inner = { 0 };
  KvsqlExpr **columns;
  guint n = 0;

  if (self->limit != KVSQL_NO_LIMIT || self->offset > 0 || self->is_fenced || self->windows != NULL
      || self->n_distinct_on > 0)
    return;
  columns = map_items (self, arena);
  for (guint c = 0; c < conditions->n && kvsql_interrupt_tick (); c++)
    if (is_mapped (&conditions->all[c].columns, columns))
      add (&inner, kvsql_predicate_replace_columns (conditions->all[c].predicate, columns, arena),
           arena);
  if (self->set != NULL && !kvsql_select_plan_is_derived (self))
    give_to_operands (self->set, &inner, arena);
  else
    add_to_where (self, &inner, arena);
  for (guint c = 0; c < conditions->n && kvsql_interrupt_tick (); c++)
    if (is_mapped (&conditions->all[c].columns, columns) && n < inner.n)
      conditions->all[c].is_taken = inner.all[n++].is_taken;
}

/* ---- all conditions */

/* The conjuncts that may move, and those that are left. */
static void
divide (const KvsqlPredicate *condition, Conditions *moving, Conditions *left, KvsqlArena *arena)
{
  gboolean is_and = condition->kind == KVSQL_PREDICATE_AND;

  if (!kvsql_interrupt_tick ())
    return;
  for (guint i = 0; is_and && i < condition->n_children; i++)
    divide (condition->children[i], moving, left, arena);
  if (!is_and && (condition->kind != KVSQL_PREDICATE_CONSTANT || !condition->truth))
    add (condition->can_fail || condition->kind == KVSQL_PREDICATE_CONSTANT ? left : moving,
         (KvsqlPredicate *)condition, arena);
}

const KvsqlPredicate *
kvsql_query_push (KvsqlSetPlan *set, const KvsqlPredicate *condition, const KvsqlBinder *binder)
{
  Conditions moving = { 0 }, left = { 0 };
  KvsqlArena *arena = binder->arena;
  KvsqlPredicate **all;

  if (condition == NULL)
    return NULL;
  divide (condition, &moving, &left, arena);
  take (set->operands[0].plan, &moving, arena);
  for (guint c = 0; c < moving.n; c++)
    if (!moving.all[c].is_taken)
      add (&left, moving.all[c].predicate, arena);
  if (left.n == 0)
    return kvsql_predicate_new_constant (binder, TRUE, condition->span);
  all = kvsql_arena_array (arena, KvsqlPredicate *, left.n);
  for (guint c = 0; c < left.n; c++)
    all[c] = left.all[c].predicate;
  return kvsql_predicate_unite (all, left.n, arena);
}
