/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * differential-members.c: one value with several attributes: a JSON text, or a cell of Phoenix.
 */
#include "config.h"

#include "tests/differential/differential.h"

static void
append_json (const ModelRelation *relation, const guint *list, guint n, GString *out,
             Source *source)
{
  static const gchar *const paths[]
      = { "$.%s", "$.%s", "$.o.%s", "$.o.p.%s", "$.\"o p\".%s", "$.\"\".\"%s\\n\"", "$.%s.v" };

  for (guint i = 0; i < n; i++)
    {
      const gchar *name = relation->attributes[list[i]].name;
      g_auto (GStrv) around
          = g_strsplit (paths[source_pick (source, G_N_ELEMENTS (paths))], "%s", 2);

      g_string_append_printf (out, "%sjson('%s%s%s'){%s}", out->len > 0 ? ":" : "", around[0], name,
                              around[1], name);
    }
}

static void
append_columns (const ModelRelation *relation, const guint *list, guint n, GString *out,
                Source *source)
{
  static const gchar *const inner[] = { "phoenix{", "ordered{", "text{", "size(2){", "{" };
  guint number = 11;

  for (guint i = 0; i < n; i++, number++)
    {
      const ModelAttribute *attribute = &relation->attributes[list[i]];
      gboolean is_array = kvsql_type_is_list (attribute->type) && source_chance (source, 50);
      const gchar *around = is_array ? "phoenix{"
                            : kvsql_type_is_collection (attribute->type)
                                ? "json{"
                                : inner[source_pick (source, G_N_ELEMENTS (inner))];

      number += source_chance (source, 20) ? 3 : 0;
      g_string_append_printf (out, "%sphoenix_column(%u){%s%s%s}", out->len > 0 ? ":" : "", number,
                              around[0] == '{' ? "" : around, attribute->name,
                              around[0] == '{' ? "" : "}");
    }
}

void
model_append_members (const ModelRelation *relation, const guint *list, guint n, GString *out,
                      Source *source)
{
  (source_chance (source, 60) ? append_json : append_columns) (relation, list, n, out, source);
}
