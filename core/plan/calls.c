/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * calls.c: requests as JSON.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/plan/calls.h"
#include "core/plan/select-plan.h"
#include "core/store/filter.h"

#include <json-glib/json-glib.h>

struct _KvsqlCalls
{
  JsonBuilder *builder;
  guint step; /* 0: there are none */
  gboolean is_answered;
  guint n;         /* number of calls; those beyond the limit are only counted */
  guint64 n_bytes; /* likewise */
};

KvsqlCalls *
kvsql_calls_new (void)
{
  KvsqlCalls *self = g_new0 (KvsqlCalls, 1);

  self->builder = json_builder_new ();
  json_builder_begin_object (self->builder);
  json_builder_set_member_name (self->builder, "calls");
  json_builder_begin_array (self->builder);
  return self;
}

void
kvsql_calls_free (KvsqlCalls *self)
{
  if (self == NULL)
    return;
  g_object_unref (self->builder);
  g_free (self);
}

static void
add_text (KvsqlCalls *self, const gchar *name, const gchar *text)
{
  json_builder_set_member_name (self->builder, name);
  json_builder_add_string_value (self->builder, text);
}

static void
add_hex (KvsqlCalls *self, const gchar *name, KvsqlSlice bytes)
{
  g_autofree gchar *hex = NULL;

  self->n_bytes += bytes.size;
  hex = kvsql_hex (self->n_bytes > KVSQL_MAX_CALL_BYTES ? KVSQL_SLICE_EMPTY : bytes);
  add_text (self, name, hex);
}

void
kvsql_calls_begin_step (KvsqlCalls *self)
{
  self->step++;
}

void
kvsql_calls_set_answered (KvsqlCalls *self)
{
  self->is_answered = TRUE;
}

static void
add_step (KvsqlCalls *self)
{
  if (self->step > 0)
    {
      json_builder_set_member_name (self->builder, "step");
      json_builder_add_int_value (self->builder, self->step);
    }
  if (self->is_answered)
    {
      json_builder_set_member_name (self->builder, "answered");
      json_builder_add_boolean_value (self->builder, TRUE);
    }
}

/* @schema: nullable. FALSE: there are too many calls, and this one is left out. */
static gboolean
begin_call (KvsqlCalls *self, const gchar *op, const gchar *schema, KvsqlSlice table)
{
  if (self->n++ >= KVSQL_MAX_CALLS)
    return FALSE;
  json_builder_begin_object (self->builder);
  add_step (self);
  add_text (self, "op", op);
  if (schema != NULL)
    add_text (self, "schema", schema);
  add_hex (self, "table", table);
  return TRUE;
}

static void
add_columns (KvsqlCalls *self, const KvsqlColumn *columns, guint n_columns)
{
  if (n_columns == 0)
    return;
  json_builder_set_member_name (self->builder, "cells");
  json_builder_begin_array (self->builder);
  for (guint i = 0; i < n_columns; i++)
    {
      json_builder_begin_object (self->builder);
      add_hex (self, "family", columns[i].family);
      if (!columns[i].whole_family)
        add_hex (self, "qualifier", columns[i].qualifier);
      json_builder_end_object (self->builder);
    }
  json_builder_end_array (self->builder);
}

static void
add_times (KvsqlCalls *self, const KvsqlTimeRange *times)
{
  if (times->min > 0)
    {
      json_builder_set_member_name (self->builder, "min_timestamp");
      json_builder_add_int_value (self->builder, times->min);
    }
  if (times->max > 0)
    {
      json_builder_set_member_name (self->builder, "max_timestamp");
      json_builder_add_int_value (self->builder, times->max);
    }
}

static void
add_term (KvsqlCalls *self, const KvsqlFilterTerm *term)
{
  json_builder_begin_object (self->builder);
  add_hex (self, "family", term->family);
  add_hex (self, "qualifier", term->qualifier);
  json_builder_set_member_name (self->builder, "ranges");
  json_builder_begin_array (self->builder);
  for (guint i = 0; i < term->n_ranges; i++)
    {
      json_builder_begin_object (self->builder);
      add_hex (self, "start", term->ranges[i].start);
      add_hex (self, "stop", term->ranges[i].stop);
      json_builder_end_object (self->builder);
    }
  json_builder_end_array (self->builder);
  json_builder_end_object (self->builder);
}

static void
add_filter (KvsqlCalls *self, const KvsqlFilter *filter, gboolean keys_only)
{
  if (keys_only)
    {
      json_builder_set_member_name (self->builder, "keys_only");
      json_builder_add_boolean_value (self->builder, TRUE);
    }
  if (filter == NULL)
    return;
  json_builder_set_member_name (self->builder, "filter");
  json_builder_begin_array (self->builder);
  for (guint c = 0; c < filter->n_clauses; c++)
    {
      json_builder_begin_array (self->builder);
      for (guint t = 0; t < filter->clauses[c].n_terms; t++)
        add_term (self, &filter->clauses[c].terms[t]);
      json_builder_end_array (self->builder);
    }
  json_builder_end_array (self->builder);
}

/* The rows are not in the output, since they are known only after the index was read. */
static void
add_fetch (KvsqlCalls *self, const KvsqlAccessPath *path)
{
  const KvsqlSchema *schema = path->lookup_schema;

  if (begin_call (self, "fetch", schema->name,
                  schema->has_constant_table ? schema->table : KVSQL_SLICE_EMPTY))
    json_builder_end_object (self->builder);
}

/* Adds the suffixes that a skip scan reads for each key prefix of a table. */
static void
add_suffixes (KvsqlCalls *self, const KvsqlSkipPlan *skip)
{
  json_builder_set_member_name (self->builder, "behind");
  json_builder_begin_array (self->builder);
  for (guint i = 0; i < skip->n_suffixes; i++)
    {
      json_builder_begin_object (self->builder);
      add_hex (self, "start", skip->suffixes[i].start);
      add_hex (self, "stop", skip->suffixes[i].stop);
      json_builder_end_object (self->builder);
    }
  json_builder_end_array (self->builder);
}

static void
add_get (KvsqlCalls *self, const gchar *schema, KvsqlSlice table, KvsqlSlice key,
         const KvsqlColumn *columns, guint n_columns)
{
  if (!begin_call (self, "get", schema, table))
    return;
  add_hex (self, "row", key);
  add_columns (self, columns, n_columns);
  json_builder_end_object (self->builder);
}

/* @skip: (nullable) */
static void
add_range (KvsqlCalls *self, const gchar *schema, const KvsqlScanSpec *spec,
           const KvsqlRowRange *range, const KvsqlSkipPlan *skip)
{
  if (skip == NULL && kvsql_row_range_is_point (range))
    {
      add_get (self, schema, spec->table, range->start, spec->columns, spec->n_columns);
      return;
    }
  if (!begin_call (self, "scan", schema, spec->table))
    return;
  add_hex (self, "start", range->start);
  add_hex (self, "stop", range->stop);
  add_times (self, &spec->times);
  add_filter (self, spec->filter, spec->keys_only);
  if (skip != NULL)
    add_suffixes (self, skip);
  add_columns (self, spec->columns, spec->n_columns);
  json_builder_end_object (self->builder);
}

void
kvsql_calls_add_list (KvsqlCalls *self, const gchar *schema, KvsqlSlice prefix)
{
  if (begin_call (self, "list", schema, prefix))
    json_builder_end_object (self->builder);
}

void
kvsql_calls_add_gets (KvsqlCalls *self, const gchar *schema, KvsqlSlice table,
                      const KvsqlSlice *keys, guint n_keys, const KvsqlColumn *columns,
                      guint n_columns)
{
  for (guint i = 0; i < n_keys; i++)
    add_get (self, schema, table, keys[i], columns, n_columns);
}

void
kvsql_calls_add_scan (KvsqlCalls *self, const gchar *schema, const KvsqlScanSpec *spec)
{
  for (guint i = 0; i < spec->n_ranges; i++)
    add_range (self, schema, spec, &spec->ranges[i], NULL);
}

void
kvsql_calls_add_reads (KvsqlCalls *self, const KvsqlAccessPath *path)
{
  KvsqlScanSpec spec = { .columns = path->columns,
                         .n_columns = path->n_columns,
                         .times = path->times,
                         .filter = path->filter,
                         .keys_only = path->keys_only };

  if (path->has_open_table)
    kvsql_calls_add_list (self, path->schema->name, path->table_prefix);
  for (guint t = 0; t < path->n_tables; t++)
    for (guint r = 0; r < path->tables[t].n_ranges; r++)
      {
        spec.table = path->tables[t].table;
        add_range (self, path->schema->name, &spec, &path->tables[t].ranges[r], path->skip);
      }
  if (path->lookup_schema != NULL && !path->is_verified && path->n_tables > 0)
    add_fetch (self, path);
}

void
kvsql_calls_add_select (KvsqlCalls *self, const KvsqlSelectPlan *plan)
{
  for (guint i = plan->join == NULL ? 0 : plan->join->n_parts; i > 0; i--)
    {
      const KvsqlJoinPart *part = &plan->join->parts[i - 1];

      if (part->query != NULL)
        kvsql_calls_add_select (self, part->query);
      else if (!part->is_looked_up) /* the keys are not known */
        kvsql_calls_add_reads (self, part->plan->best);
    }
  if (plan->entry != NULL)
    kvsql_calls_add_reads (self, plan->best);
  for (guint i = 0; plan->set != NULL && i < plan->set->n_operands; i++)
    kvsql_calls_add_select (self, plan->set->operands[i].plan);
}

/* The mutations of one kind. */
static void
add_cells (KvsqlCalls *self, const KvsqlCellMutation *cells, guint n_cells)
{
  json_builder_set_member_name (self->builder, "cells");
  json_builder_begin_array (self->builder);
  for (guint i = 0; i < n_cells; i++)
    {
      json_builder_begin_object (self->builder);
      add_hex (self, "family", cells[i].family);
      add_hex (self, "qualifier", cells[i].qualifier);
      if (cells[i].kind == KVSQL_MUTATION_PUT)
        add_hex (self, "value", cells[i].value);
      json_builder_end_object (self->builder);
    }
  json_builder_end_array (self->builder);
}

void
kvsql_calls_add_row (KvsqlCalls *self, const KvsqlRowMutation *row,
                     const gchar *(*schema) (gconstpointer tag))
{
  for (guint i = 0, n; i < row->n_cells; i += n)
    {
      const KvsqlCellMutation *first = &row->cells[i];

      for (n = 1;
           i + n < row->n_cells && first[n].kind == first->kind && first[n].tag == first->tag;)
        n++;
      if (!begin_call (self, first->kind == KVSQL_MUTATION_PUT ? "put" : "delete",
                       schema (first->tag), row->table))
        return;
      add_hex (self, "row", row->row);
      add_cells (self, first, n);
      json_builder_end_object (self->builder);
    }
}

void
kvsql_calls_add_check (KvsqlCalls *self, const KvsqlCheck *check, const KvsqlCellMutation *cells,
                       guint n_cells)
{
  if (!begin_call (self, "compare-and-set", NULL, check->table))
    return;
  add_hex (self, "row", check->row);
  json_builder_set_member_name (self->builder, "check");
  json_builder_begin_object (self->builder);
  add_hex (self, "family", check->family);
  add_hex (self, "qualifier", check->qualifier);
  if (check->kind == KVSQL_CHECK_EQUAL)
    add_hex (self, "value", check->value);
  json_builder_end_object (self->builder);
  add_cells (self, cells, n_cells);
  json_builder_end_object (self->builder);
}

void
kvsql_calls_add_increment (KvsqlCalls *self, const gchar *schema, KvsqlSlice table, KvsqlSlice row,
                           const KvsqlColumn *column, gint64 amount)
{
  if (!begin_call (self, "increment", schema, table))
    return;
  add_hex (self, "row", row);
  json_builder_set_member_name (self->builder, "amount");
  json_builder_add_int_value (self->builder, amount);
  add_columns (self, column, 1);
  json_builder_end_object (self->builder);
}

gboolean
kvsql_calls_check (const KvsqlCalls *self, GError **error)
{
  if (self->n > KVSQL_MAX_CALLS)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "the statement makes more than the %d requests that EXPLAIN shows",
                       KVSQL_MAX_CALLS);
      return kvsql_error_hint (error, "Explain it for fewer tuples.");
    }
  if (self->n_bytes <= KVSQL_MAX_CALL_BYTES)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "the requests have more than the 2 MiB that EXPLAIN shows");
  return kvsql_error_hint (error, "Explain it for fewer tuples, or with shorter values.");
}

gchar *
kvsql_calls_to_json (KvsqlCalls *self, GError **error)
{
  g_autoptr (JsonNode) root = NULL;
  g_autofree gchar *text = NULL;

  if (!kvsql_calls_check (self, error))
    return NULL;
  /* The library cannot be interrupted, so the time is checked between its calls. */
  if (!kvsql_interrupt_check (error))
    return NULL;
  json_builder_end_array (self->builder);
  json_builder_end_object (self->builder);
  root = json_builder_get_root (self->builder);
  text = json_to_string (root, FALSE);
  return kvsql_interrupt_check (error) ? g_steal_pointer (&text) : NULL;
}
