/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * calls.c: requests as JSON.
 */
#include "config.h"

#include "core/plan/calls.h"
#include "core/store/filter.h"

#include <json-glib/json-glib.h>

struct _KvsqlCalls
{
  JsonBuilder *builder;
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
  g_autofree gchar *hex = kvsql_hex (bytes);

  add_text (self, name, hex);
}

static void
begin_call (KvsqlCalls *self, const gchar *op, const gchar *schema, KvsqlSlice table)
{
  json_builder_begin_object (self->builder);
  add_text (self, "op", op);
  add_text (self, "schema", schema);
  add_hex (self, "table", table);
}

static void
add_columns (KvsqlCalls *self, const KvsqlCandidate *candidate)
{
  if (candidate->n_columns == 0)
    return;
  json_builder_set_member_name (self->builder, "cells");
  json_builder_begin_array (self->builder);
  for (guint i = 0; i < candidate->n_columns; i++)
    {
      json_builder_begin_object (self->builder);
      add_hex (self, "family", candidate->columns[i].family);
      if (!candidate->columns[i].whole_family)
        add_hex (self, "qualifier", candidate->columns[i].qualifier);
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
add_filter (KvsqlCalls *self, const KvsqlCandidate *candidate)
{
  const KvsqlFilter *filter = candidate->filter;

  if (candidate->keys_only)
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

/* Which tuples is known only when the index has been read. */
static void
add_fetch (KvsqlCalls *self, const KvsqlCandidate *candidate)
{
  const KvsqlSchema *schema = candidate->fetch_schema;

  begin_call (self, "fetch", schema->name,
              schema->has_constant_table ? schema->table : KVSQL_SLICE_EMPTY);
  json_builder_end_object (self->builder);
}

/* What is read of a table's ranges where fronts are skipped over. */
static void
add_behind (KvsqlCalls *self, const KvsqlSkip *skip)
{
  json_builder_set_member_name (self->builder, "behind");
  json_builder_begin_array (self->builder);
  for (guint i = 0; i < skip->n_behind; i++)
    {
      json_builder_begin_object (self->builder);
      add_hex (self, "start", skip->behind[i].start);
      add_hex (self, "stop", skip->behind[i].stop);
      json_builder_end_object (self->builder);
    }
  json_builder_end_array (self->builder);
}

static void
add_read (KvsqlCalls *self, const KvsqlCandidate *candidate, KvsqlSlice table,
          const KvsqlRowRange *range)
{
  gboolean is_get = candidate->skip == NULL && kvsql_row_range_is_point (range);

  begin_call (self, is_get ? "get" : "scan", candidate->schema->name, table);
  if (is_get)
    add_hex (self, "row", range->start);
  else
    {
      add_hex (self, "start", range->start);
      add_hex (self, "stop", range->stop);
      add_times (self, &candidate->times);
      add_filter (self, candidate);
    }
  if (candidate->skip != NULL)
    add_behind (self, candidate->skip);
  add_columns (self, candidate);
  json_builder_end_object (self->builder);
}

void
kvsql_calls_add_reads (KvsqlCalls *self, const KvsqlCandidate *candidate)
{
  if (candidate->has_open_table)
    {
      begin_call (self, "list", candidate->schema->name, candidate->table_prefix);
      json_builder_end_object (self->builder);
    }
  for (guint t = 0; t < candidate->n_tables; t++)
    for (guint r = 0; r < candidate->tables[t].n_ranges; r++)
      add_read (self, candidate, candidate->tables[t].table, &candidate->tables[t].ranges[r]);
  if (candidate->fetch_schema != NULL && candidate->n_tables > 0)
    add_fetch (self, candidate);
}

static gboolean
same_call (const KvsqlMutation *a, const KvsqlMutation *b)
{
  return a->kind == b->kind && kvsql_slice_equal (a->table, b->table)
         && kvsql_slice_equal (a->row, b->row);
}

void
kvsql_calls_add_mutations (KvsqlCalls *self, const gchar *schema, const KvsqlMutation *mutations,
                           guint n_mutations)
{
  for (guint i = 0; i < n_mutations;)
    {
      const KvsqlMutation *first = &mutations[i];

      begin_call (self, first->kind == KVSQL_MUTATION_PUT ? "put" : "delete", schema, first->table);
      add_hex (self, "row", first->row);
      json_builder_set_member_name (self->builder, "cells");
      json_builder_begin_array (self->builder);
      for (; i < n_mutations && same_call (first, &mutations[i]); i++)
        {
          json_builder_begin_object (self->builder);
          add_hex (self, "family", mutations[i].family);
          add_hex (self, "qualifier", mutations[i].qualifier);
          if (mutations[i].kind == KVSQL_MUTATION_PUT)
            add_hex (self, "value", mutations[i].value);
          json_builder_end_object (self->builder);
        }
      json_builder_end_array (self->builder);
      json_builder_end_object (self->builder);
    }
}

gchar *
kvsql_calls_to_json (KvsqlCalls *self)
{
  g_autoptr (JsonNode) root = NULL;

  json_builder_end_array (self->builder);
  json_builder_end_object (self->builder);
  root = json_builder_get_root (self->builder);
  return json_to_string (root, FALSE);
}
