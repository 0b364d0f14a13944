/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * workload-tokens.c: reads the tokens of directives.
 */
#include "config.h"

#include "core/advisor/workload-private.h"

gboolean
kvsql_workload_fail (const KvsqlWorkloadReader *self, const gchar *what, GError **error)
{
  KvsqlSlice text = kvsql_lexer_get_text (&self->lexer, self->token.span);

  if (self->token.kind == KVSQL_TOKEN_ERROR)
    return FALSE; /* the lexer has set the error */
  if (self->token.kind == KVSQL_TOKEN_END)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span,
                            "expected %s, found the end", what);
  return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span,
                          "expected %s, found \"%.*s\"", what, (gint)MIN (text.size, 100),
                          (const gchar *)text.data);
}

gboolean
kvsql_workload_advance (KvsqlWorkloadReader *self, GError **error)
{
  self->token = kvsql_lexer_next (&self->lexer, error);
  return self->token.kind != KVSQL_TOKEN_ERROR;
}

gboolean
kvsql_workload_is_word (const KvsqlWorkloadReader *self, const gchar *word)
{
  KvsqlSlice text = kvsql_lexer_get_text (&self->lexer, self->token.span);

  return self->token.kind == KVSQL_TOKEN_WORD && text.size == strlen (word)
         && g_ascii_strncasecmp ((const gchar *)text.data, word, text.size) == 0;
}

gboolean
kvsql_workload_accept_word (KvsqlWorkloadReader *self, const gchar *word, gboolean *out_accepted,
                            GError **error)
{
  *out_accepted = kvsql_workload_is_word (self, word);
  return !*out_accepted || kvsql_workload_advance (self, error);
}

gboolean
kvsql_workload_accept_symbol (KvsqlWorkloadReader *self, gint symbol, gboolean *out_accepted,
                              GError **error)
{
  *out_accepted = self->token.kind == KVSQL_TOKEN_SYMBOL && self->token.symbol == symbol;
  return !*out_accepted || kvsql_workload_advance (self, error);
}

gboolean
kvsql_workload_expect_symbol (KvsqlWorkloadReader *self, gchar symbol, GError **error)
{
  gchar what[] = { '"', symbol, '"', '\0' };
  gboolean is_accepted;

  return kvsql_workload_accept_symbol (self, symbol, &is_accepted, error)
         && (is_accepted || kvsql_workload_fail (self, what, error));
}

gboolean
kvsql_workload_expect_word (KvsqlWorkloadReader *self, const gchar *word, GError **error)
{
  gboolean is_accepted;

  return kvsql_workload_accept_word (self, word, &is_accepted, error)
         && (is_accepted || kvsql_workload_fail (self, word, error));
}

gboolean
kvsql_workload_expect_name (KvsqlWorkloadReader *self, KvsqlName *out, GError **error)
{
  KvsqlArena *arena = self->workload->arena;
  KvsqlSlice text = kvsql_lexer_get_text (&self->lexer, self->token.span);
  gboolean is_quoted = self->token.kind == KVSQL_TOKEN_QUOTED_NAME;

  if (self->token.kind != KVSQL_TOKEN_WORD && !is_quoted)
    return kvsql_workload_fail (self, "a name", error);
  *out = (KvsqlName){ .span = self->token.span };
  out->is_quoted = is_quoted && text.data[0] == '`';
  out->is_double_quoted = is_quoted && text.data[0] == '"';
  if (is_quoted)
    text = kvsql_lexer_get_string (&self->lexer, &self->token, arena);
  out->text = kvsql_arena_strndup (arena, (const gchar *)text.data, text.size);
  return kvsql_workload_advance (self, error);
}

gboolean
kvsql_workload_expect_number (KvsqlWorkloadReader *self, const gchar *what, gdouble *out,
                              GError **error)
{
  KvsqlSlice text = kvsql_lexer_get_text (&self->lexer, self->token.span);
  g_autofree gchar *copy = g_strndup ((const gchar *)text.data, text.size);

  if (self->token.kind != KVSQL_TOKEN_INTEGER && self->token.kind != KVSQL_TOKEN_DECIMAL
      && self->token.kind != KVSQL_TOKEN_REAL)
    return kvsql_workload_fail (self, what, error);
  *out = g_ascii_strtod (copy, NULL);
  if (!(*out > 0))
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, self->token.span, "%s has to be above 0",
                            what);
  if (!(*out <= KVSQL_WORKLOAD_MOST))
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, self->token.span, "%s is too large", what)
           || kvsql_error_hint (error, "It is at most %g.", KVSQL_WORKLOAD_MOST);
  return kvsql_workload_advance (self, error);
}
