/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-alter.c: ALTER RELATION, COMMENT ON, ANALYZE, BACKFILL, VERIFY and REPAIR.
 *
 * The word ATTRIBUTE is optional, except before an attribute of that name. RENAME TO renames the
 * relation: RENAME ATTRIBUTE renames an attribute called "to". ALTER TABLE has the word COLUMN in
 * its place, and names in double quotes.
 */
#include "config.h"

#include "core/sql/parser-private.h"

/* ATTRIBUTE, or COLUMN of ALTER TABLE. */
static void
pass_word (KvsqlParser *self, const KvsqlAlter *alter)
{
  kvsql_parser_accept_keyword (self,
                               alter->is_table ? KVSQL_KEYWORD_COLUMN : KVSQL_KEYWORD_ATTRIBUTE);
}

static gboolean
parse_attribute_name (KvsqlParser *self, const KvsqlAlter *alter, KvsqlName *out, GError **error)
{
  pass_word (self, alter);
  return kvsql_parser_name (self, "the name of an attribute", out, error);
}

static gboolean
parse_new_name (KvsqlParser *self, const gchar *what, KvsqlAlter *out, GError **error)
{
  if (!kvsql_parser_name (self, what, &out->new_name, error))
    return FALSE;
  kvsql_parser_make_defined (&out->new_name);
  return TRUE;
}

static gboolean
parse_rename (KvsqlParser *self, KvsqlAlter *out, GError **error)
{
  out->what = KVSQL_ALTER_RENAME;
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_TO))
    return parse_new_name (self, "the new name of the relation", out, error);
  return parse_attribute_name (self, out, &out->name, error)
         && kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_TO, error)
         && parse_new_name (self, "the new name of the attribute", out, error);
}

/* ADD GENERATED … AS IDENTITY […], with ADD as the token: a DEFAULT of a new sequence */
static gboolean
parse_added_identity (KvsqlParser *self, KvsqlAlter *out, GError **error)
{
  static const gchar *const words[] = { "GENERATED", NULL };

  kvsql_parser_advance (self);
  if (!kvsql_parser_at_word (self, "GENERATED"))
    return kvsql_parser_fail_unexpected (self, "GENERATED", words, error);
  return kvsql_parser_identity (self, &out->attribute, error);
}

/* ALTER [ATTRIBUTE] a SET DEFAULT expression | DROP DEFAULT | ADD GENERATED … AS IDENTITY […] */
static gboolean
parse_default (KvsqlParser *self, KvsqlAlter *out, GError **error)
{
  static const gchar *const words[] = { "SET", "DROP", "ADD", NULL };

  out->what = KVSQL_ALTER_SET_DEFAULT;
  if (!parse_attribute_name (self, out, &out->name, error))
    return FALSE;
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ADD))
    return parse_added_identity (self, out, error);
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_DROP))
    return kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_DEFAULT, error);
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_SET))
    return kvsql_parser_fail_unexpected (self, "SET DEFAULT, DROP DEFAULT or ADD GENERATED", words,
                                         error);
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_DEFAULT, error))
    return FALSE;
  out->attribute.default_value = kvsql_parser_expression (self, error);
  return out->attribute.default_value != NULL;
}

/* ADD COLUMN c INT and DROP COLUMN c: an attribute may be called "column", so only the token after
 * it shows that the word has the meaning of other databases. */
static gboolean
end_of_column (KvsqlParser *self, gboolean is_column, const gchar *hint, GError **error)
{
  if (!is_column
      || (self->token.kind != KVSQL_TOKEN_WORD && self->token.kind != KVSQL_TOKEN_QUOTED_NAME))
    return TRUE;
  kvsql_parser_fail_unexpected (self, "the end of the statement", NULL, error);
  return kvsql_error_hint (error, "%s", hint);
}

/* ADD [CONSTRAINT name] CHECK (…) [NOT VALID] and the like. Sets out->what if there is one. */
static gboolean
parse_new_constraint (KvsqlParser *self, KvsqlAlter *out, GError **error)
{
  KvsqlConstraintDefinition *constraint = NULL;
  gboolean is_one;
  guint n = 0;

  if (!kvsql_parser_constraint (self, &constraint, &n, &is_one, error))
    return FALSE;
  if (!is_one)
    return TRUE;
  out->what = KVSQL_ALTER_CONSTRAIN;
  out->constraint = *constraint;
  out->is_not_valid = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_NOT);
  if (!out->is_not_valid)
    return TRUE;
  if (!kvsql_parser_at_word (self, "VALID"))
    return kvsql_parser_fail_unexpected (self, "VALID", NULL, error);
  kvsql_parser_advance (self);
  return TRUE;
}

/* [CONSTRAINT name] PRIMARY KEY: an attribute may be called "primary" or "constraint". */
static gboolean
at_key (const KvsqlParser *self)
{
  KvsqlLexer lexer = self->lexer;
  KvsqlToken token = self->token;

  if (token.keyword == KVSQL_KEYWORD_CONSTRAINT)
    {
      kvsql_lexer_next (&lexer, NULL);
      token = kvsql_lexer_next (&lexer, NULL);
    }
  return token.keyword == KVSQL_KEYWORD_PRIMARY
         && kvsql_lexer_next (&lexer, NULL).keyword == KVSQL_KEYWORD_KEY;
}

static gboolean
parse_added_key (KvsqlParser *self, KvsqlAlter *out, GError **error)
{
  out->what = KVSQL_ALTER_ADD_KEY;
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_CONSTRAINT))
    {
      if (!kvsql_parser_name (self, "the name of the constraint", &out->name, error))
        return FALSE;
      kvsql_parser_make_defined (&out->name);
    }
  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
  if (!kvsql_parser_at_symbol (self, '('))
    return kvsql_parser_fail_unexpected (self, "\"(\"", NULL, error);
  return kvsql_parser_names (self, &out->key, &out->n_key, error);
}

/* PRIMARI KEY (a) is no attribute of the type KEY. */
static gboolean
at_misspelt_key (const KvsqlParser *self)
{
  KvsqlLexer lexer = self->lexer;

  return self->token.kind == KVSQL_TOKEN_WORD
         && kvsql_lexer_next (&lexer, NULL).keyword == KVSQL_KEYWORD_KEY
         && kvsql_lexer_next (&lexer, NULL).symbol == '(';
}

static gboolean
parse_add (KvsqlParser *self, KvsqlAlter *out, GError **error)
{
  static const gchar *const words[] = { "PRIMARY", NULL };
  gboolean is_column = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_COLUMN) && !out->is_table;

  if (at_key (self))
    return parse_added_key (self, out, error);
  out->what = KVSQL_ALTER_ADD;
  if (!parse_new_constraint (self, out, error))
    return FALSE;
  if (out->what == KVSQL_ALTER_CONSTRAIN)
    return TRUE;
  if (at_misspelt_key (self))
    return kvsql_parser_fail_unexpected (self, "PRIMARY KEY", words, error);
  pass_word (self, out);
  if (!kvsql_parser_attribute (self, &out->attribute, error))
    return FALSE;
  kvsql_parser_make_defined (&out->attribute.name);
  return end_of_column (self, is_column, "Use ADD, the name and the type: without COLUMN.", error);
}

/* An attribute may be called "constraint"; then no name follows. */
static gboolean
at_dropped_constraint (const KvsqlParser *self)
{
  KvsqlTokenKind next = kvsql_parser_peek (self).kind;

  return kvsql_parser_at_keyword (self, KVSQL_KEYWORD_CONSTRAINT)
         && (next == KVSQL_TOKEN_WORD || next == KVSQL_TOKEN_QUOTED_NAME);
}

static gboolean
parse_dropped_constraint (KvsqlParser *self, KvsqlAlter *out, GError **error)
{
  out->what = KVSQL_ALTER_RELEASE;
  kvsql_parser_advance (self);
  if (!kvsql_parser_if_exists (self, FALSE, &out->if_exists, error)
      || !kvsql_parser_name (self, "the name of a constraint", &out->name, error))
    return FALSE;
  /* nothing depends on a constraint */
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_CASCADE))
    kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_RESTRICT);
  return TRUE;
}

static gboolean
parse_drop (KvsqlParser *self, KvsqlAlter *out, GError **error)
{
  gboolean is_column = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_COLUMN) && !out->is_table;

  out->what = KVSQL_ALTER_DROP;
  if (at_dropped_constraint (self))
    return parse_dropped_constraint (self, out, error);
  return parse_attribute_name (self, out, &out->name, error)
         && end_of_column (self, is_column, "Use DROP and the name: without COLUMN.", error);
}

/* RELATION or TABLE. The text before the name decides what double quotes mean after it. */
static gboolean
parse_what (KvsqlParser *self, KvsqlAlter *out, GError **error)
{
  static const gchar *const words[] = { "RELATION", "TABLE", "SEQUENCE", "ROLE", NULL };

  out->is_table = kvsql_parser_peek (self).keyword == KVSQL_KEYWORD_TABLE;
  if (out->is_table)
    kvsql_lexer_begin_statement (&self->lexer, KVSQL_KEYWORD_TABLE);
  kvsql_parser_advance (self);
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_RELATION)
      || kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_TABLE))
    return TRUE;
  kvsql_parser_fail_unexpected (self, "RELATION, TABLE, SEQUENCE or ROLE", words, error);
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_SCHEMA))
    kvsql_error_hint (error, "DROP SCHEMA and DEFINE it again: stored data is not touched.");
  return FALSE;
}

gboolean
kvsql_parser_alter (KvsqlParser *self, KvsqlAlter *out, GError **error)
{
  static const gchar *const words[] = { "ADD", "DROP", "RENAME", "ALTER", "OWNER", "WITH", NULL };

  if (!parse_what (self, out, error))
    return FALSE;
  if (out->is_table && kvsql_parser_peek (self).symbol != '.')
    kvsql_parser_accept_word (self, "ONLY"); /* no relation inherits from another one */
  if (!kvsql_parser_name (self, "the name of a relation", &out->relation, error))
    return FALSE;
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ADD))
    return parse_add (self, out, error);
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_DROP))
    return parse_drop (self, out, error);
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_RENAME))
    return parse_rename (self, out, error);
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ALTER))
    return parse_default (self, out, error);
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_WITH))
    {
      out->what = KVSQL_ALTER_OPTIONS;
      return kvsql_parser_options (self, &out->options, error);
    }
  if (kvsql_parser_accept_word (self, "OWNER"))
    {
      out->what = KVSQL_ALTER_OWNER;
      if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_TO, error)
          || !kvsql_parser_name (self, "the name of a role", &out->new_name, error))
        return FALSE;
      kvsql_parser_make_defined (&out->new_name);
      return TRUE;
    }
  kvsql_parser_fail_unexpected (self, "ADD, DROP, RENAME, ALTER, OWNER or WITH", words, error);
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_SET))
    kvsql_error_hint (error, "Options of a relation are in WITH (name = value).");
  return FALSE;
}

static gboolean
parse_comment_text (KvsqlParser *self, KvsqlComment *out, GError **error)
{
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_IS, error))
    return FALSE;
  if (self->token.kind == KVSQL_TOKEN_STRING || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_NULL))
    return kvsql_parser_literal (self, &out->text, error);
  return kvsql_parser_fail_unexpected (self, "a string or NULL", NULL, error);
}

gboolean
kvsql_parser_comment (KvsqlParser *self, KvsqlComment *out, GError **error)
{
  static const gchar *const words[] = { "RELATION", "ATTRIBUTE", "SCHEMA", NULL };
  KvsqlKeyword what;

  kvsql_parser_advance (self);
  what = kvsql_parser_peek (self).keyword;
  if (what == KVSQL_KEYWORD_TABLE || what == KVSQL_KEYWORD_COLUMN)
    kvsql_lexer_begin_statement (&self->lexer, what); /* names in double quotes, as in PostgreSQL */
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_ON, error))
    return FALSE;
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ATTRIBUTE)
      || kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_COLUMN))
    {
      if (!kvsql_parser_name (self, "the name of a relation", &out->name, error)
          || !kvsql_parser_expect_symbol (self, '.', error)
          || !kvsql_parser_name (self, "the name of an attribute", &out->attribute, error))
        return FALSE;
      return parse_comment_text (self, out, error);
    }
  out->is_schema = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_SCHEMA);
  if (!out->is_schema && !kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_RELATION)
      && !kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_TABLE))
    return kvsql_parser_fail_unexpected (self, "RELATION, ATTRIBUTE or SCHEMA", words, error);
  return kvsql_parser_name (self,
                            out->is_schema ? "the name of a schema" : "the name of a relation",
                            &out->name, error)
         && parse_comment_text (self, out, error);
}

gboolean
kvsql_parser_analyze (KvsqlParser *self, KvsqlAnalyze *out, GError **error)
{
  kvsql_parser_advance (self);
  return kvsql_parser_name (self, "the name of a relation", &out->relation, error);
}

gboolean
kvsql_parser_backup (KvsqlParser *self, KvsqlBackup *out, GError **error)
{
  kvsql_parser_advance (self);
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_TO, error))
    return FALSE;
  out->name_span = self->token.span;
  if (self->token.kind == KVSQL_TOKEN_STRING)
    return kvsql_parser_literal (self, &out->name, error);
  return kvsql_parser_fail_unexpected (self, "the name of a folder, as a string", NULL, error);
}

/* BACKFILL | REPAIR SCHEMA s, VERIFY SCHEMA s [LIMIT n] */
gboolean
kvsql_parser_maintain (KvsqlParser *self, KvsqlMaintain *out, GError **error)
{
  gboolean has_limit = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_VERIFY);

  kvsql_parser_advance (self);
  return kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_SCHEMA, error)
         && kvsql_parser_name (self, "the name of a schema", &out->schema, error)
         && (!has_limit || kvsql_parser_clause (self, KVSQL_KEYWORD_LIMIT, &out->limit, error));
}
