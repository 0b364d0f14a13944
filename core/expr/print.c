/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * print.c: expressions as SQL, for EXPLAIN.
 */
#include "config.h"

#include "core/expr/expr.h"
#include "core/base/interrupt.h"
#include "core/expr/subquery.h"
#include "core/sql/parser-precedence.h"
#include "core/sql/printer.h"

static KvsqlPrecedence
precedence_of_operator (const gchar *name, guint n_arguments)
{
  if (name[0] == '[')
    return KVSQL_PRECEDENCE_PRIMARY;
  if (n_arguments == 1)
    return name[0] == '~' ? KVSQL_PRECEDENCE_CONCATENATE : KVSQL_PRECEDENCE_UNARY;
  if (name[1] != '\0')
    return KVSQL_PRECEDENCE_CONCATENATE; /* ||, ->, @>, … */
  switch (name[0])
    {
    case '+':
    case '-':
      return KVSQL_PRECEDENCE_ADD;
    case '*':
    case '/':
    case '%':
      return KVSQL_PRECEDENCE_MULTIPLY;
    case '^':
      return KVSQL_PRECEDENCE_POWER;
    default:
      return KVSQL_PRECEDENCE_CONCATENATE;
    }
}

static KvsqlPrecedence
precedence_of (const KvsqlExpr *self)
{
  switch (self->kind)
    {
    case KVSQL_EXPR_CALL:
      if (g_ascii_isalpha (self->function->name[0]))
        return KVSQL_PRECEDENCE_PRIMARY;
      return precedence_of_operator (self->function->name, self->n_children);
    case KVSQL_EXPR_CAST:
      return self->is_implicit ? precedence_of (self->children[0]) : KVSQL_PRECEDENCE_PRIMARY;
    case KVSQL_EXPR_COMPARE:
    case KVSQL_EXPR_QUANTIFIED:
      return KVSQL_PRECEDENCE_COMPARISON;
    case KVSQL_EXPR_AND:
      return KVSQL_PRECEDENCE_AND;
    case KVSQL_EXPR_OR:
      return KVSQL_PRECEDENCE_OR;
    case KVSQL_EXPR_NOT:
      return KVSQL_PRECEDENCE_NOT;
    case KVSQL_EXPR_IS_NULL:
    case KVSQL_EXPR_DISTINCT:
      return KVSQL_PRECEDENCE_IS;
    case KVSQL_EXPR_IN:
    case KVSQL_EXPR_LIKE:
    case KVSQL_EXPR_RLIKE:
      return KVSQL_PRECEDENCE_RANGE;
    default:
      return KVSQL_PRECEDENCE_PRIMARY;
    }
}

static void
append_operand (const KvsqlExpr *self, KvsqlPrecedence minimum, GString *out)
{
  gboolean needs_parentheses = precedence_of (self) < minimum;

  if (needs_parentheses)
    g_string_append_c (out, '(');
  kvsql_expr_append_text (self, out);
  if (needs_parentheses)
    g_string_append_c (out, ')');
}

static void
append_list (KvsqlExpr *const *exprs, guint n, gchar end, GString *out)
{
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append (out, ", ");
      kvsql_expr_append_text (exprs[i], out);
    }
  g_string_append_c (out, end);
}

static void
append_infix (const KvsqlExpr *self, const gchar *word, GString *out)
{
  KvsqlPrecedence own = precedence_of (self);

  for (guint i = 0; i < self->n_children && kvsql_interrupt_tick (); i++)
    {
      if (i > 0)
        g_string_append_printf (out, " %s ", word);
      append_operand (self->children[i], own + (own >= KVSQL_PRECEDENCE_IS && i > 0), out);
    }
}

static void
append_call (const KvsqlExpr *self, GString *out)
{
  const gchar *name = self->function->name;

  if (g_ascii_isalpha (name[0]))
    {
      g_string_append_printf (out, "%s(", name);
      append_list (self->children, self->n_children, ')', out);
    }
  else if (name[0] == '[')
    {
      append_operand (self->children[0], KVSQL_PRECEDENCE_PRIMARY, out);
      g_string_append_c (out, '[');
      kvsql_expr_append_text (self->children[1], out);
      g_string_append_c (out, ']');
    }
  else if (self->n_children == 1)
    {
      g_string_append (out, name);
      append_operand (self->children[0], KVSQL_PRECEDENCE_PRIMARY, out);
    }
  else
    append_infix (self, name, out);
}

static void
append_case (const KvsqlExpr *self, GString *out)
{
  const KvsqlExpr *otherwise = self->children[self->n_children - 1];

  g_string_append (out, "CASE");
  for (guint i = 0; i + 1 < self->n_children && kvsql_interrupt_tick (); i += 2)
    {
      g_string_append (out, " WHEN ");
      kvsql_expr_append_text (self->children[i], out);
      g_string_append (out, " THEN ");
      kvsql_expr_append_text (self->children[i + 1], out);
    }
  if (!kvsql_expr_is_constant (otherwise) || !kvsql_value_is_null (&otherwise->value))
    {
      g_string_append (out, " ELSE ");
      kvsql_expr_append_text (otherwise, out);
    }
  g_string_append (out, " END");
}

static void
append_in (const KvsqlExpr *self, GString *out)
{
  append_operand (self->children[0], KVSQL_PRECEDENCE_RANGE + 1, out);
  g_string_append (out, self->is_negated ? " NOT IN (" : " IN (");
  for (guint i = 0; i < self->n_values && kvsql_interrupt_tick (); i++)
    {
      if (i > 0)
        g_string_append (out, ", ");
      kvsql_value_append_literal (&self->values[i], out);
    }
  g_string_append (out, !self->has_null ? ")" : self->n_values > 0 ? ", NULL)" : "NULL)");
}

/* LIKE, ILIKE, RLIKE */
static void
append_match (const KvsqlExpr *self, const gchar *word, GString *out)
{
  const KvsqlExpr *text = self->children[0];

  if (self->is_caseless && text->kind == KVSQL_EXPR_CALL) /* lower (text), which the binder added */
    text = text->children[0];

  append_operand (text, KVSQL_PRECEDENCE_RANGE + 1, out);
  g_string_append_printf (out, "%s %s ", self->is_negated ? " NOT" : "", word);
  append_operand (self->children[1], KVSQL_PRECEDENCE_RANGE + 1, out);
  if (self->n_children > 2)
    {
      g_string_append (out, " ESCAPE ");
      append_operand (self->children[2], KVSQL_PRECEDENCE_RANGE + 1, out);
    }
}

static void
append_distinct (const KvsqlExpr *self, GString *out)
{
  const KvsqlExpr *right = self->children[1];
  gboolean is_truth = kvsql_expr_is_constant (right) && right->value.type == KVSQL_TYPE_BOOLEAN;

  append_operand (self->children[0], KVSQL_PRECEDENCE_IS, out);
  if (is_truth)
    g_string_append_printf (out, " IS %s%s", self->is_negated ? "" : "NOT ",
                            right->value.boolean ? "TRUE" : "FALSE");
  else
    {
      g_string_append_printf (out, " IS %sDISTINCT FROM ", self->is_negated ? "NOT " : "");
      append_operand (right, KVSQL_PRECEDENCE_IS + 1, out);
    }
}

static void
append_quantified (const KvsqlExpr *self, GString *out)
{
  append_operand (self->children[0], KVSQL_PRECEDENCE_COMPARISON + 1, out);
  g_string_append_printf (out, " %s %s (", kvsql_operator_get_text (self->op),
                          self->is_all ? "ALL" : "ANY");
  kvsql_expr_append_text (self->children[1], out);
  g_string_append_c (out, ')');
}

static void
append_cast (const KvsqlExpr *self, GString *out)
{
  if (!self->is_implicit)
    g_string_append (out, "CAST(");
  kvsql_expr_append_text (self->children[0], out);
  if (!self->is_implicit)
    g_string_append_printf (out, " AS %s)", kvsql_type_get_name (self->type));
}

void
kvsql_expr_append_text (const KvsqlExpr *self, GString *out)
{
  switch (self->kind)
    {
    case KVSQL_EXPR_CONSTANT:
      kvsql_value_append_literal (&self->value, out);
      break;
    case KVSQL_EXPR_COLUMN:
      g_string_append (out, self->name);
      break;
    case KVSQL_EXPR_CALL:
      append_call (self, out);
      break;
    case KVSQL_EXPR_CAST:
      append_cast (self, out);
      break;
    case KVSQL_EXPR_COMPARE:
      append_infix (self, kvsql_operator_get_text (self->op), out);
      break;
    case KVSQL_EXPR_AND:
      append_infix (self, "AND", out);
      break;
    case KVSQL_EXPR_OR:
      append_infix (self, "OR", out);
      break;
    case KVSQL_EXPR_NOT:
      g_string_append (out, "NOT ");
      append_operand (self->children[0], KVSQL_PRECEDENCE_NOT, out);
      break;
    case KVSQL_EXPR_IS_NULL:
      append_operand (self->children[0], KVSQL_PRECEDENCE_IS, out);
      g_string_append (out, self->is_negated ? " IS NOT NULL" : " IS NULL");
      break;
    case KVSQL_EXPR_IN:
      append_in (self, out);
      break;
    case KVSQL_EXPR_LIKE:
      append_match (self, self->is_caseless ? "ILIKE" : "LIKE", out);
      break;
    case KVSQL_EXPR_RLIKE:
      append_match (self, "RLIKE", out);
      break;
    case KVSQL_EXPR_DISTINCT:
      append_distinct (self, out);
      break;
    case KVSQL_EXPR_QUANTIFIED:
      append_quantified (self, out);
      break;
    case KVSQL_EXPR_SUBQUERY:
      kvsql_print_expression (self->subquery->ast, out);
      break;
    case KVSQL_EXPR_LIST:
      g_string_append (out, "ARRAY[");
      append_list (self->children, self->n_children, ']', out);
      break;
    case KVSQL_EXPR_CASE:
      append_case (self, out);
      break;
    case KVSQL_EXPR_COALESCE:
      g_string_append (out, "coalesce(");
      append_list (self->children, self->n_children, ')', out);
      break;
    case KVSQL_EXPR_MINMAX:
      g_string_append (out, self->op == KVSQL_OP_GT ? "greatest(" : "least(");
      append_list (self->children, self->n_children, ')', out);
      break;
    }
}
