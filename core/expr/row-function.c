/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-function.c: see the header.
 */
#include "config.h"

#include "core/expr/row-function.h"

static const KvsqlRowFunctionFamily *const families[] = {
  &kvsql_row_functions_json,
  &kvsql_row_functions_list,
};

const KvsqlRowFunction *
kvsql_row_function_get (guint i)
{
  for (guint f = 0; f < G_N_ELEMENTS (families); f++)
    {
      if (i < families[f]->n_functions)
        return &families[f]->functions[i];
      i -= families[f]->n_functions;
    }
  return NULL;
}

const KvsqlRowFunction *
kvsql_row_function_find (const gchar *name)
{
  const KvsqlRowFunction *function;

  for (guint i = 0; (function = kvsql_row_function_get (i)) != NULL; i++)
    if (g_ascii_strcasecmp (function->name, name) == 0)
      return function;
  return NULL;
}

guint
kvsql_row_function_get_max_arguments (const KvsqlRowFunction *self)
{
  guint n = 0;

  while (n < KVSQL_ROW_FUNCTION_MAX_ARGUMENTS && self->arguments[n] != KVSQL_TYPE_NULL)
    n++;
  return n;
}
