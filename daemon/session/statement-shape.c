/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statement-shape.c: reads the tokens, and keeps names, keywords and symbols. The name
 * in TABLE 't' is a name.
 */
#include "config.h"

#include "daemon/session/statement-shape.h"

#include "core/sql/lexer.h"

#define MAX_BYTES 1000
#define MAX_READ (64 * 1024) /* of a long list of rows, because callers hold a lock */

static gboolean
is_value (const KvsqlToken *token)
{
  switch (token->kind)
    {
    case KVSQL_TOKEN_STRING:
    case KVSQL_TOKEN_BYTES:
    case KVSQL_TOKEN_INTEGER:
    case KVSQL_TOKEN_DECIMAL:
    case KVSQL_TOKEN_REAL:
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
is_symbol (const KvsqlToken *token, gint symbol)
{
  return token->kind == KVSQL_TOKEN_SYMBOL && token->symbol == symbol;
}

/* `?, ?` becomes `?`, and `(?), (?)` becomes `(?)`: lists of any length have the same shape. */
static void
fold_lists (GString *shape)
{
  while (g_str_has_suffix (shape->str, "?, ?"))
    g_string_truncate (shape, shape->len - 3);
  while (g_str_has_suffix (shape->str, "(?), (?)"))
    g_string_truncate (shape, shape->len - 5);
}

/* It is printed as it is in the statement, on one line. */
static gboolean
is_table_name (const KvsqlToken *token, KvsqlKeyword before, KvsqlSlice text)
{
  if (before != KVSQL_KEYWORD_TABLE
      || (token->kind != KVSQL_TOKEN_STRING && token->kind != KVSQL_TOKEN_BYTES))
    return FALSE;
  for (gsize i = 0; i < text.size; i++)
    if (!g_ascii_isprint ((gchar)text.data[i]))
      return FALSE;
  return TRUE;
}

/* @before: the token before it */
static void
append (GString *shape, const KvsqlLexer *lexer, const KvsqlToken *token, KvsqlKeyword before,
        gboolean had_blank)
{
  KvsqlSlice text = kvsql_lexer_get_text (lexer, token->span);

  if (had_blank && shape->len > 0 && !is_symbol (token, ',') && !is_symbol (token, ')')
      && shape->str[shape->len - 1] != ' ' && shape->str[shape->len - 1] != '(')
    g_string_append_c (shape, ' ');
  if (is_value (token) && !is_table_name (token, before, text))
    g_string_append_c (shape, '?');
  else
    g_string_append_len (shape, (const gchar *)text.data, (gssize)text.size);
  if (is_symbol (token, ','))
    g_string_append_c (shape, ' ');
  fold_lists (shape);
}

gchar *
kvsqld_statement_shape (KvsqlSlice sql)
{
  gboolean is_whole = sql.size <= MAX_READ, is_before_statement = TRUE;
  KvsqlLexer lexer = { sql.data, MIN (sql.size, MAX_READ), 0 };
  GString *shape = g_string_new (NULL);
  KvsqlKeyword before = KVSQL_KEYWORD_NONE;
  gint32 end = 0;

  while (shape->len <= MAX_BYTES)
    {
      KvsqlToken token = kvsql_lexer_next (&lexer, NULL);

      if (token.kind == KVSQL_TOKEN_END)
        break;
      if (token.kind == KVSQL_TOKEN_ERROR)
        {
          is_whole = FALSE;
          break;
        }
      append (shape, &lexer, &token, before, token.span.offset > end);
      if (is_before_statement)
        kvsql_lexer_begin_statement (&lexer, token.keyword);
      is_before_statement
          = is_before_statement
            && (token.keyword == KVSQL_KEYWORD_EXPLAIN || token.keyword == KVSQL_KEYWORD_ANALYZE);
      end = token.span.offset + token.span.length;
      before = token.keyword;
    }
  if (shape->len > MAX_BYTES)
    {
      g_autofree gchar *valid = g_utf8_make_valid (shape->str, MAX_BYTES - 4);

      g_string_assign (shape, valid);
      is_whole = FALSE;
    }
  if (!is_whole)
    g_string_append (shape, " …");
  return g_string_free (shape, FALSE);
}
