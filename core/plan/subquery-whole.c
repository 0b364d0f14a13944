/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery-whole.c: see the header.
 */
#include "config.h"

#include "core/plan/subquery-whole.h"

#include "core/base/interrupt.h"
#include "core/plan/group.h"

typedef struct
{
  const KvsqlSubquery *subquery;
  KvsqlArena *arena;
  KvsqlAstExpr **keys; /* of the subquery, by outer value */
  guint n_keys;
} Finding;

/* Whether it is "key = outer value", the first one with that value. */
static gboolean
take_key (Finding *self, const KvsqlAstExpr *expr)
{
  gboolean is_left;
  guint argument;

  if (expr->kind != KVSQL_AST_BINARY || expr->op != KVSQL_OP_EQ)
    return FALSE;
  is_left = expr->children[0]->kind == KVSQL_AST_OUTER;
  if (is_left == (expr->children[1]->kind == KVSQL_AST_OUTER))
    return FALSE;
  argument = expr->children[is_left ? 0 : 1]->parameter;
  if (self->keys[argument] != NULL || expr->children[is_left ? 1 : 0]->kind == KVSQL_AST_ROW)
    return FALSE;
  self->keys[argument] = expr->children[is_left ? 1 : 0];
  self->n_keys++;
  return TRUE;
}

/* The conjunction without these equalities; NULL: nothing is left. */
static KvsqlAstExpr *
cut_keys (Finding *self, KvsqlAstExpr *expr)
{
  KvsqlAstExpr *left, *right, *copy;

  if (expr == NULL || take_key (self, expr) || !kvsql_interrupt_tick ())
    return NULL;
  if (expr->kind != KVSQL_AST_BINARY || expr->op != KVSQL_OP_AND)
    return expr;
  left = cut_keys (self, expr->children[0]);
  right = cut_keys (self, expr->children[1]);
  if (left == NULL || right == NULL)
    return left == NULL ? right : left;
  copy = kvsql_arena_copy (self->arena, expr, sizeof *expr);
  copy->children = kvsql_arena_array (self->arena, KvsqlAstExpr *, 2);
  copy->children[0] = left;
  copy->children[1] = right;
  return copy;
}

static gboolean
has_aggregate (const KvsqlSelect *select)
{
  for (guint i = 0; i < select->n_items; i++)
    if (kvsql_group_find_aggregate (select->items[i].expr) != NULL)
      return TRUE;
  return FALSE;
}

/* Whether the rows for one list of values are those of the whole that have these values. */
static gboolean
is_divisible (const KvsqlSubquery *subquery)
{
  const KvsqlSelect *select = subquery->select;

  return select->set == NULL && !kvsql_grouping_sets_are_in (select)
         && select->from.relation.text != NULL && select->limit == NULL && select->offset == NULL
         && !select->has_over && select->n_distinct_on == 0
         && (select->having == NULL || select->n_group_by > 0)
         && (subquery->kind != KVSQL_SUBQUERY_EXISTS || select->n_group_by > 0
             || !has_aggregate (select));
}

static void
add_items (const Finding *self, KvsqlSelect *out)
{
  gboolean has_items = self->subquery->kind != KVSQL_SUBQUERY_EXISTS;
  KvsqlSelectItem *items
      = kvsql_arena_array (self->arena, KvsqlSelectItem, out->n_items + self->n_keys);
  guint n = 0;

  for (guint i = 0; has_items && i < out->n_items; i++)
    items[n++] = out->items[i];
  for (guint k = 0; k < self->n_keys; k++)
    items[n++] = (KvsqlSelectItem){ .span = self->keys[k]->span,
                                    .expr = self->keys[k],
                                    .alias = { .text = "key", .is_quoted = TRUE } };
  out->items = items;
  out->n_items = n;
}

static void
add_groups (const Finding *self, KvsqlSelect *out)
{
  KvsqlAstExpr **groups
      = kvsql_arena_array (self->arena, KvsqlAstExpr *, out->n_group_by + self->n_keys);

  for (guint i = 0; i < out->n_group_by; i++)
    groups[i] = out->group_by[i];
  for (guint k = 0; k < self->n_keys; k++)
    groups[out->n_group_by + k] = self->keys[k];
  out->group_by = groups;
  out->n_group_by += self->n_keys;
}

/* SELECT … WHERE FALSE */
static KvsqlSelect *
without_rows (const KvsqlSelect *select, KvsqlArena *arena)
{
  KvsqlSelect *self = kvsql_arena_copy (arena, select, sizeof *select);

  self->where = kvsql_arena_new0 (arena, KvsqlAstExpr);
  self->where->kind = KVSQL_AST_LITERAL;
  self->where->span = KVSQL_SPAN_NONE;
  self->where->value = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = FALSE };
  return self;
}

KvsqlSubqueryWhole *
kvsql_subquery_whole_new (const KvsqlSubquery *subquery, guint n_outer, KvsqlArena *arena)
{
  const KvsqlSelect *select = subquery->select;
  Finding finding = { .subquery = subquery, .arena = arena };
  gboolean is_aggregate;
  KvsqlSubqueryWhole *self;
  KvsqlAstExpr *where;
  KvsqlSelect *out;

  if (subquery->n_arguments == 0 || n_outer != subquery->n_arguments || !is_divisible (subquery))
    return NULL;
  finding.keys = kvsql_arena_array (arena, KvsqlAstExpr *, subquery->n_arguments);
  where = cut_keys (&finding, select->where);
  if (finding.n_keys != subquery->n_arguments) /* names are used in other places, too */
    return NULL;
  is_aggregate = select->n_group_by == 0 && has_aggregate (select);
  self = kvsql_arena_new0 (arena, KvsqlSubqueryWhole);
  self->select = out = kvsql_arena_copy (arena, select, sizeof *select);
  out->where = where;
  out->order_by = NULL;
  out->n_order_by = 0;
  if (is_aggregate || select->n_group_by > 0)
    add_groups (&finding, out);
  else
    out->is_distinct = out->is_distinct || subquery->kind == KVSQL_SUBQUERY_EXISTS
                       || subquery->kind == KVSQL_SUBQUERY_COMPARE;
  add_items (&finding, out);
  if (is_aggregate)
    self->no_rows = without_rows (select, arena);
  return self;
}
