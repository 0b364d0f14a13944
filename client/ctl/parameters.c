/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parameters.c: see parameters.h.
 */
#include "config.h"

#include "client/ctl/parameters.h"

#include <string.h>

static gboolean
add_value (KvsqlParams *params, KvsqlStatement *statement, guint index, const gchar *text,
           GError **error)
{
  const gchar *name = kvsql_statement_get_parameter_name (statement, index);

  if (strcmp (text, "\\N") == 0)
    {
      kvsql_params_add_null (params, name);
      return TRUE;
    }
  if (kvsql_params_add_text (params, name, kvsql_statement_get_parameter_type (statement, index),
                             text, error))
    return TRUE;
  if (name != NULL)
    g_prefix_error (error, "parameter \":%s\": ", name);
  else
    g_prefix_error (error, "parameter %u: ", index + 1);
  return FALSE;
}

/* The last value of that name wins. */
static const gchar *
value_of_name (const gchar *name, const gchar *const *values)
{
  gsize length = strlen (name);
  const gchar *found = NULL;

  for (guint i = 0; values[i] != NULL; i++)
    if (g_ascii_strncasecmp (values[i], name, length) == 0 && values[i][length] == '=')
      found = values[i] + length + 1;
  return found;
}

/* Whether NAME=VALUE names a parameter of the statement. */
static gboolean
is_of_statement (KvsqlStatement *statement, const gchar *value)
{
  const gchar *one[] = { value, NULL };

  for (guint i = 0; i < kvsql_statement_get_n_parameters (statement); i++)
    if (value_of_name (kvsql_statement_get_parameter_name (statement, i), one) != NULL)
      return TRUE;
  return FALSE;
}

static void
add_superfluous (KvsqlParams *params, gboolean by_name, const gchar *value)
{
  const gchar *end = by_name ? strchr (value, '=') : NULL;
  g_autofree gchar *name = end != NULL ? g_strndup (value, (gsize)(end - value)) : NULL;

  kvsql_params_add_string (params, name, value);
}

KvsqlParams *
kvsqlctl_params_of (KvsqlStatement *statement, const gchar *const *values, GError **error)
{
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  guint n_values = g_strv_length ((gchar **)values);
  guint n = kvsql_statement_get_n_parameters (statement);
  gboolean by_name = n > 0 && kvsql_statement_get_parameter_name (statement, 0) != NULL;

  for (guint i = 0; i < n; i++)
    {
      const gchar *name = kvsql_statement_get_parameter_name (statement, i);
      const gchar *text
          = name != NULL ? value_of_name (name, values) : (i < n_values ? values[i] : NULL);

      /* The library reports a missing value. */
      if (text != NULL && !add_value (params, statement, i, text, error))
        return NULL;
    }
  /* The library reports an excess value, too. */
  for (guint i = by_name ? 0 : MIN (n, n_values); values[i] != NULL; i++)
    if (!by_name || !is_of_statement (statement, values[i]))
      add_superfluous (params, by_name, values[i]);
  return g_steal_pointer (&params);
}
