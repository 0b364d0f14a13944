/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * printer-grant.c: canonical text of GRANT, REVOKE and SET ROLE.
 */
#include "config.h"

#include "core/sql/printer-private.h"
#include "core/sql/printer.h"

const gchar *
kvsql_right_get_name (KvsqlRight right)
{
  static const gchar *const names[KVSQL_N_RIGHTS]
      = { "SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "USAGE" };

  for (guint i = 0; i < KVSQL_N_RIGHTS; i++)
    if ((guint)right == 1u << i)
      return names[i];
  return "ALL";
}

void
kvsql_print_names (const KvsqlName *names, guint n, GString *out)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      if (names[i].text == NULL)
        g_string_append (out, "PUBLIC");
      else
        kvsql_print_name (&names[i], out);
    }
}

void
kvsql_print_patterns (const KvsqlValue *patterns, guint n, GString *out)
{
  g_string_append (out, "DEFINE ON TABLES LIKE ");
  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      kvsql_print_value (&patterns[i], out);
    }
}

static void
print_rights (const KvsqlGrantStatement *self, GString *out)
{
  for (guint i = 0; i < self->n_rights; i++)
    {
      const KvsqlGrantedRight *right = &self->rights[i];

      g_string_append (out, i > 0 ? ", " : "");
      g_string_append (out, right->rights == KVSQL_RIGHTS_OF_ATTRIBUTES
                                ? "ALL"
                                : kvsql_right_get_name ((KvsqlRight)right->rights));
      if (right->n_attributes == 0)
        continue;
      g_string_append (out, " (");
      kvsql_print_names (right->attributes, right->n_attributes, out);
      g_string_append_c (out, ')');
    }
  g_string_append (out, " ON ");
  if (self->is_on_all)
    g_string_append (out, self->object == KVSQL_GRANT_SEQUENCES ? "ALL SEQUENCES IN SCHEMA public"
                                                                : "ALL TABLES IN SCHEMA public");
  else /* "table" and "sequence" may be names */
    g_string_append (out, self->object == KVSQL_GRANT_SEQUENCES ? "SEQUENCE " : "TABLE ");
  kvsql_print_names (self->objects, self->n_objects, out);
}

void
kvsql_print_grant (const KvsqlGrantStatement *self, GString *out)
{
  gboolean is_of_roles = self->object == KVSQL_GRANT_ROLES;

  g_string_append (out, self->is_revoke ? "REVOKE " : "GRANT ");
  if (self->is_revoke && self->has_option)
    g_string_append (out, is_of_roles ? "ADMIN OPTION FOR " : "GRANT OPTION FOR ");
  if (self->object == KVSQL_GRANT_RELATIONS || self->object == KVSQL_GRANT_SEQUENCES)
    print_rights (self, out);
  else if (is_of_roles)
    kvsql_print_names (self->objects, self->n_objects, out);
  else
    kvsql_print_patterns (self->patterns, self->n_patterns, out);
  g_string_append (out, self->is_revoke ? " FROM " : " TO ");
  kvsql_print_names (self->grantees, self->n_grantees, out);
  if (!self->is_revoke && self->has_option)
    g_string_append (out, is_of_roles ? " WITH ADMIN OPTION" : " WITH GRANT OPTION");
  if (self->granted_by.text != NULL)
    {
      g_string_append (out, " GRANTED BY ");
      kvsql_print_name (&self->granted_by, out);
    }
  if (self->is_cascade)
    g_string_append (out, " CASCADE");
}

void
kvsql_print_set_role (const KvsqlSetRole *self, GString *out)
{
  if (self->what == KVSQL_SET_ROLE_RESET)
    g_string_append (out, "RESET ROLE");
  else if (self->what == KVSQL_SET_ROLE_NONE)
    g_string_append (out, "SET ROLE NONE");
  else
    {
      g_string_append (out, "SET ROLE ");
      kvsql_print_name (&self->name, out);
    }
}
