/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-query.c: SELECT, INSERT and DELETE.
 */
#include "config.h"

#include "core/sql/parser-private.h"

/* Operators first: what may follow an expression; the clauses of SELECT in their order. */
static const gchar *const select_words[]
    = { "AND",   "OR",     "NOT",   "IS",    "IN",     "BETWEEN", "LIKE", "RLIKE", "USING", "WHERE",
        "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "ESCAPE",  "ASC",  "DESC",  NULL };
static const gchar *const delete_words[]
    = { "AND",   "OR",    "NOT",   "IS",     "IN",  "BETWEEN", "LIKE", "RLIKE",
        "WHERE", "ORDER", "LIMIT", "ESCAPE", "ASC", "DESC",    NULL };

static gboolean
parse_expressions (KvsqlParser *self, KvsqlAstExpr ***out, guint *n, GError **error)
{
  do
    {
      KvsqlAstExpr *expr = kvsql_parser_expression (self, error);
      if (expr == NULL)
        return FALSE;
      *KVSQL_PARSER_ADD (self, *out, *n) = expr;
    }
  while (kvsql_parser_accept_symbol (self, ','));
  return TRUE;
}

/* KEYWORD expression, if the token is the keyword. */
static gboolean
parse_clause (KvsqlParser *self, KvsqlKeyword keyword, KvsqlAstExpr **out, GError **error)
{
  if (!kvsql_parser_accept_keyword (self, keyword))
    return TRUE;
  *out = kvsql_parser_expression (self, error);
  return *out != NULL;
}

static gboolean
parse_order_by (KvsqlParser *self, KvsqlOrderItem **out, guint *n, GError **error)
{
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ORDER))
    return TRUE;
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_BY, error))
    return FALSE;
  do
    {
      KvsqlOrderItem *item = KVSQL_PARSER_ADD (self, *out, *n);
      item->expr = kvsql_parser_expression (self, error);
      if (item->expr == NULL)
        return FALSE;
      item->is_descending = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_DESC);
      if (!item->is_descending)
        kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ASC);
    }
  while (kvsql_parser_accept_symbol (self, ','));
  return TRUE;
}

/* A word that is no keyword, nor was meant to be one. */
static gboolean
at_alias (const KvsqlParser *self)
{
  return self->token.kind == KVSQL_TOKEN_WORD && self->token.keyword == KVSQL_KEYWORD_NONE
         && kvsql_parser_suggest (self, &self->token, select_words) == NULL
         && !kvsql_parser_is_unsupported_clause (self, NULL) && !kvsql_parser_at_word (self, "SET");
}

/* The one relation of a statement. */
static gboolean
parse_relation (KvsqlParser *self, KvsqlName *out, GError **error)
{
  if (kvsql_parser_at_symbol (self, '('))
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span,
                       "subqueries are not supported");
      return kvsql_error_hint (error, "FROM takes the name of one relation.");
    }
  if (!kvsql_parser_name (self, "the name of a relation", out, error))
    return FALSE;
  if (kvsql_parser_at_symbol (self, ','))
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span, "joins are not supported");
      return kvsql_error_hint (error,
                               "A statement reads one relation: SELECT from each by itself.");
    }
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_AS) || at_alias (self))
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span,
                       "a relation cannot have an alias");
      return kvsql_error_hint (error, "A statement reads one relation: its attributes are written "
                                      "without the relation's name.");
    }
  return TRUE;
}

/* ---- SELECT */

/* A clause that comes too late or again. FALSE, with an error, if the token begins one. */
static gboolean
check_clause_order (KvsqlParser *self, GError **error)
{
  static const KvsqlKeyword clauses[]
      = { KVSQL_KEYWORD_USING, KVSQL_KEYWORD_WHERE, KVSQL_KEYWORD_GROUP, KVSQL_KEYWORD_HAVING,
          KVSQL_KEYWORD_ORDER, KVSQL_KEYWORD_LIMIT, KVSQL_KEYWORD_OFFSET };

  for (guint i = 0; i < G_N_ELEMENTS (clauses); i++)
    if (kvsql_parser_at_keyword (self, clauses[i]))
      {
        kvsql_parser_unexpected (self, NULL, NULL, error);
        return kvsql_error_hint (error,
                                 "%s is given twice, or too late: the order is USING SCHEMA, "
                                 "WHERE, GROUP BY, HAVING, ORDER BY, LIMIT, OFFSET.",
                                 kvsql_keyword_get_text (clauses[i]));
      }
  return TRUE;
}

/* An alias may be called `left`, but in SELECT count(*) OVER (…) it is no alias. */
static gboolean
at_unsupported_clause (const KvsqlParser *self)
{
  KvsqlToken next;

  if (!kvsql_parser_is_unsupported_clause (self, NULL))
    return FALSE;
  next = kvsql_parser_peek (self);
  return next.symbol != ',' && next.keyword != KVSQL_KEYWORD_FROM;
}

/* @alias_token: set to the token of an alias without AS */
static gboolean
parse_item (KvsqlParser *self, KvsqlSelectItem *out, KvsqlToken *alias_token, GError **error)
{
  gint32 start = self->token.span.offset;

  alias_token->kind = KVSQL_TOKEN_END;
  if (!kvsql_parser_accept_symbol (self, '*'))
    {
      out->expr = kvsql_parser_expression (self, error);
      if (out->expr == NULL)
        return FALSE;
      if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_AS))
        {
          if (!kvsql_parser_name (self, "an alias", &out->alias, error))
            return FALSE;
        }
      else if (kvsql_parser_at_name (self) && !at_unsupported_clause (self))
        {
          *alias_token = self->token;
          out->alias = kvsql_parser_take_word (self);
        }
    }
  out->span = kvsql_parser_span_from (self, start);
  return TRUE;
}

static gboolean
parse_items (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  static const gchar *const from[] = { "FROM", NULL };
  static const gchar *const words[]
      = { "FROM", "AS", "AND", "OR", "IS", "IN", "BETWEEN", "LIKE", "RLIKE", NULL };
  KvsqlToken alias;

  if (kvsql_parser_at_word (self, "TOP") && kvsql_parser_peek (self).kind == KVSQL_TOKEN_INTEGER)
    return !kvsql_parser_is_unsupported_clause (self, error);
  do
    {
      if (out->n_items > 0 && kvsql_parser_at_keyword (self, KVSQL_KEYWORD_FROM))
        {
          kvsql_parser_unexpected (self, "an expression", NULL, error);
          return kvsql_error_hint (error, "Remove the comma before FROM.");
        }
      if (!parse_item (self, KVSQL_PARSER_ADD (self, out->items, out->n_items), &alias, error))
        return FALSE;
    }
  while (kvsql_parser_accept_symbol (self, ','));
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_FROM))
    return TRUE;
  /* SELECT a FORM r: the misspelt FROM went by as an alias */
  if (self->token.kind != KVSQL_TOKEN_ERROR && kvsql_parser_suggest (self, &alias, from) != NULL)
    return kvsql_parser_unexpected_at (self, &alias, "FROM", from, error);
  return kvsql_parser_unexpected (self, "\",\" or FROM", words, error);
}

static gboolean
parse_using_schema (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  return !kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_USING)
         || (kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_SCHEMA, error)
             && kvsql_parser_name (self, "the name of a schema", &out->using_schema, error));
}

static gboolean
parse_group_by (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  return !kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_GROUP)
         || (kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_BY, error)
             && parse_expressions (self, &out->group_by, &out->n_group_by, error));
}

/* LIMIT and OFFSET, either first, as in PostgreSQL. */
static gboolean
parse_limit (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  gboolean is_offset_first = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_OFFSET);

  if (!parse_clause (self, KVSQL_KEYWORD_OFFSET, &out->offset, error)
      || !parse_clause (self, KVSQL_KEYWORD_LIMIT, &out->limit, error))
    return FALSE;
  if (out->limit != NULL && kvsql_parser_at_symbol (self, ','))
    {
      kvsql_parser_unexpected (self, NULL, NULL, error);
      return kvsql_error_hint (error, "Write LIMIT n OFFSET m.");
    }
  return is_offset_first || parse_clause (self, KVSQL_KEYWORD_OFFSET, &out->offset, error);
}

gboolean
kvsql_parser_select (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  kvsql_parser_advance (self);
  out->is_distinct = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_DISTINCT);
  if (!parse_items (self, out, error) || !parse_relation (self, &out->relation, error)
      || !parse_using_schema (self, out, error)
      || !parse_clause (self, KVSQL_KEYWORD_WHERE, &out->where, error)
      || !parse_group_by (self, out, error)
      || !parse_clause (self, KVSQL_KEYWORD_HAVING, &out->having, error)
      || !parse_order_by (self, &out->order_by, &out->n_order_by, error)
      || !parse_limit (self, out, error))
    return FALSE;
  self->words_at_end = select_words;
  return check_clause_order (self, error);
}

/* ---- INSERT */

static gboolean
parse_insert_attributes (KvsqlParser *self, KvsqlInsert *out, GError **error)
{
  if (!kvsql_parser_accept_symbol (self, '('))
    return TRUE;
  do
    if (!kvsql_parser_name (self, "the name of an attribute",
                            KVSQL_PARSER_ADD (self, out->attributes, out->n_attributes), error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  if (kvsql_parser_accept_symbol (self, ')'))
    return TRUE;
  return kvsql_parser_unexpected (self, "\",\" or \")\"", NULL, error);
}

static gboolean
parse_insert_value (KvsqlParser *self, KvsqlAstExpr **out, GError **error)
{
  gint next
      = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_DEFAULT) ? kvsql_parser_peek (self).symbol : 0;

  if (next == ',' || next == ')')
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span,
                       "DEFAULT is not supported in VALUES");
      return kvsql_error_hint (error, "Leave the attribute out of INSERT INTO r (…).");
    }
  *out = kvsql_parser_expression (self, error);
  return *out != NULL;
}

static gboolean
check_row (KvsqlParser *self, const KvsqlInsert *insert, guint n_values, KvsqlSpan span,
           GError **error)
{
  if (insert->n_rows > 1 && n_values != insert->n_values)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span,
                            "VALUES has %u values in one row and %u in another", insert->n_values,
                            n_values);
  if (insert->n_attributes > 0 && n_values != insert->n_attributes)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span,
                            "INSERT names %u attribute%s but gives %u value%s",
                            insert->n_attributes, insert->n_attributes == 1 ? "" : "s", n_values,
                            n_values == 1 ? "" : "s");
  return TRUE;
}

static gboolean
parse_row (KvsqlParser *self, KvsqlInsert *out, GError **error)
{
  gint32 start = self->token.span.offset;
  KvsqlAstExpr **row = NULL;
  guint n_values = 0;

  if (!kvsql_parser_expect_symbol (self, '(', error))
    return FALSE;
  do
    if (!parse_insert_value (self, KVSQL_PARSER_ADD (self, row, n_values), error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  if (!kvsql_parser_accept_symbol (self, ')'))
    return kvsql_parser_unexpected (self, "\",\" or \")\"", kvsql_parser_operator_words, error);
  *KVSQL_PARSER_ADD (self, out->rows, out->n_rows) = row;
  if (!check_row (self, out, n_values, kvsql_parser_span_from (self, start), error))
    return FALSE;
  out->n_values = n_values;
  return TRUE;
}

static gboolean
parse_rows (KvsqlParser *self, KvsqlInsert *out, GError **error)
{
  static const gchar *const words[] = { "VALUES", NULL };

  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_SELECT))
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span,
                       "INSERT … SELECT is not supported");
      return kvsql_error_hint (error, "SELECT first, then INSERT its tuples with VALUES.");
    }
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_VALUES))
    return kvsql_parser_unexpected (self, out->n_attributes > 0 ? "VALUES" : "\"(\" or VALUES",
                                    words, error);
  do
    if (!parse_row (self, out, error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  return TRUE;
}

/* What the language has behind an INSERT or DELETE, and this version lacks. */
static gboolean
check_write_clauses (KvsqlParser *self, GError **error)
{
  if (kvsql_parser_at_word (self, "ON"))
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span,
                       "ON CONFLICT is not supported");
      return kvsql_error_hint (error, "A plain INSERT replaces the tuple with the same key.");
    }
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_USING))
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span,
                       "USING TIMESTAMP is not supported");
      return kvsql_error_hint (error,
                               "A schema takes the time from an attribute with TIMESTAMP a.");
    }
  return TRUE;
}

gboolean
kvsql_parser_insert (KvsqlParser *self, KvsqlInsert *out, GError **error)
{
  kvsql_parser_advance (self);
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_INTO, error)
      || !kvsql_parser_name (self, "the name of a relation", &out->relation, error)
      || !parse_insert_attributes (self, out, error) || !parse_rows (self, out, error))
    return FALSE;
  self->expected_at_end = "\",\" or the end of the statement";
  return check_write_clauses (self, error);
}

/* ---- DELETE */

gboolean
kvsql_parser_delete (KvsqlParser *self, KvsqlDelete *out, GError **error)
{
  kvsql_parser_advance (self);
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_FROM, error)
      || !parse_relation (self, &out->relation, error)
      || !parse_clause (self, KVSQL_KEYWORD_WHERE, &out->where, error)
      || !parse_order_by (self, &out->order_by, &out->n_order_by, error)
      || !parse_clause (self, KVSQL_KEYWORD_LIMIT, &out->limit, error))
    return FALSE;
  self->words_at_end = delete_words;
  return check_write_clauses (self, error);
}
