/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-copy.c: COPY, with its options in parentheses, or in the order of older versions of
 * PostgreSQL. The rules for options, and their errors, are PostgreSQL's.
 *
 * Most of the words are no keywords: attributes called "format" or "header" are common.
 */
#include "config.h"

#include "core/sql/parser-private.h"

#include <string.h>

#define INVALID_VALUE "22023"
#define UNSUPPORTED "0A000"

typedef enum
{
  OPTION_FORMAT,
  OPTION_DELIMITER,
  OPTION_NULL,
  OPTION_HEADER,
  OPTION_QUOTE,
  OPTION_ESCAPE,
  OPTION_FORCE_QUOTE,
  OPTION_FORCE_NOT_NULL,
  OPTION_FORCE_NULL,
  OPTION_ENCODING,
  OPTION_FREEZE,
  N_OPTIONS,
} Option;

static const gchar *const option_names[] = { [OPTION_FORMAT] = "FORMAT",
                                             [OPTION_DELIMITER] = "DELIMITER",
                                             [OPTION_NULL] = "NULL",
                                             [OPTION_HEADER] = "HEADER",
                                             [OPTION_QUOTE] = "QUOTE",
                                             [OPTION_ESCAPE] = "ESCAPE",
                                             [OPTION_FORCE_QUOTE] = "FORCE_QUOTE",
                                             [OPTION_FORCE_NOT_NULL] = "FORCE_NOT_NULL",
                                             [OPTION_FORCE_NULL] = "FORCE_NULL",
                                             [OPTION_ENCODING] = "ENCODING",
                                             [OPTION_FREEZE] = "FREEZE",
                                             [N_OPTIONS] = NULL };

/* What was given, before the rules. */
typedef struct
{
  KvsqlSpan spans[N_OPTIONS];       /* offset -1: not given */
  const gchar *texts[N_OPTIONS];    /* of options whose value is a text */
  KvsqlSpan value_spans[N_OPTIONS]; /* of that text */
  KvsqlCopy *copy;
} Options;

/* PostgreSQL's SQLSTATE for a value that an option cannot have. */
static gboolean
fail_value (KvsqlSpan span, const gchar *sqlstate, GError **error, const gchar *text)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, span, "%s", text);
  return kvsql_error_sqlstate (error, sqlstate);
}

/* ---- values */

static gboolean
note_option (Options *self, Option option, KvsqlSpan span, GError **error)
{
  if (self->spans[option].offset >= 0)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span, "conflicting or redundant options");
  self->spans[option] = span;
  return TRUE;
}

static gboolean
parse_text (KvsqlParser *parser, Options *self, Option option, GError **error)
{
  KvsqlValue value;

  self->value_spans[option] = parser->token.span;
  if (parser->token.kind != KVSQL_TOKEN_STRING)
    return kvsql_parser_fail_unexpected (parser, "a text in single quotes", NULL, error);
  if (!kvsql_parser_literal (parser, &value, error))
    return FALSE;
  if (memchr (value.bytes.data, '\0', value.bytes.size) != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, self->value_spans[option],
                            "%s has U+0000, which is in no text", option_names[option]);
  self->texts[option]
      = kvsql_arena_strndup (parser->arena, (const gchar *)value.bytes.data, value.bytes.size);
  return TRUE;
}

/* A word or a text, in lower case; NULL: neither is there. */
static const gchar *
take_word (KvsqlParser *parser)
{
  KvsqlSlice text = kvsql_lexer_get_text (&parser->lexer, parser->token.span);
  gchar *word;

  if (parser->token.kind == KVSQL_TOKEN_STRING && text.size >= 2)
    text = kvsql_slice (text.data + 1, text.size - 2);
  else if (parser->token.kind != KVSQL_TOKEN_WORD && parser->token.kind != KVSQL_TOKEN_INTEGER)
    return NULL;
  word = kvsql_arena_strndup (parser->arena, (const gchar *)text.data, text.size);
  for (gchar *at = word; *at != '\0'; at++)
    *at = g_ascii_tolower (*at);
  kvsql_parser_advance (parser);
  return word;
}

static gboolean
parse_format (KvsqlParser *parser, Options *self, GError **error)
{
  static const gchar *const formats[]
      = { [KVSQL_COPY_TEXT] = "text", [KVSQL_COPY_CSV] = "csv", [KVSQL_COPY_BINARY] = "binary" };
  KvsqlSpan span = parser->token.span;
  const gchar *word = take_word (parser);

  if (word == NULL)
    return kvsql_parser_fail_unexpected (parser, "text, csv or binary", NULL, error);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (strcmp (word, formats[i]) == 0)
      {
        self->copy->format = i;
        return TRUE;
      }
  kvsql_error_set (error, KVSQL_ERROR_INVALID, span, "COPY format \"%s\" not recognized", word);
  kvsql_error_sqlstate (error, INVALID_VALUE);
  return kvsql_error_hint (error, "The formats are text, csv and binary.");
}

/* Nothing at all means true. FALSE without an error: it is no boolean. */
static gboolean
read_boolean (const gchar *word, gboolean *out)
{
  static const gchar *const yes[] = { "true", "on", "1", NULL };
  static const gchar *const no[] = { "false", "off", "0", NULL };

  *out = word == NULL || g_strv_contains (yes, word);
  return *out || g_strv_contains (no, word);
}

static gboolean
at_option_end (const KvsqlParser *parser)
{
  return kvsql_parser_at_symbol (parser, ',') || kvsql_parser_at_symbol (parser, ')');
}

static gboolean
parse_header (KvsqlParser *parser, Options *self, GError **error)
{
  KvsqlSpan span = parser->token.span;
  const gchar *word = at_option_end (parser) ? NULL : take_word (parser);
  gboolean has_header;

  if (word != NULL && strcmp (word, "match") == 0)
    self->copy->header = KVSQL_COPY_HEADER_MATCH;
  else if (read_boolean (word, &has_header))
    self->copy->header = has_header ? KVSQL_COPY_HEADER : KVSQL_COPY_NO_HEADER;
  else
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span,
                            "header requires a Boolean value or \"match\"");
  return TRUE;
}

/* There is nothing to do: tuples that are written need no further visit, as if frozen. */
static gboolean
parse_freeze (KvsqlParser *parser, KvsqlSpan span, GError **error)
{
  const gchar *word = at_option_end (parser) ? NULL : take_word (parser);
  gboolean is_frozen;

  return read_boolean (word, &is_frozen)
         || kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span, "freeze requires a Boolean value");
}

/* (a, b) or *; in the old order without parentheses */
static gboolean
parse_columns (KvsqlParser *parser, gboolean is_enclosed, KvsqlCopyColumns *out, GError **error)
{
  out->is_all = kvsql_parser_accept_symbol (parser, '*');
  if (out->is_all)
    return TRUE;
  if (is_enclosed && !kvsql_parser_expect_symbol (parser, '(', error))
    return FALSE;
  do
    if (!kvsql_parser_name (parser, "the name of an attribute",
                            KVSQL_PARSER_ADD (parser, out->names, out->n_names), error))
      return FALSE;
  while (kvsql_parser_accept_symbol (parser, ','));
  return !is_enclosed || kvsql_parser_expect_symbol (parser, ')', error);
}

static gboolean
parse_value (KvsqlParser *parser, Options *self, Option option, gboolean is_enclosed,
             GError **error)
{
  switch (option)
    {
    case OPTION_FORMAT:
      return parse_format (parser, self, error);
    case OPTION_HEADER:
      return parse_header (parser, self, error);
    case OPTION_FREEZE:
      return parse_freeze (parser, self->spans[OPTION_FREEZE], error);
    case OPTION_FORCE_QUOTE:
      return parse_columns (parser, is_enclosed, &self->copy->force_quote, error);
    case OPTION_FORCE_NOT_NULL:
      return parse_columns (parser, is_enclosed, &self->copy->force_not_null, error);
    case OPTION_FORCE_NULL:
      return parse_columns (parser, is_enclosed, &self->copy->force_null, error);
    default:
      return parse_text (parser, self, option, error);
    }
}

/* ---- (FORMAT csv, HEADER, …) */

static gboolean
parse_option (KvsqlParser *parser, Options *self, GError **error)
{
  KvsqlSpan span = parser->token.span;
  KvsqlSlice text = kvsql_lexer_get_text (&parser->lexer, span);

  for (Option option = 0; option < N_OPTIONS; option++)
    if (kvsql_parser_accept_word (parser, option_names[option]))
      return note_option (self, option, span, error)
             && parse_value (parser, self, option, TRUE, error);
  if (parser->token.kind != KVSQL_TOKEN_WORD)
    return kvsql_parser_fail_unexpected (parser, "an option of COPY", option_names, error);
  kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span, "option \"%.*s\" not recognized",
                   (gint)MIN (text.size, 60), (const gchar *)text.data);
  return kvsql_error_hint (error, "The options are FORMAT, DELIMITER, NULL, HEADER, QUOTE, ESCAPE, "
                                  "FORCE_QUOTE, FORCE_NOT_NULL, FORCE_NULL and ENCODING.");
}

static gboolean
parse_enclosed_options (KvsqlParser *parser, Options *self, GError **error)
{
  do
    if (!parse_option (parser, self, error))
      return FALSE;
  while (kvsql_parser_accept_symbol (parser, ','));
  if (kvsql_parser_accept_symbol (parser, ')'))
    return TRUE;
  return kvsql_parser_fail_unexpected (parser, "\",\" or \")\"", NULL, error);
}

/* ---- the old order: CSV HEADER, DELIMITER AS ';', FORCE QUOTE a, b */

static gboolean
parse_old_force (KvsqlParser *parser, Option *out, GError **error)
{
  static const gchar *const words[] = { "QUOTE", "NOT", "NULL", NULL };

  if (kvsql_parser_accept_word (parser, "QUOTE"))
    *out = OPTION_FORCE_QUOTE;
  else if (kvsql_parser_accept_word (parser, "NULL"))
    *out = OPTION_FORCE_NULL;
  else if (!kvsql_parser_accept_word (parser, "NOT") || !kvsql_parser_accept_word (parser, "NULL"))
    return kvsql_parser_fail_unexpected (parser, "QUOTE, NULL or NOT NULL", words, error);
  else
    *out = OPTION_FORCE_NOT_NULL;
  return TRUE;
}

/* *out_is_one: whether there was an option. */
static gboolean
parse_old_option (KvsqlParser *parser, Options *self, gboolean *out_is_one, GError **error)
{
  static const Option with_text[]
      = { OPTION_DELIMITER, OPTION_NULL, OPTION_QUOTE, OPTION_ESCAPE, OPTION_ENCODING };
  KvsqlSpan span = parser->token.span;
  Option option = N_OPTIONS;

  *out_is_one = TRUE;
  if (kvsql_parser_accept_word (parser, "CSV") || kvsql_parser_accept_word (parser, "BINARY"))
    {
      self->copy->format = g_ascii_tolower (parser->lexer.text[span.offset]) == 'c'
                               ? KVSQL_COPY_CSV
                               : KVSQL_COPY_BINARY;
      return note_option (self, OPTION_FORMAT, span, error);
    }
  if (kvsql_parser_accept_word (parser, "HEADER"))
    {
      self->copy->header = KVSQL_COPY_HEADER;
      return note_option (self, OPTION_HEADER, span, error);
    }
  if (kvsql_parser_accept_word (parser, "FORCE"))
    return parse_old_force (parser, &option, error) && note_option (self, option, span, error)
           && parse_value (parser, self, option, FALSE, error);
  for (guint i = 0; i < G_N_ELEMENTS (with_text); i++)
    if (kvsql_parser_accept_word (parser, option_names[with_text[i]]))
      {
        kvsql_parser_accept_keyword (parser, KVSQL_KEYWORD_AS);
        return note_option (self, with_text[i], span, error)
               && parse_text (parser, self, with_text[i], error);
      }
  *out_is_one = FALSE;
  return TRUE;
}

static gboolean
parse_options (KvsqlParser *parser, Options *self, GError **error)
{
  gboolean more = TRUE;

  kvsql_parser_accept_keyword (parser, KVSQL_KEYWORD_WITH);
  if (kvsql_parser_accept_symbol (parser, '('))
    return parse_enclosed_options (parser, self, error);
  while (more)
    if (!parse_old_option (parser, self, &more, error))
      return FALSE;
  return TRUE;
}

/* ---- rules */

static gboolean
is_given (const Options *self, Option option)
{
  return self->spans[option].offset >= 0;
}

/* Whether the option is of CSV only, and that is the format. */
static gboolean
check_csv (const Options *self, Option option, const gchar *name, GError **error)
{
  if (!is_given (self, option) || self->copy->format == KVSQL_COPY_CSV)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, self->spans[option],
                   "COPY %s available only in CSV mode", name);
  return kvsql_error_sqlstate (error, UNSUPPORTED);
}

static gboolean
check_direction (const Options *self, Option option, const gchar *name, gboolean is_from,
                 GError **error)
{
  if (!is_given (self, option) || self->copy->is_from == is_from)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, self->spans[option],
                   "COPY %s only available using "
                   "COPY %s",
                   name, is_from ? "FROM" : "TO");
  return kvsql_error_sqlstate (error, UNSUPPORTED);
}

/* Sets *out to the only byte of the text, if one is given. */
static gboolean
take_byte (const Options *self, Option option, const gchar *name, gchar *out, GError **error)
{
  const gchar *text = self->texts[option];

  if (text == NULL)
    return TRUE;
  *out = text[0];
  if (strlen (text) == 1)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, self->value_spans[option],
                   "COPY %s must be a single one-byte character", name);
  return kvsql_error_sqlstate (error, UNSUPPORTED);
}

static gboolean
check_binary (const Options *self, GError **error)
{
  static const Option refused[] = { OPTION_DELIMITER, OPTION_NULL, OPTION_HEADER };

  for (guint i = 0; i < G_N_ELEMENTS (refused) && self->copy->format == KVSQL_COPY_BINARY; i++)
    if (is_given (self, refused[i])
        && (refused[i] != OPTION_HEADER || self->copy->header != KVSQL_COPY_NO_HEADER))
      {
        kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->spans[refused[i]],
                         "cannot specify %s in BINARY mode", option_names[refused[i]]);
        return kvsql_error_sqlstate (error, refused[i] == OPTION_HEADER ? UNSUPPORTED : "42601");
      }
  return TRUE;
}

static gboolean
check_delimiter (const Options *self, GError **error)
{
  const KvsqlCopy *copy = self->copy;
  KvsqlSpan span = self->value_spans[OPTION_DELIMITER];

  if (copy->delimiter == '\n' || copy->delimiter == '\r')
    return fail_value (span, INVALID_VALUE, error,
                       "COPY delimiter cannot be newline or carriage return");
  if (copy->format != KVSQL_COPY_TEXT
      || strchr ("\\.abcdefghijklmnopqrstuvwxyz0123456789", copy->delimiter) == NULL)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, span, "COPY delimiter cannot be \"%c\"",
                   copy->delimiter);
  return kvsql_error_sqlstate (error, INVALID_VALUE);
}

static gboolean
check_null (const Options *self, GError **error)
{
  const KvsqlCopy *copy = self->copy;
  KvsqlSpan span = self->value_spans[OPTION_NULL];

  if (strpbrk (copy->null, "\r\n") != NULL)
    return fail_value (span, INVALID_VALUE, error,
                       "COPY null representation cannot use newline or carriage return");
  if (strchr (copy->null, copy->delimiter) != NULL)
    return fail_value (span, UNSUPPORTED, error,
                       "COPY delimiter must not appear in the NULL specification");
  return copy->format != KVSQL_COPY_CSV || strchr (copy->null, copy->quote) == NULL
         || fail_value (span, UNSUPPORTED, error,
                        "CSV quote character must not appear in the NULL specification");
}

static gboolean
check_encoding (const Options *self, GError **error)
{
  static const gchar *const names[] = { "utf8", "utf-8", "unicode", NULL };
  const gchar *text = self->texts[OPTION_ENCODING];
  g_autofree gchar *lower = text != NULL ? g_ascii_strdown (text, -1) : NULL;

  if (lower == NULL || g_strv_contains (names, lower))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->value_spans[OPTION_ENCODING],
                   "COPY in the encoding \"%s\" is not supported", text);
  return kvsql_error_hint (error, "Convert the data to UTF8.");
}

static gboolean
check_options (Options *self, GError **error)
{
  KvsqlCopy *copy = self->copy;
  gboolean is_csv = copy->format == KVSQL_COPY_CSV;

  copy->delimiter = is_csv ? ',' : '\t';
  copy->null = self->texts[OPTION_NULL] != NULL ? self->texts[OPTION_NULL] : is_csv ? "" : "\\N";
  copy->quote = '"';
  if (!check_binary (self, error) || !check_encoding (self, error)
      || !take_byte (self, OPTION_DELIMITER, "delimiter", &copy->delimiter, error)
      || !take_byte (self, OPTION_QUOTE, "quote", &copy->quote, error))
    return FALSE;
  copy->escape = copy->quote;
  if (copy->header == KVSQL_COPY_HEADER_MATCH && !copy->is_from)
    return fail_value (self->spans[OPTION_HEADER], UNSUPPORTED, error,
                       "cannot use \"match\" with HEADER in COPY TO");
  if (!check_delimiter (self, error) || !check_csv (self, OPTION_QUOTE, "quote", error))
    return FALSE;
  if (is_csv && copy->delimiter == copy->quote)
    return fail_value (self->value_spans[OPTION_DELIMITER], INVALID_VALUE, error,
                       "COPY delimiter and quote must be different");
  return check_csv (self, OPTION_ESCAPE, "escape", error)
         && take_byte (self, OPTION_ESCAPE, "escape", &copy->escape, error)
         && check_csv (self, OPTION_FORCE_QUOTE, "force quote", error)
         && check_direction (self, OPTION_FORCE_QUOTE, "force quote", FALSE, error)
         && check_csv (self, OPTION_FORCE_NOT_NULL, "force not null", error)
         && check_direction (self, OPTION_FORCE_NOT_NULL, "force not null", TRUE, error)
         && check_csv (self, OPTION_FORCE_NULL, "force null", error)
         && check_direction (self, OPTION_FORCE_NULL, "force null", TRUE, error)
         && check_null (self, error);
}

/* ---- the statement */

static gboolean
parse_query (KvsqlParser *parser, KvsqlCopy *out, GError **error)
{
  gint32 start = parser->token.span.offset;

  out->query = kvsql_arena_new0 (parser->arena, KvsqlSelect);
  if ((kvsql_parser_at_with (parser) && !kvsql_parser_with (parser, error))
      || !kvsql_parser_query (parser, out->query, error))
    return FALSE;
  out->query_span = kvsql_parser_span_from (parser, start);
  parser->expected_at_end = NULL;
  parser->words_at_end = NULL;
  return kvsql_parser_expect_symbol (parser, ')', error);
}

/* STDIN or STDOUT, either of them as in PostgreSQL; files are those of the client. */
static gboolean
parse_end_point (KvsqlParser *parser, const KvsqlCopy *copy, GError **error)
{
  static const gchar *const words[] = { "STDIN", "STDOUT", NULL };
  gboolean is_program = kvsql_parser_at_word (parser, "PROGRAM");

  if (kvsql_parser_accept_word (parser, "STDIN") || kvsql_parser_accept_word (parser, "STDOUT"))
    return TRUE;
  if (!is_program && parser->token.kind != KVSQL_TOKEN_STRING)
    return kvsql_parser_fail_unexpected (parser, copy->is_from ? "STDIN" : "STDOUT", words, error);
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, parser->token.span,
                   "COPY %s %s of the server is not supported", copy->is_from ? "FROM" : "TO",
                   is_program ? "a program" : "a file");
  return kvsql_error_hint (error, "psql's \\copy reads and writes files of the client.");
}

static gboolean
parse_direction (KvsqlParser *parser, KvsqlCopy *out, GError **error)
{
  static const gchar *const words[] = { "FROM", "TO", NULL };
  KvsqlSpan span = parser->token.span;

  out->is_from = kvsql_parser_accept_keyword (parser, KVSQL_KEYWORD_FROM);
  if (!out->is_from && !kvsql_parser_accept_word (parser, "TO"))
    return kvsql_parser_fail_unexpected (parser, out->query != NULL ? "TO" : "FROM or TO", words,
                                         error);
  if (!out->is_from || out->query == NULL)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span, "COPY FROM needs a relation, not a query");
  return kvsql_error_hint (error, "Write COPY (…) TO STDOUT, or COPY relation FROM STDIN.");
}

static gboolean
refuse_where (KvsqlParser *parser, GError **error)
{
  if (!kvsql_parser_at_keyword (parser, KVSQL_KEYWORD_WHERE))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, parser->token.span,
                   "COPY with WHERE is not supported");
  return kvsql_error_hint (error, "COPY (SELECT … WHERE …) TO STDOUT selects; what COPY FROM reads "
                                  "is selected by the client.");
}

static gboolean
parse_relation (KvsqlParser *parser, KvsqlCopy *out, GError **error)
{
  out->relation = kvsql_arena_new0 (parser->arena, KvsqlName);
  return kvsql_parser_written_relation (parser, out->relation, error);
}

gboolean
kvsql_parser_copy (KvsqlParser *self, KvsqlCopy *out, GError **error)
{
  Options options = { .copy = out };

  for (guint i = 0; i < N_OPTIONS; i++)
    options.spans[i] = options.value_spans[i] = KVSQL_SPAN_NONE;
  kvsql_parser_advance (self);
  if (kvsql_parser_accept_symbol (self, '('))
    {
      if (!parse_query (self, out, error))
        return FALSE;
    }
  else if (!parse_relation (self, out, error)
           || !kvsql_parser_names (self, &out->attributes, &out->n_attributes, error))
    return FALSE;
  return parse_direction (self, out, error) && parse_end_point (self, out, error)
         && parse_options (self, &options, error) && check_options (&options, error)
         && refuse_where (self, error);
}
