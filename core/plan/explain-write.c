/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-write.c: writes numbers for a reader, and members of JSON objects.
 */
#include "config.h"

#include "core/plan/explain-private.h"

#include <math.h>

void
kvsql_explain_append_count (gdouble number, GString *out)
{
  gchar digits[40];
  gint n = g_snprintf (digits, sizeof digits, "%.0f", number);

  for (gint i = 0; i < n; i++)
    {
      if (i > 0 && (n - i) % 3 == 0)
        g_string_append_c (out, ',');
      g_string_append_c (out, digits[i]);
    }
}

void
kvsql_explain_append_time (gdouble cost, gdouble unit_us, GString *out)
{
  gdouble ms = cost * unit_us / 1000;

  if (unit_us <= 0)
    return;
  g_string_append (out, ", about ");
  if (ms < 10)
    g_string_append_printf (out, "%.2g ms", ms);
  else
    {
      kvsql_explain_append_count (ms, out);
      g_string_append (out, " ms");
    }
}

void
kvsql_explain_append_estimate (const KvsqlAccessPath *path, GString *out)
{
  gdouble rows = MAX (path->rows, path->n_tables > 0);

  g_string_append (out, "cost ");
  kvsql_explain_append_count (path->cost, out);
  kvsql_explain_append_time (path->cost, path->unit_us, out);
  g_string_append (out, path->is_assumed ? ", " : ", about ");
  kvsql_explain_append_count (rows, out);
  g_string_append (out, fabs (rows - 1) < 0.5 ? " row" : " rows");
  if (path->is_assumed)
    g_string_append (out, " assumed");
}

/* ---- JSON */

void
kvsql_explain_add_string (JsonBuilder *builder, const gchar *name, const gchar *text)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

void
kvsql_explain_add_integer (JsonBuilder *builder, const gchar *name, guint64 number)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, (gint64)number);
}

void
kvsql_explain_add_hex (JsonBuilder *builder, const gchar *name, KvsqlSlice bytes)
{
  g_autofree gchar *hex = kvsql_hex (bytes);

  kvsql_explain_add_string (builder, name, hex);
}

/* JSON-GLib 1.6 writes 1e17 as 1e+17.0, which is no JSON. */
#define LARGEST_NUMBER 1e16

void
kvsql_explain_add_number (JsonBuilder *builder, const gchar *name, gdouble number)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, MIN (number, LARGEST_NUMBER));
}

void
kvsql_explain_add_boolean (JsonBuilder *builder, const gchar *name, gboolean truth)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, truth);
}
