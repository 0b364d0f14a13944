/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * names.c: what is defined in kvsqld.
 */
#include "config.h"

#include "client/ctl/names.h"

#include "client/ctl/execute.h"

gchar **
kvsqlctl_query_names (Kvsqlctl *ctl, const gchar *sql, GError **error)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_autoptr (GError) cause = NULL;
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (ctl->connection, sql, NULL, ctl->cancellable, error);
  gint column;

  if (result == NULL)
    return NULL;
  column = MAX (kvsql_result_find_column (result, "name"), 0);
  while (kvsql_result_get_n_columns (result) > 0 && kvsql_result_next (result, &cause))
    {
      const gchar *name = kvsql_result_get_text (result, (guint)column);

      if (name != NULL)
        g_strv_builder_add (names, name);
    }
  if (cause != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&cause));
      return NULL;
    }
  return g_strv_builder_end (names);
}

gchar *
kvsqlctl_query_definition (Kvsqlctl *ctl, const gchar *name, GError **error)
{
  g_autofree gchar *quoted = kvsqlctl_quote_name (name);
  g_autofree gchar *sql = g_strconcat ("SHOW CREATE ", quoted, NULL);
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (ctl->connection, sql, NULL, ctl->cancellable, error);
  const gchar *text = NULL;
  gint column;

  if (result == NULL)
    return NULL;
  column = kvsql_result_find_column (result, "definition");
  if (kvsql_result_get_n_columns (result) > 0 && kvsql_result_next (result, error))
    text = kvsql_result_get_text (result, (guint)MAX (column, 0));
  if (text == NULL && *error == NULL)
    g_set_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_PROTOCOL,
                 "kvsqld has no definition of \"%s\"", name);
  if (text == NULL)
    return NULL;
  return g_strconcat (text, g_str_has_suffix (text, ";") ? "" : ";", NULL);
}
