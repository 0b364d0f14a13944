/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-analyze.c: EXPLAIN ANALYZE: runs a statement, and prints its plan with counts.
 */
#include "config.h"

#include "core/engine/explain.h"

#include "core/base/interrupt.h"
#include "core/engine/subquery.h"
#include "core/engine/write.h"
#include "core/plan/explain.h"

#include <json-glib/json-glib.h>

#define ROWS_AT_ONCE 5000
#define BYTES_AT_ONCE (4 * 1024 * 1024)

typedef struct
{
  KvsqlRunCounts reads;
  const KvsqlSelectPlan *plan; /* of a SELECT; else NULL */
  KvsqlJoinCounts *joins;      /* by number; NULL: the plan has none */
  guint64 *operands;           /* rows, by number; NULL: the plan is no set operation */
  const KvsqlPlanNode *root;   /* nullable: of the operators, if they were counted one by one */
  guint64 n_rows;              /* of the result */
  gint64 affected;             /* written tuples; -1: the statement writes none */
  gint64 us;
} Actual;

/* ---- running */

/* Reads all pages, one after the other, and drops them. */
static gboolean
read_pages (const KvsqlExecution *self, KvsqlSelectRun *run, guint64 *out_n_rows, GError **error)
{
  gboolean has_more = TRUE;

  while (has_more)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (KvsqlBatch) page = NULL;

      if (!kvsql_select_run_page (run, ROWS_AT_ONCE, BYTES_AT_ONCE, self->call, arena, &page,
                                  &has_more, error))
        return FALSE;
      *out_n_rows += page->n_rows;
    }
  return TRUE;
}

static gboolean
run_select (const KvsqlExecution *self, const KvsqlAstStatement *statement, Actual *out,
            GError **error)
{
  const KvsqlSelectPlan *plan = kvsql_execution_plan_select (self, &statement->select, error);
  KvsqlSelectLimits limits = self->limits;
  g_autoptr (KvsqlSelectRun) run = NULL;
  KvsqlSubqueryHost host;
  gboolean ok;

  if (plan == NULL)
    return FALSE;
  limits.counts_given = TRUE;
  out->plan = plan;
  out->root = plan->root;
  if (plan->join != NULL)
    limits.joins = out->joins
        = kvsql_arena_array (self->binder.arena, KvsqlJoinCounts, plan->join->n_joins);
  if (kvsql_select_plan_count_operands (plan) > 0)
    limits.operands = out->operands
        = kvsql_arena_array (self->binder.arena, guint64, kvsql_select_plan_count_operands (plan));
  run = kvsql_select_run_new (plan, kvsql_execution_get_store (self), &limits, NULL);
  kvsql_execution_enter_subqueries (self, &host);
  ok = read_pages (self, run, &out->n_rows, error);
  kvsql_subquery_host_leave (&host);
  return ok;
}

/* The rows before and after the filter of a SELECT. The counts of reading have those of other
 * relations and of subqueries, too. */
static void
count_filtered (Actual *self)
{
  const KvsqlPlanNode *node = self->root;

  while (node != NULL && node->kind != KVSQL_NODE_FILTER)
    node = node->input;
  if (node == NULL) /* a set operation: those of its operands together */
    return;
  self->reads.tuples = self->reads.given[node->input->kind];
  self->reads.matched = self->reads.given[KVSQL_NODE_FILTER];
}

static gboolean
run_write (const KvsqlExecution *self, const KvsqlAstStatement *statement, Actual *out,
           GError **error)
{
  g_autoptr (KvsqlResultPage) page = kvsql_execute_write_page (self, statement, error);

  if (page == NULL)
    return FALSE;
  out->affected = page->affected;
  out->n_rows = page->rows == NULL ? 0 : page->rows->n_rows;
  return TRUE;
}

/* ---- printing */

static void
append_reads (const KvsqlReadCounts *reads, GString *out)
{
  g_string_append_printf (
      out,
      "%" G_GUINT64_FORMAT " row%s, %" G_GUINT64_FORMAT " cell%s, %" G_GUINT64_FORMAT
      " bytes in %" G_GUINT64_FORMAT " request%s, %.3f ms\n",
      reads->rows, reads->rows == 1 ? "" : "s", reads->cells, reads->cells == 1 ? "" : "s",
      reads->bytes, reads->requests, reads->requests == 1 ? "" : "s", reads->us / 1e3);
}

/* Of a verified read. */
static void
append_verified (const KvsqlRunCounts *counts, GString *out)
{
  if (counts->anchors.requests == 0)
    return;
  g_string_append (out, "  anchors: ");
  append_reads (&counts->anchors, out);
  g_string_append_printf (out,
                          "  verified: %" G_GUINT64_FORMAT " tuple%s replaced, %" G_GUINT64_FORMAT
                          " dropped, %" G_GUINT64_FORMAT " left out as returned before\n",
                          counts->replaced, counts->replaced == 1 ? "" : "s", counts->dropped,
                          counts->repeated);
}

/* The rows of each operator, from the scan to the root. */
static void
append_given (const KvsqlPlanNode *node, const KvsqlRunCounts *counts, GString *out)
{
  if (node->input != NULL)
    append_given (node->input, counts, out);
  if (counts->operators & 1u << node->kind)
    g_string_append_printf (out, "%s%s %" G_GUINT64_FORMAT, node->input == NULL ? "" : ", ",
                            kvsql_node_kind_get_name (node->kind), counts->given[node->kind]);
}

/* The joins, those below a join before it. */
static void
append_joins (const Actual *self, const KvsqlJoinNode *node, GString *out)
{
  const KvsqlJoinCounts *counts = &self->joins[node->number];

  if (node->probe == NULL)
    return;
  append_joins (self, node->probe, out);
  append_joins (self, node->build, out);
  g_string_append (out, "  ");
  kvsql_explain_append_join_name (self->plan, node, out);
  g_string_append_printf (out,
                          ": %" G_GUINT64_FORMAT " row%s; %" G_GUINT64_FORMAT
                          " row%s kept in %" G_GUINT64_FORMAT " bytes",
                          counts->rows, counts->rows == 1 ? "" : "s", counts->kept,
                          counts->kept == 1 ? "" : "s", counts->bytes);
  if (counts->spilled > 0)
    g_string_append_printf (out, ", %" G_GUINT64_FORMAT " bytes in temporary files",
                            counts->spilled);
  kvsql_explain_append_join_estimate (node, out);
  g_string_append_c (out, '\n');
}

static void append_operands (const KvsqlSelectPlan *plan, const guint64 *counts,
                             const gchar *prefix, GString *out);

/* @counts: of the operands of @set */
static void
append_set (const KvsqlSetPlan *set, const guint64 *counts, const gchar *prefix, GString *out)
{
  for (guint i = 0; i < set->n_operands && kvsql_interrupt_tick (); i++)
    {
      const KvsqlSetOperand *operand = &set->operands[i];
      g_autofree gchar *name = g_strdup_printf ("%s%u", prefix, i + 1);
      g_autofree gchar *next = g_strconcat (name, ".", NULL);
      guint64 n = counts[operand->number];

      g_string_append_printf (out, "  %s %s: %" G_GUINT64_FORMAT " row%s\n",
                              set->n_operands == 1 ? "query in FROM" : "operand", name, n,
                              n == 1 ? "" : "s");
      append_operands (operand->plan, &counts[operand->number + 1], next, out);
    }
}

/* @counts: of the operands, and of the queries in FROM, of @plan */
static void
append_operands (const KvsqlSelectPlan *plan, const guint64 *counts, const gchar *prefix,
                 GString *out)
{
  if (plan->set != NULL)
    append_set (plan->set, counts, prefix, out);
  for (guint i = 0; plan->join != NULL && i < plan->join->n_parts; i++)
    {
      const KvsqlJoinPart *part = &plan->join->parts[i];
      g_autofree gchar *name = g_strdup_printf ("%s%s ", prefix, part->name);

      /* a lateral one is counted as a subquery */
      if (part->query != NULL && part->query->lateral == NULL)
        append_set (part->query->set, counts + part->first_number, name, out);
    }
}

static void
append_subqueries (const KvsqlSubqueryList *list, GString *out)
{
  for (guint i = 0; list != NULL && i < list->n && kvsql_interrupt_tick (); i++)
    {
      const KvsqlSubqueryCounts counts = kvsql_subquery_get_counts (list->all[i]);

      g_string_append_printf (out,
                              "  subquery %u: evaluated %" G_GUINT64_FORMAT
                              " time%s, run %" G_GUINT64_FORMAT " time%s%s\n",
                              i + 1, counts.evaluated, counts.evaluated == 1 ? "" : "s", counts.run,
                              counts.run == 1 ? "" : "s",
                              counts.is_whole ? ", then read at once" : "");
    }
}

static gchar *
add_to_text (const gchar *text, const Actual *actual)
{
  const KvsqlRunCounts *reads = &actual->reads;
  GString *out = g_string_new (text);

  g_string_append (out, "Actually:\n  read: ");
  append_reads (&reads->scan, out);
  if (reads->scan.seeks > 0)
    g_string_append_printf (out, "  skipped by: %" G_GUINT64_FORMAT " seek%s\n", reads->scan.seeks,
                            reads->scan.seeks == 1 ? "" : "s");
  if (reads->index_entries > 0 && reads->anchors.requests == 0)
    {
      g_string_append_printf (
          out, "  fetched for %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " entries: ",
          reads->index_entries_kept, reads->index_entries);
      append_reads (&reads->lookup, out);
    }
  append_verified (reads, out);
  if (reads->parts > 0)
    g_string_append_printf (out, "  of that, in %" G_GUINT64_FORMAT " part%s side by side\n",
                            reads->parts, reads->parts == 1 ? "" : "s");
  g_string_append_printf (
      out, "  predicate: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " tuples satisfied it\n",
      reads->matched, reads->tuples);
  if (actual->root != NULL)
    {
      g_string_append (out, "  rows of each operator: ");
      append_given (actual->root, reads, out);
      g_string_append_c (out, '\n');
    }
  if (actual->joins != NULL)
    append_joins (actual, actual->plan->join->root, out);
  if (actual->operands != NULL)
    append_operands (actual->plan, actual->operands, "", out);
  if (actual->plan != NULL)
    append_subqueries (actual->plan->subqueries, out);
  if (actual->affected >= 0)
    g_string_append_printf (out, "  wrote: %" G_GINT64_FORMAT " tuple%s\n", actual->affected,
                            actual->affected == 1 ? "" : "s");
  else
    g_string_append_printf (out, "  answer: %" G_GUINT64_FORMAT " row%s\n", actual->n_rows,
                            actual->n_rows == 1 ? "" : "s");
  g_string_append_printf (out, "  time: %.3f ms\n", actual->us / 1e3);
  return g_string_free (out, FALSE);
}

static JsonObject *
reads_to_json (const KvsqlReadCounts *reads)
{
  JsonObject *object = json_object_new ();

  json_object_set_int_member (object, "rows", (gint64)reads->rows);
  json_object_set_int_member (object, "cells", (gint64)reads->cells);
  json_object_set_int_member (object, "bytes", (gint64)reads->bytes);
  json_object_set_int_member (object, "requests", (gint64)reads->requests);
  if (reads->seeks > 0)
    json_object_set_int_member (object, "seeks", (gint64)reads->seeks);
  json_object_set_double_member (object, "ms", reads->us / 1e3);
  return object;
}

static void
add_given (const KvsqlPlanNode *node, const KvsqlRunCounts *counts, JsonArray *out)
{
  JsonObject *object;

  if (node->input != NULL)
    add_given (node->input, counts, out);
  if (!(counts->operators & 1u << node->kind))
    return;
  object = json_object_new ();
  json_object_set_string_member (object, "operator", kvsql_node_kind_get_name (node->kind));
  json_object_set_int_member (object, "rows", (gint64)counts->given[node->kind]);
  json_array_add_object_element (out, object);
}

static void
add_joins (const Actual *self, JsonArray *out)
{
  for (guint i = 0; i < self->plan->join->n_joins; i++)
    {
      JsonObject *object = json_object_new ();

      json_object_set_int_member (object, "number", i);
      json_object_set_int_member (object, "rows", (gint64)self->joins[i].rows);
      json_object_set_int_member (object, "kept_rows", (gint64)self->joins[i].kept);
      json_object_set_int_member (object, "kept_bytes", (gint64)self->joins[i].bytes);
      json_object_set_int_member (object, "spilled_bytes", (gint64)self->joins[i].spilled);
      json_array_add_object_element (out, object);
    }
}

static void
add_to_json (gchar **json, const Actual *actual)
{
  g_autoptr (JsonNode) root = json_from_string (*json, NULL);
  JsonObject *object = json_object_new ();

  json_object_set_object_member (object, "read", reads_to_json (&actual->reads.scan));
  if (actual->reads.anchors.requests > 0)
    {
      JsonObject *anchors = reads_to_json (&actual->reads.anchors);
      json_object_set_int_member (anchors, "replaced", (gint64)actual->reads.replaced);
      json_object_set_int_member (anchors, "dropped", (gint64)actual->reads.dropped);
      json_object_set_int_member (anchors, "repeated", (gint64)actual->reads.repeated);
      json_object_set_object_member (object, "anchors", anchors);
    }
  else if (actual->reads.index_entries > 0)
    {
      JsonObject *fetch = reads_to_json (&actual->reads.lookup);
      json_object_set_int_member (fetch, "entries", (gint64)actual->reads.index_entries);
      json_object_set_int_member (fetch, "entries_kept", (gint64)actual->reads.index_entries_kept);
      json_object_set_object_member (object, "fetch", fetch);
    }
  if (actual->reads.parts > 0)
    json_object_set_int_member (object, "parts", (gint64)actual->reads.parts);
  json_object_set_int_member (object, "tuples", (gint64)actual->reads.tuples);
  json_object_set_int_member (object, "matched", (gint64)actual->reads.matched);
  if (actual->root != NULL)
    {
      JsonArray *operators = json_array_new ();
      add_given (actual->root, &actual->reads, operators);
      json_object_set_array_member (object, "operators", operators);
    }
  if (actual->joins != NULL)
    {
      JsonArray *joins = json_array_new ();
      add_joins (actual, joins);
      json_object_set_array_member (object, "joins", joins);
    }
  if (actual->operands != NULL)
    {
      JsonArray *operands = json_array_new ();
      for (guint i = 0; i < kvsql_select_plan_count_operands (actual->plan); i++)
        json_array_add_int_element (operands, (gint64)actual->operands[i]);
      json_object_set_array_member (object, "operand_rows", operands);
    }
  if (actual->affected >= 0)
    json_object_set_int_member (object, "affected", actual->affected);
  else
    json_object_set_int_member (object, "rows", (gint64)actual->n_rows);
  json_object_set_double_member (object, "ms", actual->us / 1e3);
  json_object_set_object_member (json_node_get_object (root), "actual", object);
  g_free (*json);
  *json = json_to_string (root, TRUE);
}

gboolean
kvsql_explain_analyze (const KvsqlExecution *execution, const KvsqlAstStatement *statement,
                       gchar **text, gchar **json, gint64 *out_affected, GError **error)
{
  KvsqlExecution self = *execution;
  Actual actual = { .affected = -1 };
  gint64 started_us = g_get_monotonic_time ();
  gchar *old_text = *text;

  self.limits.counts = &actual.reads;
  if (!(statement->kind == KVSQL_STATEMENT_SELECT ? run_select : run_write) (&self, statement,
                                                                             &actual, error))
    return FALSE;
  actual.us = g_get_monotonic_time () - started_us;
  if (actual.root != NULL)
    count_filtered (&actual);
  *out_affected = actual.affected;
  *text = add_to_text (old_text, &actual);
  g_free (old_text);
  if (json != NULL)
    add_to_json (json, &actual);
  return TRUE;
}
