/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-group.c: GROUP BY, with ROLLUP, CUBE and GROUPING SETS.
 *
 * ROLLUP and CUBE are keywords before a parenthesis, and GROUPING before SETS; elsewhere, and in
 * back-quotes, they are names.
 */
#include "config.h"

#include "core/sql/parser-private.h"

static gboolean
at_form (KvsqlParser *self, KvsqlGroupingForm *out)
{
  KvsqlToken next = kvsql_parser_peek (self);

  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_GROUPING))
    *out = KVSQL_GROUPING_SETS;
  else
    *out = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_CUBE) ? KVSQL_GROUPING_CUBE
                                                              : KVSQL_GROUPING_ROLLUP;
  return *out == KVSQL_GROUPING_SETS
             ? next.keyword == KVSQL_KEYWORD_SETS
             : next.symbol == '('
                   && (*out == KVSQL_GROUPING_CUBE
                       || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ROLLUP));
}

static KvsqlAstExpr *parse_element (KvsqlParser *self, GError **error);

/* The list in parentheses. Only GROUPING SETS can have lists in its list. */
static gboolean
parse_elements (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  if (!kvsql_parser_expect_symbol (self, '(', error))
    return FALSE;
  do
    {
      KvsqlAstExpr *child = expr->grouping == KVSQL_GROUPING_SETS
                                ? parse_element (self, error)
                                : kvsql_parser_expression (self, error);

      if (child == NULL || !kvsql_parser_check_items (self, "GROUP BY", expr->n_children, error))
        return FALSE;
      kvsql_parser_expr_add (self, expr, child);
    }
  while (kvsql_parser_accept_symbol (self, ','));
  return kvsql_parser_accept_symbol (self, ')')
         || kvsql_parser_fail_unexpected (self, "\",\" or \")\"", kvsql_parser_operator_words,
                                          error);
}

static KvsqlAstExpr *
parse_form (KvsqlParser *self, KvsqlGroupingForm form, GError **error)
{
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_GROUPING, self->token.span.offset);

  expr->grouping = form;
  if (!kvsql_parser_enter (self, KVSQL_PARSER_LEVEL, error))
    return NULL;
  kvsql_parser_advance (self);
  if (form == KVSQL_GROUPING_SETS)
    kvsql_parser_advance (self);
  if (!parse_elements (self, expr, error))
    return NULL;
  kvsql_parser_leave (self, KVSQL_PARSER_LEVEL);
  return kvsql_parser_expr_finish (self, expr, error);
}

/* () */
static KvsqlAstExpr *
parse_empty (KvsqlParser *self, GError **error)
{
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_GROUPING, self->token.span.offset);

  expr->grouping = KVSQL_GROUPING_EMPTY;
  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
  return kvsql_parser_expr_finish (self, expr, error);
}

static KvsqlAstExpr *
parse_element (KvsqlParser *self, GError **error)
{
  KvsqlGroupingForm form;

  if (at_form (self, &form))
    return parse_form (self, form, error);
  if (kvsql_parser_at_symbol (self, '(') && kvsql_parser_peek (self).symbol == ')')
    return parse_empty (self, error);
  return kvsql_parser_expression (self, error);
}

gboolean
kvsql_parser_group_by (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_GROUP))
    return TRUE;
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_BY, error))
    return FALSE;
  out->is_group_distinct = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_DISTINCT);
  if (!out->is_group_distinct)
    kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ALL);
  do
    {
      KvsqlAstExpr *element = parse_element (self, error);

      if (element == NULL || !kvsql_parser_check_items (self, "GROUP BY", out->n_group_by, error))
        return FALSE;
      *KVSQL_PARSER_ADD (self, out->group_by, out->n_group_by) = element;
    }
  while (kvsql_parser_accept_symbol (self, ','));
  return TRUE;
}
