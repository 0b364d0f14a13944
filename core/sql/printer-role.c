/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * printer-role.c: canonical text of CREATE, ALTER and DROP ROLE.
 */
#include "config.h"

#include "core/sql/printer-private.h"
#include "core/sql/printer.h"

static void
print_choice (KvsqlRoleChoice choice, const gchar *yes, const gchar *no, GString *out)
{
  if (choice != KVSQL_ROLE_UNSAID)
    g_string_append (out, choice == KVSQL_ROLE_YES ? yes : no);
}

static void
print_roles (const gchar *clause, const KvsqlName *names, guint n, GString *out)
{
  if (n > 0)
    g_string_append (out, clause);
  kvsql_print_names (names, n, out);
}

static void
print_limits (const KvsqlRoleStatement *self, GString *out)
{
  static const gchar *const words[KVSQL_N_ROLE_LIMITS]
      = { [KVSQL_ROLE_LIMIT_CONNECTIONS] = "CONNECTION",
          [KVSQL_ROLE_LIMIT_STATEMENTS] = "STATEMENT",
          [KVSQL_ROLE_LIMIT_MEMORY] = "MEMORY",
          [KVSQL_ROLE_LIMIT_ROWS] = "ROW" };

  for (guint i = 0; i < KVSQL_N_ROLE_LIMITS; i++)
    {
      if (self->limit_spans[i].offset < 0)
        continue;
      g_string_append_printf (out, " %s LIMIT ", words[i]);
      if (i == KVSQL_ROLE_LIMIT_MEMORY && self->memory.type == KVSQL_TYPE_STRING)
        kvsql_print_value (&self->memory, out);
      else
        g_string_append_printf (out, "%" G_GINT64_FORMAT, self->limits[i]);
    }
}

/* DROP OWNED, REASSIGN OWNED */
static void
print_owned (const KvsqlRoleStatement *self, GString *out)
{
  g_string_append (out,
                   self->action == KVSQL_ROLE_DROP_OWNED ? "DROP OWNED BY " : "REASSIGN OWNED BY ");
  kvsql_print_names (self->members, self->n_members, out);
  if (self->action == KVSQL_ROLE_REASSIGN_OWNED)
    {
      g_string_append (out, " TO ");
      kvsql_print_name (&self->name, out);
    }
  g_string_append (out, self->is_cascade ? " CASCADE" : "");
}

void
kvsql_print_role (const KvsqlRoleStatement *self, GString *out)
{
  static const gchar *const verbs[] = { [KVSQL_ROLE_CREATE] = "CREATE ROLE ",
                                        [KVSQL_ROLE_ALTER] = "ALTER ROLE ",
                                        [KVSQL_ROLE_DROP] = "DROP ROLE " };

  if (self->action == KVSQL_ROLE_DROP_OWNED || self->action == KVSQL_ROLE_REASSIGN_OWNED)
    {
      print_owned (self, out);
      return;
    }
  g_string_append (out, verbs[self->action]);
  if (self->if_exists)
    g_string_append (out, "IF EXISTS ");
  kvsql_print_name (&self->name, out);
  print_choice (self->log_in, " LOGIN", " NOLOGIN", out);
  print_choice (self->admin, " SUPERUSER", " NOSUPERUSER", out);
  if (self->password_span.offset >= 0)
    {
      g_string_append (out, " PASSWORD ");
      kvsql_print_value (&self->password, out);
    }
  if (self->until_span.offset >= 0)
    {
      g_string_append (out, " VALID UNTIL ");
      kvsql_print_value (&self->until, out);
    }
  print_limits (self, out);
  if (self->sysid > 0)
    g_string_append_printf (out, " SYSID %" G_GINT64_FORMAT, self->sysid);
  print_roles (" ROLE ", self->members, self->n_members, out);
  print_roles (" ADMIN ", self->admins, self->n_admins, out);
  print_roles (" IN ROLE ", self->groups, self->n_groups, out);
  if (self->n_patterns > 0)
    {
      g_string_append_c (out, ' ');
      kvsql_print_patterns (self->patterns, self->n_patterns, out);
    }
}
