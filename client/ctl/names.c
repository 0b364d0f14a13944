/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * names.c: see names.h.
 */
#include "config.h"

#include "client/ctl/names.h"

#include "client/ctl/execute.h"

gchar *
kvsqlctl_quote_text (const gchar *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "'", -1);
  g_autofree gchar *doubled = g_strjoinv ("''", parts);

  return g_strdup_printf ("'%s'", doubled);
}

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

/* The relation, then its primary schema, then the others: each needs the ones before it. */
static guint
rank_of (const gchar *definition)
{
  if (g_ascii_strncasecmp (definition, "DEFINE RELATION", 15) == 0)
    return 0;
  return g_ascii_strncasecmp (definition, "DEFINE PRIMARY", 14) == 0 ? 1 : 2;
}

gchar **
kvsqlctl_query_definitions (Kvsqlctl *ctl, const gchar *relation, GError **error)
{
  g_autofree gchar *quoted = kvsqlctl_quote_name (relation);
  g_autofree gchar *sql = g_strconcat ("SHOW CREATE ", quoted, NULL);
  g_auto (GStrv) texts = kvsqlctl_query_names (ctl, sql, error);
  g_autoptr (GStrvBuilder) ordered = g_strv_builder_new ();

  if (texts == NULL)
    return NULL;
  for (guint rank = 0; rank < 3; rank++)
    for (guint i = 0; texts[i] != NULL; i++)
      if (rank_of (texts[i]) == rank)
        {
          g_autofree gchar *statement
              = g_strconcat (texts[i], g_str_has_suffix (texts[i], ";") ? "" : ";", NULL);

          g_strv_builder_add (ordered, statement);
        }
  return g_strv_builder_end (ordered);
}
