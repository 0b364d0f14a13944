/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * key-list.c: see the header.
 */
#include "config.h"

#include "core/plan/key-list.h"

#include "core/plan/find-relation.h"

guint
kvsql_key_list_select (const KvsqlCatalog *catalog, const KvsqlSource *from, KvsqlAstExpr *where,
                       KvsqlSpan span, KvsqlArena *arena, KvsqlSelect *out, GError **error)
{
  const KvsqlCatalogEntry *entry = kvsql_plan_find_relation (catalog, &from->relation, error);

  if (entry == NULL)
    return 0;
  *out = (KvsqlSelect){ .from = *from, .where = where };
  for (guint a = 0; a < entry->relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&entry->relation->keys, a))
      {
        KvsqlSelectItem *item = KVSQL_ARENA_ADD (arena, out->items, out->n_items);

        *item = (KvsqlSelectItem){ .expr = kvsql_arena_new0 (arena, KvsqlAstExpr), .span = span };
        item->expr->kind = KVSQL_AST_NAME;
        item->expr->span = span;
        item->expr->name = (KvsqlName){ span, entry->relation->attributes[a].name, TRUE, FALSE };
      }
  return out->n_items;
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

/* k1 = v1 AND k2 = v2 … */
static KvsqlAstExpr *
one_key (const KvsqlSelect *keys, KvsqlAstExpr *const *values, KvsqlSpan span, KvsqlArena *arena)
{
  KvsqlAstExpr *all = NULL;

  for (guint i = 0; i < keys->n_items; i++)
    all = kvsql_key_list_and (
        all, new_pair (KVSQL_OP_EQ, keys->items[i].expr, values[i], span, arena), arena);
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
