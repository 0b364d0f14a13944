/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-semi.c: see the header.
 */
#include "config.h"

#include "core/plan/bind-semi.h"

#include "core/base/interrupt.h"
#include "core/expr/star.h"
#include "core/plan/bind-private.h"
#include "core/plan/group.h"

void
kvsql_join_tree_add (KvsqlJoinTree *self, KvsqlPredicate *predicate, KvsqlArena *arena)
{
  if (predicate->kind == KVSQL_PREDICATE_AND)
    for (guint i = 0; i < predicate->n_children; i++)
      kvsql_join_tree_add (self, predicate->children[i], arena);
  else if (predicate->kind != KVSQL_PREDICATE_CONSTANT || !predicate->truth)
    *KVSQL_ARENA_ADD (arena, self->conditions, self->n_conditions) = predicate;
}

/* ---- conditions about a statement around both sides */

gboolean
kvsql_semi_raise (KvsqlJoinTree *self, const KvsqlJoinTree *left, const KvsqlJoinTree *right,
                  KvsqlBoundSemi *raised, KvsqlArena *arena)
{
  KvsqlAttributeSet columns = left->columns;
  guint n = 0;

  kvsql_attribute_set_add_all (&columns, &right->columns);
  for (guint i = 0; i < self->n_conditions && kvsql_interrupt_tick (); i++)
    {
      KvsqlAttributeSet used = kvsql_predicate_get_columns (self->conditions[i]);

      if (kvsql_attribute_set_contains (&columns, &used))
        self->conditions[n++] = self->conditions[i];
      else
        *KVSQL_ARENA_ADD (arena, raised->conditions, raised->n) = self->conditions[i];
    }
  self->n_conditions = n;
  return TRUE;
}

gboolean
kvsql_semi_reject_outer (KvsqlSpan span, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, span,
                          "the condition of an outer join in a subquery cannot use attributes of "
                          "the statement around it")
         || kvsql_error_hint (error, "Use them in WHERE of the subquery.");
}

/* ---- IN */

/* A copy of @expr whose names mean the attributes of @scope, wherever it is bound. */
static KvsqlAstExpr *
resolve_names (const KvsqlBinder *scope, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlAstExpr *copy = kvsql_arena_copy (scope->arena, expr, sizeof *expr);
  guint attribute;

  if (expr->kind == KVSQL_AST_NAME)
    {
      if (!kvsql_binder_find_attribute (scope, expr, &attribute, error))
        return NULL;
      copy->column = attribute + 1;
      return copy;
    }
  copy->children = kvsql_arena_array (scope->arena, KvsqlAstExpr *, expr->n_children);
  for (guint i = 0; i < expr->n_children; i++)
    {
      copy->children[i] = resolve_names (scope, expr->children[i], error);
      if (copy->children[i] == NULL)
        return NULL;
    }
  return copy;
}

/* The only output of the subquery. */
static const KvsqlAstExpr *
find_output (const KvsqlBinder *inner, const KvsqlAstExpr *in, GError **error)
{
  const KvsqlSelectItem *item = &in->subquery->items[0];
  KvsqlStarColumn *columns = NULL;
  guint n = 0;
  KvsqlAstExpr *name;

  for (guint i = 0; i < in->subquery->n_items; i++)
    {
      const KvsqlSelectItem *one = &in->subquery->items[i];
      guint n_columns = 1;

      if (one->expr == NULL
          && !kvsql_star_expand (inner, &one->star_of, &columns, &n_columns, error))
        return NULL;
      n += n_columns;
    }
  if (n != 1)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, item->span,
                       "a subquery of IN gives one column, not %u", n);
      return NULL;
    }
  if (item->expr != NULL)
    return item->expr;
  name = kvsql_arena_new0 (inner->arena, KvsqlAstExpr);
  name->kind = KVSQL_AST_NAME;
  name->span = item->span;
  name->name.text = columns[0].name;
  name->column = columns[0].attribute + 1;
  return name;
}

static KvsqlPredicate *
bind_equality (const KvsqlBinder *binder, const KvsqlAstExpr *in, KvsqlAstExpr *left,
               KvsqlAstExpr *right, GError **error)
{
  KvsqlAstExpr *equal = kvsql_arena_new0 (binder->arena, KvsqlAstExpr);

  equal->kind = KVSQL_AST_BINARY;
  equal->op = KVSQL_OP_EQ;
  equal->span = in->span;
  equal->op_span = in->op_span;
  equal->children = kvsql_arena_array (binder->arena, KvsqlAstExpr *, 2);
  equal->children[0] = left;
  equal->children[1] = right;
  equal->n_children = 2;
  return kvsql_bind_predicate (binder, equal, error);
}

/* @condition OR @expr IS NULL */
static KvsqlPredicate *
or_null (const KvsqlBinder *binder, KvsqlPredicate *condition, KvsqlAstExpr *expr, GError **error)
{
  KvsqlAstExpr *is_null = kvsql_arena_new0 (binder->arena, KvsqlAstExpr);
  KvsqlPredicate *other;

  is_null->kind = KVSQL_AST_IS_NULL;
  is_null->span = expr->span;
  is_null->children = kvsql_arena_array (binder->arena, KvsqlAstExpr *, 1);
  is_null->children[0] = expr;
  is_null->n_children = 1;
  other = kvsql_bind_predicate (binder, is_null, error);
  return other == NULL ? NULL
                       : kvsql_predicate_new_pair (binder, KVSQL_PREDICATE_OR, condition, other,
                                                   condition->span);
}

/* x IN (SELECT y …): x = y. NOT IN is true if x = y is false for each row, so a row for which it is
 * NULL is a partner, too. */
static gboolean
bind_in (const KvsqlBinder *inner, const KvsqlJoin *join, KvsqlJoinTree *out, GError **error)
{
  const KvsqlAttribute *attributes = inner->relation->attributes;
  const KvsqlAstExpr *in = join->subquery, *output = find_output (inner, in, error);
  KvsqlAstExpr *left, *right;
  KvsqlPredicate *equal;

  if (output == NULL || (left = resolve_names (inner->outer, in->children[0], error)) == NULL
      || (right = resolve_names (inner, output, error)) == NULL)
    return FALSE;
  equal = bind_equality (inner, in, left, right, error);
  if (equal == NULL)
    return FALSE;
  if (join->kind == KVSQL_JOIN_ANTI
      && !(equal->kind == KVSQL_PREDICATE_ATTRIBUTES && attributes[equal->attribute].is_not_null
           && attributes[equal->other].is_not_null))
    {
      equal = or_null (inner, equal, left, error);
      equal = equal == NULL ? NULL : or_null (inner, equal, right, error);
      if (equal == NULL)
        return FALSE;
    }
  kvsql_join_tree_add (out, equal, inner->arena);
  return TRUE;
}

/* ---- the join */

/* Outputs of EXISTS are not computed, but their names have to exist. */
static gboolean
check_outputs (const KvsqlBinder *inner, const KvsqlAstExpr *exists, GError **error)
{
  for (guint i = 0; i < exists->subquery->n_items; i++)
    {
      const KvsqlSelectItem *item = &exists->subquery->items[i];
      KvsqlStarColumn *columns;
      guint n;

      if (item->expr == NULL ? !kvsql_star_expand (inner, &item->star_of, &columns, &n, error)
                             : kvsql_expr_bind (inner, item->expr, error) == NULL)
        return FALSE;
    }
  return TRUE;
}

static gboolean
bind_condition (const KvsqlBinder *inner, const KvsqlJoin *join, KvsqlJoinTree *out, GError **error)
{
  KvsqlPredicate *predicate;

  if (!kvsql_group_reject_aggregates (join->on, "WHERE", error))
    return FALSE;
  predicate = kvsql_bind_predicate (inner, join->on, error);
  if (predicate == NULL)
    return FALSE;
  kvsql_join_tree_add (out, predicate, inner->arena);
  return join->subquery->kind == KVSQL_AST_IN ? bind_in (inner, join, out, error)
                                              : check_outputs (inner, join->subquery, error);
}

gboolean
kvsql_semi_bind (const KvsqlBinder *inner, const KvsqlJoin *join, KvsqlJoinTree *left,
                 KvsqlJoinTree *right, KvsqlBoundSemi *raised, KvsqlJoinTree *out, GError **error)
{
  KvsqlBoundSemi waiting = *raised;

  if (!bind_condition (inner, join, out, error))
    return FALSE;
  out->children = kvsql_arena_array (inner->arena, KvsqlJoinTree *, 2);
  out->children[0] = left;
  out->children[1] = right;
  out->n_children = 2;
  out->columns = left->columns;
  for (guint i = 0; i < waiting.n; i++)
    *KVSQL_ARENA_ADD (inner->arena, out->conditions, out->n_conditions) = waiting.conditions[i];
  *raised = (KvsqlBoundSemi){ 0 };
  (void)kvsql_semi_raise (out, left, right, raised, inner->arena);
  out->kind = join->kind == KVSQL_JOIN_ANTI ? KVSQL_JOIN_TREE_ANTI : KVSQL_JOIN_TREE_SEMI;
  if (raised->n == 0)
    return TRUE;
  if (out->kind == KVSQL_JOIN_TREE_ANTI)
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, join->span,
                            "NOT EXISTS or NOT IN in a subquery cannot use attributes of a "
                            "statement around that subquery")
           || kvsql_error_hint (error, "It can use those of the subquery that it is in.");
  out->kind = KVSQL_JOIN_TREE_INNER;
  kvsql_attribute_set_add_all (&out->columns, &right->columns);
  return TRUE;
}
