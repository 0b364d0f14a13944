/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * trial-answer.c: what of the answer to a statement has to be the same with all schemas.
 *
 * Rows have an order only as far as ORDER BY says: the values that it names are in the same order,
 * and rows that are equal in these may be exchanged. With LIMIT, other ones of them may be left
 * out, unless ORDER BY has the KEY.
 */
#include "config.h"

#include "core/advisor/trial-private.h"
#include "core/sql/printer.h"
#include "core/sql/visit.h"

/* ---- functions */

static void
look_at_call (KvsqlAstExpr *expr, gpointer data)
{
  static const gchar *const ordered[] = { "array_agg", "string_agg",      "json_agg",
                                          "jsonb_agg", "json_object_agg", "jsonb_object_agg" };
  KvsqlTrialEditor *self = data;

  if (expr->kind != KVSQL_AST_FUNCTION)
    return;
  self->out->is_computed = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (ordered); i++)
    if (expr->n_order == 0 && g_ascii_strcasecmp (expr->name.text, ordered[i]) == 0)
      self->varies = TRUE;
  if (expr->has_over)
    self->varies = TRUE;
}

/* ---- order */

/* Whether a name of ORDER BY is that of an item, and not of an attribute. */
static gboolean
is_alias (const KvsqlTrialEditor *self, const KvsqlAstExpr *order)
{
  const KvsqlSelect *select = &self->ast->select;

  for (guint i = 0; self->ast->kind == KVSQL_STATEMENT_SELECT && i < select->n_items; i++)
    if (order->qualifier.text == NULL && select->items[i].alias.text != NULL
        && g_ascii_strcasecmp (select->items[i].alias.text, order->name.text) == 0)
      return TRUE;
  return FALSE;
}

/* Whether ORDER BY has the KEY of each relation. */
static gboolean
is_total (const KvsqlTrialEditor *self, const KvsqlOrderItem *items, guint n)
{
  for (guint m = 0; m < self->scope.n_members; m++)
    {
      const KvsqlRelation *relation = kvsql_scope_get_relation (&self->scope, m)->relation;
      KvsqlAttributeSet named = { 0 };

      for (guint i = 0; i < n; i++)
        {
          const KvsqlAstExpr *expr = items[i].expr;
          KvsqlScopePlace place;

          if (expr->kind == KVSQL_AST_NAME && !is_alias (self, expr)
              && kvsql_scope_find (&self->scope, &expr->qualifier, &expr->name, &place, NULL)
              && place.member == m)
            kvsql_attribute_set_add (&named, place.attribute);
        }
      if (!kvsql_attribute_set_contains (&named, &relation->keys))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_same (const KvsqlTrialEditor *self, const KvsqlAstExpr *order, const KvsqlSelectItem *item)
{
  g_autoptr (GString) left = g_string_new (NULL), right = g_string_new (NULL);
  KvsqlScopePlace one, other;

  if (order->kind == KVSQL_AST_NAME && order->qualifier.text == NULL && item->alias.text != NULL)
    return g_ascii_strcasecmp (order->name.text, item->alias.text) == 0;
  if (order->kind == KVSQL_AST_NAME && item->expr->kind == KVSQL_AST_NAME)
    return kvsql_scope_find (&self->scope, &order->qualifier, &order->name, &one, NULL)
           && kvsql_scope_find (&self->scope, &item->expr->qualifier, &item->expr->name, &other,
                                NULL)
           && one.member == other.member && one.attribute == other.attribute;
  kvsql_print_expression (order, left);
  kvsql_print_expression (item->expr, right);
  return g_string_equal (left, right);
}

/* The column of an attribute in "*" of one relation. */
static gint
find_in_star (const KvsqlTrialEditor *self, const KvsqlAstExpr *order)
{
  const KvsqlRelation *relation = kvsql_scope_get_relation (&self->scope, 0)->relation;
  KvsqlScopePlace place;
  gint column = 0;

  if (self->scope.n_members > 1 || order->kind != KVSQL_AST_NAME
      || !kvsql_scope_find (&self->scope, &order->qualifier, &order->name, &place, NULL)
      || relation->attributes[place.attribute].is_hidden)
    return -1;
  for (guint a = 0; a < place.attribute; a++)
    column += relation->attributes[a].is_hidden ? 0 : 1;
  return column;
}

/* The column of the answer that an item of ORDER BY is; -1: none that is found. */
static gint
find_column (const KvsqlTrialEditor *self, const KvsqlAstExpr *order)
{
  const KvsqlSelect *select = &self->ast->select;

  if (order->kind == KVSQL_AST_LITERAL && order->value.type == KVSQL_TYPE_BIGINT)
    return (gint)order->value.integer - 1;
  for (guint i = 0; i < select->n_items; i++)
    if (select->items[i].expr == NULL)
      return i == 0 ? find_in_star (self, order) : -1;
    else if (is_same (self, order, &select->items[i]))
      return (gint)i;
  return -1;
}

/* The first items of ORDER BY that are columns: values of later ones have an order only among equal
 * ones of those before them. */
static void
find_order (KvsqlTrialEditor *self)
{
  const KvsqlSelect *select = &self->ast->select;

  for (guint i = 0; i < select->n_order_by; i++)
    {
      gint column = find_column (self, select->order_by[i].expr);

      if (column < 0)
        return;
      *KVSQL_ARENA_ADD (self->maker->arena, self->out->order, self->out->n_order) = (guint)column;
    }
}

/* ---- statements */

static gboolean
read_select (KvsqlTrialEditor *self)
{
  const KvsqlSelect *select = &self->ast->select;
  gboolean is_cut = select->limit != NULL || select->offset != NULL || select->n_distinct_on > 0;

  if (self->varies || (is_cut && !is_total (self, select->order_by, select->n_order_by)))
    self->out->answer = KVSQL_TRIAL_COUNT;
  if (!self->varies)
    find_order (self);
  return TRUE;
}

/* Which tuples are written must be clear. */
static gboolean
check_limit (KvsqlTrialEditor *self, const KvsqlAstExpr *limit, const KvsqlOrderItem *order,
             guint n_order)
{
  return limit == NULL || is_total (self, order, n_order)
         || kvsql_trial_refuse (self, "which tuples it writes is not clear, as its ORDER BY does "
                                      "not have the KEY");
}

gboolean
kvsql_trial_find_answer (KvsqlTrialEditor *self)
{
  KvsqlAstStatement *ast = self->ast;
  const KvsqlAstVisitor visitor = { .expr = look_at_call, .data = self };

  kvsql_statement_visit (ast, &visitor);
  if (ast->kind == KVSQL_STATEMENT_SELECT)
    return read_select (self);
  if (ast->kind == KVSQL_STATEMENT_UPDATE)
    return check_limit (self, ast->update.limit, ast->update.order_by, ast->update.n_order_by);
  if (ast->kind == KVSQL_STATEMENT_DELETE)
    return check_limit (self, ast->delete_.limit, ast->delete_.order_by, ast->delete_.n_order_by);
  return TRUE;
}
