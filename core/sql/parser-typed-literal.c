/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-typed-literal.c: a literal after the name of its type: DATE '2024-02-29', TIMESTAMP WITH
 * TIME ZONE '…', INTERVAL '1' DAY. It is a CAST.
 */
#include "config.h"

#include "core/sql/parser-private.h"

/* TIMESTAMP or TIME, WITH or WITHOUT TIME ZONE, and a literal. */
static gboolean
at_type_with_zone (const KvsqlParser *self)
{
  static const gchar *const words[] = { "TIME", "ZONE" };
  KvsqlLexer lexer = self->lexer;
  KvsqlToken token = kvsql_lexer_next (&lexer, NULL);

  if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_TIMESTAMP)
      && !kvsql_parser_at_word (self, "TIME"))
    return FALSE;
  if (token.keyword != KVSQL_KEYWORD_WITH && !kvsql_parser_is_word (self, &token, "WITHOUT"))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      token = kvsql_lexer_next (&lexer, NULL);
      if (!kvsql_parser_is_word (self, &token, words[i]))
        return FALSE;
    }
  return kvsql_lexer_next (&lexer, NULL).kind == KVSQL_TOKEN_STRING;
}

gboolean
kvsql_parser_at_typed_literal (const KvsqlParser *self)
{
  /* these are no keywords */
  static const gchar *const words[]
      = { "TIME",   "TIMESTAMPTZ", "UUID",    "JSON", "JSONB", "NUMERIC", "DECIMAL", "INT",
          "INT2",   "INT4",        "INT8",    "TEXT", "BYTEA", "INTEGER", "BIGINT",  "SMALLINT",
          "FLOAT4", "FLOAT8",      "VARCHAR", "BOOL", "REAL",  "BOOLEAN" };
  KvsqlKeyword keyword = self->token.keyword;
  KvsqlToken next = kvsql_parser_peek (self);
  gboolean is_interval = kvsql_parser_at_word (self, "INTERVAL");

  if (next.kind != KVSQL_TOKEN_STRING)
    return (is_interval && next.symbol == '(') || at_type_with_zone (self);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (kvsql_parser_at_word (self, words[i]))
      return TRUE;
  return is_interval || keyword == KVSQL_KEYWORD_DATE || keyword == KVSQL_KEYWORD_TIMESTAMP;
}

KvsqlAstExpr *
kvsql_parser_typed_literal (KvsqlParser *self, GError **error)
{
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_CAST, self->token.span.offset),
               *child;
  gboolean is_interval;

  if (at_type_with_zone (self))
    {
      if (!kvsql_parser_type_name (self, &expr->cast_type, error))
        return NULL;
    }
  else
    expr->cast_type = kvsql_parser_take_word (self);
  is_interval = g_ascii_strcasecmp (expr->cast_type.text, "INTERVAL") == 0;
  if (is_interval && kvsql_parser_at_symbol (self, '(')
      && !kvsql_parser_interval_fields (self, &expr->cast_type, error))
    return NULL;
  if (self->token.kind != KVSQL_TOKEN_STRING)
    {
      kvsql_parser_fail_unexpected (self, "a text in quotes", NULL, error);
      return NULL;
    }
  child = kvsql_parser_literal_expr (self, error);
  if (child == NULL
      || (is_interval && strchr (expr->cast_type.text, '(') == NULL
          && !kvsql_parser_interval_fields (self, &expr->cast_type, error)))
    return NULL;
  kvsql_parser_expr_add (self, expr, child);
  return kvsql_parser_expr_finish (self, expr, error);
}
