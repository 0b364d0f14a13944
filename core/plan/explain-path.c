/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-path.c: explains what an access path reads, as text.
 */
#include "config.h"

#include "core/plan/explain-private.h"
#include "core/store/filter.h"

static void
append_bounds (const KvsqlRowRange *range, GString *out)
{
  g_string_append (out, "from ");
  if (range->start.size == 0)
    g_string_append (out, "the first");
  else
    {
      g_string_append_c (out, '"');
      kvsql_append_readable (out, range->start);
      g_string_append_c (out, '"');
    }
  if (range->stop.size == 0)
    {
      g_string_append (out, " to the last");
      return;
    }
  /* …\0 is the next key after …: for a reader, an inclusive bound is clearer */
  gboolean is_inclusive
      = range->stop.data[range->stop.size - 1] == 0 && range->stop.size > range->start.size;
  g_string_append (out, is_inclusive ? " to \"" : " up to, not including, \"");
  kvsql_append_readable (out, kvsql_slice (range->stop.data, range->stop.size - is_inclusive));
  g_string_append (out, is_inclusive ? "\" inclusive" : "\"");
}

static void
append_range (const KvsqlAccessPath *path, const KvsqlRowRange *range, GString *out)
{
  if (kvsql_row_range_is_point (range))
    {
      g_string_append (out, "row \"");
      kvsql_append_readable (out, range->start);
      g_string_append_c (out, '"');
    }
  else if (range->start.size == 0 && range->stop.size == 0)
    g_string_append (out, path->skip != NULL ? "every row" : "every row (full scan)");
  else
    {
      g_string_append (out, "rows ");
      append_bounds (range, out);
    }
}

/* Appends nothing if all names with the prefix are read. */
static void
append_table_names (const KvsqlRowRange *names, KvsqlSlice prefix, GString *out)
{
  gboolean is_whole
      = kvsql_slice_equal (names->start, prefix)
        && (names->stop.size == 0
            || (names->stop.size == prefix.size
                && kvsql_slice_has_prefix (names->stop, kvsql_slice (prefix.data, prefix.size - 1))
                && names->stop.data[prefix.size - 1] == prefix.data[prefix.size - 1] + 1));

  if (is_whole)
    return;
  g_string_append_c (out, ' ');
  append_bounds (names, out);
}

static void
append_columns (const KvsqlAccessPath *path, GString *out)
{
  for (guint i = 0; i < path->n_columns; i++)
    {
      const KvsqlColumn *column = &path->columns[i];
      g_string_append (out, i == 0 ? ", columns " : ", ");
      kvsql_append_readable (out, column->family);
      g_string_append_c (out, ':');
      if (column->whole_family)
        g_string_append_c (out, '*');
      else
        kvsql_append_readable (out, column->qualifier);
    }
}

static void
append_time (gint64 timestamp, GString *out)
{
  KvsqlValue value = { .type = KVSQL_TYPE_TIMESTAMP, .integer = timestamp };

  if (kvsql_integer_fits (KVSQL_TYPE_TIMESTAMP, timestamp))
    kvsql_value_append_text (&value, out);
  else
    g_string_append_printf (out, "%" G_GINT64_FORMAT, timestamp);
}

/* Appends the filter and the time range that are pushed down. */
static void
append_left_out (const KvsqlAccessPath *path, const gchar *indent, GString *out)
{
  if (path->n_tables == 0)
    return;
  if (path->filter != NULL)
    {
      g_string_append_printf (out, "%sthe store filters: ", indent);
      kvsql_filter_append_text (path->filter, out);
      g_string_append_c (out, '\n');
    }
  if (path->keys_only)
    g_string_append_printf (out, "%sthe store leaves out the values\n", indent);
  if (path->times.min == 0 && path->times.max == 0)
    return;
  g_string_append_printf (out, "%sonly cells", indent);
  if (path->times.min > 0)
    {
      g_string_append (out, " from ");
      append_time (path->times.min, out);
    }
  if (path->times.max > 0)
    {
      g_string_append (out, " up to ");
      append_time (path->times.max - 1, out);
    }
  g_string_append_c (out, '\n');
}

void
kvsql_explain_append_reads (const KvsqlAccessPath *path, const gchar *indent, GString *out)
{
  if (path->n_tables == 0)
    {
      g_string_append_printf (out, "%snothing: no row can satisfy the predicate\n", indent);
      return;
    }
  for (guint t = 0; t < path->n_tables; t++)
    {
      const KvsqlPlanTable *table = &path->tables[t];
      g_string_append (out, indent);
      if (path->has_open_table)
        {
          g_string_append (out, "every table named \"");
          kvsql_append_readable (out, path->table_prefix);
          g_string_append (out, "…\"");
          append_table_names (&path->table_names, path->table_prefix, out);
        }
      else
        {
          g_string_append (out, "table \"");
          kvsql_append_readable (out, table->table);
          g_string_append_c (out, '"');
        }
      append_columns (path, out);
      g_string_append (out, ":\n");
      for (guint r = 0; r < MIN (table->n_ranges, KVSQL_EXPLAIN_RANGES_SHOWN); r++)
        {
          g_string_append_printf (out, "%s  ", indent);
          append_range (path, &table->ranges[r], out);
          g_string_append_c (out, '\n');
        }
      if (table->n_ranges > KVSQL_EXPLAIN_RANGES_SHOWN)
        g_string_append_printf (out, "%s  and %u more ranges\n", indent,
                                table->n_ranges - KVSQL_EXPLAIN_RANGES_SHOWN);
      if (path->skip != NULL)
        kvsql_explain_skip_text (path, indent, out);
    }
  if (path->schema->cells[0].each != NULL)
    g_string_append_printf (out, "%seach cell holds several tuples\n", indent);
  append_left_out (path, indent, out);
}

void
kvsql_explain_append_entry_filter (const KvsqlAccessPath *path, GString *out)
{
  if (path->index_predicate == NULL)
    return;
  g_string_append (out, "  checked on each entry: ");
  kvsql_explain_append_predicate (path->index_predicate, path->schema->relation, out);
  g_string_append_c (out, '\n');
}

/* Anchors have the attributes that an index lacks. */
static void
append_anchors (const KvsqlAccessPath *path, GString *out)
{
  g_string_append (out, "  verified: anchors of up to ");
  kvsql_explain_append_count (KVSQL_ANCHORS_PER_GET, out);
  g_string_append (out, " tuples a request");
  if (path->lookup_schema != NULL)
    {
      g_string_append (out, ", and from them ");
      kvsql_relation_append_names (path->schema->relation, &path->looked_up, out);
    }
  g_string_append_c (out, '\n');
}

void
kvsql_explain_append_lookup (const KvsqlAccessPath *path, GString *out)
{
  if (path->is_verified)
    append_anchors (path, out);
  if (path->lookup_schema == NULL || path->is_verified)
    return;
  g_string_append (out, "  looked up by key: ");
  kvsql_relation_append_names (path->schema->relation, &path->looked_up, out);
  g_string_append_printf (out, " from schema %s, up to %u tuples a request\n",
                          path->lookup_schema->name, KVSQL_ROWS_PER_GET);
}
