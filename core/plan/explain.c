/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain.c: the story of a plan: what is read, why there, what is checked then, and what was not
 * chosen.
 */
#include "config.h"

#include "core/plan/explain.h"

#include "core/plan/estimate.h"
#include "core/plan/explain-private.h"
#include "core/plan/product.h"
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

  for (guint i = 0; i < predicate->n_children; i++)
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
      for (guint i = 0; i < predicate->n_values; i++)
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

/* ---- numbers for people */

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
append_estimate (const KvsqlCandidate *candidate, GString *out)
{
  g_string_append (out, "cost ");
  kvsql_explain_append_count (candidate->cost, out);
  g_string_append (out, ", about ");
  kvsql_explain_append_count (MAX (candidate->rows, candidate->n_tables > 0), out);
  g_string_append (out, fabs (candidate->rows - 1) < 0.5 ? " row" : " rows");
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
  /* …\0 is the first key after …: say it as people do */
  gboolean is_inclusive
      = range->stop.data[range->stop.size - 1] == 0 && range->stop.size > range->start.size;
  g_string_append (out, is_inclusive ? " to \"" : " up to, not including, \"");
  kvsql_append_readable (out, kvsql_slice (range->stop.data, range->stop.size - is_inclusive));
  g_string_append (out, is_inclusive ? "\" inclusive" : "\"");
}

static void
append_range (const KvsqlCandidate *candidate, const KvsqlRowRange *range, GString *out)
{
  if (kvsql_row_range_is_point (range))
    {
      g_string_append (out, "row \"");
      kvsql_append_readable (out, range->start);
      g_string_append_c (out, '"');
    }
  else if (range->start.size == 0 && range->stop.size == 0)
    g_string_append (out, candidate->skip != NULL ? "every row" : "every row (full scan)");
  else
    {
      g_string_append (out, "rows ");
      append_bounds (range, out);
    }
}

/* Nothing if they are all names with the prefix. */
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
append_columns (const KvsqlCandidate *candidate, GString *out)
{
  for (guint i = 0; i < candidate->n_columns; i++)
    {
      const KvsqlColumn *column = &candidate->columns[i];
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

/* What the store leaves out of the rows. */
static void
append_left_out (const KvsqlCandidate *candidate, const gchar *indent, GString *out)
{
  if (candidate->n_tables == 0)
    return;
  if (candidate->filter != NULL)
    {
      g_string_append_printf (out, "%sthe store filters: ", indent);
      kvsql_filter_append_text (candidate->filter, out);
      g_string_append_c (out, '\n');
    }
  if (candidate->keys_only)
    g_string_append_printf (out, "%sthe store leaves out the values\n", indent);
  if (candidate->times.min == 0 && candidate->times.max == 0)
    return;
  g_string_append_printf (out, "%sonly cells", indent);
  if (candidate->times.min > 0)
    {
      g_string_append (out, " from ");
      append_time (candidate->times.min, out);
    }
  if (candidate->times.max > 0)
    {
      g_string_append (out, " up to ");
      append_time (candidate->times.max - 1, out);
    }
  g_string_append_c (out, '\n');
}

static void
append_reads (const KvsqlCandidate *candidate, const gchar *indent, GString *out)
{
  if (candidate->n_tables == 0)
    {
      g_string_append_printf (out, "%snothing: no row can satisfy the predicate\n", indent);
      return;
    }
  for (guint t = 0; t < candidate->n_tables; t++)
    {
      const KvsqlPlanTable *table = &candidate->tables[t];
      g_string_append (out, indent);
      if (candidate->has_open_table)
        {
          g_string_append (out, "every table named \"");
          kvsql_append_readable (out, candidate->table_prefix);
          g_string_append (out, "…\"");
          append_table_names (&candidate->table_names, candidate->table_prefix, out);
        }
      else
        {
          g_string_append (out, "table \"");
          kvsql_append_readable (out, table->table);
          g_string_append_c (out, '"');
        }
      append_columns (candidate, out);
      g_string_append (out, ":\n");
      for (guint r = 0; r < MIN (table->n_ranges, KVSQL_EXPLAIN_RANGES_SHOWN); r++)
        {
          g_string_append_printf (out, "%s  ", indent);
          append_range (candidate, &table->ranges[r], out);
          g_string_append_c (out, '\n');
        }
      if (table->n_ranges > KVSQL_EXPLAIN_RANGES_SHOWN)
        g_string_append_printf (out, "%s  and %u more ranges\n", indent,
                                table->n_ranges - KVSQL_EXPLAIN_RANGES_SHOWN);
      if (candidate->skip != NULL)
        kvsql_explain_skip_text (candidate, indent, out);
    }
  append_left_out (candidate, indent, out);
}

static void
append_names (const KvsqlRelation *relation, const KvsqlAttributeSet *attributes, GString *out)
{
  const gchar *separator = "";

  for (guint a = 0; a < relation->n_attributes; a++)
    if (kvsql_attribute_set_has (attributes, a))
      {
        g_string_append_printf (out, "%s%s", separator, relation->attributes[a].name);
        separator = ", ";
      }
}

static void
append_fetch (const KvsqlCandidate *candidate, GString *out)
{
  const KvsqlRelation *relation = candidate->schema->relation;

  if (candidate->index_predicate != NULL)
    {
      g_string_append (out, "  checked on each entry: ");
      kvsql_predicate_append_text (candidate->index_predicate, relation, out);
      g_string_append_c (out, '\n');
    }
  if (candidate->fetch_schema == NULL)
    return;
  g_string_append (out, "  fetched by key: ");
  append_names (relation, &candidate->fetched, out);
  g_string_append_printf (out, " from schema %s, up to %u tuples a request\n",
                          candidate->fetch_schema->name, KVSQL_ROWS_PER_GET);
}

/* ---- why a schema was not chosen */

static gchar *
reason_against (const KvsqlSelectPlan *plan, const KvsqlCandidate *candidate)
{
  if (!candidate->is_usable)
    return g_strdup_printf ("it does not hold attribute %s%s",
                            plan->entry->relation->attributes[candidate->missing_attribute].name,
                            plan->entry->n_schemas > 1 ? ", nor where the primary has it" : "");
  if (!kvsql_schema_is_filled (candidate->schema))
    return g_strdup_printf ("not readable yet: BACKFILL SCHEMA %s", candidate->schema->name);
  if (!kvsql_schema_is_readable (candidate->schema))
    return g_strdup_printf ("it is not read, having role = %s",
                            kvsql_schema_role_get_name (candidate->schema->options.role));
  if (kvsql_candidate_compare (candidate, plan->chosen) < 0)
    return g_strdup ("USING SCHEMA asks for another");
  if (candidate->is_full_scan && !plan->chosen->is_full_scan)
    return g_strdup (
        "it would read the whole table: nothing in the predicate bounds the front of its keys");
  if (candidate->cost > plan->chosen->cost && candidate->fetch_schema != NULL)
    {
      g_autoptr (GString) names = g_string_new (NULL);
      append_names (plan->entry->relation, &candidate->fetched, names);
      return g_strdup_printf ("it would have to fetch %s from schema %s, tuple by tuple",
                              names->str, candidate->fetch_schema->name);
    }
  if (candidate->cost > plan->chosen->cost && candidate->rows <= plan->chosen->rows)
    return candidate->n_cells > plan->chosen->n_cells
               ? g_strdup_printf ("as many rows, but a tuple takes up to %u cells there",
                                  candidate->n_cells)
               : g_strdup ("as many rows, but more requests");
  if (candidate->cost > plan->chosen->cost)
    return g_strdup ("it would read more");
  if (candidate->n_fixed < plan->chosen->n_fixed)
    return g_strdup ("as good, but fewer parts of its keys are fixed");
  return g_strdup_printf ("as good as %s, which comes first", plan->chosen->schema->name);
}

/* The relations beside the first. */
static void
append_product (const KvsqlProduct *product, GString *out)
{
  for (guint i = 0; product != NULL && i < product->n_parts; i++)
    {
      const KvsqlProductPart *part = &product->parts[i];

      g_string_append_printf (out, "  with each tuple of %s, read first from schema %s (",
                              part->name, part->plan->chosen->schema->name);
      append_estimate (part->plan->chosen, out);
      g_string_append (out, ") and kept in memory\n");
      append_reads (part->plan->chosen, "    ", out);
      append_fetch (part->plan->chosen, out);
    }
}

static void
append_way (const KvsqlSelectPlan *plan, const gchar *verb, GString *out)
{
  g_string_append_printf (out, "%s from relation %s, read from schema %s (", verb,
                          plan->entry->relation->name, plan->chosen->schema->name);
  append_estimate (plan->chosen, out);
  g_string_append (out, ")\n");
  append_reads (plan->chosen, "  ", out);
  kvsql_explain_other_way (plan->chosen, out);
  append_fetch (plan->chosen, out);
  append_product (plan->product, out);
}

static const gchar *
check_text (const KvsqlSelectPlan *plan)
{
  if (plan->entry == NULL)
    return "  checked: ";
  if (plan->chosen->is_proved)
    return "  proved by the ranges: ";
  return plan->product != NULL ? "  checked on each pair: " : "  checked on each tuple: ";
}

static void
append_others (const KvsqlSelectPlan *plan, GString *out)
{
  gboolean has_others = FALSE;

  for (guint i = 0; i < plan->n_candidates; i++)
    {
      const KvsqlCandidate *candidate = &plan->candidates[i];
      g_autofree gchar *reason = NULL;

      if (candidate == plan->chosen)
        continue;
      if (!has_others)
        g_string_append (out, "Not chosen:\n");
      has_others = TRUE;
      reason = reason_against (plan, candidate);
      g_string_append_printf (out, "  schema %s", candidate->schema->name);
      if (candidate->is_usable)
        {
          g_string_append (out, " (");
          append_estimate (candidate, out);
          g_string_append_c (out, ')');
        }
      g_string_append_printf (out, ": %s\n", reason);
      if (candidate->is_usable)
        append_reads (candidate, "    ", out);
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
      kvsql_predicate_append_text (plan->predicate, plan->relation, out);
      g_string_append_c (out, '\n');
    }
  kvsql_explain_steps_text (plan, out);
  if (plan->offset > 0)
    g_string_append_printf (out, "  the first %" G_GUINT64_FORMAT " tuples are passed over\n",
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
add_tables (JsonBuilder *builder, const KvsqlCandidate *candidate)
{
  json_builder_set_member_name (builder, "tables");
  json_builder_begin_array (builder);
  for (guint t = 0; t < candidate->n_tables; t++)
    {
      json_builder_begin_object (builder);
      add_hex (builder, candidate->has_open_table ? "table_prefix" : "table",
               candidate->has_open_table ? candidate->table_prefix : candidate->tables[t].table);
      json_builder_set_member_name (builder, "ranges");
      json_builder_begin_array (builder);
      for (guint r = 0; r < candidate->tables[t].n_ranges; r++)
        {
          json_builder_begin_object (builder);
          add_hex (builder, "start", candidate->tables[t].ranges[r].start);
          add_hex (builder, "stop", candidate->tables[t].ranges[r].stop);
          json_builder_end_object (builder);
        }
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_fetch (JsonBuilder *builder, const KvsqlCandidate *candidate)
{
  const KvsqlRelation *relation = candidate->schema->relation;

  json_builder_set_member_name (builder, "fetch");
  json_builder_begin_object (builder);
  add_string (builder, "schema", candidate->fetch_schema->name);
  json_builder_set_member_name (builder, "attributes");
  json_builder_begin_array (builder);
  for (guint a = 0; a < relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&candidate->fetched, a))
      json_builder_add_string_value (builder, relation->attributes[a].name);
  json_builder_end_array (builder);
  if (candidate->index_predicate != NULL)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      kvsql_predicate_append_text (candidate->index_predicate, relation, text);
      add_string (builder, "checked_before", text->str);
    }
  json_builder_end_object (builder);
}

static void
add_candidate (JsonBuilder *builder, const KvsqlSelectPlan *plan, const KvsqlCandidate *candidate)
{
  json_builder_begin_object (builder);
  add_string (builder, "schema", candidate->schema->name);
  add_boolean (builder, "chosen", candidate == plan->chosen);
  if (candidate != plan->chosen)
    {
      g_autofree gchar *reason = reason_against (plan, candidate);
      add_string (builder, "reason", reason);
    }
  if (candidate->is_usable)
    {
      add_number (builder, "cost", candidate->cost);
      add_number (builder, "rows", candidate->rows);
      add_number (builder, "requests", candidate->requests);
      add_boolean (builder, "full_scan", candidate->is_full_scan);
      add_tables (builder, candidate);
      if (candidate->filter != NULL)
        {
          g_autoptr (GString) text = g_string_new (NULL);
          kvsql_filter_append_text (candidate->filter, text);
          add_string (builder, "store_filter", text->str);
        }
      if (candidate->keys_only)
        add_boolean (builder, "keys_only", TRUE);
      if (candidate->times.min > 0)
        add_integer (builder, "min_timestamp", candidate->times.min);
      if (candidate->times.max > 0)
        add_integer (builder, "max_timestamp", candidate->times.max);
      kvsql_explain_skip_json (candidate, builder);
      if (candidate->fetch_schema != NULL)
        add_fetch (builder, candidate);
    }
  json_builder_end_object (builder);
}

static void
add_candidates (JsonBuilder *builder, const KvsqlSelectPlan *plan)
{
  json_builder_set_member_name (builder, "candidates");
  json_builder_begin_array (builder);
  for (guint i = 0; i < plan->n_candidates; i++)
    add_candidate (builder, plan, &plan->candidates[i]);
  json_builder_end_array (builder);
}

static void
add_product (JsonBuilder *builder, const KvsqlProduct *product)
{
  json_builder_set_member_name (builder, "with_each_of");
  json_builder_begin_array (builder);
  for (guint i = 0; i < product->n_parts; i++)
    {
      const KvsqlProductPart *part = &product->parts[i];

      json_builder_begin_object (builder);
      add_string (builder, "relation", part->entry->relation->name);
      add_string (builder, "name", part->name);
      add_string (builder, "schema", part->plan->chosen->schema->name);
      add_candidates (builder, part->plan);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* How many rows the answer has, by statistics of all tuples; negative: there is no telling. */
static gdouble
estimate_answer (const KvsqlSelectPlan *plan)
{
  const KvsqlStatistics *statistics = plan->boxes.statistics;
  KvsqlAttributeSet all = { 0 };
  gdouble rows = 0;

  if (statistics == NULL || !statistics->is_complete || !plan->boxes.is_exact
      || plan->groups != NULL || plan->is_distinct || plan->product != NULL)
    return -1;
  for (guint a = 0; a < statistics->n_attributes; a++)
    kvsql_attribute_set_add (&all, a);
  for (guint i = 0; i < plan->boxes.n_boxes; i++)
    rows += statistics->n_tuples
            * kvsql_estimate_known_share (statistics, &plan->boxes.boxes[i], &all);
  rows = MIN (rows, statistics->n_tuples) - (gdouble)plan->offset;
  return CLAMP (rows, 0, (gdouble)plan->limit);
}

gchar *
kvsql_explain_json (const KvsqlSelectPlan *plan, const gchar *verb)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GString) predicate = g_string_new (NULL);
  gboolean is_proved = plan->entry != NULL && plan->chosen->is_proved;
  gdouble answer_rows = estimate_answer (plan);

  json_builder_begin_object (builder);
  add_string (builder, "statement", verb);
  if (plan->entry != NULL)
    {
      add_string (builder, "relation", plan->entry->relation->name);
      add_string (builder, "schema", plan->chosen->schema->name);
    }
  kvsql_predicate_append_text (plan->predicate, plan->relation, predicate);
  add_string (builder, is_proved ? "proved" : "checked", predicate->str);
  kvsql_explain_steps_json (plan, builder);
  if (plan->limit != KVSQL_NO_LIMIT && plan->entry != NULL)
    add_integer (builder, "limit", plan->limit);
  if (plan->offset > 0)
    add_integer (builder, "offset", plan->offset);
  if (answer_rows >= 0)
    add_number (builder, "answer_rows", answer_rows);
  add_candidates (builder, plan);
  if (plan->product != NULL)
    add_product (builder, plan->product);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, TRUE);
}
