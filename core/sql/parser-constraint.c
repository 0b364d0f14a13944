/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-constraint.c: CHECK, UNIQUE and FOREIGN KEY of relations and attributes.
 *
 * What a FOREIGN KEY does when the other tuple changes is read and forgotten: there is none that
 * could do it.
 */
#include "config.h"

#include "core/sql/parser-private.h"

/* ---- the words after REFERENCES */

static gboolean
expect_one_of (KvsqlParser *self, const gchar *const *words, const gchar *what, GError **error)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (kvsql_parser_accept_word (self, words[i]))
      return TRUE;
  return kvsql_parser_fail_unexpected (self, what, words, error);
}

/* ON DELETE | UPDATE action */
static gboolean
parse_action (KvsqlParser *self, GError **error)
{
  static const gchar *const events[] = { "DELETE", "UPDATE", NULL };
  static const gchar *const values[] = { "NULL", "DEFAULT", NULL };
  static const gchar *const actions[] = { "CASCADE", "RESTRICT", "SET", "NO", NULL };

  if (!expect_one_of (self, events, "DELETE or UPDATE", error))
    return FALSE;
  if (kvsql_parser_accept_word (self, "SET"))
    return expect_one_of (self, values, "NULL or DEFAULT", error);
  if (kvsql_parser_accept_word (self, "NO"))
    return kvsql_parser_accept_word (self, "ACTION")
           || kvsql_parser_fail_unexpected (self, "ACTION", NULL, error);
  return expect_one_of (self, actions, "CASCADE, RESTRICT, SET or NO ACTION", error);
}

/* NOT NULL may follow, too. */
static gboolean
at_not_deferrable (const KvsqlParser *self)
{
  static const gchar word[] = "DEFERRABLE";
  KvsqlSpan next = kvsql_parser_peek (self).span;

  return kvsql_parser_at_keyword (self, KVSQL_KEYWORD_NOT) && next.length == sizeof word - 1
         && g_ascii_strncasecmp ((const gchar *)self->lexer.text + next.offset, word,
                                 sizeof word - 1)
                == 0;
}

static gboolean
parse_actions (KvsqlParser *self, GError **error)
{
  static const gchar *const matches[] = { "FULL", "PARTIAL", "SIMPLE", NULL };
  static const gchar *const times[] = { "DEFERRED", "IMMEDIATE", NULL };
  gboolean ok = TRUE;

  while (ok)
    {
      if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ON))
        ok = parse_action (self, error);
      else if (kvsql_parser_accept_word (self, "MATCH"))
        ok = expect_one_of (self, matches, "FULL, PARTIAL or SIMPLE", error);
      else if (kvsql_parser_accept_word (self, "INITIALLY"))
        ok = expect_one_of (self, times, "DEFERRED or IMMEDIATE", error);
      else if (at_not_deferrable (self))
        kvsql_parser_advance (self);
      else if (!kvsql_parser_accept_word (self, "DEFERRABLE"))
        return TRUE;
    }
  return FALSE;
}

static gboolean
parse_references (KvsqlParser *self, KvsqlConstraintDefinition *out, GError **error)
{
  return kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_REFERENCES, error)
         && kvsql_parser_name (self, "the name of a relation", &out->referenced, error)
         && kvsql_parser_names (self, &out->referenced_columns, &out->n_referenced_columns, error)
         && parse_actions (self, error);
}

/* ---- constraints */

static gboolean
parse_check (KvsqlParser *self, KvsqlConstraintDefinition *out, GError **error)
{
  if (!kvsql_parser_expect_symbol (self, '(', error))
    return FALSE;
  out->expr = kvsql_parser_expression (self, error);
  return out->expr != NULL && kvsql_parser_expect_symbol (self, ')', error);
}

static gboolean
parse_columns (KvsqlParser *self, KvsqlConstraintDefinition *out, GError **error)
{
  if (!kvsql_parser_at_symbol (self, '('))
    return kvsql_parser_fail_unexpected (self, "\"(\"", NULL, error);
  return kvsql_parser_names (self, &out->columns, &out->n_columns, error);
}

/* What follows the name. @is_item: of an item of the list, with columns. */
static gboolean
parse_body (KvsqlParser *self, gboolean is_item, KvsqlConstraintDefinition *out, GError **error)
{
  static const gchar *const words[] = { "CHECK", "UNIQUE", "FOREIGN", "REFERENCES", NULL };

  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_CHECK))
    {
      out->kind = KVSQL_CONSTRAINT_CHECK;
      return parse_check (self, out, error);
    }
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_UNIQUE))
    {
      out->kind = KVSQL_CONSTRAINT_UNIQUE;
      return !is_item || parse_columns (self, out, error);
    }
  out->kind = KVSQL_CONSTRAINT_FOREIGN;
  if (!is_item)
    return kvsql_parser_at_keyword (self, KVSQL_KEYWORD_REFERENCES)
               ? parse_references (self, out, error)
               : kvsql_parser_fail_unexpected (self, "CHECK, UNIQUE or REFERENCES", words, error);
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_FOREIGN))
    return kvsql_parser_fail_unexpected (self, "CHECK, UNIQUE or FOREIGN KEY", words, error);
  return kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_KEY, error)
         && parse_columns (self, out, error) && parse_references (self, out, error);
}

static gboolean
parse_named (KvsqlParser *self, gboolean is_item, KvsqlConstraintDefinition **constraints, guint *n,
             GError **error)
{
  gint32 start = self->token.span.offset;
  KvsqlConstraintDefinition *out = KVSQL_PARSER_ADD (self, *constraints, *n);

  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_CONSTRAINT))
    {
      if (!kvsql_parser_name (self, "the name of the constraint", &out->name, error))
        return FALSE;
      kvsql_parser_make_defined (&out->name);
    }
  if (!parse_body (self, is_item, out, error))
    return FALSE;
  out->span = kvsql_parser_span_from (self, start);
  return TRUE;
}

/* After CONSTRAINT, which may be the name of an attribute, the type of it follows, and no name of a
 * constraint. */
static gboolean
is_constraint_word (KvsqlKeyword keyword, KvsqlToken next)
{
  return ((keyword == KVSQL_KEYWORD_CHECK || keyword == KVSQL_KEYWORD_UNIQUE) && next.symbol == '(')
         || (keyword == KVSQL_KEYWORD_FOREIGN && next.keyword == KVSQL_KEYWORD_KEY);
}

static gboolean
at_constraint (const KvsqlParser *self)
{
  KvsqlLexer lexer = self->lexer;
  KvsqlKeyword keyword = self->token.keyword;

  if (keyword == KVSQL_KEYWORD_CONSTRAINT)
    {
      kvsql_lexer_next (&lexer, NULL);
      keyword = kvsql_lexer_next (&lexer, NULL).keyword;
    }
  return is_constraint_word (keyword, kvsql_lexer_next (&lexer, NULL));
}

gboolean
kvsql_parser_constraint (KvsqlParser *self, KvsqlConstraintDefinition **constraints, guint *n,
                         gboolean *out_is_one, GError **error)
{
  *out_is_one = at_constraint (self);
  return !*out_is_one || parse_named (self, TRUE, constraints, n, error);
}

/* Whether a constraint follows CONSTRAINT and its name that is kept. */
static gboolean
is_kept (const KvsqlParser *self)
{
  KvsqlLexer lexer = self->lexer;
  KvsqlKeyword keyword;

  kvsql_lexer_next (&lexer, NULL);
  keyword = kvsql_lexer_next (&lexer, NULL).keyword;
  return keyword == KVSQL_KEYWORD_CHECK || keyword == KVSQL_KEYWORD_UNIQUE
         || keyword == KVSQL_KEYWORD_REFERENCES;
}

/* CONSTRAINT name before NOT NULL and the like, whose names are not kept. */
static gboolean
pass_name (KvsqlParser *self, GError **error)
{
  static const gchar *const words[] = { "CHECK", "UNIQUE", "REFERENCES", "NOT", "PRIMARY", NULL };
  KvsqlName ignored;

  kvsql_parser_advance (self);
  return kvsql_parser_name (self, "the name of the constraint", &ignored, error)
         && (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_NOT)
             || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_NULL)
             || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_PRIMARY)
             || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_DEFAULT)
             || kvsql_parser_fail_unexpected (
                 self, "CHECK, UNIQUE, REFERENCES, NOT NULL, PRIMARY KEY or DEFAULT", words,
                 error));
}

gboolean
kvsql_parser_attribute_constraint (KvsqlParser *self, KvsqlAttributeDefinition *attribute,
                                   gboolean *out_is_one, GError **error)
{
  *out_is_one = TRUE;
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_CONSTRAINT) && !is_kept (self))
    return pass_name (self, error);
  *out_is_one = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_CONSTRAINT)
                || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_CHECK)
                || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_UNIQUE)
                || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_REFERENCES);
  return !*out_is_one
         || parse_named (self, FALSE, &attribute->constraints, &attribute->n_constraints, error);
}
