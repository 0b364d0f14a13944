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
  g_ptr_array_unref (self->members);
  g_ptr_array_unref (self->patterns);
  g_clear_pointer (&self->acts_as, g_hash_table_unref);
  g_free (self);
}

static void
member_free (gpointer data)
{
  KvsqlRoleMember *self = data;

  g_free (self->name);
  g_free (self);
}

gchar *
kvsql_role_fold_name (const KvsqlName *name)
{
  return kvsql_name_fold (name->text, name->is_quoted);
}

KvsqlName
kvsql_role_name_of_key (const gchar *key)
{
  g_autofree gchar *lower = g_ascii_strdown (key, -1);

  return (KvsqlName){ .text = key, .is_quoted = !g_str_equal (lower, key) };
}

KvsqlRole *
kvsql_role_new (const gchar *name)
{
  KvsqlRole *self = g_new0 (KvsqlRole, 1);

  self->name = g_strdup (name);
  self->until_ms = KVSQL_ROLE_ALWAYS;
  for (guint i = 0; i < KVSQL_N_ROLE_LIMITS; i++)
    self->limits[i] = -1;
  self->members = g_ptr_array_new_with_free_func (member_free);
  self->patterns = g_ptr_array_new_with_free_func (g_free);
  return self;
}

KvsqlRole *
kvsql_role_copy (const KvsqlRole *self)
{
  KvsqlRole *copy = g_memdup2 (self, sizeof *self);

  copy->name = g_strdup (self->name);
  copy->members = g_ptr_array_new_with_free_func (member_free);
  copy->patterns = g_ptr_array_new_with_free_func (g_free);
  copy->acts_as = NULL;
  for (guint i = 0; i < self->members->len; i++)
    {
      const KvsqlRoleMember *member = self->members->pdata[i];

      kvsql_role_add_member (copy, member->name, member->is_admin);
    }
  for (guint i = 0; i < self->patterns->len; i++)
    kvsql_role_add_pattern (copy, self->patterns->pdata[i]);
  return copy;
}

/* ---- members and patterns */

static KvsqlRoleMember *
find_member (const KvsqlRole *self, const gchar *name, guint *out_index)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      KvsqlRoleMember *member = self->members->pdata[i];

      *out_index = i;
      if (g_str_equal (member->name, name))
        return member;
    }
  return NULL;
}

const KvsqlRoleMember *
kvsql_role_find_member (const KvsqlRole *self, const gchar *name)
{
  guint unused;

  return find_member (self, name, &unused);
}

void
kvsql_role_add_member (KvsqlRole *self, const gchar *name, gboolean is_admin)
{
  guint unused;
  KvsqlRoleMember *member = find_member (self, name, &unused);

  if (member == NULL)
    {
      member = g_new0 (KvsqlRoleMember, 1);
      member->name = g_strdup (name);
      g_ptr_array_add (self->members, member);
    }
  member->is_admin = member->is_admin || is_admin;
}

gboolean
kvsql_role_remove_member (KvsqlRole *self, const gchar *name, gboolean only_option)
{
  guint i;
  KvsqlRoleMember *member = find_member (self, name, &i);

  if (member == NULL)
    return FALSE;
  member->is_admin = FALSE;
  if (!only_option)
    g_ptr_array_remove_index (self->members, i);
  return TRUE;
}

static gboolean
find_pattern (const KvsqlRole *self, const gchar *pattern, guint *out_index)
{
  return g_ptr_array_find_with_equal_func (self->patterns, pattern, g_str_equal, out_index);
}

void
kvsql_role_add_pattern (KvsqlRole *self, const gchar *pattern)
{
  guint unused;

  if (!find_pattern (self, pattern, &unused))
    g_ptr_array_add (self->patterns, g_strdup (pattern));
}

gboolean
kvsql_role_remove_pattern (KvsqlRole *self, const gchar *pattern)
{
  guint i;

  if (!find_pattern (self, pattern, &i))
    return FALSE;
  g_ptr_array_remove_index (self->patterns, i);
  return TRUE;
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

/* '64MB', as PostgreSQL writes sizes. FALSE: it is none. */
static gboolean
read_size (KvsqlSlice text, gint64 *out)
{
  static const gchar *const units[] = { "B", "kB", "MB", "GB", "TB" };
  g_autofree gchar *copy = g_strndup ((const gchar *)text.data, text.size);
  gchar *unit;
  guint64 n = g_ascii_strtoull (copy, &unit, 10);

  if (!g_ascii_isdigit (copy[0]))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_ascii_strcasecmp (unit, units[i]) == 0 && n <= (guint64)G_MAXINT64 >> (10 * i))
      {
        *out = (gint64)(n << (10 * i));
        return TRUE;
      }
  return FALSE;
}

static gboolean
apply_limits (KvsqlRole *self, const KvsqlRoleStatement *options, GError **error)
{
  static const gchar *const messages[KVSQL_N_ROLE_LIMITS]
      = { [KVSQL_ROLE_LIMIT_CONNECTIONS] = "a connection limit is a whole number, or -1 for none",
          [KVSQL_ROLE_LIMIT_STATEMENTS]
          = "a statement limit is a whole number of at least 1, or -1 for none",
          [KVSQL_ROLE_LIMIT_MEMORY] = "a memory limit is at least 1 MiB, or -1 for none",
          [KVSQL_ROLE_LIMIT_ROWS] = "a row limit is a whole number of at least 1, or -1 for none" };
  static const gint64 least[KVSQL_N_ROLE_LIMITS] = { [KVSQL_ROLE_LIMIT_CONNECTIONS] = 0,
                                                     [KVSQL_ROLE_LIMIT_STATEMENTS] = 1,
                                                     [KVSQL_ROLE_LIMIT_MEMORY] = 1 << 20,
                                                     [KVSQL_ROLE_LIMIT_ROWS] = 1 };
  static const gint64 most[KVSQL_N_ROLE_LIMITS] = { [KVSQL_ROLE_LIMIT_CONNECTIONS] = G_MAXINT32,
                                                    [KVSQL_ROLE_LIMIT_STATEMENTS] = G_MAXINT32,
                                                    [KVSQL_ROLE_LIMIT_MEMORY] = G_MAXINT64 - 1,
                                                    [KVSQL_ROLE_LIMIT_ROWS] = G_MAXINT64 - 1 };

  for (guint i = 0; i < KVSQL_N_ROLE_LIMITS; i++)
    {
      gint64 limit = options->limits[i];

      if (options->limit_spans[i].offset < 0)
        continue;
      if (i == KVSQL_ROLE_LIMIT_MEMORY && options->memory.type == KVSQL_TYPE_STRING
          && !read_size (options->memory.bytes, &limit))
        return kvsql_error_set (error, KVSQL_ERROR_VALUE, options->limit_spans[i],
                                "this is not a size")
               || kvsql_error_hint (error,
                                    "Write a number and B, kB, MB, GB or TB, such as '64MB'.");
      if (limit != -1 && (limit < least[i] || limit > most[i]))
        return kvsql_error_set (error, KVSQL_ERROR_VALUE, options->limit_spans[i], "%s",
                                messages[i]);
      self->limits[i] = limit;
    }
  return TRUE;
}

static void
add_members (KvsqlRole *self, const KvsqlName *names, guint n, gboolean is_admin)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree gchar *name = kvsql_role_fold_name (&names[i]);

      kvsql_role_add_member (self, name, is_admin);
    }
}

gboolean
kvsql_role_apply (KvsqlRole *self, const KvsqlRoleStatement *options, GError **error)
{
  if (options->log_in != KVSQL_ROLE_UNSAID)
    self->may_log_in = options->log_in == KVSQL_ROLE_YES;
  if (options->admin != KVSQL_ROLE_UNSAID)
    self->is_admin = options->admin == KVSQL_ROLE_YES;
  if (options->sysid > 0)
    self->since = options->sysid;
  if (!apply_limits (self, options, error))
    return FALSE;
  add_members (self, options->members, options->n_members, FALSE);
  add_members (self, options->admins, options->n_admins, TRUE);
  for (guint i = 0; i < options->n_patterns; i++)
    {
      const KvsqlSlice bytes = options->patterns[i].bytes;
      g_autofree gchar *pattern = g_strndup ((const gchar *)bytes.data, bytes.size);

      kvsql_role_add_pattern (self, pattern);
    }
  return (options->password_span.offset < 0 || apply_password (self, options, error))
         && (options->until_span.offset < 0 || apply_until (self, options, error));
}

/* ---- text */

/* What is printed of members and patterns. */
static void
add_lists (const KvsqlRole *self, KvsqlRoleStatement *out, KvsqlArena *arena)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      const KvsqlRoleMember *member = self->members->pdata[i];
      KvsqlName *name = member->is_admin ? KVSQL_ARENA_ADD (arena, out->admins, out->n_admins)
                                         : KVSQL_ARENA_ADD (arena, out->members, out->n_members);

      *name = kvsql_role_name_of_key (member->name);
    }
  for (guint i = 0; i < self->patterns->len; i++)
    *KVSQL_ARENA_ADD (arena, out->patterns, out->n_patterns)
        = (KvsqlValue){ .type = KVSQL_TYPE_STRING,
                        .bytes = kvsql_slice_from_text (self->patterns->pdata[i]) };
}

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
              .sysid = shows_verifier ? self->since : 0,
              .password_span = self->has_password ? written : KVSQL_SPAN_NONE,
              .until_span = self->until_ms != KVSQL_ROLE_ALWAYS ? written : KVSQL_SPAN_NONE } };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < KVSQL_N_ROLE_LIMITS; i++)
    {
      statement.role.limit_spans[i] = self->limits[i] >= 0 ? written : KVSQL_SPAN_NONE;
      statement.role.limits[i] = self->limits[i];
    }
  add_lists (self, &statement.role, arena);
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
