/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cost-model.c: the cost models, by name.
 */
#include "config.h"

#include "core/advisor/cost-model.h"

static const KvsqlCostModel *const models[] = { &kvsql_cost_kvsql, &kvsql_cost_nose, NULL };

const KvsqlCostModel *
kvsql_cost_model_find (const gchar *name, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; models[i] != NULL; i++)
    {
      if (strcmp (models[i]->name, name) == 0)
        return models[i];
      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", models[i]->name);
    }
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE,
                   "cost model \"%s\" does not exist", name);
  kvsql_error_hint (error, "There are: %s.", names->str);
  return NULL;
}
