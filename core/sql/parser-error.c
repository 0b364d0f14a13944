/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-error.c: syntax errors with the position of the cause, and hints.
 */
#include "config.h"

#include "core/sql/parser-private.h"

#define SHOWN_BYTES 40

/* A token's text for a message: its first line, limited to some whole characters. */
static gchar *
dup_shown (const KvsqlParser *self, const KvsqlToken *token)
{
  KvsqlSlice text = kvsql_lexer_get_text (&self->lexer, token->span);
  gsize size = MIN (text.size, SHOWN_BYTES);
  GString *shown;

  while (size > 0 && size < text.size && (text.data[size] & 0xc0) == 0x80)
    size--;
  for (gsize i = 0; i < size; i++)
    if (text.data[i] < ' ')
      size = i;
  shown = g_string_new_len ((const gchar *)text.data, size);
  if (size < text.size)
    g_string_append (shown, "…");
  return g_string_free (shown, FALSE);
}

/* FORM for FROM. For kvsql_suggest() these are two changes, too many for a short word; but it is
 * one typing error. */
static gboolean
is_transposed (const gchar *word, const gchar *meant)
{
  gsize size = strlen (word), at = 0;

  if (size != strlen (meant))
    return FALSE;
  while (at < size && g_ascii_toupper (word[at]) == meant[at])
    at++;
  return at + 1 < size && g_ascii_toupper (word[at]) == meant[at + 1]
         && g_ascii_toupper (word[at + 1]) == meant[at]
         && g_ascii_strcasecmp (word + at + 2, meant + at + 2) == 0;
}

const gchar *
kvsql_parser_suggest (const KvsqlParser *self, const KvsqlToken *token, const gchar *const *words)
{
  g_autofree gchar *word = NULL;
  KvsqlSlice text;

  if (token->kind != KVSQL_TOKEN_WORD || words == NULL)
    return NULL;
  text = kvsql_lexer_get_text (&self->lexer, token->span);
  if (text.size < 2 || text.size > SHOWN_BYTES)
    return NULL;
  word = g_strndup ((const gchar *)text.data, text.size);
  for (guint i = 0; words[i] != NULL; i++)
    if (is_transposed (word, words[i]))
      return words[i];
  return kvsql_suggest (word, words, g_strv_length ((gchar **)words));
}

gboolean
kvsql_parser_fail_unexpected_at (KvsqlParser *self, const KvsqlToken *token, const gchar *expected,
                                 const gchar *const *words, GError **error)
{
  g_autofree gchar *shown = dup_shown (self, token);
  const gchar *meant = kvsql_parser_suggest (self, token, words);

  kvsql_error_set (error, KVSQL_ERROR_SYNTAX, token->span, "syntax error at or near \"%s\"%s%s",
                   shown, expected != NULL ? ", expected " : "", expected != NULL ? expected : "");
  if (meant != NULL && g_ascii_strcasecmp (meant, shown) != 0)
    kvsql_error_hint (error, "Did you mean \"%s\"?", meant);
  return FALSE;
}

/* Hints for operators of other languages. */
static void
hint_symbol (KvsqlParser *self, GError **error)
{
  switch (self->token.symbol)
    {
    case KVSQL_SYMBOL_EQUAL_EQUAL:
      kvsql_error_hint (error, "Did you mean \"=\"?");
      break;
    case KVSQL_SYMBOL_OVERLAPS:
      kvsql_error_hint (error, "Did you mean \"AND\"?");
      break;
    case ')':
    case '}':
    case ']':
      if (self->previous_end > 0 && self->lexer.text[self->previous_end - 1] == ',')
        kvsql_error_hint (error, "Remove the comma before it.");
      break;
    case '.':
      kvsql_error_hint (error, "Only \"public\" may be before the name of a relation; write a name "
                               "with a point in it in back-quotes.");
      break;
    default:
      break;
    }
}

/* a NOT LIEK 'x': the NOT is unexpected because of the word after it. */
static gboolean
unexpected_after_not (KvsqlParser *self, GError **error)
{
  static const gchar *const words[] = { "IN", "BETWEEN", "LIKE", "ILIKE", "RLIKE", NULL };

  kvsql_parser_advance (self);
  return kvsql_parser_fail_unexpected (self, "IN, BETWEEN, LIKE, ILIKE or RLIKE", words, error);
}

gboolean
kvsql_parser_fail_unexpected (KvsqlParser *self, const gchar *expected, const gchar *const *words,
                              GError **error)
{
  if (self->token.kind == KVSQL_TOKEN_ERROR && self->lexer_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->lexer_error));
      return FALSE;
    }
  if (self->token.kind == KVSQL_TOKEN_END)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, (KvsqlSpan){ self->previous_end, 0 },
                            "syntax error at end of input%s%s",
                            expected != NULL ? ", expected " : "",
                            expected != NULL ? expected : "");
  if (kvsql_parser_is_unsupported_clause (self, error))
    return FALSE;
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_NOT) && words != NULL
      && g_strv_contains (words, "NOT"))
    return unexpected_after_not (self, error);
  kvsql_parser_fail_unexpected_at (self, &self->token, expected, words, error);
  if (self->token.kind == KVSQL_TOKEN_SYMBOL)
    hint_symbol (self, error);
  else if (self->token.kind == KVSQL_TOKEN_QUOTED_NAME
           && self->lexer.text[self->token.span.offset] == '"')
    kvsql_error_hint (error, "In a query \"…\" is a name. Text is written in single quotes.");
  return FALSE;
}

typedef struct
{
  const gchar *word;
  KvsqlErrorCode code;
  const gchar *message;
  const gchar *hint;
} Unsupported;

#define NO_TRANSACTIONS                                                                            \
  "There are no transactions over several statements: each tuple is written atomically."

static const Unsupported statements[] = {
  { "BEGIN", KVSQL_ERROR_UNSUPPORTED, "transactions are not supported", NO_TRANSACTIONS },
  { "START", KVSQL_ERROR_UNSUPPORTED, "transactions are not supported", NO_TRANSACTIONS },
  { "COMMIT", KVSQL_ERROR_UNSUPPORTED, "transactions are not supported", NO_TRANSACTIONS },
  { "ROLLBACK", KVSQL_ERROR_UNSUPPORTED, "transactions are not supported", NO_TRANSACTIONS },
  { "ABORT", KVSQL_ERROR_UNSUPPORTED, "transactions are not supported", NO_TRANSACTIONS },
  { "SAVEPOINT", KVSQL_ERROR_UNSUPPORTED, "transactions are not supported", NO_TRANSACTIONS },
  { "MERGE", KVSQL_ERROR_UNSUPPORTED, "MERGE is not supported",
    "Use INSERT … ON CONFLICT DO UPDATE SET …." },
  { "UPSERT", KVSQL_ERROR_UNSUPPORTED, "UPSERT is not supported",
    "Use INSERT: it replaces the tuple with the same key." },
  { "REPLACE", KVSQL_ERROR_UNSUPPORTED, "REPLACE is not supported",
    "Use INSERT: it replaces the tuple with the same key." },
  { "PREPARE", KVSQL_ERROR_UNSUPPORTED, "PREPARE is not supported as a statement",
    "Parameters ? and :name are given values through the API." },
  { "EXECUTE", KVSQL_ERROR_UNSUPPORTED, "EXECUTE is not supported",
    "Parameters ? and :name are given values through the API." },
  { "USE", KVSQL_ERROR_UNSUPPORTED, "USE is not supported",
    "There is one set of relations; see SHOW RELATIONS." },
  { "SET", KVSQL_ERROR_UNSUPPORTED, "SET is not supported", NULL },
  { "PUT", KVSQL_ERROR_UNSUPPORTED, "PUT is not supported", "Use INSERT INTO r VALUES (…)." },
  { "GET", KVSQL_ERROR_UNSUPPORTED, "GET is not supported", "Use SELECT … FROM r WHERE …." },
  { "SCAN", KVSQL_ERROR_UNSUPPORTED, "SCAN is not supported", "Use SELECT … FROM r." },
  { "LIST", KVSQL_ERROR_UNSUPPORTED, "LIST is not supported",
    "Use SHOW RELATIONS or SHOW SCHEMAS." },
};

static const Unsupported clauses[] = {
  { "TOP", KVSQL_ERROR_UNSUPPORTED, "TOP is not supported", "Use LIMIT n." },
  { "REGEXP", KVSQL_ERROR_UNSUPPORTED, "REGEXP is not supported", "Use RLIKE or ~." },
  { "SIMILAR", KVSQL_ERROR_UNSUPPORTED, "SIMILAR TO is not supported", "Use RLIKE or ~." },
  { "COLLATE", KVSQL_ERROR_UNSUPPORTED, "COLLATE is not supported",
    "Text compares by its UTF-8 bytes." },
  { "UNIQUE", KVSQL_ERROR_UNSUPPORTED, "UNIQUE is not supported",
    "Only the PRIMARY KEY is unique. INSERT … ON CONFLICT DO NOTHING checks it." },
  { "INHERITS", KVSQL_ERROR_UNSUPPORTED, "INHERITS is not supported", NULL },
  { "PARTITION", KVSQL_ERROR_UNSUPPORTED, "PARTITION is not supported",
    "A schema can have a table for each value: see DEFINE SCHEMA." },
  { "TABLESPACE", KVSQL_ERROR_UNSUPPORTED, "TABLESPACE is not supported", NULL },
};

static gboolean
find_unsupported (const KvsqlParser *self, const Unsupported *table, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (kvsql_parser_at_word (self, table[i].word))
      {
        kvsql_error_set (error, table[i].code, self->token.span, "%s", table[i].message);
        if (table[i].hint != NULL)
          kvsql_error_hint (error, "%s", table[i].hint);
        return TRUE;
      }
  return FALSE;
}

gboolean
kvsql_parser_is_unsupported_statement (const KvsqlParser *self, GError **error)
{
  return find_unsupported (self, statements, G_N_ELEMENTS (statements), error);
}

gboolean
kvsql_parser_is_unsupported_clause (const KvsqlParser *self, GError **error)
{
  return find_unsupported (self, clauses, G_N_ELEMENTS (clauses), error);
}
