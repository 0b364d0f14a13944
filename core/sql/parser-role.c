/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-role.c: CREATE, ALTER and DROP ROLE, DROP OWNED and REASSIGN OWNED, as in PostgreSQL. USER
 * is another word for ROLE.
 *
 * The words are no keywords: relations and attributes called "user" or "password" are common.
 */
#include "config.h"

#include "core/sql/parser-private.h"

gboolean
kvsql_parser_is_word (const KvsqlParser *self, const KvsqlToken *token, const gchar *word)
{
  KvsqlSlice text = kvsql_lexer_get_text (&self->lexer, token->span);

  return token->kind == KVSQL_TOKEN_WORD && text.size == strlen (word)
         && g_ascii_strncasecmp ((const gchar *)text.data, word, text.size) == 0;
}

gboolean
kvsql_parser_before_role (const KvsqlParser *self)
{
  const KvsqlToken next = kvsql_parser_peek (self);

  return kvsql_parser_is_word (self, &next, "ROLE") || kvsql_parser_is_word (self, &next, "USER");
}

gboolean
kvsql_parser_accept_word (KvsqlParser *self, const gchar *word)
{
  if (!kvsql_parser_at_word (self, word))
    return FALSE;
  kvsql_parser_advance (self);
  return TRUE;
}

static gboolean
fail_twice (KvsqlSpan span, const gchar *option, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span, "%s is given twice", option);
}

static gboolean
parse_text (KvsqlParser *self, KvsqlSpan *out_span, KvsqlValue *out, GError **error)
{
  *out_span = self->token.span;
  return kvsql_parser_literal (self, out, error);
}

/* A NULL password is none. */
static gboolean
parse_password (KvsqlParser *self, KvsqlRoleStatement *out, GError **error)
{
  if (out->password_span.offset >= 0)
    return fail_twice (self->token.span, "PASSWORD", error);
  if (self->token.kind != KVSQL_TOKEN_STRING && !kvsql_parser_at_keyword (self, KVSQL_KEYWORD_NULL))
    return kvsql_parser_fail_unexpected (self, "a password in quotes or NULL", NULL, error);
  return parse_text (self, &out->password_span, &out->password, error);
}

static gboolean
parse_until (KvsqlParser *self, KvsqlRoleStatement *out, GError **error)
{
  if (out->until_span.offset >= 0)
    return fail_twice (self->token.span, "VALID UNTIL", error);
  if (!kvsql_parser_accept_word (self, "UNTIL"))
    return kvsql_parser_fail_unexpected (self, "UNTIL", NULL, error);
  if (self->token.kind != KVSQL_TOKEN_STRING)
    return kvsql_parser_fail_unexpected (self, "a time in quotes", NULL, error);
  return parse_text (self, &out->until_span, &out->until, error);
}

/* LOGIN, NOLOGIN, SUPERUSER, NOSUPERUSER. *out_is_one: whether it is one of these */
static gboolean
parse_choice (KvsqlParser *self, KvsqlRoleStatement *out, gboolean *out_is_one, GError **error)
{
  const struct
  {
    const gchar *word;
    KvsqlRoleChoice *choice, value;
  } choices[] = { { "LOGIN", &out->log_in, KVSQL_ROLE_YES },
                  { "NOLOGIN", &out->log_in, KVSQL_ROLE_NO },
                  { "SUPERUSER", &out->admin, KVSQL_ROLE_YES },
                  { "NOSUPERUSER", &out->admin, KVSQL_ROLE_NO } };

  *out_is_one = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (kvsql_parser_at_word (self, choices[i].word))
      {
        if (*choices[i].choice != KVSQL_ROLE_UNSAID)
          return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span,
                                  "%s is given twice, or contradicts another option",
                                  choices[i].word);
        *choices[i].choice = choices[i].value;
        *out_is_one = TRUE;
        kvsql_parser_advance (self);
        return TRUE;
      }
  return TRUE;
}

/* Options of PostgreSQL that say what is so anyway, as pg_dumpall writes them. */
static gboolean
accept_default (KvsqlParser *self)
{
  static const gchar *const defaults[]
      = { "INHERIT", "NOCREATEDB", "NOCREATEROLE", "NOREPLICATION", "NOBYPASSRLS" };

  for (guint i = 0; i < G_N_ELEMENTS (defaults); i++)
    if (kvsql_parser_accept_word (self, defaults[i]))
      return TRUE;
  return FALSE;
}

/* ---- limits */

static const struct
{
  const gchar *word, *option, *expected;
} limits[KVSQL_N_ROLE_LIMITS] = {
  [KVSQL_ROLE_LIMIT_CONNECTIONS] = { "CONNECTION", "CONNECTION LIMIT", "a number of connections" },
  [KVSQL_ROLE_LIMIT_STATEMENTS] = { "STATEMENT", "STATEMENT LIMIT", "a number of statements" },
  [KVSQL_ROLE_LIMIT_MEMORY]
  = { "MEMORY", "MEMORY LIMIT", "a number of bytes, or a text such as '64MB'" },
  [KVSQL_ROLE_LIMIT_ROWS] = { "ROW", "ROW LIMIT", "a number of rows" },
};

/* CONNECTION | STATEMENT | MEMORY | ROW LIMIT n, after the first word. @i: KvsqlRoleLimit */
static gboolean
parse_limit (KvsqlParser *self, guint i, KvsqlRoleStatement *out, GError **error)
{
  KvsqlSpan *span = &out->limit_spans[i];
  gboolean may_be_text = i == KVSQL_ROLE_LIMIT_MEMORY;
  KvsqlValue value;

  if (span->offset >= 0)
    return fail_twice (self->token.span, limits[i].option, error);
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_LIMIT, error))
    return FALSE;
  *span = self->token.span;
  if (self->token.kind != KVSQL_TOKEN_INTEGER && !kvsql_parser_at_symbol (self, '-')
      && !(may_be_text && self->token.kind == KVSQL_TOKEN_STRING))
    return kvsql_parser_fail_unexpected (self, limits[i].expected, NULL, error);
  if (!kvsql_parser_literal (self, &value, error))
    return FALSE;
  if (value.type == KVSQL_TYPE_STRING)
    out->memory = value;
  else
    out->limits[i] = value.type == KVSQL_TYPE_BIGINT ? value.integer : G_MAXINT64;
  return TRUE;
}

/* *out_is_one: whether there is a limit */
static gboolean
parse_some_limit (KvsqlParser *self, KvsqlRoleStatement *out, gboolean *out_is_one, GError **error)
{
  *out_is_one = TRUE;
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ROW))
    return parse_limit (self, KVSQL_ROLE_LIMIT_ROWS, out, error);
  for (guint i = 0; i < KVSQL_N_ROLE_LIMITS; i++)
    if (kvsql_parser_accept_word (self, limits[i].word))
      return parse_limit (self, i, out, error);
  *out_is_one = FALSE;
  return TRUE;
}

/* SYSID n, after the word. */
static gboolean
parse_sysid (KvsqlParser *self, KvsqlRoleStatement *out, GError **error)
{
  KvsqlValue value;

  if (out->sysid > 0)
    return fail_twice (self->token.span, "SYSID", error);
  if (self->token.kind != KVSQL_TOKEN_INTEGER)
    return kvsql_parser_fail_unexpected (self, "a number", NULL, error);
  if (!kvsql_parser_literal (self, &value, error))
    return FALSE;
  out->sysid = value.type == KVSQL_TYPE_BIGINT ? MAX (value.integer, 1) : G_MAXINT64;
  return TRUE;
}

/* ---- the statements */

/* What only CREATE has: memberships, patterns, SYSID. *out_is_one: whether it is one of these */
static gboolean
parse_granted (KvsqlParser *self, KvsqlRoleStatement *out, gboolean *out_is_one, GError **error)
{
  *out_is_one = TRUE;
  if (out->action != KVSQL_ROLE_CREATE)
    *out_is_one = FALSE;
  else if (kvsql_parser_accept_word (self, "ROLE"))
    return kvsql_parser_role_names (self, &out->members, &out->n_members, error);
  else if (kvsql_parser_accept_word (self, "ADMIN"))
    return kvsql_parser_role_names (self, &out->admins, &out->n_admins, error);
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_IN))
    return (kvsql_parser_accept_word (self, "ROLE")
            || kvsql_parser_fail_unexpected (self, "ROLE", NULL, error))
           && kvsql_parser_role_names (self, &out->groups, &out->n_groups, error);
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_DEFINE))
    return kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_ON, error)
           && kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_TABLES, error)
           && kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_LIKE, error)
           && kvsql_parser_patterns (self, &out->patterns, &out->n_patterns, error);
  else if (kvsql_parser_accept_word (self, "SYSID"))
    return parse_sysid (self, out, error);
  else
    *out_is_one = FALSE;
  return TRUE;
}

static gboolean
parse_options (KvsqlParser *self, KvsqlRoleStatement *out, GError **error)
{
  static const gchar *const words[]
      = { "LOGIN",      "NOLOGIN",   "SUPERUSER", "NOSUPERUSER", "PASSWORD", "VALID",
          "CONNECTION", "STATEMENT", "MEMORY",    "ROW",         NULL };
  gboolean is_with = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_WITH);

  for (guint n = 0;; n++)
    {
      gboolean is_one;

      if (!parse_choice (self, out, &is_one, error))
        return FALSE;
      if (is_one || accept_default (self))
        continue;
      if (!parse_granted (self, out, &is_one, error))
        return FALSE;
      if (is_one)
        continue;
      if (!parse_some_limit (self, out, &is_one, error))
        return FALSE;
      if (is_one)
        continue;
      if (kvsql_parser_accept_word (self, "PASSWORD"))
        is_one = parse_password (self, out, error);
      else if (kvsql_parser_accept_word (self, "VALID"))
        is_one = parse_until (self, out, error);
      else if (n == 0 && (is_with || out->action == KVSQL_ROLE_ALTER))
        return kvsql_parser_fail_unexpected (self, "an option of the role", words, error);
      else
        {
          self->expected_at_end = "an option of the role or the end of the statement";
          self->words_at_end = words;
          return TRUE;
        }
      if (!is_one)
        return FALSE;
    }
}

static void
begin (KvsqlParser *self, KvsqlRoleAction action, KvsqlRoleStatement *out)
{
  *out = (KvsqlRoleStatement){ .action = action,
                               .password_span = KVSQL_SPAN_NONE,
                               .until_span = KVSQL_SPAN_NONE };
  for (guint i = 0; i < KVSQL_N_ROLE_LIMITS; i++)
    {
      out->limit_spans[i] = KVSQL_SPAN_NONE;
      out->limits[i] = -1;
    }
  /* "x" is a name, unlike in ALTER RELATION */
  kvsql_lexer_begin_statement (&self->lexer, KVSQL_KEYWORD_CREATE);
  kvsql_parser_advance (self);
}

gboolean
kvsql_parser_at_owned (const KvsqlParser *self)
{
  const KvsqlToken next = kvsql_parser_peek (self);

  return (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_DROP)
          || kvsql_parser_at_word (self, "REASSIGN"))
         && kvsql_parser_is_word (self, &next, "OWNED");
}

gboolean
kvsql_parser_owned (KvsqlParser *self, KvsqlRoleStatement *out, GError **error)
{
  gboolean is_drop = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_DROP);

  begin (self, is_drop ? KVSQL_ROLE_DROP_OWNED : KVSQL_ROLE_REASSIGN_OWNED, out);
  kvsql_parser_advance (self);
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_BY, error)
      || !kvsql_parser_role_names (self, &out->members, &out->n_members, error))
    return FALSE;
  if (is_drop)
    {
      out->is_cascade = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_CASCADE);
      if (!out->is_cascade)
        kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_RESTRICT);
      return TRUE;
    }
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_TO, error)
      || !kvsql_parser_name (self, "the name of a role", &out->name, error))
    return FALSE;
  kvsql_parser_make_defined (&out->name);
  return TRUE;
}

gboolean
kvsql_parser_role (KvsqlParser *self, KvsqlRoleAction action, KvsqlRoleStatement *out,
                   GError **error)
{
  gboolean is_user;

  begin (self, action, out);
  is_user = kvsql_parser_at_word (self, "USER");
  kvsql_parser_advance (self);
  if (action == KVSQL_ROLE_DROP && !kvsql_parser_if_exists (self, FALSE, &out->if_exists, error))
    return FALSE;
  if (!kvsql_parser_name (self, "the name of a role", &out->name, error))
    return FALSE;
  kvsql_parser_make_defined (&out->name);
  if (action == KVSQL_ROLE_DROP)
    return TRUE;
  if (!parse_options (self, out, error))
    return FALSE;
  if (is_user && action == KVSQL_ROLE_CREATE && out->log_in == KVSQL_ROLE_UNSAID)
    out->log_in = KVSQL_ROLE_YES;
  return TRUE;
}
