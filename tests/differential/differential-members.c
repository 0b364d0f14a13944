/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * differential-members.c: a JSON text with several attributes as its members.
 */
#include "config.h"

#include "tests/differential/differential.h"

void
model_append_members (const ModelRelation *relation, const guint *list, guint n, GString *out,
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
