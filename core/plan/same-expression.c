/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * same-expression.c: compares AST expressions node by node.
 */
#include "config.h"

#include "core/plan/same-expression.h"

#include "core/base/interrupt.h"
#include "core/sql/printer.h"
#include "core/sql/visit.h"

static gboolean
is_same_name (const KvsqlAstExpr *a, const KvsqlAstExpr *b, const KvsqlBinder *binder)
{
  guint x, y;

  return kvsql_binder_find_attribute (binder, a, &x, NULL)
         && kvsql_binder_find_attribute (binder, b, &y, NULL) && x == y;
}

static gboolean
is_same_frame (const KvsqlAstWindow *a, const KvsqlAstWindow *b)
{
  return a->n_partition == b->n_partition && a->mode == b->mode && a->start == b->start
         && a->end == b->end && a->exclusion == b->exclusion;
}

/* ---- subqueries */

static void
add_parameter (KvsqlAstExpr *expr, gpointer numbers)
{
  if (expr->kind == KVSQL_AST_PARAMETER || expr->kind == KVSQL_AST_OUTER)
    g_array_append_val ((GArray *)numbers, expr->parameter);
}

/* The text does not show which parameter a "?" is. */
static GArray *
list_parameters (const KvsqlSelect *select)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  const KvsqlAstVisitor visitor = { .expr = add_parameter, .data = numbers };

  kvsql_select_visit ((KvsqlSelect *)select, &visitor);
  return numbers;
}

static GString *
print_query (const KvsqlSelect *select)
{
  const KvsqlAstExpr query = { .kind = KVSQL_AST_SUBQUERY, .subquery = (KvsqlSelect *)select };
  GString *text = g_string_new (NULL);

  kvsql_print_expression (&query, text);
  return text;
}

static gboolean
is_same_subquery (const KvsqlSelect *a, const KvsqlSelect *b)
{
  g_autoptr (GArray) x = NULL, y = NULL;
  g_autoptr (GString) text = NULL, other = NULL;

  if (a == NULL || b == NULL || a == b)
    return a == b;
  text = print_query (a);
  other = print_query (b);
  if (!g_string_equal (text, other))
    return FALSE;
  x = list_parameters (a);
  y = list_parameters (b);
  return x->len == y->len
         && (x->len == 0 || memcmp (x->data, y->data, x->len * sizeof (guint)) == 0)
         && kvsql_interrupt_tick ();
}

/* ---- expressions */

gboolean
kvsql_group_is_same (const KvsqlAstExpr *a, const KvsqlAstExpr *b, const KvsqlBinder *binder)
{
  if (a == b)
    return TRUE;
  if (a->kind != b->kind || a->op != b->op || a->is_negated != b->is_negated
      || a->is_star != b->is_star || a->is_distinct != b->is_distinct
      || a->has_operand != b->has_operand || a->has_else != b->has_else
      || a->is_caseless != b->is_caseless || a->is_symmetric != b->is_symmetric
      || a->is_all != b->is_all || a->n_order != b->n_order || a->has_filter != b->has_filter
      || a->is_within_group != b->is_within_group || a->has_over != b->has_over
      || a->n_children != b->n_children || !is_same_subquery (a->subquery, b->subquery))
    return FALSE;
  if (a->kind == KVSQL_AST_WINDOW && !is_same_frame (a->window, b->window))
    return FALSE;
  for (guint i = 0; i < a->n_order; i++)
    if (a->order[i].is_descending != b->order[i].is_descending
        || a->order[i].nulls != b->order[i].nulls)
      return FALSE;
  if (a->kind == KVSQL_AST_NAME)
    return is_same_name (a, b, binder);
  if (a->kind == KVSQL_AST_PARAMETER || a->kind == KVSQL_AST_OUTER)
    return a->parameter == b->parameter;
  if ((a->kind == KVSQL_AST_LITERAL || a->kind == KVSQL_AST_IS_TRUTH)
      && (a->value.type != b->value.type || !kvsql_value_equal (&a->value, &b->value)))
    return FALSE;
  if (a->kind == KVSQL_AST_FUNCTION && g_ascii_strcasecmp (a->name.text, b->name.text) != 0)
    return FALSE;
  if (a->kind == KVSQL_AST_CAST && g_ascii_strcasecmp (a->cast_type.text, b->cast_type.text) != 0)
    return FALSE;
  for (guint i = 0; i < a->n_children && kvsql_interrupt_tick (); i++)
    if (!kvsql_group_is_same (a->children[i], b->children[i], binder))
      return FALSE;
  return TRUE;
}
