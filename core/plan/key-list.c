/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * key-list.c: see the header.
 */
#include "config.h"

#include "core/plan/key-list.h"

#include "core/schema/relation.h"

static void
add_item (KvsqlSelect *out, const KvsqlAttribute *attribute, KvsqlSpan span, KvsqlArena *arena)
{
  KvsqlSelectItem *item = KVSQL_ARENA_ADD (arena, out->items, out->n_items);

  *item = (KvsqlSelectItem){ .expr = kvsql_arena_new0 (arena, KvsqlAstExpr), .span = span };
  item->expr->kind = KVSQL_AST_NAME;
  item->expr->span = span;
  item->expr->name = (KvsqlName){ span, attribute->name, TRUE, FALSE };
}

void
kvsql_key_list_select (const KvsqlRelation *relation, const KvsqlSource *from, KvsqlAstExpr *where,
                       const KvsqlAttributeSet *used, KvsqlSpan span, KvsqlArena *arena,
                       KvsqlSelect *out)
{
  *out = (KvsqlSelect){ .from = *from, .where = where };
  for (guint a = 0; a < relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&relation->keys, a))
      add_item (out, &relation->attributes[a], span, arena);
  for (guint a = 0; a < relation->n_attributes; a++)
    if (kvsql_attribute_set_has (used, a) && !kvsql_attribute_set_has (&relation->keys, a)
        && !kvsql_type_is_collection (relation->attributes[a].type)
        && !kvsql_type_is_json (relation->attributes[a].type))
      add_item (out, &relation->attributes[a], span, arena);
}

/* ---- the condition */

static KvsqlAstExpr *
new_pair (KvsqlOperator op, KvsqlAstExpr *left, KvsqlAstExpr *right, KvsqlSpan span,
          KvsqlArena *arena)
{
  KvsqlAstExpr *expr = kvsql_arena_new0 (arena, KvsqlAstExpr);

  expr->kind = KVSQL_AST_BINARY;
  expr->op = op;
  expr->span = expr->op_span = span;
  expr->children = kvsql_arena_array (arena, KvsqlAstExpr *, 2);
  expr->children[0] = left;
  expr->children[1] = right;
  expr->n_children = 2;
  return expr;
}

KvsqlAstExpr *
kvsql_key_list_and (KvsqlAstExpr *a, KvsqlAstExpr *b, KvsqlArena *arena)
{
  return a == NULL ? b : new_pair (KVSQL_OP_AND, a, b, b->span, arena);
}

static KvsqlAstExpr *
is_value (KvsqlAstExpr *name, KvsqlAstExpr *value, KvsqlSpan span, KvsqlArena *arena)
{
  KvsqlAstExpr *is_null;

  if (value->kind != KVSQL_AST_LITERAL || value->value.type != KVSQL_TYPE_NULL)
    return new_pair (KVSQL_OP_EQ, name, value, span, arena);
  is_null = new_pair (KVSQL_OP_NONE, name, NULL, span, arena);
  is_null->kind = KVSQL_AST_IS_NULL;
  is_null->n_children = 1;
  return is_null;
}

/* k = v AND a IS NULL … */
static KvsqlAstExpr *
one_key (const KvsqlSelect *keys, KvsqlAstExpr *const *values, KvsqlSpan span, KvsqlArena *arena)
{
  KvsqlAstExpr *all = NULL;

  for (guint i = 0; i < keys->n_items; i++)
    all = kvsql_key_list_and (all, is_value (keys->items[i].expr, values[i], span, arena), arena);
  return all;
}

/* A balanced tree, so that its height is small. */
static KvsqlAstExpr *
any_of_keys (const KvsqlSelect *keys, KvsqlAstExpr *const *values, guint n, KvsqlSpan span,
             KvsqlArena *arena)
{
  guint half = n / 2;

  if (n == 1)
    return one_key (keys, values, span, arena);
  return new_pair (KVSQL_OP_OR, any_of_keys (keys, values, half, span, arena),
                   any_of_keys (keys, values + (gsize)half * keys->n_items, n - half, span, arena),
                   span, arena);
}

KvsqlAstExpr *
kvsql_key_list_condition (const KvsqlSelect *keys, const GPtrArray *values, KvsqlSpan span,
                          KvsqlArena *arena)
{
  KvsqlAstExpr *list = kvsql_arena_new0 (arena, KvsqlAstExpr);

  list->span = list->op_span = span;
  if (values->len == 0)
    {
      list->kind = KVSQL_AST_LITERAL;
      list->value = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = FALSE };
      return list;
    }
  if (keys->n_items > 1)
    return any_of_keys (keys, (KvsqlAstExpr *const *)values->pdata, values->len / keys->n_items,
                        span, arena);
  list->kind = KVSQL_AST_IN;
  list->n_children = values->len + 1;
  list->children = kvsql_arena_array (arena, KvsqlAstExpr *, list->n_children);
  list->children[0] = keys->items[0].expr;
  memcpy (list->children + 1, values->pdata, values->len * sizeof (gpointer));
  return list;
}
