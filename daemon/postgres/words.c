/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * words.c: see words.h.
 */
#include "config.h"

#include "daemon/postgres/words.h"

#define SHOWN_BYTES 40

void
kvsqld_pg_words_begin (KvsqldPgWords *self, KvsqlSlice sql, KvsqlArena *arena)
{
  *self = (KvsqldPgWords){ .lexer = { sql.data, sql.size, 0 }, .arena = arena };
  kvsqld_pg_words_advance (self);
}

void
kvsqld_pg_words_advance (KvsqldPgWords *self)
{
  self->token = kvsql_lexer_next (&self->lexer, NULL);
}

static KvsqlSlice
text_of (const KvsqldPgWords *self)
{
  return kvsql_lexer_get_text (&self->lexer, self->token.span);
}

gboolean
kvsqld_pg_words_at (const KvsqldPgWords *self, const gchar *word)
{
  KvsqlSlice text = text_of (self);

  return self->token.kind == KVSQL_TOKEN_WORD && text.size == strlen (word)
         && g_ascii_strncasecmp ((const gchar *)text.data, word, text.size) == 0;
}

gboolean
kvsqld_pg_words_accept (KvsqldPgWords *self, const gchar *word)
{
  if (!kvsqld_pg_words_at (self, word))
    return FALSE;
  kvsqld_pg_words_advance (self);
  return TRUE;
}

gboolean
kvsqld_pg_words_accept_symbol (KvsqldPgWords *self, gint symbol)
{
  if (self->token.kind != KVSQL_TOKEN_SYMBOL || self->token.symbol != symbol)
    return FALSE;
  kvsqld_pg_words_advance (self);
  return TRUE;
}

gboolean
kvsqld_pg_words_at_end (const KvsqldPgWords *self)
{
  return self->token.kind == KVSQL_TOKEN_END
         || (self->token.kind == KVSQL_TOKEN_SYMBOL && self->token.symbol == ';');
}

static const gchar *
copy (const KvsqldPgWords *self, gboolean is_lower)
{
  KvsqlSlice text = text_of (self);
  gchar *name = kvsql_arena_alloc (self->arena, text.size + 1);

  for (gsize i = 0; i < text.size; i++)
    name[i] = is_lower ? g_ascii_tolower ((gchar)text.data[i]) : (gchar)text.data[i];
  name[text.size] = '\0';
  return name;
}

const gchar *
kvsqld_pg_words_take_name (KvsqldPgWords *self)
{
  const gchar *name = NULL;

  if (self->token.kind == KVSQL_TOKEN_WORD)
    name = copy (self, TRUE);
  else if (self->token.kind == KVSQL_TOKEN_QUOTED_NAME)
    name = (const gchar *)kvsql_lexer_get_string (&self->lexer, &self->token, self->arena).data;
  if (name != NULL)
    kvsqld_pg_words_advance (self);
  return name;
}

const gchar *
kvsqld_pg_words_take_value (KvsqldPgWords *self)
{
  gboolean is_negative = kvsqld_pg_words_accept_symbol (self, '-');
  const gchar *value = NULL;

  switch (self->token.kind)
    {
    case KVSQL_TOKEN_INTEGER:
    case KVSQL_TOKEN_DECIMAL:
    case KVSQL_TOKEN_REAL:
      value = copy (self, FALSE);
      if (is_negative)
        value = kvsql_arena_printf (self->arena, "-%s", value);
      break;
    case KVSQL_TOKEN_STRING:
    case KVSQL_TOKEN_QUOTED_NAME:
      value = (const gchar *)kvsql_lexer_get_string (&self->lexer, &self->token, self->arena).data;
      break;
    case KVSQL_TOKEN_WORD:
      value = copy (self, FALSE);
      break;
    default:
      return NULL;
    }
  kvsqld_pg_words_advance (self);
  return value;
}

gboolean
kvsqld_pg_words_fail (const KvsqldPgWords *self, GError **error)
{
  KvsqlSlice text = text_of (self);

  if (kvsqld_pg_words_at_end (self))
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span,
                            "syntax error at end of input");
  return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span,
                          "syntax error at or near \"%.*s\"", (gint)MIN (text.size, SHOWN_BYTES),
                          (const gchar *)text.data);
}

gboolean
kvsqld_pg_words_end (const KvsqldPgWords *self, GError **error)
{
  return kvsqld_pg_words_at_end (self) || kvsqld_pg_words_fail (self, error);
}
