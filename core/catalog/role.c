/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * role.c: see role.h.
 */
#include "config.h"

#include "core/catalog/role.h"

#include "core/base/conversion.h"
#include "core/schema/relation.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"

#define HIDDEN "…"

void
kvsql_role_free (gpointer data)
{
  KvsqlRole *self = data;

  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self);
}

gchar *
kvsql_role_fold_name (const KvsqlName *name)
{
  return kvsql_name_fold (name->text, name->is_quoted);
}

KvsqlRole *
kvsql_role_new (const gchar *name)
{
  KvsqlRole *self = g_new0 (KvsqlRole, 1);

  self->name = g_strdup (name);
  self->until_ms = KVSQL_ROLE_ALWAYS;
  return self;
}

KvsqlRole *
kvsql_role_copy (const KvsqlRole *self)
{
  KvsqlRole *copy = g_memdup2 (self, sizeof *self);

  copy->name = g_strdup (self->name);
  return copy;
}

/* ---- options */

/* A text that is a verifier is one, as in PostgreSQL: programs compute it, and no password is
 * sent. */
static gboolean
apply_password (KvsqlRole *self, const KvsqlRoleStatement *options, GError **error)
{
  g_autofree gchar *text = NULL;

  self->has_password = FALSE;
  if (options->password.type == KVSQL_TYPE_NULL)
    return TRUE;
  if (memchr (options->password.bytes.data, '\0', options->password.bytes.size) != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, options->password_span,
                            "the password has a control character");
  text = g_strndup ((const gchar *)options->password.bytes.data, options->password.bytes.size);
  if (!kvsql_scram_verifier_parse (text, &self->verifier))
    {
      guint8 salt[KVSQL_SCRAM_SALT_BYTES];

      if (!kvsql_scram_password_check (text, error))
        return kvsql_error_at (error, options->password_span);
      kvsql_scram_random (salt, sizeof salt);
      kvsql_scram_verifier_make (text, salt, sizeof salt, KVSQL_SCRAM_ITERATIONS, &self->verifier);
    }
  self->has_password = TRUE;
  return TRUE;
}

static gboolean
apply_until (KvsqlRole *self, const KvsqlRoleStatement *options, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlValue value;

  if (kvsql_slice_equal (options->until.bytes, KVSQL_SLICE_LITERAL ("infinity")))
    {
      self->until_ms = KVSQL_ROLE_ALWAYS;
      return TRUE;
    }
  if (!kvsql_value_parse (KVSQL_TYPE_TIMESTAMP, options->until.bytes, arena, &value, error))
    return kvsql_error_at (error, options->until_span);
  self->until_ms = value.integer;
  return TRUE;
}

gboolean
kvsql_role_apply (KvsqlRole *self, const KvsqlRoleStatement *options, GError **error)
{
  if (options->log_in != KVSQL_ROLE_UNSAID)
    self->may_log_in = options->log_in == KVSQL_ROLE_YES;
  if (options->admin != KVSQL_ROLE_UNSAID)
    self->is_admin = options->admin == KVSQL_ROLE_YES;
  return (options->password_span.offset < 0 || apply_password (self, options, error))
         && (options->until_span.offset < 0 || apply_until (self, options, error));
}

/* ---- text */

gchar *
kvsql_role_print (const KvsqlRole *self, gboolean shows_verifier)
{
  const KvsqlSpan written = { 0, 1 };
  g_autofree gchar *verifier
      = shows_verifier && self->has_password ? kvsql_scram_verifier_print (&self->verifier) : NULL;
  g_autoptr (GString) until = g_string_new (NULL);
  KvsqlAstStatement statement
      = { .kind = KVSQL_STATEMENT_ROLE,
          .role
          = { .action = KVSQL_ROLE_CREATE,
              .name = { .text = self->name, .is_quoted = TRUE },
              .log_in = self->may_log_in ? KVSQL_ROLE_YES : KVSQL_ROLE_NO,
              .admin = self->is_admin ? KVSQL_ROLE_YES : KVSQL_ROLE_UNSAID,
              .password_span = self->has_password ? written : KVSQL_SPAN_NONE,
              .until_span = self->until_ms != KVSQL_ROLE_ALWAYS ? written : KVSQL_SPAN_NONE } };
  GString *out = g_string_new (NULL);

  statement.role.password
      = (KvsqlValue){ .type = KVSQL_TYPE_STRING,
                      .bytes = kvsql_slice_from_text (verifier != NULL ? verifier : HIDDEN) };
  if (self->until_ms != KVSQL_ROLE_ALWAYS)
    {
      const KvsqlValue time = { .type = KVSQL_TYPE_TIMESTAMP, .integer = self->until_ms };

      kvsql_value_append_text (&time, until);
    }
  statement.role.until
      = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice (until->str, until->len) };
  kvsql_print_statement (&statement, out);
  return g_string_free (out, FALSE);
}

KvsqlRole *
kvsql_role_parse (const gchar *text, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlRole) self = NULL;
  g_autofree gchar *name = NULL;
  const KvsqlAstStatement *statement
      = kvsql_parser_parse (kvsql_slice_from_text (text), arena, NULL);

  if (statement != NULL && statement->kind == KVSQL_STATEMENT_ROLE
      && statement->role.action == KVSQL_ROLE_CREATE)
    {
      name = kvsql_role_fold_name (&statement->role.name);
      self = kvsql_role_new (name);
      if (kvsql_role_apply (self, &statement->role, NULL))
        return g_steal_pointer (&self);
    }
  kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                   "the definition of a role is damaged");
  return NULL;
}
