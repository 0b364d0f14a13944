/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-limit.c: LIMIT and OFFSET of a query, and FETCH FIRST, which the standard has for LIMIT.
 */
#include "config.h"

#include "core/sql/parser-private.h"

gboolean
kvsql_parser_at_fetch (const KvsqlParser *self)
{
  KvsqlLexer lexer = self->lexer;
  KvsqlToken next;
  KvsqlSlice text;

  if (!kvsql_parser_at_word (self, "FETCH"))
    return FALSE;
  next = kvsql_lexer_next (&lexer, NULL);
  text = kvsql_lexer_get_text (&lexer, next.span);
  return next.keyword == KVSQL_KEYWORD_FIRST
         || (text.size == strlen ("NEXT")
             && g_ascii_strncasecmp ((const gchar *)text.data, "NEXT", text.size) == 0);
}

static gboolean
accept_row (KvsqlParser *self)
{
  if (!kvsql_parser_at_word (self, "ROW") && !kvsql_parser_at_word (self, "ROWS"))
    return FALSE;
  kvsql_parser_advance (self);
  return TRUE;
}

static gboolean
parse_count (KvsqlParser *self, KvsqlAstExpr **out, GError **error)
{
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ALL))
    return TRUE;
  *out = kvsql_parser_expression (self, error);
  return *out != NULL;
}

/* Without a number, it is one row. */
static gboolean
parse_fetch (KvsqlParser *self, KvsqlAstExpr **out, GError **error)
{
  static const gchar *const words[] = { "ROW", "ROWS", NULL };
  static const gchar *const ends[] = { "ONLY", NULL };

  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
  if (accept_row (self))
    {
      *out = kvsql_parser_expr_new (self, KVSQL_AST_LITERAL, self->token.span.offset);
      (*out)->value = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = 1 };
    }
  else
    {
      *out = kvsql_parser_expression (self, error);
      if (*out == NULL)
        return FALSE;
      if (!accept_row (self))
        return kvsql_parser_fail_unexpected (self, "ROW or ROWS", words, error);
    }
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_WITH))
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span,
                            "FETCH FIRST … WITH TIES is not supported")
           || kvsql_error_hint (error, "Use rank () OVER (ORDER BY …) in a query in FROM.");
  if (!kvsql_parser_at_word (self, "ONLY"))
    return kvsql_parser_fail_unexpected (self, "ONLY", ends, error);
  kvsql_parser_advance (self);
  return TRUE;
}

static gboolean
parse_offset (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_OFFSET))
    return TRUE;
  if (!kvsql_parser_clause (self, KVSQL_KEYWORD_OFFSET, &out->offset, error))
    return FALSE;
  (void)accept_row (self);
  return TRUE;
}

/* What programs that count on locks must not lose silently. */
static gboolean
reject_locks (const KvsqlParser *self, GError **error)
{
  KvsqlLexer lexer = self->lexer;
  KvsqlToken next;

  if (!kvsql_parser_at_word (self, "FOR"))
    return TRUE;
  next = kvsql_lexer_next (&lexer, NULL);
  if (next.kind != KVSQL_TOKEN_WORD)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span,
                          "FOR UPDATE is not supported: a query locks no tuples")
         || kvsql_error_hint (error, "Change the tuples and read them in one statement: UPDATE … "
                                     "RETURNING *.");
}

/* LIMIT and OFFSET in any order, as in PostgreSQL. */
gboolean
kvsql_parser_limit (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  gboolean is_offset_first = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_OFFSET);

  if (!parse_offset (self, out, error))
    return FALSE;
  if (kvsql_parser_at_fetch (self))
    {
      if (!parse_fetch (self, &out->limit, error))
        return FALSE;
    }
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_LIMIT)
           && !parse_count (self, &out->limit, error))
    return FALSE;
  if (out->limit != NULL && kvsql_parser_at_symbol (self, ','))
    {
      kvsql_parser_fail_unexpected (self, NULL, NULL, error);
      return kvsql_error_hint (error, "Write LIMIT n OFFSET m.");
    }
  return (is_offset_first || parse_offset (self, out, error)) && reject_locks (self, error);
}
