/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * unnest.c: see the header.
 */
#include "config.h"

#include "core/plan/unnest.h"

#include "core/plan/group.h"

typedef struct
{
  KvsqlSelect *out;
  KvsqlArena *arena;
  guint n_scopes;
} Unnesting;

/* A conjunct that becomes a join. */
typedef struct
{
  const KvsqlAstExpr *expr; /* EXISTS or IN */
  gboolean is_negated;
} Subquery;

typedef struct
{
  Subquery *all;
  guint n;
} Subqueries;

static KvsqlJoin *add_joins (Unnesting *self, KvsqlJoin *left, const Subqueries *subqueries);

/* ---- conjuncts */

static gboolean
is_subquery (const KvsqlAstExpr *expr, Subquery *out)
{
  gboolean is_negated = FALSE;

  for (; expr->kind == KVSQL_AST_UNARY && expr->op == KVSQL_OP_NOT; expr = expr->children[0])
    is_negated = !is_negated;
  *out = (Subquery){ expr, is_negated != (expr->kind == KVSQL_AST_IN && expr->is_negated) };
  return expr->subquery != NULL && !expr->is_evaluated;
}

/* Without memory: most statements have none. */
static gboolean
has_subquery (const KvsqlAstExpr *expr)
{
  for (; expr != NULL && expr->kind == KVSQL_AST_BINARY && expr->op == KVSQL_OP_AND;
       expr = expr->children[0])
    if (has_subquery (expr->children[1]))
      return TRUE;
  while (expr != NULL && expr->kind == KVSQL_AST_UNARY && expr->op == KVSQL_OP_NOT)
    expr = expr->children[0];
  return expr != NULL && expr->subquery != NULL && !expr->is_evaluated;
}

/* The conjunction without the subqueries, which are added to @out; NULL: nothing is left. */
static KvsqlAstExpr *
cut_subqueries (KvsqlAstExpr *expr, Subqueries *out, KvsqlArena *arena)
{
  KvsqlAstExpr *left, *right, *copy;
  Subquery found;

  if (expr == NULL)
    return NULL;
  if (is_subquery (expr, &found))
    {
      *KVSQL_ARENA_ADD (arena, out->all, out->n) = found;
      return NULL;
    }
  if (expr->kind != KVSQL_AST_BINARY || expr->op != KVSQL_OP_AND)
    return expr;
  left = cut_subqueries (expr->children[0], out, arena);
  right = cut_subqueries (expr->children[1], out, arena);
  if (left == expr->children[0] && right == expr->children[1])
    return expr;
  if (left == NULL || right == NULL)
    return left == NULL ? right : left;
  copy = kvsql_arena_copy (arena, expr, sizeof *expr);
  copy->children = kvsql_arena_array (arena, KvsqlAstExpr *, 2);
  copy->children[0] = left;
  copy->children[1] = right;
  return copy;
}

/* ---- what a join cannot express */

static const KvsqlAstExpr *
find_aggregate (const KvsqlSelect *select)
{
  const KvsqlAstExpr *found = NULL;

  for (guint i = 0; i < select->n_items && found == NULL; i++)
    found = kvsql_group_find_aggregate (select->items[i].expr);
  return found;
}

static const KvsqlAstExpr *
find_window (const KvsqlSelect *select)
{
  const KvsqlAstExpr *found = NULL;

  for (guint i = 0; i < select->n_items && select->has_over && found == NULL; i++)
    found = kvsql_group_find_window (select->items[i].expr);
  return found;
}

/* One row is as good as all of them for EXISTS. */
static gboolean
is_limit_without_effect (const KvsqlAstExpr *expr)
{
  const KvsqlAstExpr *limit = expr->subquery->limit;

  return limit == NULL
         || (expr->kind == KVSQL_AST_EXISTS && limit->kind == KVSQL_AST_LITERAL
             && limit->value.type == KVSQL_TYPE_BIGINT && limit->value.integer > 0);
}

static gboolean
has_lateral (const KvsqlSelect *select)
{
  for (guint i = 0; i <= select->n_joined; i++)
    if (kvsql_source_is_lateral (kvsql_select_get_source (select, i)))
      return TRUE;
  return FALSE;
}

gboolean
kvsql_unnest_is_possible (const KvsqlAstExpr *expr, const KvsqlSelect *around)
{
  const KvsqlSelect *select = expr->subquery;

  return (expr->kind == KVSQL_AST_EXISTS
          || (expr->kind == KVSQL_AST_IN && expr->children[0]->kind != KVSQL_AST_ROW))
         && select->set == NULL && select->from.relation.text != NULL && select->n_group_by == 0
         && select->having == NULL && find_aggregate (select) == NULL
         && find_window (select) == NULL && select->n_distinct_on == 0 && !has_lateral (select)
         && is_limit_without_effect (expr) && select->offset == NULL && select->n_order_by == 0
         && (!select->is_verified || around->is_verified);
}

/* ---- joins */

/* A copy of a node of FROM, with the numbers of its relations from @first on. */
static KvsqlJoin *
copy_from (Unnesting *self, const KvsqlJoin *join, guint first)
{
  KvsqlJoin *copy = kvsql_arena_copy (self->arena, join, sizeof *join);
  Subqueries subqueries = { 0 };

  if (join->left == NULL)
    {
      copy->source += first;
      return copy;
    }
  copy->left = copy_from (self, join->left, first);
  copy->right = copy_from (self, join->right, first);
  if (join->kind == KVSQL_JOIN_INNER)
    copy->on = cut_subqueries (join->on, &subqueries, self->arena);
  return add_joins (self, copy, &subqueries);
}

static KvsqlJoin *
copy_whole_from (Unnesting *self, const KvsqlSelect *select, guint first)
{
  KvsqlJoin *leaf;

  if (select->join != NULL)
    return copy_from (self, select->join, first);
  leaf = kvsql_arena_new0 (self->arena, KvsqlJoin);
  leaf->source = first;
  return leaf;
}

/* Adds the relations of a subquery, which only its own conditions can name. */
static guint
add_sources (Unnesting *self, const KvsqlSelect *select)
{
  guint first = self->out->n_joined + 1;

  self->n_scopes++;
  for (guint i = 0; i <= select->n_joined; i++)
    {
      KvsqlSource *source = KVSQL_ARENA_ADD (self->arena, self->out->joined, self->out->n_joined);

      *source = *kvsql_select_get_source (select, i);
      source->scope = self->n_scopes;
    }
  return first;
}

static KvsqlJoin *
add_join (Unnesting *self, KvsqlJoin *left, const Subquery *subquery)
{
  const KvsqlSelect *select = subquery->expr->subquery;
  KvsqlJoin *join = kvsql_arena_new0 (self->arena, KvsqlJoin);
  Subqueries inner = { 0 };

  join->span = subquery->expr->span;
  join->kind = subquery->is_negated ? KVSQL_JOIN_ANTI : KVSQL_JOIN_SEMI;
  join->subquery = subquery->expr;
  join->left = left;
  join->on = cut_subqueries (select->where, &inner, self->arena);
  join->right = copy_whole_from (self, select, add_sources (self, select));
  join->right = add_joins (self, join->right, &inner);
  return join;
}

static KvsqlJoin *
add_joins (Unnesting *self, KvsqlJoin *left, const Subqueries *subqueries)
{
  for (guint i = 0; i < subqueries->n; i++)
    left = add_join (self, left, &subqueries->all[i]);
  return left;
}

static gboolean
join_has_subquery (const KvsqlJoin *join)
{
  return join != NULL && join->left != NULL
         && ((join->kind == KVSQL_JOIN_INNER && has_subquery (join->on))
             || join_has_subquery (join->left) || join_has_subquery (join->right));
}

const KvsqlSelect *
kvsql_select_unnest (const KvsqlSelect *select, KvsqlArena *arena)
{
  Unnesting self = { .arena = arena };
  Subqueries subqueries = { 0 };

  if (!has_subquery (select->where) && !join_has_subquery (select->join))
    return select;
  self.out = kvsql_arena_copy (arena, select, sizeof *select);
  self.out->where = cut_subqueries (select->where, &subqueries, arena);
  self.out->joined = NULL;
  self.out->n_joined = 0;
  for (guint i = 0; i < select->n_joined; i++)
    *KVSQL_ARENA_ADD (arena, self.out->joined, self.out->n_joined) = select->joined[i];
  self.out->join = copy_whole_from (&self, select, 0);
  self.out->join = add_joins (&self, self.out->join, &subqueries);
  return self.out;
}
