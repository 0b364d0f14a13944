/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain.c: explains a plan: what is read, and why; what is checked on the tuples; and which
 * access paths were not chosen.
 */
#include "config.h"

#include "core/plan/explain.h"
#include "core/base/interrupt.h"

#include "core/plan/estimate.h"
#include "core/plan/explain-private.h"
#include "core/plan/cross-join-plan.h"
#include "core/sql/printer.h"
#include "core/store/filter.h"

#include <math.h>

/* ---- predicates */

static void
append_like (const KvsqlLike *like, GString *out)
{
  GString *pattern = g_string_new (NULL);
  KvsqlValue value = { .type = KVSQL_TYPE_STRING };

  for (gsize i = 0; i < like->size; i++)
    {
      if (like->kinds[i] == 0
          && (like->bytes[i] == '%' || like->bytes[i] == '_' || like->bytes[i] == '\\'))
        g_string_append_c (pattern, '\\');
      g_string_append_c (pattern, like->bytes[i]);
    }
  value.bytes = kvsql_slice (pattern->str, pattern->len);
  kvsql_value_append_literal (&value, out);
  g_string_free (pattern, TRUE);
}

static gboolean
is_connective (const KvsqlPredicate *predicate)
{
  return predicate->kind == KVSQL_PREDICATE_EXPRESSION
         && (predicate->expr->kind == KVSQL_EXPR_AND || predicate->expr->kind == KVSQL_EXPR_OR);
}

static void
append_children (const KvsqlPredicate *predicate, const KvsqlRelation *relation, GString *out)
{
  const gchar *word = predicate->kind == KVSQL_PREDICATE_AND ? " AND " : " OR ";

  for (guint i = 0; i < predicate->n_children && kvsql_interrupt_tick (); i++)
    {
      gboolean needs_brackets = predicate->children[i]->kind == KVSQL_PREDICATE_OR
                                || predicate->children[i]->kind == KVSQL_PREDICATE_AND
                                || is_connective (predicate->children[i]);
      if (i > 0)
        g_string_append (out, word);
      if (needs_brackets)
        g_string_append_c (out, '(');
      kvsql_predicate_append_text (predicate->children[i], relation, out);
      if (needs_brackets)
        g_string_append_c (out, ')');
    }
}

void
kvsql_predicate_append_text (const KvsqlPredicate *predicate, const KvsqlRelation *relation,
                             GString *out)
{
  const gchar *name = relation->attributes[predicate->attribute].name;

  switch (predicate->kind)
    {
    case KVSQL_PREDICATE_CONSTANT:
      g_string_append (out, predicate->truth ? "TRUE" : "FALSE");
      break;
    case KVSQL_PREDICATE_COMPARE:
      g_string_append_printf (out, "%s %s ", name, kvsql_operator_get_text (predicate->op));
      kvsql_value_append_literal (&predicate->value, out);
      break;
    case KVSQL_PREDICATE_ATTRIBUTES:
      g_string_append_printf (out, "%s %s %s", name, kvsql_operator_get_text (predicate->op),
                              relation->attributes[predicate->other].name);
      break;
    case KVSQL_PREDICATE_IN:
      g_string_append_printf (out, "%s %sIN (", name, predicate->is_negated ? "NOT " : "");
      for (guint i = 0; i < predicate->n_values && kvsql_interrupt_tick (); i++)
        {
          if (i > 0)
            g_string_append (out, ", ");
          kvsql_value_append_literal (&predicate->values[i], out);
        }
      g_string_append_c (out, ')');
      break;
    case KVSQL_PREDICATE_LIKE:
      g_string_append_printf (out, "%s %sLIKE ", name, predicate->is_negated ? "NOT " : "");
      append_like (predicate->like, out);
      break;
    case KVSQL_PREDICATE_IS_NULL:
      g_string_append_printf (out, "%s IS %sNULL", name, predicate->is_negated ? "NOT " : "");
      break;
    case KVSQL_PREDICATE_EXPRESSION:
      kvsql_expr_append_text (predicate->expr, out);
      break;
    case KVSQL_PREDICATE_AND:
    case KVSQL_PREDICATE_OR:
      append_children (predicate, relation, out);
      break;
    }
}

void
kvsql_explain_append_predicate (const KvsqlPredicate *predicate, const KvsqlRelation *relation,
                                GString *out)
{
  gsize most = out->len + KVSQL_EXPLAIN_BYTES_SHOWN;

  kvsql_predicate_append_text (predicate, relation, out);
  if (out->len <= most)
    return;
  while (most > 0 && (out->str[most] & 0xc0) == 0x80)
    most--;
  g_string_truncate (out, most);
  g_string_append (out, "…");
}

/* ---- numbers for a reader */

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

static void
append_estimate (const KvsqlAccessPath *path, GString *out)
{
  g_string_append (out, "cost ");
  kvsql_explain_append_count (path->cost, out);
  g_string_append (out, path->is_assumed ? ", " : ", about ");
  kvsql_explain_append_count (MAX (path->rows, path->n_tables > 0), out);
  g_string_append (out, fabs (path->rows - 1) < 0.5 ? " row" : " rows");
  if (path->is_assumed)
    g_string_append (out, " assumed");
}

/* ---- ranges */

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

static void
append_reads (const KvsqlAccessPath *path, const gchar *indent, GString *out)
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
  append_left_out (path, indent, out);
}

static void
append_fetch (const KvsqlAccessPath *path, GString *out)
{
  const KvsqlRelation *relation = path->schema->relation;

  if (path->index_predicate != NULL)
    {
      g_string_append (out, "  checked on each entry: ");
      kvsql_explain_append_predicate (path->index_predicate, relation, out);
      g_string_append_c (out, '\n');
    }
  if (path->lookup_schema == NULL)
    return;
  g_string_append (out, "  looked up by key: ");
  kvsql_relation_append_names (relation, &path->looked_up, out);
  g_string_append_printf (out, " from schema %s, up to %u tuples a request\n",
                          path->lookup_schema->name, KVSQL_ROWS_PER_GET);
}

/* ---- why a schema was not chosen */

static gchar *
reason_against (const KvsqlSelectPlan *plan, const KvsqlAccessPath *path)
{
  if (!path->is_usable)
    return g_strdup_printf ("it does not hold attribute %s%s",
                            plan->entry->relation->attributes[path->missing_attribute].name,
                            plan->entry->n_schemas > 1 ? ", nor where the primary has it" : "");
  if (!kvsql_schema_is_filled (path->schema))
    return g_strdup_printf ("not readable yet: BACKFILL SCHEMA %s", path->schema->name);
  if (!kvsql_schema_is_readable (path->schema))
    return g_strdup_printf ("it is not read, having role = %s",
                            kvsql_schema_role_get_name (path->schema->options.role));
  if (kvsql_access_path_compare (path, plan->best) < 0)
    return g_strdup ("USING SCHEMA asks for another");
  if (path->is_full_scan && !plan->best->is_full_scan)
    return g_strdup (
        "it would read the whole table: no predicate bounds the first bytes of its keys");
  if (path->cost > plan->best->cost && path->lookup_schema != NULL)
    {
      g_autoptr (GString) names = g_string_new (NULL);
      kvsql_relation_append_names (plan->entry->relation, &path->looked_up, names);
      return g_strdup_printf ("it would have to fetch %s from schema %s, tuple by tuple",
                              names->str, path->lookup_schema->name);
    }
  if (path->cost > plan->best->cost && path->rows <= plan->best->rows)
    return path->n_cells > plan->best->n_cells ? g_strdup_printf (
               "as many rows, but a tuple takes up to %u cells there", path->n_cells)
                                               : g_strdup ("as many rows, but more requests");
  if (path->cost > plan->best->cost)
    return g_strdup ("it would read more");
  if (path->n_fixed < plan->best->n_fixed)
    return g_strdup ("as good, but fewer parts of its keys are fixed");
  return g_strdup_printf ("as good as %s, which comes first", plan->best->schema->name);
}

/* Appends the relations other than the first. */
static void
append_cross_join (const KvsqlCrossJoinPlan *cross_join, GString *out)
{
  for (guint i = 0; cross_join != NULL && i < cross_join->n_parts; i++)
    {
      const KvsqlCrossJoinPart *part = &cross_join->parts[i];

      g_string_append_printf (out, "  with each tuple of %s, read first from schema %s (",
                              part->name, part->plan->best->schema->name);
      append_estimate (part->plan->best, out);
      g_string_append (out, ") and kept in memory\n");
      append_reads (part->plan->best, "    ", out);
      append_fetch (part->plan->best, out);
    }
}

static void
append_way (const KvsqlSelectPlan *plan, const gchar *verb, GString *out)
{
  g_string_append_printf (out, "%s from relation %s, read from schema %s (", verb,
                          plan->entry->relation->name, plan->best->schema->name);
  append_estimate (plan->best, out);
  g_string_append (out, ")\n");
  append_reads (plan->best, "  ", out);
  kvsql_explain_other_way (plan->best, out);
  append_fetch (plan->best, out);
  append_cross_join (plan->cross_join, out);
}

static const gchar *
check_text (const KvsqlSelectPlan *plan)
{
  if (plan->entry == NULL)
    return "  checked: ";
  if (plan->best->is_exact)
    return "  implied by the ranges: ";
  return plan->cross_join != NULL ? "  checked on each pair: " : "  checked on each tuple: ";
}

static void
append_others (const KvsqlSelectPlan *plan, GString *out)
{
  gboolean has_others = FALSE;

  for (guint i = 0; i < plan->n_paths; i++)
    {
      const KvsqlAccessPath *path = &plan->paths[i];
      g_autofree gchar *reason = NULL;

      if (path == plan->best)
        continue;
      if (!has_others)
        g_string_append (out, "Not chosen:\n");
      has_others = TRUE;
      reason = reason_against (plan, path);
      g_string_append_printf (out, "  schema %s", path->schema->name);
      if (path->is_usable)
        {
          g_string_append (out, " (");
          append_estimate (path, out);
          g_string_append_c (out, ')');
        }
      g_string_append_printf (out, ": %s\n", reason);
      if (path->is_usable)
        append_reads (path, "    ", out);
    }
}

void
kvsql_explain_text (const KvsqlSelectPlan *plan, const gchar *verb, GString *out)
{
  if (plan->entry != NULL)
    append_way (plan, verb, out);
  else
    g_string_append_printf (out, "%s without a relation: one row, and nothing is read\n", verb);
  if (plan->predicate->kind != KVSQL_PREDICATE_CONSTANT || !plan->predicate->truth)
    {
      g_string_append (out, check_text (plan));
      kvsql_explain_append_predicate (plan->predicate, plan->relation, out);
      g_string_append_c (out, '\n');
    }
  kvsql_explain_steps_text (plan, out);
  if (plan->offset > 0)
    g_string_append_printf (out, "  the first %" G_GUINT64_FORMAT " tuples are skipped\n",
                            plan->offset);
  if (plan->limit != KVSQL_NO_LIMIT && plan->entry != NULL)
    g_string_append_printf (out, "  stops after %" G_GUINT64_FORMAT " tuples\n", plan->limit);
  append_others (plan, out);
}

/* ---- JSON */

static void
add_hex (JsonBuilder *builder, const gchar *name, KvsqlSlice bytes)
{
  g_autofree gchar *hex = kvsql_hex (bytes);

  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, hex);
}

static void
add_string (JsonBuilder *builder, const gchar *name, const gchar *text)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
add_integer (JsonBuilder *builder, const gchar *name, guint64 number)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, (gint64)number);
}

static void
add_number (JsonBuilder *builder, const gchar *name, gdouble number)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, number);
}

static void
add_boolean (JsonBuilder *builder, const gchar *name, gboolean truth)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, truth);
}

static void
add_tables (JsonBuilder *builder, const KvsqlAccessPath *path)
{
  json_builder_set_member_name (builder, "tables");
  json_builder_begin_array (builder);
  for (guint t = 0; t < path->n_tables; t++)
    {
      json_builder_begin_object (builder);
      add_hex (builder, path->has_open_table ? "table_prefix" : "table",
               path->has_open_table ? path->table_prefix : path->tables[t].table);
      json_builder_set_member_name (builder, "ranges");
      json_builder_begin_array (builder);
      for (guint r = 0; r < path->tables[t].n_ranges; r++)
        {
          json_builder_begin_object (builder);
          add_hex (builder, "start", path->tables[t].ranges[r].start);
          add_hex (builder, "stop", path->tables[t].ranges[r].stop);
          json_builder_end_object (builder);
        }
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_fetch (JsonBuilder *builder, const KvsqlAccessPath *path)
{
  const KvsqlRelation *relation = path->schema->relation;

  json_builder_set_member_name (builder, "fetch");
  json_builder_begin_object (builder);
  add_string (builder, "schema", path->lookup_schema->name);
  json_builder_set_member_name (builder, "attributes");
  json_builder_begin_array (builder);
  for (guint a = 0; a < relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&path->looked_up, a))
      json_builder_add_string_value (builder, relation->attributes[a].name);
  json_builder_end_array (builder);
  if (path->index_predicate != NULL)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      kvsql_explain_append_predicate (path->index_predicate, relation, text);
      add_string (builder, "checked_before", text->str);
    }
  json_builder_end_object (builder);
}

static void
add_path (JsonBuilder *builder, const KvsqlSelectPlan *plan, const KvsqlAccessPath *path)
{
  json_builder_begin_object (builder);
  add_string (builder, "schema", path->schema->name);
  add_boolean (builder, "chosen", path == plan->best);
  if (path != plan->best)
    {
      g_autofree gchar *reason = reason_against (plan, path);
      add_string (builder, "reason", reason);
    }
  if (path->is_usable)
    {
      add_number (builder, "cost", path->cost);
      add_number (builder, "rows", path->rows);
      if (path->is_assumed)
        add_boolean (builder, "rows_assumed", TRUE);
      add_number (builder, "requests", path->requests);
      add_boolean (builder, "full_scan", path->is_full_scan);
      add_tables (builder, path);
      if (path->filter != NULL)
        {
          g_autoptr (GString) text = g_string_new (NULL);
          kvsql_filter_append_text (path->filter, text);
          add_string (builder, "store_filter", text->str);
        }
      if (path->keys_only)
        add_boolean (builder, "keys_only", TRUE);
      if (path->times.min > 0)
        add_integer (builder, "min_timestamp", path->times.min);
      if (path->times.max > 0)
        add_integer (builder, "max_timestamp", path->times.max);
      kvsql_explain_skip_json (path, builder);
      if (path->lookup_schema != NULL)
        add_fetch (builder, path);
    }
  json_builder_end_object (builder);
}

static void
add_paths (JsonBuilder *builder, const KvsqlSelectPlan *plan)
{
  json_builder_set_member_name (builder, "candidates");
  json_builder_begin_array (builder);
  for (guint i = 0; i < plan->n_paths; i++)
    add_path (builder, plan, &plan->paths[i]);
  json_builder_end_array (builder);
}

static void
add_cross_join (JsonBuilder *builder, const KvsqlCrossJoinPlan *cross_join)
{
  json_builder_set_member_name (builder, "with_each_of");
  json_builder_begin_array (builder);
  for (guint i = 0; i < cross_join->n_parts; i++)
    {
      const KvsqlCrossJoinPart *part = &cross_join->parts[i];

      json_builder_begin_object (builder);
      add_string (builder, "relation", part->entry->relation->name);
      add_string (builder, "name", part->name);
      add_string (builder, "schema", part->plan->best->schema->name);
      add_paths (builder, part->plan);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* The estimated number of rows of the result, from statistics of all tuples; negative: unknown. */
static gdouble
estimate_answer (const KvsqlSelectPlan *plan)
{
  const KvsqlStatistics *statistics = plan->dnf.statistics;
  KvsqlAttributeSet all = { 0 };
  gdouble rows = 0;

  if (statistics == NULL || !statistics->is_complete || !plan->dnf.is_exact || plan->groups != NULL
      || plan->is_distinct || plan->cross_join != NULL)
    return -1;
  for (guint a = 0; a < statistics->n_attributes; a++)
    kvsql_attribute_set_add (&all, a);
  for (guint i = 0; i < plan->dnf.n_disjuncts; i++)
    rows += statistics->n_tuples
            * kvsql_estimate_known_share (statistics, &plan->dnf.disjuncts[i], &all);
  rows = MIN (rows, statistics->n_tuples) - (gdouble)plan->offset;
  return CLAMP (rows, 0, (gdouble)plan->limit);
}

gchar *
kvsql_explain_json (const KvsqlSelectPlan *plan, const gchar *verb)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GString) predicate = g_string_new (NULL);
  gboolean is_exact = plan->entry != NULL && plan->best->is_exact;
  gdouble answer_rows = estimate_answer (plan);

  json_builder_begin_object (builder);
  add_string (builder, "statement", verb);
  if (plan->entry != NULL)
    {
      add_string (builder, "relation", plan->entry->relation->name);
      add_string (builder, "schema", plan->best->schema->name);
    }
  kvsql_explain_append_predicate (plan->predicate, plan->relation, predicate);
  add_string (builder, is_exact ? "proved" : "checked", predicate->str);
  kvsql_explain_steps_json (plan, builder);
  if (plan->limit != KVSQL_NO_LIMIT && plan->entry != NULL)
    add_integer (builder, "limit", plan->limit);
  if (plan->offset > 0)
    add_integer (builder, "offset", plan->offset);
  if (answer_rows >= 0)
    add_number (builder, "answer_rows", answer_rows);
  add_paths (builder, plan);
  if (plan->cross_join != NULL)
    add_cross_join (builder, plan->cross_join);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, TRUE);
}
