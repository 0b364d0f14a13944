/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * printer-expression.c: canonical text of expressions, with as few parentheses as the parser needs.
 */
#include "config.h"

#include "core/sql/lexer.h"
#include "core/sql/parser-precedence.h"
#include "core/sql/printer-private.h"
#include "core/sql/printer.h"

static const struct
{
  const gchar *text;
  KvsqlPrecedence precedence;
} operators[] = {
  [KVSQL_OP_NONE] = { "", KVSQL_PRECEDENCE_PRIMARY },
  [KVSQL_OP_OR] = { "OR", KVSQL_PRECEDENCE_OR },
  [KVSQL_OP_AND] = { "AND", KVSQL_PRECEDENCE_AND },
  [KVSQL_OP_NOT] = { "NOT", KVSQL_PRECEDENCE_NOT },
  [KVSQL_OP_EQ] = { "=", KVSQL_PRECEDENCE_COMPARISON },
  [KVSQL_OP_NE] = { "<>", KVSQL_PRECEDENCE_COMPARISON },
  [KVSQL_OP_LT] = { "<", KVSQL_PRECEDENCE_COMPARISON },
  [KVSQL_OP_LE] = { "<=", KVSQL_PRECEDENCE_COMPARISON },
  [KVSQL_OP_GT] = { ">", KVSQL_PRECEDENCE_COMPARISON },
  [KVSQL_OP_GE] = { ">=", KVSQL_PRECEDENCE_COMPARISON },
  [KVSQL_OP_ADD] = { "+", KVSQL_PRECEDENCE_ADD },
  [KVSQL_OP_SUBTRACT] = { "-", KVSQL_PRECEDENCE_ADD },
  [KVSQL_OP_MULTIPLY] = { "*", KVSQL_PRECEDENCE_MULTIPLY },
  [KVSQL_OP_DIVIDE] = { "/", KVSQL_PRECEDENCE_MULTIPLY },
  [KVSQL_OP_MODULO] = { "%", KVSQL_PRECEDENCE_MULTIPLY },
  [KVSQL_OP_POWER] = { "^", KVSQL_PRECEDENCE_POWER },
  [KVSQL_OP_CONCATENATE] = { "||", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_JSON_GET] = { "->", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_JSON_GET_TEXT] = { "->>", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_JSON_PATH] = { "#>", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_JSON_PATH_TEXT] = { "#>>", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_JSON_REMOVE] = { "#-", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_CONTAINS] = { "@>", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_CONTAINED] = { "<@", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_OVERLAPS] = { "&&", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_HAS_KEY] = { "?", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_HAS_ANY_KEY] = { "?|", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_HAS_ALL_KEYS] = { "?&", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_BIT_AND] = { "&", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_BIT_OR] = { "|", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_BIT_XOR] = { "#", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_SHIFT_LEFT] = { "<<", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_SHIFT_RIGHT] = { ">>", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_BIT_NOT] = { "~", KVSQL_PRECEDENCE_CONCATENATE },
  [KVSQL_OP_NEGATE] = { "-", KVSQL_PRECEDENCE_UNARY },
};

const gchar *
kvsql_operator_get_text (KvsqlOperator op)
{
  g_return_val_if_fail ((guint)op < G_N_ELEMENTS (operators), "?");
  return operators[op].text;
}

static gboolean
is_negative (const KvsqlValue *value)
{
  switch (value->type)
    {
    case KVSQL_TYPE_BIGINT:
      return value->integer < 0;
    case KVSQL_TYPE_DOUBLE:
      return value->real < 0 || (value->real == 0 && 1 / value->real < 0);
    case KVSQL_TYPE_DECIMAL:
      return value->bytes.size > 0 && value->bytes.data[0] == '-';
    default:
      return FALSE;
    }
}

static KvsqlPrecedence
precedence_of (const KvsqlAstExpr *expr)
{
  switch (expr->kind)
    {
    case KVSQL_AST_UNARY:
    case KVSQL_AST_BINARY:
      return operators[expr->op].precedence;
    case KVSQL_AST_IN:
    case KVSQL_AST_BETWEEN:
    case KVSQL_AST_LIKE:
    case KVSQL_AST_RLIKE:
      return expr->kind == KVSQL_AST_RLIKE && expr->is_caseless ? KVSQL_PRECEDENCE_CONCATENATE
                                                                : KVSQL_PRECEDENCE_RANGE;
    case KVSQL_AST_QUANTIFIED:
      return KVSQL_PRECEDENCE_COMPARISON;
    case KVSQL_AST_IS_NULL:
    case KVSQL_AST_IS_TRUTH:
    case KVSQL_AST_IS_DISTINCT:
      return KVSQL_PRECEDENCE_IS;
    case KVSQL_AST_LITERAL:
      return is_negative (&expr->value) ? KVSQL_PRECEDENCE_UNARY : KVSQL_PRECEDENCE_PRIMARY;
    default:
      return KVSQL_PRECEDENCE_PRIMARY;
    }
}

/* With parentheses if its precedence is below @minimum. */
static void
print_operand (const KvsqlAstExpr *expr, KvsqlPrecedence minimum, GString *out)
{
  gboolean needs_parentheses = precedence_of (expr) < minimum;

  if (needs_parentheses)
    g_string_append_c (out, '(');
  kvsql_print_expression (expr, out);
  if (needs_parentheses)
    g_string_append_c (out, ')');
}

/* Puts parentheses around the text from @start on if it begins with a name that is @word: there the
 * parser would take it for the keyword. */
static void
protect_word (GString *out, gsize start, const gchar *word)
{
  gsize size = strlen (word);

  if (g_ascii_strncasecmp (out->str + start, word, size) != 0
      || g_ascii_isalnum (out->str[start + size]) || out->str[start + size] == '_')
    return;
  g_string_insert_c (out, start, '(');
  g_string_append_c (out, ')');
}

void
kvsql_print_expressions (KvsqlAstExpr *const *exprs, guint n, GString *out)
{
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append (out, ", ");
      kvsql_print_expression (exprs[i], out);
    }
}

static void
print_unary (const KvsqlAstExpr *expr, GString *out)
{
  gsize start;

  if (expr->op == KVSQL_OP_NOT)
    {
      g_string_append (out, "NOT ");
      print_operand (expr->children[0], KVSQL_PRECEDENCE_NOT, out);
      return;
    }
  g_string_append (out, operators[expr->op].text);
  start = out->len;
  print_operand (expr->children[0],
                 expr->op == KVSQL_OP_BIT_NOT ? KVSQL_PRECEDENCE_CONCATENATE + 1
                                              : KVSQL_PRECEDENCE_UNARY,
                 out);
  /* -5 would be parsed as a literal, -- begins a comment, and ~~ is LIKE */
  if (g_ascii_isdigit (out->str[start]) || strchr ("-~", out->str[start]) != NULL)
    {
      g_string_insert_c (out, start, '(');
      g_string_append_c (out, ')');
    }
}

static void
print_binary (const KvsqlAstExpr *expr, GString *out)
{
  KvsqlPrecedence own = operators[expr->op].precedence;
  gboolean is_chain = expr->op == KVSQL_OP_AND || expr->op == KVSQL_OP_OR;
  gboolean is_comparison = own == KVSQL_PRECEDENCE_COMPARISON;
  gsize start;

  print_operand (expr->children[0], is_comparison ? own + 1 : own, out);
  g_string_append_printf (out, " %s ", operators[expr->op].text);
  start = out->len;
  print_operand (expr->children[1], is_chain ? own : own + 1, out);
  if (is_comparison)
    {
      protect_word (out, start, "any");
      protect_word (out, start, "some");
    }
}

/* IN, BETWEEN, LIKE, RLIKE */
static void
print_predicate (const KvsqlAstExpr *expr, const gchar *keyword, const gchar *second_keyword,
                 GString *out)
{
  KvsqlPrecedence above = KVSQL_PRECEDENCE_RANGE + 1;
  gsize start;

  print_operand (expr->children[0], above, out);
  g_string_append_printf (out, "%s %s ", expr->is_negated ? " NOT" : "", keyword);
  start = out->len;
  print_operand (expr->children[1], above, out);
  if (expr->kind == KVSQL_AST_BETWEEN)
    protect_word (out, start, "symmetric");
  if (expr->n_children > 2)
    {
      g_string_append_printf (out, " %s ", second_keyword);
      print_operand (expr->children[2], above, out);
    }
}

static void
print_in (const KvsqlAstExpr *expr, GString *out)
{
  print_operand (expr->children[0], KVSQL_PRECEDENCE_RANGE + 1, out);
  g_string_append (out, expr->is_negated ? " NOT IN (" : " IN (");
  if (expr->subquery != NULL)
    kvsql_print_select (expr->subquery, out);
  else
    kvsql_print_expressions (expr->children + 1, expr->n_children - 1, out);
  g_string_append_c (out, ')');
}

/* ~* has no word. */
static void
print_caseless_match (const KvsqlAstExpr *expr, GString *out)
{
  print_operand (expr->children[0], KVSQL_PRECEDENCE_CONCATENATE, out);
  g_string_append (out, expr->is_negated ? " !~* " : " ~* ");
  print_operand (expr->children[1], KVSQL_PRECEDENCE_CONCATENATE + 1, out);
}

static void
print_is (const KvsqlAstExpr *expr, const gchar *what, GString *out)
{
  print_operand (expr->children[0], KVSQL_PRECEDENCE_IS, out);
  g_string_append_printf (out, " IS %s%s", expr->is_negated ? "NOT " : "", what);
  if (expr->n_children > 1)
    print_operand (expr->children[1], KVSQL_PRECEDENCE_IS + 1, out);
}

static const gchar *
truth_word (const KvsqlValue *value)
{
  return kvsql_value_is_null (value) ? "UNKNOWN" : value->boolean ? "TRUE" : "FALSE";
}

static void
print_quantified (const KvsqlAstExpr *expr, GString *out)
{
  print_operand (expr->children[0], KVSQL_PRECEDENCE_COMPARISON + 1, out);
  g_string_append_printf (out, " %s %s (", operators[expr->op].text, expr->is_all ? "ALL" : "ANY");
  if (expr->subquery != NULL)
    kvsql_print_select (expr->subquery, out);
  else
    kvsql_print_expression (expr->children[1], out);
  g_string_append_c (out, ')');
}

void
kvsql_print_groups (KvsqlAstExpr *const *elements, guint n, GString *out)
{
  for (guint i = 0; i < n; i++)
    {
      gsize start;

      g_string_append (out, i > 0 ? ", " : "");
      start = out->len;
      kvsql_print_expression (elements[i], out);
      if (elements[i]->kind == KVSQL_AST_GROUPING)
        continue;
      protect_word (out, start, "ROLLUP");
      protect_word (out, start, "CUBE");
    }
}

static void
print_grouping (const KvsqlAstExpr *expr, GString *out)
{
  static const gchar *const words[] = { "(", "ROLLUP (", "CUBE (", "GROUPING SETS (" };

  g_string_append (out, words[expr->grouping]);
  kvsql_print_groups (expr->children, expr->n_children, out);
  g_string_append_c (out, ')');
}

static void
print_list (const KvsqlAstExpr *expr, const gchar *start, gchar end, GString *out)
{
  g_string_append (out, start);
  kvsql_print_expressions (expr->children, expr->n_children, out);
  g_string_append_c (out, end);
}

/* @word: before the parentheses */
static void
print_subquery (const KvsqlAstExpr *expr, const gchar *word, GString *out)
{
  g_string_append_printf (out, "%s(", word);
  kvsql_print_select (expr->subquery, out);
  g_string_append_c (out, ')');
}

/* TRIM (LEADING c FROM s), if it was written so, to keep the order of positional parameters. */
static gboolean
print_trim (const KvsqlAstExpr *expr, GString *out)
{
  static const gchar *const functions[][2]
      = { { "trim", "BOTH" }, { "ltrim", "LEADING" }, { "rtrim", "TRAILING" } };

  if (expr->name.is_quoted || expr->name.is_double_quoted || expr->n_order > 0 || expr->has_filter
      || expr->n_children != 2 || expr->children[1]->span.offset >= expr->children[0]->span.offset)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (g_ascii_strcasecmp (expr->name.text, functions[i][0]) == 0)
      {
        g_string_append_printf (out, "%s(%s ", i == 0 ? expr->name.text : "TRIM", functions[i][1]);
        kvsql_print_expression (expr->children[1], out);
        g_string_append (out, " FROM ");
        kvsql_print_expression (expr->children[0], out);
        g_string_append_c (out, ')');
        return TRUE;
      }
  return FALSE;
}

/* @first: the first child that is of ORDER BY */
static void
print_call_order (const KvsqlAstExpr *expr, guint first, const gchar *before, GString *out)
{
  static const gchar *const nulls[] = {
    [KVSQL_NULLS_DEFAULT] = "",
    [KVSQL_NULLS_FIRST] = " NULLS FIRST",
    [KVSQL_NULLS_LAST] = " NULLS LAST",
  };
  g_string_append_printf (out, "%sORDER BY ", before);
  for (guint i = 0; i < expr->n_order; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      kvsql_print_expression (expr->children[first + i], out);
      g_string_append (out, expr->order[i].is_descending ? " DESC" : "");
      g_string_append (out, nulls[expr->order[i].nulls]);
    }
}

/* @offset: of a bound that has one */
static void
print_bound (KvsqlFrameBound bound, KvsqlAstExpr *const *offset, GString *out)
{
  static const gchar *const words[] = {
    [KVSQL_BOUND_FIRST] = "UNBOUNDED PRECEDING", [KVSQL_BOUND_PRECEDING] = " PRECEDING",
    [KVSQL_BOUND_CURRENT] = "CURRENT ROW",       [KVSQL_BOUND_FOLLOWING] = " FOLLOWING",
    [KVSQL_BOUND_LAST] = "UNBOUNDED FOLLOWING",
  };
  gsize start = out->len;

  if (kvsql_frame_bound_has_offset (bound))
    {
      print_operand (*offset, KVSQL_PRECEDENCE_RANGE + 1, out);
      protect_word (out, start, "unbounded");
      protect_word (out, start, "current");
    }
  g_string_append (out, words[bound]);
}

static void
print_frame (const KvsqlAstExpr *expr, GString *out)
{
  static const gchar *const modes[] = {
    [KVSQL_FRAME_RANGE] = "RANGE", [KVSQL_FRAME_ROWS] = "ROWS", [KVSQL_FRAME_GROUPS] = "GROUPS"
  };
  static const gchar *const exclusions[] = { [KVSQL_EXCLUDE_NOTHING] = "",
                                             [KVSQL_EXCLUDE_ROW] = " EXCLUDE CURRENT ROW",
                                             [KVSQL_EXCLUDE_GROUP] = " EXCLUDE GROUP",
                                             [KVSQL_EXCLUDE_TIES] = " EXCLUDE TIES" };
  const KvsqlAstWindow *window = expr->window;
  KvsqlAstExpr **offset = expr->children + window->n_partition + expr->n_order;

  g_string_append_printf (out, "%s BETWEEN ", modes[window->mode]);
  print_bound (window->start, offset, out);
  offset += kvsql_frame_bound_has_offset (window->start);
  g_string_append (out, " AND ");
  print_bound (window->end, offset, out);
  g_string_append (out, exclusions[window->exclusion]);
}

void
kvsql_print_window (const KvsqlAstExpr *expr, GString *out)
{
  const KvsqlAstWindow *window = expr->window;
  const gchar *space = "";

  g_string_append_c (out, '(');
  if (window->base.text != NULL)
    {
      kvsql_print_name (&window->base, out);
      space = " ";
    }
  else if (window->n_partition > 0)
    {
      g_string_append (out, "PARTITION BY ");
      kvsql_print_expressions (expr->children, window->n_partition, out);
      space = " ";
    }
  if (expr->n_order > 0 && !window->has_copied_order)
    {
      print_call_order (expr, window->n_partition, space, out);
      space = " ";
    }
  if (window->has_frame)
    {
      g_string_append (out, space);
      print_frame (expr, out);
    }
  g_string_append_c (out, ')');
}

static void
print_over (const KvsqlAstExpr *window, GString *out)
{
  g_string_append (out, " OVER ");
  if (window->window->name.text != NULL)
    kvsql_print_name (&window->window->name, out);
  else
    kvsql_print_window (window, out);
}

static void
print_function (const KvsqlAstExpr *expr, GString *out)
{
  guint n_arguments = kvsql_ast_get_n_arguments (expr);
  KvsqlKeyword keyword = expr->name.is_quoted || expr->name.is_double_quoted
                             ? KVSQL_KEYWORD_NONE
                             : kvsql_keyword_find (expr->name.text, strlen (expr->name.text));

  /* CURRENT_TIMESTAMP and the like are the only calls whose name is a reserved word */
  if (kvsql_keyword_is_reserved (keyword))
    {
      g_string_append (out, expr->name.text);
      return;
    }
  if (print_trim (expr, out))
    return;
  kvsql_print_name (&expr->name, out);
  g_string_append (out, expr->is_star ? "(*" : expr->is_distinct ? "(DISTINCT " : "(");
  for (guint i = 0; i < n_arguments; i++)
    {
      g_string_append (out, i == 0 ? "" : ", ");
      /* position(a IN (1), b) would be parsed as the standard's POSITION (a IN …) */
      print_operand (expr->children[i],
                     i == 0 && keyword == KVSQL_KEYWORD_POSITION ? KVSQL_PRECEDENCE_RANGE + 1
                                                                 : KVSQL_PRECEDENCE_LOWEST,
                     out);
    }
  if (expr->n_order > 0 && !expr->is_within_group)
    print_call_order (expr, n_arguments, n_arguments > 0 || expr->is_star ? " " : "", out);
  g_string_append_c (out, ')');
  if (expr->is_within_group)
    {
      print_call_order (expr, n_arguments, " WITHIN GROUP (", out);
      g_string_append_c (out, ')');
    }
  if (expr->has_filter)
    {
      g_string_append (out, " FILTER (WHERE ");
      kvsql_print_expression (kvsql_ast_get_filter (expr), out);
      g_string_append_c (out, ')');
    }
  if (expr->has_over)
    print_over (kvsql_ast_get_window (expr), out);
}

static void
print_case (const KvsqlAstExpr *expr, GString *out)
{
  guint i = 0, end = expr->n_children - expr->has_else;

  g_string_append (out, "CASE");
  if (expr->has_operand)
    {
      g_string_append_c (out, ' ');
      kvsql_print_expression (expr->children[i++], out);
    }
  for (; i + 1 < end; i += 2)
    {
      g_string_append (out, " WHEN ");
      kvsql_print_expression (expr->children[i], out);
      g_string_append (out, " THEN ");
      kvsql_print_expression (expr->children[i + 1], out);
    }
  if (expr->has_else)
    {
      g_string_append (out, " ELSE ");
      kvsql_print_expression (expr->children[i], out);
    }
  g_string_append (out, " END");
}

static void
print_cast (const KvsqlAstExpr *expr, GString *out)
{
  g_string_append (out, "CAST(");
  kvsql_print_expression (expr->children[0], out);
  g_string_append (out, " AS ");
  kvsql_print_type (&expr->cast_type, out);
  g_string_append_c (out, ')');
}

static void
print_subscript (const KvsqlAstExpr *expr, GString *out)
{
  gsize start = out->len;

  print_operand (expr->children[0], KVSQL_PRECEDENCE_PRIMARY, out);
  if (expr->children[0]->kind == KVSQL_AST_NAME)
    protect_word (out, start, "array");
  g_string_append_c (out, '[');
  kvsql_print_expression (expr->children[1], out);
  g_string_append_c (out, ']');
}

void
kvsql_print_expression (const KvsqlAstExpr *expr, GString *out)
{
  switch (expr->kind)
    {
    case KVSQL_AST_LITERAL:
      kvsql_print_value (&expr->value, out);
      break;
    case KVSQL_AST_PARAMETER:
      if (expr->name.text == NULL)
        g_string_append_c (out, '?');
      else if (g_str_has_prefix (expr->name.text, KVSQL_AST_NUMBERED))
        g_string_append (out, expr->name.text);
      else
        g_string_append_printf (out, ":%s", expr->name.text);
      break;
    case KVSQL_AST_NAME:
    case KVSQL_AST_OUTER:
      if (expr->qualifier.text != NULL)
        {
          kvsql_print_name (&expr->qualifier, out);
          g_string_append_c (out, '.');
        }
      kvsql_print_name (&expr->name, out);
      break;
    case KVSQL_AST_UNARY:
      print_unary (expr, out);
      break;
    case KVSQL_AST_BINARY:
      print_binary (expr, out);
      break;
    case KVSQL_AST_IN:
      print_in (expr, out);
      break;
    case KVSQL_AST_WINDOW:
      kvsql_print_window (expr, out);
      break;
    case KVSQL_AST_EXISTS:
      print_subquery (expr, "EXISTS ", out);
      break;
    case KVSQL_AST_SUBQUERY:
      print_subquery (expr, "", out);
      break;
    case KVSQL_AST_BETWEEN:
      print_predicate (expr, expr->is_symmetric ? "BETWEEN SYMMETRIC" : "BETWEEN", "AND", out);
      break;
    case KVSQL_AST_LIKE:
      print_predicate (expr, expr->is_caseless ? "ILIKE" : "LIKE", "ESCAPE", out);
      break;
    case KVSQL_AST_RLIKE:
      if (expr->is_caseless)
        print_caseless_match (expr, out);
      else
        print_predicate (expr, "RLIKE", NULL, out);
      break;
    case KVSQL_AST_IS_NULL:
      print_is (expr, "NULL", out);
      break;
    case KVSQL_AST_IS_TRUTH:
      print_is (expr, truth_word (&expr->value), out);
      break;
    case KVSQL_AST_IS_DISTINCT:
      print_is (expr, "DISTINCT FROM ", out);
      break;
    case KVSQL_AST_QUANTIFIED:
      print_quantified (expr, out);
      break;
    case KVSQL_AST_ARRAY:
      print_list (expr, "ARRAY[", ']', out);
      break;
    case KVSQL_AST_ROW:
      print_list (expr, expr->n_children > 1 ? "(" : "ROW(", ')', out);
      break;
    case KVSQL_AST_GROUPING:
      print_grouping (expr, out);
      break;
    case KVSQL_AST_FUNCTION:
      print_function (expr, out);
      break;
    case KVSQL_AST_CAST:
      print_cast (expr, out);
      break;
    case KVSQL_AST_CASE:
      print_case (expr, out);
      break;
    case KVSQL_AST_SUBSCRIPT:
      print_subscript (expr, out);
      break;
    }
}
