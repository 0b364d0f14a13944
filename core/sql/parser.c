/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser.c: the entry points, and the functions that all parts of the parser use.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/sql/parser-private.h"

void
kvsql_parser_advance (KvsqlParser *self)
{
  if (self->token.kind == KVSQL_TOKEN_ERROR)
    return;
  self->previous_end = self->token.span.offset + self->token.span.length;
  if (kvsql_interrupt_poll (&self->lexer_error))
    self->token = kvsql_lexer_next (&self->lexer, &self->lexer_error);
  else
    self->token = (KvsqlToken){ .kind = KVSQL_TOKEN_ERROR, .span = self->token.span };
}

KvsqlToken
kvsql_parser_peek (const KvsqlParser *self)
{
  KvsqlLexer lexer = self->lexer;

  return kvsql_lexer_next (&lexer, NULL);
}

/* After TABLE: the name of a relation, and the end of a query. A table of the store is TABLE 't',
 * and an attribute may be called so: table IN (…). */
static gboolean
at_table (KvsqlLexer *lexer)
{
  static const KvsqlKeyword ends[]
      = { KVSQL_KEYWORD_ORDER,     KVSQL_KEYWORD_LIMIT,  KVSQL_KEYWORD_OFFSET, KVSQL_KEYWORD_UNION,
          KVSQL_KEYWORD_INTERSECT, KVSQL_KEYWORD_EXCEPT, KVSQL_KEYWORD_WITH };
  const KvsqlToken name = kvsql_lexer_next (lexer, NULL), after = kvsql_lexer_next (lexer, NULL);

  if (name.kind != KVSQL_TOKEN_QUOTED_NAME
      && (name.kind != KVSQL_TOKEN_WORD || kvsql_keyword_is_reserved (name.keyword)))
    return FALSE;
  /* two names around an operator: (table ILIKE offset) */
  if (name.keyword == KVSQL_KEYWORD_ILIKE || name.keyword == KVSQL_KEYWORD_RLIKE)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (after.keyword == ends[i])
      return TRUE;
  return after.kind == KVSQL_TOKEN_END || after.symbol == ')' || after.symbol == ';'
         || kvsql_parser_at_fetch (&(KvsqlParser){ .lexer = *lexer, .token = after });
}

gboolean
kvsql_parser_at_query (const KvsqlParser *self)
{
  KvsqlLexer lexer = self->lexer;
  KvsqlToken token = self->token;

  /* more parentheses are too deep for a query */
  for (guint depth = 0; token.symbol == '(' && depth <= KVSQL_MAX_DEPTH; depth++)
    token = kvsql_lexer_next (&lexer, NULL);
  if (token.keyword == KVSQL_KEYWORD_WITH)
    return kvsql_parser_at_with (&(KvsqlParser){ .lexer = lexer, .token = token });
  if (token.keyword == KVSQL_KEYWORD_TABLE)
    return at_table (&lexer);
  return token.keyword == KVSQL_KEYWORD_SELECT
         || (token.keyword == KVSQL_KEYWORD_VALUES
             && kvsql_lexer_next (&lexer, NULL).symbol == '(');
}

gboolean
kvsql_parser_accept_keyword (KvsqlParser *self, KvsqlKeyword keyword)
{
  if (self->token.keyword != keyword)
    return FALSE;
  kvsql_parser_advance (self);
  return TRUE;
}

gboolean
kvsql_parser_accept_symbol (KvsqlParser *self, gint symbol)
{
  if (self->token.symbol != symbol)
    return FALSE;
  kvsql_parser_advance (self);
  return TRUE;
}

gboolean
kvsql_parser_expect_keyword (KvsqlParser *self, KvsqlKeyword keyword, GError **error)
{
  const gchar *words[] = { kvsql_keyword_get_text (keyword), NULL };

  return kvsql_parser_accept_keyword (self, keyword)
         || kvsql_parser_fail_unexpected (self, words[0], words, error);
}

gboolean
kvsql_parser_expect_symbol (KvsqlParser *self, gint symbol, GError **error)
{
  gchar expected[] = { '"', symbol, '"', '\0' };

  return kvsql_parser_accept_symbol (self, symbol)
         || kvsql_parser_fail_unexpected (self, expected, NULL, error);
}

gboolean
kvsql_parser_at_word (const KvsqlParser *self, const gchar *word)
{
  KvsqlSlice text;

  if (self->token.kind != KVSQL_TOKEN_WORD)
    return FALSE;
  text = kvsql_lexer_get_text (&self->lexer, self->token.span);
  return text.size == strlen (word)
         && g_ascii_strncasecmp ((const gchar *)text.data, word, text.size) == 0;
}

static gboolean
is_name (const KvsqlToken *token)
{
  return token->kind == KVSQL_TOKEN_QUOTED_NAME
         || (token->kind == KVSQL_TOKEN_WORD && !kvsql_keyword_is_reserved (token->keyword));
}

gboolean
kvsql_parser_at_name (const KvsqlParser *self)
{
  return is_name (&self->token);
}

KvsqlName
kvsql_parser_take_word (KvsqlParser *self)
{
  KvsqlSlice text = kvsql_lexer_get_text (&self->lexer, self->token.span);
  KvsqlName name = { .span = self->token.span };

  if (self->token.kind == KVSQL_TOKEN_QUOTED_NAME)
    {
      name.is_double_quoted = text.data[0] == '"';
      name.is_quoted = !name.is_double_quoted;
    }
  if (self->token.kind == KVSQL_TOKEN_QUOTED_NAME)
    name.text
        = (const gchar *)kvsql_lexer_get_string (&self->lexer, &self->token, self->arena).data;
  else
    name.text = kvsql_arena_strndup (self->arena, (const gchar *)text.data, text.size);
  kvsql_parser_advance (self);
  return name;
}

/* "public", a point and a name. @is_qualifier: and a point. */
static gboolean
at_public (const KvsqlParser *self, gboolean is_qualifier)
{
  KvsqlSlice text = kvsql_lexer_get_text (&self->lexer, self->token.span);
  KvsqlLexer lexer = self->lexer;
  KvsqlToken next;

  if (!kvsql_parser_at_word (self, "PUBLIC")
      && !(self->token.kind == KVSQL_TOKEN_QUOTED_NAME
           && kvsql_slice_equal (text, kvsql_slice_from_text ("\"public\""))))
    return FALSE;
  if (kvsql_lexer_next (&lexer, NULL).symbol != '.')
    return FALSE;
  next = kvsql_lexer_next (&lexer, NULL);
  return is_name (&next) && (!is_qualifier || kvsql_lexer_next (&lexer, NULL).symbol == '.');
}

void
kvsql_parser_skip_public (KvsqlParser *self, gboolean is_qualifier)
{
  if (!at_public (self, is_qualifier))
    return;
  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
}

gboolean
kvsql_parser_name (KvsqlParser *self, const gchar *what, KvsqlName *out, GError **error)
{
  kvsql_parser_skip_public (self, FALSE);
  if (kvsql_parser_at_name (self))
    {
      *out = kvsql_parser_take_word (self);
      return TRUE;
    }
  kvsql_parser_fail_unexpected (self, what, NULL, error);
  if (self->token.kind == KVSQL_TOKEN_STRING)
    kvsql_error_hint (error, self->lexer.has_double_quoted_text
                                 ? "Names are written bare or in back-quotes; in a definition both "
                                   "quotes make text."
                                 : "Names are written bare, in double quotes or in back-quotes; "
                                   "single quotes make text.");
  else if (self->token.kind == KVSQL_TOKEN_WORD)
    {
      const gchar *word = kvsql_keyword_get_text (self->token.keyword);
      kvsql_error_hint (error, "%s is a reserved word; as a name it goes in back-quotes.", word);
    }
  return FALSE;
}

static gboolean
is_number (KvsqlTokenKind kind)
{
  return kind == KVSQL_TOKEN_INTEGER || kind == KVSQL_TOKEN_DECIMAL || kind == KVSQL_TOKEN_REAL;
}

gboolean
kvsql_parser_at_literal (const KvsqlParser *self)
{
  switch (self->token.kind)
    {
    case KVSQL_TOKEN_STRING:
    case KVSQL_TOKEN_BYTES:
    case KVSQL_TOKEN_INTEGER:
    case KVSQL_TOKEN_DECIMAL:
    case KVSQL_TOKEN_REAL:
      return TRUE;
    case KVSQL_TOKEN_WORD:
      return self->token.keyword == KVSQL_KEYWORD_NULL || self->token.keyword == KVSQL_KEYWORD_TRUE
             || self->token.keyword == KVSQL_KEYWORD_FALSE;
    case KVSQL_TOKEN_SYMBOL:
      return self->token.symbol == '-' && is_number (kvsql_parser_peek (self).kind);
    default:
      return FALSE;
    }
}

gboolean
kvsql_parser_literal (KvsqlParser *self, KvsqlValue *out, GError **error)
{
  gboolean is_negative = kvsql_parser_accept_symbol (self, '-');
  KvsqlValue value = KVSQL_VALUE_NULL;

  switch (self->token.kind)
    {
    case KVSQL_TOKEN_STRING:
      value.type = KVSQL_TYPE_STRING;
      value.bytes = kvsql_lexer_get_string (&self->lexer, &self->token, self->arena);
      break;
    case KVSQL_TOKEN_BYTES:
      value.type = KVSQL_TYPE_BYTES;
      value.bytes = kvsql_lexer_get_bytes (&self->lexer, &self->token, self->arena);
      break;
    case KVSQL_TOKEN_WORD:
      if (self->token.keyword != KVSQL_KEYWORD_NULL)
        {
          value.type = KVSQL_TYPE_BOOLEAN;
          value.boolean = self->token.keyword == KVSQL_KEYWORD_TRUE;
        }
      break;
    default:
      if (!kvsql_lexer_get_number (&self->lexer, &self->token, is_negative, self->arena, &value,
                                   error))
        return FALSE;
    }
  kvsql_parser_advance (self);
  *out = value;
  return TRUE;
}

KvsqlSpan
kvsql_parser_span_from (const KvsqlParser *self, gint32 start)
{
  return (KvsqlSpan){ start, self->previous_end - start };
}

gboolean
kvsql_parser_enter (KvsqlParser *self, guint weight, GError **error)
{
  if (self->depth + weight > 2 * KVSQL_MAX_DEPTH)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, self->token.span,
                            "statement is nested too deeply");
  self->depth += weight;
  return TRUE;
}

gboolean
kvsql_parser_check_items (KvsqlParser *self, const gchar *clause, guint n, GError **error)
{
  return n < KVSQL_MAX_ITEMS
         || kvsql_error_set (error, KVSQL_ERROR_LIMIT, self->token.span,
                             "%s has more than %d items", clause, KVSQL_MAX_ITEMS);
}

/* TRUE, FALSE, ON or OFF; without one, it is TRUE. */
static gboolean
parse_switch (KvsqlParser *self, gboolean *out, GError **error)
{
  static const gchar *const words[] = { "TRUE", "FALSE", "ON", "OFF", NULL };
  guint i = 0;

  if (out != NULL)
    *out = TRUE;
  if (kvsql_parser_at_symbol (self, ',') || kvsql_parser_at_symbol (self, ')'))
    return TRUE;
  while (words[i] != NULL && !kvsql_parser_at_word (self, words[i]))
    i++;
  if (words[i] == NULL)
    return kvsql_parser_fail_unexpected (self, "ON, OFF, \",\" or \")\"", words, error);
  if (out != NULL)
    *out = i % 2 == 0;
  kvsql_parser_advance (self);
  return TRUE;
}

static gboolean
parse_explain_option (KvsqlParser *self, KvsqlExplain *out, GError **error)
{
  static const gchar *const options[] = { "FORMAT", "CALLS", "ANALYZE", NULL };
  /* options of PostgreSQL that change nothing here, but that its tools write */
  static const gchar *const others[]
      = { "VERBOSE", "COSTS", "BUFFERS", "TIMING", "SUMMARY", "SETTINGS", "WAL" };
  static const gchar *const formats[] = { "TEXT", "JSON", "DOT", NULL };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (kvsql_parser_at_word (self, others[i]))
      {
        kvsql_parser_advance (self);
        return parse_switch (self, NULL, error);
      }
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_CALLS))
    out->has_calls = TRUE;
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ANALYZE))
    return parse_switch (self, &out->is_analyze, error);
  else if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_FORMAT))
    return kvsql_parser_fail_unexpected (self, "FORMAT, CALLS or ANALYZE", options, error);
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_TEXT))
    out->format = KVSQL_EXPLAIN_TEXT;
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_JSON))
    out->format = KVSQL_EXPLAIN_JSON;
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_DOT))
    out->format = KVSQL_EXPLAIN_DOT;
  else
    return kvsql_parser_fail_unexpected (self, "TEXT, JSON or DOT", formats, error);
  return TRUE;
}

/* WITH SCHEMA …, after what is explained. */
static gboolean
parse_supposed (KvsqlParser *self, KvsqlExplain *out, GError **error)
{
  while (kvsql_parser_at_with_schema (self))
    if (!kvsql_parser_check_items (self, "EXPLAIN", out->n_schemas, error)
        || !kvsql_parser_with_schema (self, KVSQL_PARSER_ADD (self, out->schemas, out->n_schemas),
                                      error))
      return FALSE;
  return TRUE;
}

static gboolean
parse_explain (KvsqlParser *self, KvsqlExplain *out, GError **error)
{
  kvsql_parser_advance (self);
  out->is_analyze = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ANALYZE);
  /* else a query in parentheses */
  if (kvsql_parser_at_symbol (self, '(') && !kvsql_parser_at_query (self))
    {
      kvsql_parser_advance (self);
      do
        if (!parse_explain_option (self, out, error))
          return FALSE;
      while (kvsql_parser_accept_symbol (self, ','));
      if (!kvsql_parser_at_symbol (self, ')'))
        return kvsql_parser_fail_unexpected (self, "\",\" or \")\"", NULL, error);
      kvsql_parser_advance (self);
    }
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_EXPLAIN)
      || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ANALYZE))
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span,
                            "EXPLAIN cannot explain an %s",
                            kvsql_keyword_get_text (self->token.keyword));
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_BACKUP)
      || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_BACKFILL)
      || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_VERIFY)
      || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_REPAIR)
      || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_KILL))
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span,
                            "EXPLAIN cannot explain a %s",
                            kvsql_keyword_get_text (self->token.keyword));
  if (kvsql_parser_at_word (self, "COPY"))
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span,
                            "EXPLAIN cannot explain a COPY")
           || kvsql_error_hint (error, "EXPLAIN the query of COPY (…) TO STDOUT.");
  if (kvsql_parser_at_reset (self))
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span,
                            "EXPLAIN cannot explain a RESET");
  out->statement = kvsql_arena_new0 (self->arena, KvsqlAstStatement);
  if (!kvsql_parser_statement (self, out->statement, error) || !parse_supposed (self, out, error))
    return FALSE;
  return (out->statement->kind != KVSQL_STATEMENT_ROLE
          && out->statement->kind != KVSQL_STATEMENT_GRANT
          && out->statement->kind != KVSQL_STATEMENT_SET_ROLE)
         || kvsql_error_set (error, KVSQL_ERROR_SYNTAX, out->statement->span,
                             "EXPLAIN cannot explain a statement about roles");
}

static gboolean
parse_describe (KvsqlParser *self, KvsqlDescribe *out, GError **error)
{
  kvsql_parser_advance (self);
  if (kvsql_parser_at_store_table (self))
    return kvsql_parser_store_table (self, &out->name, error);
  return kvsql_parser_name (self, "the name of a relation or schema", &out->name, error);
}

/* ALTER SEQUENCE: SEQUENCE is no keyword. */
static gboolean
at_alter_sequence (const KvsqlParser *self)
{
  const KvsqlToken next = kvsql_parser_peek (self);

  return kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ALTER)
         && kvsql_parser_is_word (self, &next, "SEQUENCE");
}

/* Statements about roles and rights, and ALTER SEQUENCE. Most of their words are no keywords.
 * *out_is_one: whether it is one */
static gboolean
dispatch_role (KvsqlParser *self, KvsqlAstStatement *out, gboolean *out_is_one, GError **error)
{
  KvsqlRoleAction action = KVSQL_ROLE_CREATE;

  *out_is_one = kvsql_parser_at_word (self, "GRANT") || kvsql_parser_at_word (self, "REVOKE");
  if (*out_is_one)
    {
      out->kind = KVSQL_STATEMENT_GRANT;
      return kvsql_parser_grant (self, &out->grant, error);
    }
  *out_is_one = kvsql_parser_at_set_role (self);
  if (*out_is_one)
    {
      out->kind = KVSQL_STATEMENT_SET_ROLE;
      return kvsql_parser_set_role (self, &out->set_role, error);
    }
  *out_is_one = kvsql_parser_at_owned (self);
  if (*out_is_one)
    {
      out->kind = KVSQL_STATEMENT_ROLE;
      return kvsql_parser_owned (self, &out->role, error);
    }
  *out_is_one = at_alter_sequence (self);
  if (*out_is_one)
    {
      out->kind = KVSQL_STATEMENT_CREATE_SEQUENCE;
      return kvsql_parser_alter_sequence (self, &out->create_sequence, error);
    }
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ALTER))
    action = KVSQL_ROLE_ALTER;
  else if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_DROP))
    action = KVSQL_ROLE_DROP;
  else if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_CREATE))
    return TRUE;
  if (!kvsql_parser_before_role (self))
    return TRUE;
  *out_is_one = TRUE;
  out->kind = KVSQL_STATEMENT_ROLE;
  return kvsql_parser_role (self, action, &out->role, error);
}

static gboolean dispatch (KvsqlParser *self, KvsqlAstStatement *out, GError **error);

/* WITH x AS (…) before a query, or before a statement that writes. */
static gboolean
parse_with (KvsqlParser *self, KvsqlAstStatement *out, GError **error)
{
  static const gchar *const words[] = { "SELECT", "INSERT", "UPDATE", "DELETE", NULL };

  if (!kvsql_parser_with (self, error))
    return FALSE;
  if (!kvsql_parser_at_query (self) && !kvsql_parser_at_keyword (self, KVSQL_KEYWORD_INSERT)
      && !kvsql_parser_at_keyword (self, KVSQL_KEYWORD_UPDATE)
      && !kvsql_parser_at_keyword (self, KVSQL_KEYWORD_DELETE))
    return kvsql_parser_fail_unexpected (self, "\",\", SELECT, INSERT, UPDATE or DELETE", words,
                                         error);
  return dispatch (self, out, error);
}

static gboolean
dispatch (KvsqlParser *self, KvsqlAstStatement *out, GError **error)
{
  static const gchar *const words[]
      = { "SELECT", "INSERT",  "UPDATE",   "DELETE",  "DEFINE",  "ALTER",    "DROP",
          "SHOW",   "COMMENT", "DESCRIBE", "ANALYZE", "EXPLAIN", "BACKUP",   "BACKFILL",
          "VERIFY", "REPAIR",  "RESTORE",  "KILL",    "CREATE",  "TRUNCATE", "GRANT",
          "REVOKE", "COPY",    "RESET",    NULL };

  kvsql_lexer_begin_statement (&self->lexer, self->token.keyword);
  switch (self->token.keyword)
    {
    case KVSQL_KEYWORD_SELECT:
    case KVSQL_KEYWORD_VALUES:
    case KVSQL_KEYWORD_TABLE:
      out->kind = KVSQL_STATEMENT_SELECT;
      return kvsql_parser_query (self, &out->select, error);
    case KVSQL_KEYWORD_WITH:
      return parse_with (self, out, error);
    case KVSQL_KEYWORD_INSERT:
      out->kind = KVSQL_STATEMENT_INSERT;
      return kvsql_parser_insert (self, &out->insert, error);
    case KVSQL_KEYWORD_UPDATE:
      out->kind = KVSQL_STATEMENT_UPDATE;
      return kvsql_parser_update (self, &out->update, error);
    case KVSQL_KEYWORD_DELETE:
      out->kind = KVSQL_STATEMENT_DELETE;
      return kvsql_parser_delete (self, &out->delete_, error);
    case KVSQL_KEYWORD_DEFINE:
      return kvsql_parser_define (self, out, error);
    case KVSQL_KEYWORD_CREATE:
      return kvsql_parser_create (self, out, error);
    case KVSQL_KEYWORD_TRUNCATE:
      return kvsql_parser_truncate (self, out, error);
    case KVSQL_KEYWORD_ALTER:
      out->kind = KVSQL_STATEMENT_ALTER;
      return kvsql_parser_alter (self, &out->alter, error);
    case KVSQL_KEYWORD_COMMENT:
      out->kind = KVSQL_STATEMENT_COMMENT;
      return kvsql_parser_comment (self, &out->comment, error);
    case KVSQL_KEYWORD_ANALYZE:
      out->kind = KVSQL_STATEMENT_ANALYZE;
      return kvsql_parser_analyze (self, &out->analyze, error);
    case KVSQL_KEYWORD_BACKUP:
      out->kind = KVSQL_STATEMENT_BACKUP;
      return kvsql_parser_backup (self, &out->backup, error);
    case KVSQL_KEYWORD_BACKFILL:
      out->kind = KVSQL_STATEMENT_BACKFILL;
      return kvsql_parser_maintain (self, &out->maintain, error);
    case KVSQL_KEYWORD_VERIFY:
      out->kind = KVSQL_STATEMENT_VERIFY;
      return kvsql_parser_maintain (self, &out->maintain, error);
    case KVSQL_KEYWORD_REPAIR:
      out->kind = KVSQL_STATEMENT_REPAIR;
      return kvsql_parser_maintain (self, &out->maintain, error);
    case KVSQL_KEYWORD_DROP:
      out->kind = KVSQL_STATEMENT_DROP;
      return kvsql_parser_drop (self, &out->drop, error);
    case KVSQL_KEYWORD_RESTORE:
      out->kind = KVSQL_STATEMENT_RESTORE;
      return kvsql_parser_restore (self, &out->restore, error);
    case KVSQL_KEYWORD_SHOW:
      out->kind = KVSQL_STATEMENT_SHOW;
      return kvsql_parser_show (self, &out->show, error);
    case KVSQL_KEYWORD_KILL:
      out->kind = KVSQL_STATEMENT_KILL;
      return kvsql_parser_kill (self, &out->kill, error);
    case KVSQL_KEYWORD_DESC:
    case KVSQL_KEYWORD_DESCRIBE:
      out->kind = KVSQL_STATEMENT_DESCRIBE;
      return parse_describe (self, &out->describe, error);
    case KVSQL_KEYWORD_EXPLAIN:
      out->kind = KVSQL_STATEMENT_EXPLAIN;
      return parse_explain (self, &out->explain, error);
    default:
      if (kvsql_parser_at_symbol (self, '('))
        {
          out->kind = KVSQL_STATEMENT_SELECT;
          return kvsql_parser_query (self, &out->select, error);
        }
      if (kvsql_parser_at_word (self, "COPY"))
        {
          out->kind = KVSQL_STATEMENT_COPY;
          return kvsql_parser_copy (self, &out->copy, error);
        }
      if (kvsql_parser_at_reset (self))
        {
          out->kind = KVSQL_STATEMENT_RESET;
          return kvsql_parser_reset (self, error);
        }
      if (kvsql_parser_accept_word (self, "CALIBRATE"))
        {
          out->kind = KVSQL_STATEMENT_CALIBRATE;
          return TRUE;
        }
      if (kvsql_parser_is_unsupported_statement (self, error))
        return FALSE;
      return kvsql_parser_fail_unexpected (self, "a statement", words, error);
    }
}

gboolean
kvsql_parser_statement (KvsqlParser *self, KvsqlAstStatement *out, GError **error)
{
  gint32 start = self->token.span.offset;
  gboolean is_role;

  if (!dispatch_role (self, out, &is_role, error) || (!is_role && !dispatch (self, out, error)))
    return FALSE;
  g_assert (self->previous_end > start); /* at least one word: the span is not empty */
  out->span = kvsql_parser_span_from (self, start);
  out->n_parameters = self->n_parameters;
  out->parameter_names = self->parameter_names;
  return TRUE;
}

/* After a statement: at most one ';', then the end. */
static gboolean
parse_end (KvsqlParser *self, GError **error)
{
  if (!kvsql_parser_accept_symbol (self, ';'))
    {
      if (self->token.kind == KVSQL_TOKEN_END)
        return TRUE;
      return kvsql_parser_fail_unexpected (
          self, self->expected_at_end != NULL ? self->expected_at_end : "the end of the statement",
          self->words_at_end, error);
    }
  while (kvsql_parser_accept_symbol (self, ';'))
    ;
  if (self->token.kind == KVSQL_TOKEN_END)
    return TRUE;
  if (self->token.kind == KVSQL_TOKEN_ERROR)
    return kvsql_parser_fail_unexpected (self, NULL, NULL, error);
  kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span,
                   "more than one statement in one text");
  return kvsql_error_hint (error, "Send each statement separately.");
}

/* Checks that the text is UTF-8. NUL is allowed, at which g_utf8_validate() stops. */
static gboolean
check_text (KvsqlSlice text, GError **error)
{
  const gchar *at = (const gchar *)text.data, *end = at + text.size;

  if (text.size > KVSQL_MAX_STATEMENT_BYTES)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "statement of %" G_GSIZE_FORMAT " bytes is longer than %d bytes",
                            text.size, KVSQL_MAX_STATEMENT_BYTES);
  while (at < end && !g_utf8_validate_len (at, end - at, &at))
    {
      if (*at != '\0')
        {
          KvsqlSpan span = { at - (const gchar *)text.data, 1 };
          kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span, "invalid UTF-8: byte 0x%02x",
                           (guint8)*at);
          return kvsql_error_hint (error, "Bytes that are no text are written x'00ff'.");
        }
      at++;
    }
  return TRUE;
}

static KvsqlAstStatement *
parse (KvsqlParser *self, GError **error)
{
  KvsqlAstStatement *statement = kvsql_arena_new0 (self->arena, KvsqlAstStatement);

  kvsql_parser_advance (self);
  self->previous_end = 0;
  if (self->token.kind == KVSQL_TOKEN_END || kvsql_parser_at_symbol (self, ';'))
    {
      kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span, "empty statement");
      return NULL;
    }
  if (!kvsql_parser_statement (self, statement, error) || !parse_end (self, error))
    return NULL;
  return statement;
}

KvsqlAstStatement *
kvsql_parser_parse (KvsqlSlice text, KvsqlArena *arena, GError **error)
{
  KvsqlParser self = { .lexer = { text.data, text.size, 0 }, .arena = arena };
  KvsqlAstStatement *statement;

  if (!check_text (text, error))
    return NULL;
  /* a first token without length, which advance() skips */
  self.token = (KvsqlToken){ KVSQL_TOKEN_SYMBOL, KVSQL_KEYWORD_NONE, 0, { 0, 0 } };
  statement = parse (&self, error);
  g_clear_error (&self.lexer_error);
  g_clear_pointer (&self.parameter_indexes, g_hash_table_unref);
  return statement != NULL && kvsql_interrupt_poll (error) ? statement : NULL;
}

KvsqlAstStatement *
kvsql_parser_parse_definition (KvsqlSlice text, KvsqlArena *arena, GError **error)
{
  KvsqlAstStatement *statement = kvsql_parser_parse (text, arena, error);

  if (statement != NULL && statement->kind != KVSQL_STATEMENT_DEFINE_RELATION
      && statement->kind != KVSQL_STATEMENT_DEFINE_SCHEMA)
    {
      kvsql_error_set (error, KVSQL_ERROR_SYNTAX, statement->span,
                       "expected DEFINE RELATION or DEFINE SCHEMA");
      return NULL;
    }
  return statement;
}
