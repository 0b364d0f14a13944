/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parameters.c: values of parameters as they come from a command line.
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

/* The last one of that name counts. */
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

      /* A value that is missing is left for the library to report. */
      if (text != NULL && !add_value (params, statement, i, text, error))
        return NULL;
    }
  /* So is one too many. */
  for (guint i = n; !by_name && n > 0 && i < n_values; i++)
    kvsql_params_add_string (params, NULL, values[i]);
  return g_steal_pointer (&params);
}
