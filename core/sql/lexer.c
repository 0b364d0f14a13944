/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lexer.c: finds the next token. Values of literals are in lexer-values.c.
 */
#include "config.h"

#include "core/sql/lexer.h"

#include "core/sql/escaped-text.h"

#define TABLE_ENTRY(word, is_reserved) { #word, sizeof (#word) - 1, is_reserved },
static const struct
{
  const gchar *text;
  guint8 size;
  gboolean is_reserved;
} keywords[KVSQL_N_KEYWORDS] = { KVSQL_KEYWORDS (TABLE_ENTRY) };
#undef TABLE_ENTRY

#define LONGEST_KEYWORD 17

static inline gboolean
is_name_start (guint8 byte)
{
  return g_ascii_isalpha (byte) || byte == '_';
}

static inline gboolean
is_name_part (guint8 byte)
{
  return g_ascii_isalnum (byte) || byte == '_';
}

const gchar *
kvsql_keyword_get_text (KvsqlKeyword keyword)
{
  g_return_val_if_fail (keyword < KVSQL_N_KEYWORDS, "?");
  return keywords[keyword].text;
}

gboolean
kvsql_keyword_is_reserved (KvsqlKeyword keyword)
{
  return keyword < KVSQL_N_KEYWORDS && keywords[keyword].is_reserved;
}

KvsqlKeyword
kvsql_keyword_find (const gchar *word, gsize size)
{
  gchar upper[LONGEST_KEYWORD];
  guint low = 0, high = KVSQL_N_KEYWORDS;

  if (size > LONGEST_KEYWORD)
    return KVSQL_KEYWORD_NONE;
  for (gsize i = 0; i < size; i++)
    upper[i] = g_ascii_toupper (word[i]);
  while (low < high)
    {
      guint middle = (low + high) / 2;
      gint order = kvsql_slice_compare (kvsql_slice (upper, size),
                                        kvsql_slice (keywords[middle].text, keywords[middle].size));
      if (order == 0)
        return middle;
      if (order < 0)
        high = middle;
      else
        low = middle + 1;
    }
  return KVSQL_KEYWORD_NONE;
}

gboolean
kvsql_lexer_is_plain_name (const gchar *text, gsize size)
{
  if (size == 0 || !is_name_start (text[0]))
    return FALSE;
  for (gsize i = 1; i < size; i++)
    if (!is_name_part (text[i]))
      return FALSE;
  return TRUE;
}

gboolean
kvsql_lexer_needs_quotes (const gchar *text, gsize size)
{
  gboolean needs_quotes = !kvsql_lexer_is_plain_name (text, size)
                          || kvsql_keyword_is_reserved (kvsql_keyword_find (text, size));

  for (gsize i = 0; i < size && !needs_quotes; i++)
    needs_quotes = g_ascii_isupper (text[i]);
  return needs_quotes;
}

gboolean
kvsql_lexer_skip_blanks (const guint8 *text, gsize size, gsize *offset)
{
  gsize at = *offset;

  while (at < size)
    {
      if (g_ascii_isspace (text[at]) || text[at] == '\v')
        at++;
      else if (text[at] == '-' && at + 1 < size && text[at + 1] == '-')
        while (at < size && text[at] != '\n')
          at++;
      else if (text[at] == '/' && at + 1 < size && text[at + 1] == '*')
        {
          const guint8 *end = at + 2 < size ? text + at + 2 : NULL;
          while (end != NULL && !(end + 1 < text + size && end[1] == '/' && end[0] == '*'))
            end = end + 1 < text + size ? memchr (end + 1, '*', text + size - end - 1) : NULL;
          *offset = at;
          if (end == NULL)
            return FALSE;
          at = end + 2 - text;
        }
      else
        break;
    }
  *offset = at;
  return TRUE;
}

gboolean
kvsql_lexer_skip_quoted (const guint8 *text, gsize size, gsize *offset)
{
  guint8 quote = text[*offset];
  gsize at = *offset + 1;

  while (at < size)
    {
      const guint8 *found = memchr (text + at, quote, size - at);
      if (found == NULL)
        return FALSE;
      at = found - text + 1;
      if (at == size || text[at] != quote)
        {
          *offset = at;
          return TRUE;
        }
      at++;
    }
  return FALSE;
}

KvsqlSlice
kvsql_lexer_get_text (const KvsqlLexer *self, KvsqlSpan span)
{
  g_assert (span.length >= 0 && (gsize)span.offset + (gsize)span.length <= self->size);
  return kvsql_slice (self->text + span.offset, span.length);
}

static KvsqlToken
fail (KvsqlLexer *self, KvsqlSpan span)
{
  self->offset = self->size;
  return (KvsqlToken){ KVSQL_TOKEN_ERROR, KVSQL_KEYWORD_NONE, 0, span };
}

static KvsqlToken
make (KvsqlLexer *self, KvsqlTokenKind kind, gsize start, gsize end)
{
  g_assert (self->offset <= start && start <= end && end <= self->size);
  self->offset = end;
  return (KvsqlToken){ kind, KVSQL_KEYWORD_NONE, 0, { start, end - start } };
}

static KvsqlToken
unterminated (KvsqlLexer *self, gsize start, const gchar *what, const gchar *hint, GError **error)
{
  KvsqlSpan span = { start, self->size - start };

  kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span, "unterminated %s", what);
  kvsql_error_hint (error, "%s", hint);
  return fail (self, span);
}

void
kvsql_lexer_begin_statement (KvsqlLexer *self, KvsqlKeyword first)
{
  self->has_double_quoted_text = first == KVSQL_KEYWORD_DEFINE || first == KVSQL_KEYWORD_ALTER
                                 || first == KVSQL_KEYWORD_COMMENT || first == KVSQL_KEYWORD_BACKUP;
}

static KvsqlToken
unterminated_quote (KvsqlLexer *self, gsize start, GError **error)
{
  switch (self->text[start])
    {
    case '`':
      return unterminated (self, start, "back-quoted name",
                           "Close it with `; a back-quote inside is written twice.", error);
    case '\'':
      return unterminated (self, start, "string",
                           "Close it with '; a quote inside is written twice: ''.", error);
    default:
      if (self->has_double_quoted_text)
        return unterminated (self, start, "string",
                             "Close it with \"; a quote inside is written twice.", error);
      return unterminated (self, start, "double-quoted name",
                           "Close it with \"; a quote inside is written twice. Text is written in "
                           "single quotes.",
                           error);
    }
}

static KvsqlToken
next_quoted (KvsqlLexer *self, gsize start, GError **error)
{
  gsize end = start;
  guint8 quote = self->text[start];
  gboolean is_empty;

  if (!kvsql_lexer_skip_quoted (self->text, self->size, &end))
    return unterminated_quote (self, start, error);
  if (quote == '\'' || (quote == '"' && self->has_double_quoted_text))
    return make (self, KVSQL_TOKEN_STRING, start, end);
  is_empty = end - start == 2;
  if (is_empty || memchr (self->text + start, '\0', end - start) != NULL)
    {
      KvsqlSpan span = { start, end - start };
      kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span, "%s %s-quoted name",
                       is_empty ? "empty" : "NUL byte in a", quote == '`' ? "back" : "double");
      if (quote == '"')
        kvsql_error_hint (error, "Text is written in single quotes%s", is_empty ? ": ''." : ".");
      return fail (self, span);
    }
  return make (self, KVSQL_TOKEN_QUOTED_NAME, start, end);
}

/* E'it\'s' */
static KvsqlToken
next_escaped (KvsqlLexer *self, gsize start, GError **error)
{
  gsize end = start + 1, size, at, length;
  const gchar *wrong;

  if (!kvsql_escaped_text_skip (self->text, self->size, &end))
    return unterminated (self, start, "string",
                         "Close it with '; a quote inside is written \\' or ''.", error);
  wrong = kvsql_escaped_text_read (kvsql_slice (self->text + start + 2, end - start - 3), NULL,
                                   &size, &at, &length);
  if (wrong != NULL)
    {
      KvsqlSpan span = { start + 2 + at, length };

      kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span, "wrong escape in E'…': %s", wrong);
      return fail (self, span);
    }
  return make (self, KVSQL_TOKEN_STRING, start, end);
}

/* x'00ff', in either kind of quotes. */
static KvsqlToken
next_bytes (KvsqlLexer *self, gsize start, GError **error)
{
  gsize end = start + 1;

  if (!kvsql_lexer_skip_quoted (self->text, self->size, &end))
    return unterminated (self, start, "bytes literal", "Bytes are written x'00ff'.", error);
  for (gsize i = start + 2; i < end - 1; i++)
    if (!g_ascii_isxdigit (self->text[i]))
      {
        KvsqlSpan span = { i, 1 };
        while (i + span.length < end - 1 && (self->text[i + span.length] & 0xc0) == 0x80)
          span.length++;
        kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span, "\"%.*s\" is not a hexadecimal digit",
                         span.length, (const gchar *)self->text + i);
        kvsql_error_hint (error, "Bytes are written x'00ff': two hexadecimal digits a byte.");
        return fail (self, span);
      }
  if ((end - start) % 2 == 0)
    {
      KvsqlSpan span = { start, end - start };
      kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span,
                       "bytes literal has an odd number of digits");
      kvsql_error_hint (error, "Bytes are written x'00ff': two hexadecimal digits a byte.");
      return fail (self, span);
    }
  return make (self, KVSQL_TOKEN_BYTES, start, end);
}

static gsize
skip_digits (const KvsqlLexer *self, gsize at)
{
  while (at < self->size && g_ascii_isdigit (self->text[at]))
    at++;
  return at;
}

static KvsqlToken
number_with_junk (KvsqlLexer *self, gsize start, gsize at, GError **error)
{
  gboolean is_hex = at == start + 1 && self->text[start] == '0' && (self->text[at] | 0x20) == 'x';
  KvsqlSpan span;

  while (at < self->size && (is_name_part (self->text[at]) || self->text[at] == '.'))
    at++;
  span = (KvsqlSpan){ start, at - start };
  kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span,
                   "trailing junk after number at or near \"%.*s\"", MIN (span.length, 40),
                   (const gchar *)self->text + start);
  if (is_hex)
    kvsql_error_hint (error, "Numbers are decimal; bytes are written x'00ff'.");
  return fail (self, span);
}

static KvsqlToken
next_number (KvsqlLexer *self, gsize start, GError **error)
{
  KvsqlTokenKind kind = KVSQL_TOKEN_INTEGER;
  gsize at = skip_digits (self, start);

  if (at < self->size && self->text[at] == '.')
    {
      kind = KVSQL_TOKEN_DECIMAL;
      at = skip_digits (self, at + 1);
    }
  if (at < self->size && (self->text[at] | 0x20) == 'e')
    {
      gsize digits = at + 1;
      if (digits < self->size && (self->text[digits] == '+' || self->text[digits] == '-'))
        digits++;
      if (skip_digits (self, digits) > digits)
        {
          kind = KVSQL_TOKEN_REAL;
          at = skip_digits (self, digits);
        }
    }
  if (at < self->size && (is_name_part (self->text[at]) || self->text[at] == '.'))
    return number_with_junk (self, start, at, error);
  return make (self, kind, start, at);
}

static KvsqlToken
next_parameter (KvsqlLexer *self, gsize start, GError **error)
{
  gsize at = skip_digits (self, start + 1);
  KvsqlSpan span = { start, at - start };

  if (at == self->size || !is_name_part (self->text[at]))
    return make (self, KVSQL_TOKEN_PARAMETER, start, at);
  while (at < self->size && is_name_part (self->text[at]))
    at++;
  span.length = at - start;
  kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span,
                   "trailing junk after parameter at or near \"%.*s\"", MIN (span.length, 40),
                   (const gchar *)self->text + start);
  return fail (self, span);
}

static KvsqlToken
next_word (KvsqlLexer *self, gsize start)
{
  gsize end = start + 1;
  KvsqlToken token;

  while (end < self->size && is_name_part (self->text[end]))
    end++;
  token = make (self, KVSQL_TOKEN_WORD, start, end);
  token.keyword = kvsql_keyword_find ((const gchar *)self->text + start, end - start);
  return token;
}

/* ~ and its variants, and the operators of JSON, from the longest to the shortest. */
static const struct
{
  const gchar *text;
  gint symbol;
} matches[] = {
  { "!~~*", KVSQL_SYMBOL_NOT_LIKE_CASELESS }, { "!~~", KVSQL_SYMBOL_NOT_LIKE },
  { "!~*", KVSQL_SYMBOL_NOT_MATCH_CASELESS }, { "!~", KVSQL_SYMBOL_NOT_MATCH },
  { "~~*", KVSQL_SYMBOL_LIKE_CASELESS },      { "~~", KVSQL_SYMBOL_LIKE },
  { "~*", KVSQL_SYMBOL_MATCH_CASELESS },      { "~", KVSQL_SYMBOL_MATCH },
  { "->>", KVSQL_SYMBOL_JSON_GET_TEXT },      { "->", KVSQL_SYMBOL_JSON_GET },
  { "#>>", KVSQL_SYMBOL_JSON_PATH_TEXT },     { "#>", KVSQL_SYMBOL_JSON_PATH },
  { "#-", KVSQL_SYMBOL_JSON_REMOVE },         { "@>", KVSQL_SYMBOL_CONTAINS },
  { "<@", KVSQL_SYMBOL_CONTAINED },           { "?|", KVSQL_SYMBOL_HAS_ANY_KEY },
  { "?&", KVSQL_SYMBOL_HAS_ALL_KEYS },
};

static gint
match_symbol (const KvsqlLexer *self, gsize start, gsize *out_size)
{
  KvsqlSlice rest = kvsql_slice (self->text + start, self->size - start);

  /* a parameter, and then an operator */
  if (kvsql_slice_has_prefix (rest, KVSQL_SLICE_LITERAL ("?||"))
      || kvsql_slice_has_prefix (rest, KVSQL_SLICE_LITERAL ("?&&")))
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (matches); i++)
    if (kvsql_slice_has_prefix (rest, kvsql_slice_from_text (matches[i].text)))
      {
        *out_size = strlen (matches[i].text);
        return matches[i].symbol;
      }
  return 0;
}

static gint
two_characters (guint8 first, guint8 second)
{
  switch (first)
    {
    case '<':
      return second == '='   ? KVSQL_SYMBOL_LESS_EQUAL
             : second == '>' ? KVSQL_SYMBOL_NOT_EQUAL
             : second == '<' ? KVSQL_SYMBOL_SHIFT_LEFT
                             : 0;
    case '>':
      return second == '='   ? KVSQL_SYMBOL_GREATER_EQUAL
             : second == '>' ? KVSQL_SYMBOL_SHIFT_RIGHT
                             : 0;
    case '!':
      return second == '=' ? KVSQL_SYMBOL_NOT_EQUAL : 0;
    case '|':
      return second == '|' ? KVSQL_SYMBOL_CONCATENATE : 0;
    case '=':
      return second == '=' ? KVSQL_SYMBOL_EQUAL_EQUAL : 0;
    case '&':
      return second == '&' ? KVSQL_SYMBOL_OVERLAPS : 0;
    default:
      return 0;
    }
}

static KvsqlToken
unexpected_character (KvsqlLexer *self, gsize start, GError **error)
{
  KvsqlSpan span = { start, 1 };
  guint8 byte = self->text[start];

  if (byte < ' ' || byte == 0x7f)
    kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span, "unexpected byte 0x%02x", byte);
  else
    {
      while (start + span.length < self->size && (self->text[start + span.length] & 0xc0) == 0x80)
        span.length++;
      kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span, "unexpected character \"%.*s\"",
                       span.length, (const gchar *)self->text + start);
    }
  if (byte >= 0x80)
    kvsql_error_hint (error, "Names with other characters than A-Z, 0-9 and _ go in back-quotes, "
                             "text in single quotes.");
  else if (byte == '!')
    kvsql_error_hint (error, "Negation is written NOT, inequality <>.");
  else if (byte == '$' || byte == '@')
    kvsql_error_hint (error, "Parameters are written ?, :name or $1.");
  return fail (self, span);
}

KvsqlToken
kvsql_lexer_next (KvsqlLexer *self, GError **error)
{
  gsize start = self->offset, size = 2;
  guint8 byte, second;
  KvsqlToken token;

  if (!kvsql_lexer_skip_blanks (self->text, self->size, &start))
    return unterminated (self, start, "comment", "Close it with */.", error);
  if (start == self->size)
    return make (self, KVSQL_TOKEN_END, start, start);
  byte = self->text[start];
  second = start + 1 < self->size ? self->text[start + 1] : '\0';
  if ((byte | 0x20) == 'e' && second == '\'')
    return next_escaped (self, start, error);
  if (is_name_start (byte))
    return (byte | 0x20) == 'x' && (second == '\'' || second == '"')
               ? next_bytes (self, start, error)
               : next_word (self, start);
  if (g_ascii_isdigit (byte) || (byte == '.' && g_ascii_isdigit (second)))
    return next_number (self, start, error);
  if (byte == '\'' || byte == '"' || byte == '`')
    return next_quoted (self, start, error);
  if (byte == '$' && g_ascii_isdigit (second))
    return next_parameter (self, start, error);
  token = make (self, KVSQL_TOKEN_SYMBOL, start, start + 1);
  token.symbol = two_characters (byte, second);
  if (token.symbol == 0 && byte != '\0' && strchr ("~!-#@<?", byte) != NULL)
    token.symbol = match_symbol (self, start, &size);
  if (token.symbol != 0)
    {
      token.span.length = (gint32)size;
      self->offset = start + size;
      return token;
    }
  if (byte == '\0' || strchr ("()[]{},:;.+-*/%=<>?^&|#", byte) == NULL)
    return unexpected_character (self, start, error);
  token.symbol = byte;
  return token;
}
