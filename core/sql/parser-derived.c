/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-derived.c: derived tables: queries in FROM.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/sql/parser-private.h"

/* Whether a query in parentheses goes on at @token, or ends there. */
static gboolean
is_within_query (const KvsqlToken *token)
{
  switch (token->keyword)
    {
    case KVSQL_KEYWORD_UNION:
    case KVSQL_KEYWORD_INTERSECT:
    case KVSQL_KEYWORD_EXCEPT:
    case KVSQL_KEYWORD_ORDER:
    case KVSQL_KEYWORD_LIMIT:
    case KVSQL_KEYWORD_OFFSET:
    case KVSQL_KEYWORD_WITH:
      return TRUE;
    default:
      return token->symbol == ')';
    }
}

/* Whether a query goes on after the end of each of the parentheses that are opened here, but for
 * the first @n_outer. */
static gboolean
encloses_query (const KvsqlParser *self, guint n_outer)
{
  KvsqlLexer lexer = self->lexer;
  KvsqlToken token = self->token;
  guint depth, n_open;

  for (depth = 0; token.symbol == '('; depth++)
    token = kvsql_lexer_next (&lexer, NULL);
  for (n_open = depth; n_open > n_outer && kvsql_interrupt_tick ();)
    {
      if (token.kind == KVSQL_TOKEN_END || token.kind == KVSQL_TOKEN_ERROR)
        return TRUE; /* it has an error in any case */
      depth += token.symbol == '(' ? 1 : 0;
      depth -= token.symbol == ')' ? 1 : 0;
      token = kvsql_lexer_next (&lexer, NULL);
      if (depth >= n_open)
        continue;
      n_open = depth;
      if (!is_within_query (&token))
        return FALSE;
    }
  return TRUE;
}

/* "((SELECT …) UNION SELECT …)" is a query, "((SELECT …) AS x JOIN r …)" a join, "((SELECT …) + 1)"
 * an expression: what follows the end of each of the first parentheses decides. */
gboolean
kvsql_parser_at_derived (const KvsqlParser *self)
{
  return kvsql_parser_at_symbol (self, '(') && kvsql_parser_at_query (self)
         && encloses_query (self, 1);
}

gboolean
kvsql_parser_at_enclosed_query (const KvsqlParser *self)
{
  return kvsql_parser_at_query (self)
         && (!kvsql_parser_at_symbol (self, '(') || encloses_query (self, 0));
}

gboolean
kvsql_parser_columns (KvsqlParser *self, KvsqlSource *out, GError **error)
{
  if (!kvsql_parser_accept_symbol (self, '('))
    return TRUE;
  do
    if (!kvsql_parser_check_items (self, "an alias", out->n_columns, error)
        || !kvsql_parser_name (self, "the name of a column",
                               KVSQL_PARSER_ADD (self, out->columns, out->n_columns), error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  return kvsql_parser_expect_symbol (self, ')', error);
}

static gboolean
parse_name (KvsqlParser *self, KvsqlSource *out, KvsqlSpan span, GError **error)
{
  if (!kvsql_parser_alias (self, &out->relation, error))
    return FALSE;
  if (out->relation.text != NULL)
    return kvsql_parser_columns (self, out, error);
  kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span, "a query in FROM must have an alias");
  return kvsql_error_hint (error, "Write FROM (SELECT …) AS x.");
}

/* ---- functions */

gboolean
kvsql_parser_at_table_function (const KvsqlParser *self)
{
  return kvsql_parser_at_name (self) && kvsql_parser_peek (self).symbol == '(';
}

/* A relation may be called so. */
gboolean
kvsql_parser_at_lateral (const KvsqlParser *self)
{
  KvsqlLexer lexer = self->lexer;
  KvsqlToken next;

  if (!kvsql_parser_at_word (self, "LATERAL"))
    return FALSE;
  next = kvsql_lexer_next (&lexer, NULL);
  return next.symbol == '('
         || ((next.kind == KVSQL_TOKEN_WORD || next.kind == KVSQL_TOKEN_QUOTED_NAME)
             && kvsql_lexer_next (&lexer, NULL).symbol == '(');
}

static gboolean
parse_arguments (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  KvsqlAstExpr **row = NULL;

  kvsql_parser_advance (self);
  do
    {
      KvsqlAstExpr *expr;

      if (!kvsql_parser_check_items (self, "a function", out->n_values, error))
        return FALSE;
      expr = kvsql_parser_expression (self, error);
      if (expr == NULL)
        return FALSE;
      *KVSQL_PARSER_ADD (self, row, out->n_values) = expr;
    }
  while (kvsql_parser_accept_symbol (self, ','));
  *KVSQL_PARSER_ADD (self, out->rows, out->n_rows) = row;
  return kvsql_parser_accept_symbol (self, ')')
         || kvsql_parser_fail_unexpected (self, "\",\" or \")\"", kvsql_parser_operator_words,
                                          error);
}

static gboolean
name_function (KvsqlParser *self, KvsqlSource *out, GError **error)
{
  KvsqlTableFunction *function = out->query->function;
  KvsqlName alias = { 0 };

  if (!kvsql_parser_alias (self, &alias, error))
    return FALSE;
  function->alias = out->relation = alias.text != NULL ? alias : function->name;
  return alias.text == NULL || kvsql_parser_columns (self, out, error);
}

gboolean
kvsql_parser_table_function (KvsqlParser *self, KvsqlSource *out, GError **error)
{
  static const gchar *const words[] = { "ORDINALITY", NULL };
  KvsqlSelect *query = out->query = kvsql_arena_new0 (self->arena, KvsqlSelect);

  query->function = kvsql_arena_new0 (self->arena, KvsqlTableFunction);
  if (!kvsql_parser_enter (self, KVSQL_PARSER_LEVEL, error)
      || !kvsql_parser_name (self, "the name of a function", &query->function->name, error)
      || !parse_arguments (self, query, error))
    return FALSE;
  kvsql_parser_leave (self, KVSQL_PARSER_LEVEL);
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_WITH) && !kvsql_parser_at_with_verified (self)
      && !kvsql_parser_at_with_schema (self))
    {
      kvsql_parser_advance (self);
      if (!kvsql_parser_at_word (self, "ORDINALITY"))
        return kvsql_parser_fail_unexpected (self, "ORDINALITY", words, error);
      kvsql_parser_advance (self);
      query->function->has_ordinality = TRUE;
    }
  return name_function (self, out, error);
}

/* ---- queries */

gboolean
kvsql_parser_derived (KvsqlParser *self, KvsqlSource *out, GError **error)
{
  guint outer = self->tallest;
  gint32 start = self->token.span.offset;

  if (!kvsql_parser_enter (self, KVSQL_PARSER_LEVEL, error))
    return FALSE;
  kvsql_parser_advance (self);
  self->tallest = 0;
  out->query = kvsql_arena_new0 (self->arena, KvsqlSelect);
  if (!kvsql_parser_query (self, out->query, error)
      || !kvsql_parser_expect_symbol (self, ')', error))
    return FALSE;
  kvsql_parser_leave (self, KVSQL_PARSER_LEVEL);
  if (++self->tallest > KVSQL_MAX_DEPTH)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, kvsql_parser_span_from (self, start),
                            "query is nested more than %d levels deep", KVSQL_MAX_DEPTH);
  self->tallest = MAX (outer, self->tallest);
  return parse_name (self, out, kvsql_parser_span_from (self, start), error);
}
