/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tokens.c: see tokens.h.
 */
#include "config.h"

#include "daemon/postgres/catalogue/tokens.h"

#include <string.h>

#include "core/base/interrupt.h"

#define MAX_TOKENS 50000
#define MAX_PARAMETERS 65535

typedef struct
{
  const gchar *text;
  gsize size;
  gsize at;
  KvsqlArena *arena;
  GString *scratch; /* of the string that is read */
} Lexer;

/* '\0' at the end */
static gchar
peek (const Lexer *self, gsize ahead)
{
  return self->at + ahead < self->size ? self->text[self->at + ahead] : '\0';
}

static gboolean
is_word_start (gchar c)
{
  return g_ascii_isalpha (c) || c == '_' || (guchar)c >= 0x80;
}

static gboolean
is_word_part (gchar c)
{
  return is_word_start (c) || g_ascii_isdigit (c) || c == '$';
}

static gboolean
fail (const Lexer *self, gsize from, const gchar *what, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_SYNTAX,
                          (KvsqlSpan){ (gint32)from, (gint32)(self->at - from) }, "%s", what);
}

/* Comments nest. */
static gboolean
skip_comment (Lexer *self, GError **error)
{
  gsize from = self->at;
  guint depth = 0;

  do
    {
      if (peek (self, 0) == '/' && peek (self, 1) == '*')
        {
          depth++;
          self->at += 2;
        }
      else if (peek (self, 0) == '*' && peek (self, 1) == '/')
        {
          depth--;
          self->at += 2;
        }
      else if (self->at++ >= self->size)
        return fail (self, from, "unterminated /* comment", error);
    }
  while (depth > 0);
  return TRUE;
}

static gboolean
skip_space (Lexer *self, GError **error)
{
  for (;;)
    {
      gchar c = peek (self, 0);

      if (c == '-' && peek (self, 1) == '-')
        while (self->at < self->size && peek (self, 0) != '\n')
          self->at++;
      else if (c == '/' && peek (self, 1) == '*')
        {
          if (!skip_comment (self, error))
            return FALSE;
        }
      else if (self->at < self->size && g_ascii_isspace (c))
        self->at++;
      else
        return TRUE;
    }
}

/* ---- strings */

static gchar
unescape (gchar c)
{
  switch (c)
    {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    default:
      return c;
    }
}

/* What is between two @quote, which means itself when doubled. */
static gboolean
read_quoted (Lexer *self, gchar quote, gboolean has_escapes, const gchar **out, GError **error)
{
  gsize from = self->at++;

  for (g_string_truncate (self->scratch, 0);; self->at++)
    {
      gchar c = peek (self, 0);

      if (self->at >= self->size)
        return fail (
            self, from,
            quote == '\'' ? "unterminated quoted string" : "unterminated quoted identifier", error);
      if (c == quote && peek (self, 1) != quote)
        break;
      if (c == quote)
        self->at++;
      else if (c == '\\' && has_escapes && self->at + 1 < self->size)
        {
          self->at++;
          if (g_ascii_isdigit (peek (self, 0)) || strchr ("xuU", peek (self, 0)) != NULL)
            return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED,
                                    (KvsqlSpan){ (gint32)self->at - 1, 2 },
                                    "escapes by number are not supported here");
          c = unescape (peek (self, 0));
        }
      g_string_append_c (self->scratch, c);
    }
  self->at++;
  *out = kvsql_arena_strndup (self->arena, self->scratch->str, self->scratch->len);
  return TRUE;
}

/* $$text$$ and $tag$text$tag$ */
static gboolean
read_dollars (Lexer *self, const gchar **out, GError **error)
{
  gsize from = self->at, tag_size = 1;

  while (is_word_part (peek (self, tag_size)) && peek (self, tag_size) != '$')
    tag_size++;
  if (peek (self, tag_size) != '$')
    return fail (self, from, "syntax error at or near \"$\"", error);
  tag_size++;
  for (self->at += tag_size; self->at + tag_size <= self->size; self->at++)
    if (memcmp (self->text + self->at, self->text + from, tag_size) == 0)
      {
        *out = kvsql_arena_strndup (self->arena, self->text + from + tag_size,
                                    self->at - from - tag_size);
        self->at += tag_size;
        return TRUE;
      }
  return fail (self, from, "unterminated dollar-quoted string", error);
}

/* ---- others */

static const gchar *
take (Lexer *self, gsize from)
{
  return kvsql_arena_strndup (self->arena, self->text + from, self->at - from);
}

static void
read_number (Lexer *self, const gchar **out)
{
  gsize from = self->at;

  while (g_ascii_isdigit (peek (self, 0)) || (peek (self, 0) == '.' && peek (self, 1) != '.'))
    self->at++;
  if ((peek (self, 0) | 0x20) == 'e'
      && (g_ascii_isdigit (peek (self, 1))
          || (strchr ("+-", peek (self, 1)) != NULL && g_ascii_isdigit (peek (self, 2)))))
    for (self->at += 2; g_ascii_isdigit (peek (self, 0));)
      self->at++;
  *out = take (self, from);
}

/* The longest operator; it ends before a comment, and as in PostgreSQL before a sign that ends it.
 */
static void
read_operator (Lexer *self)
{
  static const gchar characters[] = "+-*/<>=~!@#%^&|`?";
  static const gchar special[] = "~!@#%^&|`?";
  gsize from = self->at;
  gboolean is_special = FALSE;

  while (self->at < self->size && peek (self, 0) != '\0'
         && strchr (characters, peek (self, 0)) != NULL)
    {
      if ((peek (self, 0) == '-' && peek (self, 1) == '-')
          || (peek (self, 0) == '/' && peek (self, 1) == '*'))
        break;
      is_special = is_special || strchr (special, peek (self, 0)) != NULL;
      self->at++;
    }
  while (self->at > from + 1 && !is_special
         && (self->text[self->at - 1] == '+' || self->text[self->at - 1] == '-'))
    self->at--;
}

static gboolean
read_symbol (Lexer *self, const gchar **out, GError **error)
{
  gsize from = self->at;

  if (strchr ("()[],;.", peek (self, 0)) != NULL)
    self->at++;
  else if (peek (self, 0) == ':')
    self->at += peek (self, 1) == ':' ? 2 : 1;
  else
    read_operator (self);
  if (self->at == from)
    {
      self->at++;
      return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, (KvsqlSpan){ (gint32)from, 1 },
                              "syntax error at or near \"%c\"",
                              g_ascii_isprint (self->text[from]) ? self->text[from] : '?');
    }
  *out = take (self, from);
  return TRUE;
}

static gboolean
read_parameter (Lexer *self, KvsqldPgToken *out, GError **error)
{
  gsize from = self->at++;
  guint64 number = 0;

  for (; g_ascii_isdigit (peek (self, 0)); self->at++)
    number = MIN (number * 10 + (guint64)(peek (self, 0) - '0'), MAX_PARAMETERS + 1);
  if (number == 0 || number > MAX_PARAMETERS)
    return fail (self, from, "there is no such parameter", error)
           || kvsql_error_sqlstate (error, "42P02");
  out->kind = KVSQLD_PG_TOKEN_PARAMETER;
  out->number = (guint)number;
  out->text = take (self, from);
  return TRUE;
}

static gboolean
read_token (Lexer *self, KvsqldPgToken *out, GError **error)
{
  gchar c = peek (self, 0), next = peek (self, 1);
  gsize from = self->at;

  if (c == '\'')
    {
      out->kind = KVSQLD_PG_TOKEN_STRING;
      return read_quoted (self, '\'', FALSE, &out->text, error);
    }
  if ((c == 'e' || c == 'E') && next == '\'')
    {
      out->kind = KVSQLD_PG_TOKEN_STRING;
      self->at++;
      return read_quoted (self, '\'', TRUE, &out->text, error);
    }
  if (c == '"')
    {
      out->kind = KVSQLD_PG_TOKEN_QUOTED;
      return read_quoted (self, '"', FALSE, &out->text, error);
    }
  if (c == '$' && g_ascii_isdigit (next))
    return read_parameter (self, out, error);
  if (c == '$')
    {
      out->kind = KVSQLD_PG_TOKEN_STRING;
      return read_dollars (self, &out->text, error);
    }
  if (is_word_start (c))
    {
      gchar *word;

      while (is_word_part (peek (self, 0)))
        self->at++;
      out->kind = KVSQLD_PG_TOKEN_WORD;
      out->text = word = kvsql_arena_strndup (self->arena, self->text + from, self->at - from);
      for (; *word != '\0'; word++)
        *word = g_ascii_tolower (*word);
      return TRUE;
    }
  if (g_ascii_isdigit (c) || (c == '.' && g_ascii_isdigit (next)))
    {
      out->kind = KVSQLD_PG_TOKEN_NUMBER;
      read_number (self, &out->text);
      return TRUE;
    }
  out->kind = KVSQLD_PG_TOKEN_SYMBOL;
  return read_symbol (self, &out->text, error);
}

const KvsqldPgToken *
kvsqld_pg_tokens_read (KvsqlSlice sql, gboolean is_beginning, KvsqlArena *arena, guint *out_n,
                       GError **error)
{
  g_autoptr (GString) scratch = g_string_new (NULL);
  Lexer lexer = { (const gchar *)sql.data, sql.size, 0, arena, scratch };
  g_autoptr (GArray) tokens = g_array_new (FALSE, TRUE, sizeof (KvsqldPgToken));
  KvsqldPgToken *copies;

  for (;;)
    {
      KvsqldPgToken token = { .kind = KVSQLD_PG_TOKEN_END, .text = "" };
      gsize from;

      if (!skip_space (&lexer, error) || !kvsql_interrupt_poll (error))
        return NULL;
      from = lexer.at;
      if (lexer.at < lexer.size && !read_token (&lexer, &token, error))
        return NULL;
      token.span = (KvsqlSpan){ (gint32)from, (gint32)(lexer.at - from) };
      if (is_beginning && tokens->len == MAX_TOKENS)
        token.kind = KVSQLD_PG_TOKEN_END;
      g_array_append_val (tokens, token);
      if (token.kind == KVSQLD_PG_TOKEN_END)
        break;
      if (!is_beginning && tokens->len >= MAX_TOKENS)
        {
          kvsql_error_set (error, KVSQL_ERROR_LIMIT, token.span,
                           "a query of the catalogue has at most %d words", MAX_TOKENS);
          return NULL;
        }
    }
  copies = kvsql_arena_array (arena, KvsqldPgToken, tokens->len);
  memcpy (copies, tokens->data, tokens->len * sizeof (KvsqldPgToken));
  *out_n = tokens->len;
  return copies;
}

gboolean
kvsqld_pg_token_is_word (const KvsqldPgToken *self, const gchar *word)
{
  return self->kind == KVSQLD_PG_TOKEN_WORD && strcmp (self->text, word) == 0;
}

gboolean
kvsqld_pg_token_is_symbol (const KvsqldPgToken *self, const gchar *symbol)
{
  return self->kind == KVSQLD_PG_TOKEN_SYMBOL && strcmp (self->text, symbol) == 0;
}
