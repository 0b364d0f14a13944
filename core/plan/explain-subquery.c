/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-subquery.c: explains the subqueries that are evaluated, and how often they are run.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/expr/subquery.h"
#include "core/plan/explain-private.h"
#include "core/sql/printer.h"

/* A text of this many subqueries is long enough. */
#define MOST_SHOWN 100

static void
append_schema (const KvsqlSelectPlan *plan, gboolean *inout_any, GString *out)
{
  if (plan->best == NULL)
    return;
  g_string_append_printf (out, "%s%s", *inout_any ? ", " : ": reads ", plan->best->schema->name);
  g_string_append (out, " (about ");
  kvsql_explain_append_count (plan->best->rows, out);
  g_string_append_printf (out, " row%s)", plan->best->rows == 1 ? "" : "s");
  *inout_any = TRUE;
}

/* The schemas that a run reads. */
static void
append_schemas (const KvsqlSelectPlan *plan, gboolean *inout_any, GString *out)
{
  append_schema (plan, inout_any, out);
  for (guint i = 0; plan->join != NULL && i < plan->join->n_parts; i++)
    append_schema (plan->join->parts[i].plan, inout_any, out);
  for (guint i = 0; plan->set != NULL && i < plan->set->n_operands; i++)
    append_schemas (plan->set->operands[i].plan, inout_any, out);
}

void
kvsql_explain_append_values (const KvsqlSubquery *self, GString *out)
{
  for (guint i = 0; i < self->n_arguments; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      kvsql_expr_append_text (self->arguments[i], out);
    }
}

static void
append_runs (const KvsqlSubquery *self, GString *out)
{
  gboolean has_schema = FALSE;

  if (self->n_arguments == 0)
    g_string_append (out, "run once");
  else
    {
      g_string_append (out, "run once for each distinct ");
      kvsql_explain_append_values (self, out);
    }
  append_schemas (self->example, &has_schema, out);
}

static void
append_whole (const KvsqlSubqueryWhole *self, GString *out)
{
  g_string_append (out, "\n  after ");
  kvsql_explain_append_count ((gdouble)self->runs_before, out);
  g_string_append_printf (out, " run%s, read at once for all values",
                          self->runs_before == 1 ? "" : "s");
}

static void
append_subqueries (const KvsqlSelectPlan *plan, const gchar *prefix, GString *out)
{
  const KvsqlSubqueryList *list = plan->subqueries;

  for (guint i = 0; list != NULL && i < list->n && i < MOST_SHOWN && kvsql_interrupt_tick (); i++)
    {
      const KvsqlSubquery *self = list->all[i];
      g_autofree gchar *name = g_strdup_printf ("%s%u", prefix, i + 1);
      g_autofree gchar *next = g_strconcat (name, ".", NULL);
      g_autoptr (GString) text = g_string_new (NULL);

      kvsql_print_expression (self->ast, text);
      if (text->len > KVSQL_EXPLAIN_BYTES_SHOWN)
        g_string_truncate (text, KVSQL_EXPLAIN_BYTES_SHOWN);
      g_string_append_printf (out, "Subquery %s: %s\n  ", name, text->str);
      append_runs (self, out);
      if (self->whole != NULL)
        append_whole (self->whole, out);
      g_string_append_c (out, '\n');
      append_subqueries (self->example, next, out);
    }
}

void
kvsql_explain_append_subqueries (const KvsqlSelectPlan *plan, GString *out)
{
  append_subqueries (plan, "", out);
}

void
kvsql_explain_add_subqueries (const KvsqlSelectPlan *plan, JsonBuilder *builder)
{
  const KvsqlSubqueryList *list = plan->subqueries;

  if (list == NULL || list->n == 0)
    return;
  json_builder_set_member_name (builder, "subqueries");
  json_builder_begin_array (builder);
  for (guint i = 0; i < list->n && i < MOST_SHOWN && kvsql_interrupt_tick (); i++)
    {
      const KvsqlSubquery *self = list->all[i];
      g_autoptr (GString) text = g_string_new (NULL), values = g_string_new (NULL);

      kvsql_print_expression (self->ast, text);
      kvsql_explain_append_values (self, values);
      json_builder_begin_object (builder);
      kvsql_explain_add_string (builder, "sql", text->str);
      kvsql_explain_add_string (builder, "run_for_each", values->str);
      if (self->whole != NULL)
        kvsql_explain_add_integer (builder, "runs_before_all", self->whole->runs_before);
      json_builder_set_member_name (builder, "plan");
      json_builder_begin_object (builder);
      kvsql_explain_add_plan (self->example, builder);
      json_builder_end_object (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}
