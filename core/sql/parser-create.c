/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-create.c: CREATE TABLE, CREATE INDEX and TRUNCATE, as in PostgreSQL.
 *
 * A name in double quotes is the name of what is created. In lower case it is the same as without
 * quotes, because programs put all names into quotes.
 */
#include "config.h"

#include "core/sql/parser-private.h"

void
kvsql_parser_make_defined (KvsqlName *name)
{
  if (!name->is_double_quoted)
    return;
  name->is_double_quoted = FALSE;
  name->is_quoted = kvsql_lexer_needs_quotes (name->text, strlen (name->text));
}

static gboolean
parse_defined_name (KvsqlParser *self, const gchar *what, KvsqlName *out, GError **error)
{
  if (!kvsql_parser_name (self, what, out, error))
    return FALSE;
  kvsql_parser_make_defined (out);
  return TRUE;
}

/* ---- CREATE TABLE */

static gboolean
parse_key (KvsqlParser *self, KvsqlCreateTable *out, GError **error)
{
  gint32 start = self->token.span.offset;

  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
  if (out->n_key > 0)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, kvsql_parser_span_from (self, start),
                            "PRIMARY KEY is given twice");
  if (!kvsql_parser_at_symbol (self, '('))
    return kvsql_parser_fail_unexpected (self, "\"(\"", NULL, error);
  return kvsql_parser_names (self, &out->key, &out->n_key, error);
}

/* Whether [CONSTRAINT name] PRIMARY KEY begins here, which is not kept under that name. */
static gboolean
at_key (KvsqlParser *self)
{
  KvsqlLexer lexer = self->lexer;
  KvsqlKeyword keyword = self->token.keyword;

  if (keyword == KVSQL_KEYWORD_CONSTRAINT)
    {
      kvsql_lexer_next (&lexer, NULL);
      keyword = kvsql_lexer_next (&lexer, NULL).keyword;
    }
  return keyword == KVSQL_KEYWORD_PRIMARY
         && kvsql_lexer_next (&lexer, NULL).keyword == KVSQL_KEYWORD_KEY;
}

static gboolean
parse_named_key (KvsqlParser *self, KvsqlCreateTable *out, GError **error)
{
  KvsqlName ignored;

  return (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_CONSTRAINT)
          || kvsql_parser_name (self, "the name of the constraint", &ignored, error))
         && parse_key (self, out, error);
}

static gboolean
parse_table_item (KvsqlParser *self, KvsqlCreateTable *out, GError **error)
{
  KvsqlDefineRelation *relation = &out->relation;
  KvsqlAttributeDefinition *column;
  gboolean is_constraint;

  if (at_key (self))
    return parse_named_key (self, out, error);
  if (!kvsql_parser_constraint (self, &relation->constraints, &relation->n_constraints,
                                &is_constraint, error))
    return FALSE;
  if (is_constraint)
    return TRUE;
  column = KVSQL_PARSER_ADD (self, relation->attributes, relation->n_attributes);
  if (!kvsql_parser_attribute (self, column, error))
    return FALSE;
  kvsql_parser_make_defined (&column->name);
  return TRUE;
}

/* ---- CREATE TABLE AS */

/* Names without types, and AS after them. */
static gboolean
at_names_of_query (const KvsqlParser *self)
{
  KvsqlLexer lexer = self->lexer;
  KvsqlToken token = self->token;

  if (token.symbol != '(')
    return FALSE;
  do
    {
      token = kvsql_lexer_next (&lexer, NULL);
      if (token.kind != KVSQL_TOKEN_WORD && token.kind != KVSQL_TOKEN_QUOTED_NAME)
        return FALSE;
      token = kvsql_lexer_next (&lexer, NULL);
    }
  while (token.symbol == ',');
  return token.symbol == ')';
}

static gboolean
parse_names_of_query (KvsqlParser *self, KvsqlCreateTable *out, GError **error)
{
  kvsql_parser_advance (self);
  do
    if (!kvsql_parser_check_items (self, "CREATE TABLE", out->n_columns, error)
        || !parse_defined_name (self, "the name of a column",
                                KVSQL_PARSER_ADD (self, out->columns, out->n_columns), error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  return kvsql_parser_expect_symbol (self, ')', error);
}

/* WITH [NO] DATA */
static gboolean
parse_data (KvsqlParser *self, KvsqlCreateTable *out, GError **error)
{
  static const gchar *const words[] = { "DATA", NULL };

  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_WITH))
    return TRUE;
  out->is_empty = kvsql_parser_at_word (self, "NO");
  if (out->is_empty)
    kvsql_parser_advance (self);
  if (!kvsql_parser_at_word (self, "DATA"))
    return kvsql_parser_fail_unexpected (self, "[NO] DATA", words, error);
  kvsql_parser_advance (self);
  return TRUE;
}

static gboolean
parse_table_as (KvsqlParser *self, KvsqlCreateTable *out, GError **error)
{
  if ((kvsql_parser_at_symbol (self, '(') && !parse_names_of_query (self, out, error))
      || (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_WITH)
          && !kvsql_parser_options (self, &out->relation.options, error))
      || !kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_AS, error))
    return FALSE;
  out->query = kvsql_arena_new0 (self->arena, KvsqlSelect);
  return kvsql_parser_query (self, out->query, error) && parse_data (self, out, error);
}

static gboolean
parse_table (KvsqlParser *self, KvsqlCreateTable *out, GError **error)
{
  static const gchar *const words[] = { "PRIMARY", "NOT", "NULL", "DEFAULT", "COMMENT", NULL };

  kvsql_parser_advance (self);
  if (!kvsql_parser_if_exists (self, TRUE, &out->relation.if_not_exists, error)
      || !parse_defined_name (self, "the name of a table", &out->relation.name, error))
    return FALSE;
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_AS)
      || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_WITH) || at_names_of_query (self))
    return parse_table_as (self, out, error);
  if (!kvsql_parser_expect_symbol (self, '(', error))
    return FALSE;
  do
    if (!parse_table_item (self, out, error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  if (!kvsql_parser_accept_symbol (self, ')'))
    return kvsql_parser_fail_unexpected (self, "PRIMARY KEY, NOT NULL, DEFAULT, \",\" or \")\"",
                                         words, error);
  self->expected_at_end = "WITH or the end of the statement";
  return !kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_WITH)
         || kvsql_parser_options (self, &out->relation.options, error);
}

/* ---- CREATE INDEX */

static gboolean
parse_index_column (KvsqlParser *self, KvsqlCreateIndex *out, GError **error)
{
  KvsqlIndexColumn *column = KVSQL_PARSER_ADD (self, out->columns, out->n_columns);

  if (kvsql_parser_at_symbol (self, '(') || kvsql_parser_peek (self).symbol == '(')
    {
      kvsql_parser_fail_unexpected (self, "the name of a column", NULL, error);
      return kvsql_error_hint (error, "An index is on columns, not on expressions.");
    }
  if (!kvsql_parser_name (self, "the name of a column", &column->name, error))
    return FALSE;
  column->is_descending = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_DESC);
  if (!column->is_descending)
    kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ASC);
  return TRUE;
}

/* IF NOT EXISTS needs a name, without it the name may be left out. */
static gboolean
parse_index_name (KvsqlParser *self, KvsqlCreateIndex *out, GError **error)
{
  kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_CONCURRENTLY); /* no index blocks writes */
  if (!kvsql_parser_if_exists (self, TRUE, &out->if_not_exists, error))
    return FALSE;
  return (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ON) && !out->if_not_exists)
         || parse_defined_name (self, "the name of an index, or ON", &out->name, error);
}

/* USING btree, which programs write though it is the default: rows are sorted. */
static gboolean
parse_method (KvsqlParser *self, GError **error)
{
  KvsqlName method;

  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_USING))
    return TRUE;
  if (!kvsql_parser_name (self, "btree", &method, error))
    return FALSE;
  return g_ascii_strcasecmp (method.text, "btree") == 0
         || kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, method.span,
                             "an index cannot be of kind \"%s\"", method.text)
         || kvsql_error_hint (error,
                              "Leave out USING: the rows of an index are sorted, as those of "
                              "a btree.");
}

static gboolean
parse_index (KvsqlParser *self, KvsqlCreateIndex *out, GError **error)
{
  static const gchar *const words[] = { "ASC", "DESC", NULL };
  static const gchar *const words_at_end[] = { "INCLUDE", NULL };

  kvsql_parser_advance (self);
  if (!parse_index_name (self, out, error)
      || !kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_ON, error)
      || !kvsql_parser_name (self, "the name of a table", &out->relation, error)
      || !parse_method (self, error) || !kvsql_parser_expect_symbol (self, '(', error))
    return FALSE;
  do
    if (!parse_index_column (self, out, error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  if (!kvsql_parser_accept_symbol (self, ')'))
    return kvsql_parser_fail_unexpected (self, "ASC, DESC, \",\" or \")\"", words, error);
  self->expected_at_end = "INCLUDE or the end of the statement";
  self->words_at_end = words_at_end;
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_INCLUDE))
    return TRUE;
  self->expected_at_end = NULL;
  if (!kvsql_parser_at_symbol (self, '('))
    return kvsql_parser_fail_unexpected (self, "\"(\"", NULL, error);
  return kvsql_parser_names (self, &out->included, &out->n_included, error);
}

/* ---- the statements */

gboolean
kvsql_parser_create (KvsqlParser *self, KvsqlAstStatement *out, GError **error)
{
  static const gchar *const words[] = { "TABLE", "INDEX", "VIEW", "SEQUENCE", NULL };

  kvsql_parser_advance (self);
  if (kvsql_parser_at_word (self, "VIEW") || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_OR))
    {
      out->kind = KVSQL_STATEMENT_CREATE_VIEW;
      return kvsql_parser_view (self, &out->create_view, error);
    }
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_TABLE))
    {
      out->kind = KVSQL_STATEMENT_CREATE_TABLE;
      return parse_table (self, &out->create_table, error);
    }
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_INDEX))
    {
      out->kind = KVSQL_STATEMENT_CREATE_INDEX;
      return parse_index (self, &out->create_index, error);
    }
  if (kvsql_parser_at_word (self, "SEQUENCE"))
    {
      out->kind = KVSQL_STATEMENT_CREATE_SEQUENCE;
      return kvsql_parser_create_sequence (self, &out->create_sequence, error);
    }
  kvsql_parser_fail_unexpected (self, "TABLE, INDEX, VIEW or SEQUENCE", words, error);
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_RELATION)
      || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_SCHEMA))
    kvsql_error_hint (error, "Use DEFINE RELATION r { … }, and DEFINE SCHEMA s FOR r { … } for "
                             "where its tuples are stored.");
  return FALSE;
}

/* ---- TRUNCATE */

/* Whether the next token could be a name. */
static gboolean
is_before_name (const KvsqlParser *self)
{
  const KvsqlTokenKind next = kvsql_parser_peek (self).kind;

  return next == KVSQL_TOKEN_WORD || next == KVSQL_TOKEN_QUOTED_NAME;
}

/* What is said of sequences, and of tables that refer to these; there are none of those. */
static gboolean
parse_end_of_truncate (KvsqlParser *self, KvsqlTruncate *out, GError **error)
{
  static const gchar *const words[]
      = { "CONTINUE", "RESTART", "CASCADE", "RESTRICT", "IDENTITY", NULL };

  out->restarts_sequences = kvsql_parser_accept_word (self, "RESTART");
  if ((out->restarts_sequences || kvsql_parser_accept_word (self, "CONTINUE"))
      && !kvsql_parser_accept_word (self, "IDENTITY"))
    return kvsql_parser_fail_unexpected (self, "IDENTITY", words, error);
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_CASCADE))
    kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_RESTRICT);
  return TRUE;
}

/* TRUNCATE of one table is DELETE without WHERE. A table may be called `table`. */
gboolean
kvsql_parser_truncate (KvsqlParser *self, KvsqlAstStatement *out, GError **error)
{
  KvsqlTruncate truncate = { 0 };

  kvsql_parser_advance (self);
  if (is_before_name (self))
    kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_TABLE);
  do
    if (!kvsql_parser_check_items (self, "TRUNCATE", truncate.n_relations, error)
        || !kvsql_parser_name (self, "the name of a table",
                               KVSQL_PARSER_ADD (self, truncate.relations, truncate.n_relations),
                               error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  if (!parse_end_of_truncate (self, &truncate, error))
    return FALSE;
  out->kind = KVSQL_STATEMENT_TRUNCATE;
  out->truncate = truncate;
  if (truncate.n_relations > 1 || truncate.restarts_sequences)
    return TRUE;
  out->kind = KVSQL_STATEMENT_DELETE;
  out->delete_ = (KvsqlDelete){ .is_truncate = TRUE, .relation = truncate.relations[0] };
  return TRUE;
}
