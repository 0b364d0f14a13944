/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * function.c: finds functions by name.
 */
#include "config.h"

#include "core/expr/aggregate.h"
#include "core/expr/function.h"
#include "core/expr/window-function.h"

static const KvsqlFunctionFamily *const families[] = {
  &kvsql_functions_operator,      &kvsql_functions_sequence,    &kvsql_functions_text,
  &kvsql_functions_bytes,         &kvsql_functions_number,      &kvsql_functions_time,
  &kvsql_functions_collection,    &kvsql_functions_list,        &kvsql_functions_list_set,
  &kvsql_functions_exact,         &kvsql_functions_quote,       &kvsql_functions_regexp,
  &kvsql_functions_time_parse,    &kvsql_functions_format,      &kvsql_functions_interval,
  &kvsql_functions_interval_part, &kvsql_functions_clock,       &kvsql_functions_angle,
  &kvsql_functions_bits,          &kvsql_functions_time_text,   &kvsql_functions_json,
  &kvsql_functions_json_build,    &kvsql_functions_json_change, &kvsql_functions_limit,
  &kvsql_functions_zone,
};

const KvsqlFunctionFamily *
kvsql_function_get_family (guint index)
{
  return index < G_N_ELEMENTS (families) ? families[index] : NULL;
}

guint
kvsql_function_find (const gchar *name, const KvsqlFunction **out, guint n_out)
{
  guint n = 0;

  for (guint f = 0; f < G_N_ELEMENTS (families); f++)
    for (guint i = 0; i < families[f]->n_functions; i++)
      if (strcmp (families[f]->functions[i].name, name) == 0)
        {
          g_assert (n < n_out); /* else an overload would never be chosen */
          out[n++] = &families[f]->functions[i];
        }
  return n;
}

gboolean
kvsql_function_is_volatile (const gchar *name)
{
  g_autofree gchar *folded = g_ascii_strdown (name, -1);
  const KvsqlFunction *overloads[KVSQL_FUNCTION_MAX_OVERLOADS];
  guint n = kvsql_function_find (folded, overloads, G_N_ELEMENTS (overloads));

  for (guint i = 0; i < n; i++)
    if (overloads[i]->is_volatile)
      return TRUE;
  return FALSE;
}

const gchar *
kvsql_function_suggest (const gchar *name)
{
  static const gchar *const special[]
      = { "coalesce", "nullif", "greatest", "least", "concat", "concat_ws" };
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint f = 0; f < G_N_ELEMENTS (families); f++)
    for (guint i = 0; i < families[f]->n_functions; i++)
      if (g_ascii_isalpha (families[f]->functions[i].name[0]))
        g_ptr_array_add (names, (gpointer)families[f]->functions[i].name);
  for (guint i = 0; i < G_N_ELEMENTS (special); i++)
    g_ptr_array_add (names, (gpointer)special[i]);
  kvsql_aggregate_add_names (names);
  kvsql_window_function_add_names (names);
  return kvsql_suggest (name, (const gchar *const *)names->pdata, names->len);
}
