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

void
kvsql_print_role (const KvsqlRoleStatement *self, GString *out)
{
  static const gchar *const verbs[] = { [KVSQL_ROLE_CREATE] = "CREATE ROLE ",
                                        [KVSQL_ROLE_ALTER] = "ALTER ROLE ",
                                        [KVSQL_ROLE_DROP] = "DROP ROLE " };

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
}
