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
  KvsqlToken token;

  if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_TIMESTAMP)
      && !kvsql_parser_at_word (self, "TIME"))
    return FALSE;
  token = kvsql_lexer_next (&lexer, NULL);
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

static gboolean
at_double_precision (const KvsqlParser *self)
{
  KvsqlLexer lexer = self->lexer;
  KvsqlToken token;

  if (!kvsql_parser_at_word (self, "DOUBLE"))
    return FALSE;
  token = kvsql_lexer_next (&lexer, NULL);
  return kvsql_parser_is_word (self, &token, "PRECISION")
         && kvsql_lexer_next (&lexer, NULL).kind == KVSQL_TOKEN_STRING;
}

/* Those with a limit have a name of their own. */
static gboolean
at_name_of_type (const KvsqlParser *self)
{
  static const gchar *const limited[] = { "SMALLINT", "INT2", "CHAR", "CHARACTER" };
  KvsqlSlice text = kvsql_lexer_get_text (&self->lexer, self->token.span);
  gchar name[sizeof "TIMESTAMPTZ"] = "";
  KvsqlType type;

  if (self->token.kind != KVSQL_TOKEN_WORD || text.size >= sizeof name)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (limited); i++)
    if (kvsql_parser_at_word (self, limited[i]))
      return TRUE;
  memcpy (name, text.data, text.size);
  return kvsql_type_from_name (name, &type);
}

gboolean
kvsql_parser_at_typed_literal (const KvsqlParser *self)
{
  KvsqlToken next = kvsql_parser_peek (self);

  if (next.kind == KVSQL_TOKEN_STRING)
    return at_name_of_type (self);
  return (next.symbol == '(' && kvsql_parser_at_word (self, "INTERVAL")) || at_type_with_zone (self)
         || at_double_precision (self);
}

KvsqlAstExpr *
kvsql_parser_typed_literal (KvsqlParser *self, GError **error)
{
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_CAST, self->token.span.offset),
               *child;
  gboolean is_interval;

  if (at_type_with_zone (self) || at_double_precision (self))
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
