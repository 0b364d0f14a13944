/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * map-keys.c: finds m['k'] in expressions.
 */
#include "config.h"

#include "core/expr/function.h"
#include "core/base/interrupt.h"
#include "core/plan/map-keys.h"

#define MAX_KEYS 64

KvsqlMapKeys *
kvsql_map_keys_new (const KvsqlRelation *relation, KvsqlArena *arena)
{
  for (guint a = 0; a < relation->n_attributes; a++)
    if (kvsql_type_is_map (relation->attributes[a].type))
      return kvsql_arena_array (arena, KvsqlMapKeys, relation->n_attributes);
  return NULL;
}

static gboolean
is_access (const KvsqlExpr *expr)
{
  return expr->kind == KVSQL_EXPR_CALL && expr->n_children == 2
         && g_str_equal (expr->function->name, "[]") && expr->children[0]->kind == KVSQL_EXPR_COLUMN
         && kvsql_type_is_map (expr->children[0]->type)
         && expr->children[1]->kind == KVSQL_EXPR_CONSTANT
         && expr->children[1]->value.type == KVSQL_TYPE_STRING;
}

static void
add_key (KvsqlMapKeys *self, KvsqlSlice key, KvsqlArena *arena)
{
  KvsqlSlice *keys;
  guint at = 0;

  while (at < self->n_keys && kvsql_slice_compare (self->keys[at], key) < 0)
    at++;
  if (at < self->n_keys && kvsql_slice_equal (self->keys[at], key))
    return;
  if (self->n_keys == MAX_KEYS)
    {
      self->is_whole = TRUE;
      return;
    }
  keys = kvsql_arena_array (arena, KvsqlSlice, self->n_keys + 1);
  for (guint i = 0; i < self->n_keys; i++)
    keys[i + (i >= at)] = self->keys[i];
  keys[at] = key;
  self->keys = keys;
  self->n_keys++;
}

void
kvsql_map_keys_add_expression (KvsqlMapKeys *self, const KvsqlExpr *expr, KvsqlArena *arena)
{
  if (self == NULL)
    return;
  if (is_access (expr))
    {
      add_key (&self[expr->children[0]->column], expr->children[1]->value.bytes, arena);
      return;
    }
  if (expr->kind == KVSQL_EXPR_COLUMN)
    self[expr->column].is_whole = TRUE;
  for (guint i = 0; i < expr->n_children && kvsql_interrupt_tick (); i++)
    kvsql_map_keys_add_expression (self, expr->children[i], arena);
}

static const KvsqlExpr *
without_casts (const KvsqlExpr *expr)
{
  while (expr->kind == KVSQL_EXPR_CAST)
    expr = expr->children[0];
  return expr;
}

/* A comparison that is true needs operands that are not NULL: notes an operand that is an entry. */
static void
note_strict (KvsqlMapKeys *self, const KvsqlExpr *expr)
{
  guint n_compared = expr->kind == KVSQL_EXPR_COMPARE ? 2 : 1;

  if (expr->kind != KVSQL_EXPR_COMPARE && expr->kind != KVSQL_EXPR_IN
      && expr->kind != KVSQL_EXPR_LIKE && expr->kind != KVSQL_EXPR_RLIKE
      && !(expr->kind == KVSQL_EXPR_IS_NULL && expr->is_negated))
    return;
  for (guint i = 0; i < MIN (n_compared, expr->n_children); i++)
    {
      const KvsqlExpr *compared = without_casts (expr->children[i]);
      if (is_access (compared))
        self[compared->children[0]->column].is_strict = TRUE;
    }
}

static void
add_looked_at (KvsqlMapKeys *self, const KvsqlPredicate *predicate, KvsqlArena *arena)
{
  if (predicate->kind == KVSQL_PREDICATE_EXPRESSION)
    kvsql_map_keys_add_expression (self, predicate->expr, arena);
  if (predicate->kind >= KVSQL_PREDICATE_COMPARE && predicate->kind <= KVSQL_PREDICATE_IS_NULL)
    self[predicate->attribute].is_whole = TRUE;
  if (predicate->kind == KVSQL_PREDICATE_ATTRIBUTES)
    self[predicate->other].is_whole = TRUE;
  for (guint i = 0; i < predicate->n_children && kvsql_interrupt_tick (); i++)
    add_looked_at (self, predicate->children[i], arena);
}

/* Notes entries in conditions that each result has to satisfy. */
static void
add_strict (KvsqlMapKeys *self, const KvsqlPredicate *predicate)
{
  if (predicate->kind == KVSQL_PREDICATE_EXPRESSION)
    note_strict (self, predicate->expr);
  for (guint i = 0; predicate->kind == KVSQL_PREDICATE_AND && i < predicate->n_children; i++)
    add_strict (self, predicate->children[i]);
}

void
kvsql_map_keys_add_predicate (KvsqlMapKeys *self, const KvsqlPredicate *predicate,
                              KvsqlArena *arena)
{
  if (self == NULL)
    return;
  add_looked_at (self, predicate, arena);
  add_strict (self, predicate);
}
