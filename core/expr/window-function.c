/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window-function.c: the table.
 */
#include "config.h"

#include "core/expr/window-function.h"

static const KvsqlWindowFunctionFacts functions[KVSQL_N_WINDOW_FUNCTIONS] = {
  [KVSQL_WINDOW_ROW_NUMBER] = { "row_number", 0, 0, KVSQL_TYPE_BIGINT, 0 },
  [KVSQL_WINDOW_RANK] = { "rank", 0, 0, KVSQL_TYPE_BIGINT, 0 },
  [KVSQL_WINDOW_DENSE_RANK] = { "dense_rank", 0, 0, KVSQL_TYPE_BIGINT, 0 },
  [KVSQL_WINDOW_PERCENT_RANK] = { "percent_rank", 0, 0, KVSQL_TYPE_DOUBLE, 0 },
  [KVSQL_WINDOW_CUME_DIST] = { "cume_dist", 0, 0, KVSQL_TYPE_DOUBLE, 0 },
  [KVSQL_WINDOW_NTILE] = { "ntile", 1, 1, KVSQL_TYPE_INT, 1 },
  [KVSQL_WINDOW_LAG] = { "lag", 1, 3, KVSQL_TYPE_NULL, 2 },
  [KVSQL_WINDOW_LEAD] = { "lead", 1, 3, KVSQL_TYPE_NULL, 2 },
  [KVSQL_WINDOW_FIRST_VALUE] = { "first_value", 1, 1, KVSQL_TYPE_NULL, 0 },
  [KVSQL_WINDOW_LAST_VALUE] = { "last_value", 1, 1, KVSQL_TYPE_NULL, 0 },
  [KVSQL_WINDOW_NTH_VALUE] = { "nth_value", 2, 2, KVSQL_TYPE_NULL, 2 },
};

gboolean
kvsql_window_function_find (const gchar *name, KvsqlWindowFunction *out)
{
  for (guint i = 0; i < KVSQL_N_WINDOW_FUNCTIONS; i++)
    if (g_ascii_strcasecmp (functions[i].name, name) == 0)
      {
        *out = i;
        return TRUE;
      }
  return FALSE;
}

const KvsqlWindowFunctionFacts *
kvsql_window_function_get (KvsqlWindowFunction self)
{
  g_assert (self < KVSQL_N_WINDOW_FUNCTIONS);
  return &functions[self];
}

void
kvsql_window_function_add_names (GPtrArray *names)
{
  for (guint i = 0; i < KVSQL_N_WINDOW_FUNCTIONS; i++)
    g_ptr_array_add (names, (gpointer)functions[i].name);
}
