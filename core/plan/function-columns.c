/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * function-columns.c: see the header.
 */
#include "config.h"

#include "core/plan/function-columns.h"

#include "core/expr/row-function.h"

guint
kvsql_function_columns_count (const KvsqlSelect *query)
{
  const KvsqlRowFunction *function = kvsql_row_function_find (query->function->name.text);

  if (function != NULL)
    return function->n_columns;
  return kvsql_name_means (&query->function->name, "unnest", FALSE) ? query->n_values : 1;
}

const gchar *
kvsql_function_columns_get (const KvsqlSelect *query, guint i, gboolean *out_is_quoted)
{
  const KvsqlRowFunction *function = kvsql_row_function_find (query->function->name.text);
  const KvsqlName *alias = &query->function->alias;

  *out_is_quoted = FALSE;
  if (function != NULL && function->columns[i].name != NULL)
    return function->columns[i].name;
  if (kvsql_function_columns_count (query) > 1)
    return "unnest";
  *out_is_quoted = alias->is_quoted;
  return alias->text;
}

gboolean
kvsql_function_columns_have (const KvsqlSelect *query, const KvsqlName *name)
{
  guint n = kvsql_function_columns_count (query);
  gboolean is_quoted;

  for (guint i = 0; i < n; i++)
    {
      const gchar *column = kvsql_function_columns_get (query, i, &is_quoted);

      if (kvsql_name_match (name, column, is_quoted) != KVSQL_NAME_DIFFERS)
        return TRUE;
    }
  return query->function->has_ordinality
         && kvsql_name_match (name, "ordinality", FALSE) != KVSQL_NAME_DIFFERS;
}
