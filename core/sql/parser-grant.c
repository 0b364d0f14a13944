/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-grant.c: GRANT, REVOKE, SET ROLE and RESET ROLE, as in PostgreSQL.
 *
 * Most words are no keywords, as those of roles. What follows GRANT is a list of rights if its
 * first word is one, and else a list of roles.
 */
#include "config.h"

#include "core/sql/parser-private.h"
#include "core/sql/printer.h"

static const struct
{
  const gchar *word;
  guint rights;
} rights[] = {
  { "SELECT", KVSQL_RIGHT_SELECT },     { "INSERT", KVSQL_RIGHT_INSERT },
  { "UPDATE", KVSQL_RIGHT_UPDATE },     { "DELETE", KVSQL_RIGHT_DELETE },
  { "TRUNCATE", KVSQL_RIGHT_TRUNCATE }, { "USAGE", KVSQL_RIGHT_USAGE },
  { "ALL", KVSQL_RIGHTS_ALL },
};

static const gchar *const right_words[]
    = { "SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "USAGE", "ALL", "DEFINE", NULL };

/* PostgreSQL has them, and here there is nothing that they could be for. */
static const struct
{
  const gchar *word, *why;
} other_rights[] = {
  { "REFERENCES", "There are no foreign keys." },
  { "TRIGGER", "There are no triggers." },
  { "EXECUTE", "Every role may call the functions." },
  { "CREATE", "GRANT DEFINE ON TABLES LIKE 'pattern' allows a role to define relations." },
  { "CONNECT", "A role may connect if it has LOGIN." },
};

/* ---- lists */

static gboolean
parse_roles (KvsqlParser *self, KvsqlName **out, guint *n, GError **error)
{
  do
    {
      KvsqlName *name;

      if (!kvsql_parser_check_items (self, "the list of roles", *n, error))
        return FALSE;
      name = KVSQL_PARSER_ADD (self, *out, *n);
      if (!kvsql_parser_name (self, "the name of a role", name, error))
        return FALSE;
      kvsql_parser_make_defined (name);
    }
  while (kvsql_parser_accept_symbol (self, ','));
  return TRUE;
}

gboolean
kvsql_parser_role_names (KvsqlParser *self, KvsqlName **out, guint *n, GError **error)
{
  return parse_roles (self, out, n, error);
}

gboolean
kvsql_parser_patterns (KvsqlParser *self, KvsqlValue **out, guint *n, GError **error)
{
  do
    {
      if (!kvsql_parser_check_items (self, "the list of patterns", *n, error))
        return FALSE;
      if (self->token.kind != KVSQL_TOKEN_STRING)
        return kvsql_parser_fail_unexpected (self, "a pattern in quotes", NULL, error);
      if (!kvsql_parser_literal (self, KVSQL_PARSER_ADD (self, *out, *n), error))
        return FALSE;
    }
  while (kvsql_parser_accept_symbol (self, ','));
  return TRUE;
}

/* Also PUBLIC, and a superfluous GROUP. */
static gboolean
parse_grantees (KvsqlParser *self, KvsqlGrantStatement *out, GError **error)
{
  do
    {
      KvsqlName *name;

      if (!kvsql_parser_check_items (self, "the list of roles", out->n_grantees, error))
        return FALSE;
      name = KVSQL_PARSER_ADD (self, out->grantees, out->n_grantees);
      name->span = self->token.span;
      if (kvsql_parser_accept_word (self, "PUBLIC"))
        continue;
      kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_GROUP);
      if (!kvsql_parser_name (self, "the name of a role", name, error))
        return FALSE;
      kvsql_parser_make_defined (name);
    }
  while (kvsql_parser_accept_symbol (self, ','));
  return TRUE;
}

/* ---- rights on relations */

static gboolean
fail_other_right (KvsqlParser *self, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (other_rights); i++)
    if (kvsql_parser_at_word (self, other_rights[i].word))
      return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span,
                              "the right %s is not supported", other_rights[i].word)
             || kvsql_error_hint (error, "%s", other_rights[i].why);
  return kvsql_parser_fail_unexpected (
      self, "SELECT, INSERT, UPDATE, DELETE, TRUNCATE, USAGE or ALL", right_words, error);
}

static gboolean
at_right (const KvsqlParser *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (rights); i++)
    if (kvsql_parser_at_word (self, rights[i].word))
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (other_rights); i++)
    if (kvsql_parser_at_word (self, other_rights[i].word))
      return TRUE;
  return FALSE;
}

static gboolean
parse_right (KvsqlParser *self, KvsqlGrantedRight *out, GError **error)
{
  gint32 start = self->token.span.offset;

  *out = (KvsqlGrantedRight){ 0 };
  for (guint i = 0; i < G_N_ELEMENTS (rights) && out->rights == 0; i++)
    if (kvsql_parser_accept_word (self, rights[i].word))
      out->rights = rights[i].rights;
  if (out->rights == 0)
    return fail_other_right (self, error);
  if (out->rights == KVSQL_RIGHTS_ALL)
    kvsql_parser_accept_word (self, "PRIVILEGES");
  if (!kvsql_parser_names (self, &out->attributes, &out->n_attributes, error))
    return FALSE;
  out->span = kvsql_parser_span_from (self, start);
  if (out->n_attributes > 0 && out->rights == KVSQL_RIGHTS_ALL)
    out->rights = KVSQL_RIGHTS_OF_ATTRIBUTES;
  return out->n_attributes == 0 || (out->rights & ~(guint)KVSQL_RIGHTS_OF_ATTRIBUTES) == 0
         || kvsql_error_set (error, KVSQL_ERROR_INVALID, out->span,
                             "%s is a right on relations, not on attributes",
                             kvsql_right_get_name ((KvsqlRight)out->rights));
}

/* What a list of names begins with: a relation may be called "sequence", too. */
static gboolean
before_name (const KvsqlParser *self)
{
  KvsqlTokenKind next = kvsql_parser_peek (self).kind;

  return next == KVSQL_TOKEN_WORD || next == KVSQL_TOKEN_QUOTED_NAME;
}

/* ALL TABLES | SEQUENCES IN SCHEMA public, as pg_dump and tools of PostgreSQL write it. */
static gboolean
parse_all (KvsqlParser *self, KvsqlGrantStatement *out, GError **error)
{
  static const gchar *const words[] = { "TABLES", "SEQUENCES", NULL };
  gint32 start = self->token.span.offset;
  KvsqlName schema;

  out->is_on_all = TRUE;
  kvsql_parser_advance (self);
  if (kvsql_parser_accept_word (self, "SEQUENCES"))
    out->object = KVSQL_GRANT_SEQUENCES;
  else if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_TABLES))
    return kvsql_parser_fail_unexpected (self, "TABLES or SEQUENCES", words, error);
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_IN, error)
      || !kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_SCHEMA, error))
    return FALSE;
  if (!kvsql_parser_at_word (self, "public"))
    return kvsql_parser_fail_unexpected (self, "public", NULL, error)
           || kvsql_error_hint (error, "All relations are in the schema public.");
  if (!kvsql_parser_name (self, "the name of a schema", &schema, error))
    return FALSE;
  out->all_span = kvsql_parser_span_from (self, start);
  return TRUE;
}

static gboolean
parse_sequences (KvsqlParser *self, KvsqlGrantStatement *out, GError **error)
{
  out->object = KVSQL_GRANT_SEQUENCES;
  kvsql_parser_advance (self);
  do
    {
      KvsqlName *name;

      if (!kvsql_parser_check_items (self, "the list of sequences", out->n_objects, error))
        return FALSE;
      name = KVSQL_PARSER_ADD (self, out->objects, out->n_objects);
      if (!kvsql_parser_name (self, "the name of a sequence", name, error))
        return FALSE;
      kvsql_parser_make_defined (name);
    }
  while (kvsql_parser_accept_symbol (self, ','));
  return TRUE;
}

static gboolean
parse_relations (KvsqlParser *self, KvsqlGrantStatement *out, GError **error)
{
  KvsqlTokenKind next = kvsql_parser_peek (self).kind;

  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ALL))
    return parse_all (self, out, error);
  if (kvsql_parser_at_word (self, "SEQUENCE") && before_name (self))
    return parse_sequences (self, out, error);
  if (next == KVSQL_TOKEN_WORD || next == KVSQL_TOKEN_QUOTED_NAME)
    if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_TABLE))
      kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_RELATION);
  do
    if (!kvsql_parser_check_items (self, "the list of relations", out->n_objects, error)
        || !kvsql_parser_written_relation (
            self, KVSQL_PARSER_ADD (self, out->objects, out->n_objects), error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  return TRUE;
}

/* ALL depends on what it is on, and not every right is for everything. */
static gboolean
settle_rights (KvsqlGrantStatement *inout, GError **error)
{
  gboolean is_of_sequences = inout->object == KVSQL_GRANT_SEQUENCES;

  for (guint i = 0; i < inout->n_rights; i++)
    {
      KvsqlGrantedRight *right = &inout->rights[i];

      if (is_of_sequences && right->rights == KVSQL_RIGHTS_ALL)
        right->rights = KVSQL_RIGHTS_OF_SEQUENCES;
      if (!is_of_sequences && right->rights == KVSQL_RIGHT_USAGE)
        return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, right->span,
                                "USAGE is a right on sequences, not on relations")
               || kvsql_error_hint (error,
                                    "All relations are in one schema, which every role may use.");
      if (is_of_sequences
          && (right->n_attributes > 0 || (right->rights & ~(guint)KVSQL_RIGHTS_OF_SEQUENCES) != 0))
        return kvsql_error_set (error, KVSQL_ERROR_INVALID, right->span,
                                "this is not a right on sequences")
               || kvsql_error_sqlstate (error, "0LP01")
               || kvsql_error_hint (error, "Those are USAGE, SELECT and UPDATE.");
    }
  return TRUE;
}

static gboolean
parse_rights (KvsqlParser *self, KvsqlGrantStatement *out, GError **error)
{
  out->object = KVSQL_GRANT_RELATIONS;
  do
    if (!kvsql_parser_check_items (self, "the list of rights", out->n_rights, error)
        || !parse_right (self, KVSQL_PARSER_ADD (self, out->rights, out->n_rights), error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  return kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_ON, error)
         && parse_relations (self, out, error) && settle_rights (out, error);
}

/* DEFINE ON TABLES LIKE 'pattern', … */
static gboolean
parse_tables (KvsqlParser *self, KvsqlGrantStatement *out, GError **error)
{
  out->object = KVSQL_GRANT_TABLES;
  kvsql_parser_advance (self);
  return kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_ON, error)
         && kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_TABLES, error)
         && kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_LIKE, error)
         && kvsql_parser_patterns (self, &out->patterns, &out->n_patterns, error);
}

/* ---- GRANT, REVOKE */

static gboolean
expect_word (KvsqlParser *self, const gchar *word, GError **error)
{
  return kvsql_parser_accept_word (self, word)
         || kvsql_parser_fail_unexpected (self, word, NULL, error);
}

/* WITH GRANT OPTION, WITH ADMIN OPTION */
static gboolean
parse_option (KvsqlParser *self, KvsqlGrantStatement *out, GError **error)
{
  const gchar *word = out->object == KVSQL_GRANT_ROLES ? "ADMIN" : "GRANT";

  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_WITH))
    return TRUE;
  out->has_option = TRUE;
  return expect_word (self, word, error) && expect_word (self, "OPTION", error);
}

/* GRANT OPTION FOR, ADMIN OPTION FOR: a role may be called so, too. */
static gboolean
parse_option_for (KvsqlParser *self, KvsqlGrantStatement *out, GError **error)
{
  const KvsqlToken next = kvsql_parser_peek (self);

  if ((!kvsql_parser_at_word (self, "GRANT") && !kvsql_parser_at_word (self, "ADMIN"))
      || !kvsql_parser_is_word (self, &next, "OPTION"))
    return TRUE;
  out->has_option = TRUE;
  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
  return kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_FOR, error);
}

static gboolean
parse_granted_by (KvsqlParser *self, KvsqlGrantStatement *out, GError **error)
{
  if (!kvsql_parser_accept_word (self, "GRANTED"))
    return TRUE;
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_BY, error)
      || !kvsql_parser_name (self, "the name of a role", &out->granted_by, error))
    return FALSE;
  kvsql_parser_make_defined (&out->granted_by);
  return TRUE;
}

gboolean
kvsql_parser_grant (KvsqlParser *self, KvsqlGrantStatement *out, GError **error)
{
  *out = (KvsqlGrantStatement){ .is_revoke = kvsql_parser_at_word (self, "REVOKE") };
  kvsql_lexer_begin_statement (&self->lexer, KVSQL_KEYWORD_CREATE); /* "x" is a name */
  kvsql_parser_advance (self);
  if (out->is_revoke && !parse_option_for (self, out, error))
    return FALSE;
  if (kvsql_parser_at_word (self, "DEFINE"))
    {
      if (!parse_tables (self, out, error))
        return FALSE;
    }
  else if (at_right (self))
    {
      if (!parse_rights (self, out, error))
        return FALSE;
    }
  else
    {
      out->object = KVSQL_GRANT_ROLES;
      if (!parse_roles (self, &out->objects, &out->n_objects, error))
        return FALSE;
    }
  if (!kvsql_parser_expect_keyword (self, out->is_revoke ? KVSQL_KEYWORD_FROM : KVSQL_KEYWORD_TO,
                                    error)
      || !parse_grantees (self, out, error) || (!out->is_revoke && !parse_option (self, out, error))
      || !parse_granted_by (self, out, error))
    return FALSE;
  if (out->is_revoke && kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_CASCADE))
    out->is_cascade = TRUE;
  else if (out->is_revoke)
    kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_RESTRICT);
  return TRUE;
}

/* ---- SET ROLE */

gboolean
kvsql_parser_at_set_role (const KvsqlParser *self)
{
  const KvsqlToken next = kvsql_parser_peek (self);

  return (kvsql_parser_at_word (self, "SET")
          && (kvsql_parser_is_word (self, &next, "ROLE")
              || kvsql_parser_is_word (self, &next, "SESSION")))
         || (kvsql_parser_at_word (self, "RESET")
             && (kvsql_parser_is_word (self, &next, "ROLE")
                 || kvsql_parser_is_word (self, &next, "SESSION")));
}

gboolean
kvsql_parser_set_role (KvsqlParser *self, KvsqlSetRole *out, GError **error)
{
  gboolean is_reset = kvsql_parser_at_word (self, "RESET");
  gint32 start = self->token.span.offset;

  *out = (KvsqlSetRole){ .what = is_reset ? KVSQL_SET_ROLE_RESET : KVSQL_SET_ROLE_NAME };
  kvsql_lexer_begin_statement (&self->lexer, KVSQL_KEYWORD_CREATE); /* "x" is a name */
  kvsql_parser_advance (self);
  if (kvsql_parser_accept_word (self, "SESSION")
      && kvsql_parser_accept_word (self, "AUTHORIZATION"))
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, kvsql_parser_span_from (self, start),
                            "SESSION AUTHORIZATION cannot be changed")
           || kvsql_error_hint (error, "Log in as that role, or use SET ROLE.");
  if (!expect_word (self, "ROLE", error))
    return FALSE;
  if (is_reset)
    return TRUE;
  if (kvsql_parser_accept_word (self, "NONE"))
    {
      out->what = KVSQL_SET_ROLE_NONE;
      return TRUE;
    }
  /* as drivers write it */
  if (self->token.kind == KVSQL_TOKEN_STRING)
    {
      KvsqlValue value;

      out->name.span = self->token.span;
      if (!kvsql_parser_literal (self, &value, error))
        return FALSE;
      out->name.text
          = kvsql_arena_strndup (self->arena, (const gchar *)value.bytes.data, value.bytes.size);
      out->name.is_quoted = TRUE;
      return TRUE;
    }
  if (!kvsql_parser_name (self, "the name of a role", &out->name, error))
    return FALSE;
  kvsql_parser_make_defined (&out->name);
  return TRUE;
}
