/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * advice-text.c: the advice for people.
 *
 * What a schema is worth is what the statements cost more with the others alone.
 */
#include "config.h"

#include "core/advisor/advice.h"

#include <math.h>

#define SECONDS 2.0 /* for the primaries alone */

/* The cost of the best primaries without any other schema; INFINITY: the limits do not allow it. */
static gdouble
get_cost_alone (const KvsqlAdvice *self)
{
  KvsqlChoice choice = self->problem->choice;
  KvsqlSelection *alone;
  gdouble gap;

  choice.count_limit = 1;
  alone = kvsql_solve (&choice, "builtin", SECONDS, &gap, NULL);
  return alone != NULL ? kvsql_advice_cost_selection (self, alone) : INFINITY;
}

static void
append_percent (gdouble part, gdouble whole, GString *out)
{
  if (whole > 0)
    g_string_append_printf (out, " (%+.3g %%)", 100 * part / whole);
}

static void
append_numbers (const KvsqlAdvisedSchema *schema, GString *out)
{
  if (schema->n_statements == 0)
    g_string_append (out, "    no statement reads it");
  else
    g_string_append (out, schema->n_statements == 1 ? "    for statement " : "    for statements ");
  for (guint i = 0; i < schema->n_statements; i++)
    g_string_append_printf (out, "%s%u", i > 0 ? ", " : "", schema->statements[i]);
}

/* ---- schemas */

static void
append_attributes (const KvsqlAdvice *self, const KvsqlAdvisedSchema *schema, GString *out)
{
  const KvsqlDesign *design = schema->design;
  const KvsqlRelation *relation = self->problem->workload->relations[design->relation].relation;

  g_string_append (out, ": row ");
  for (guint i = 0; i < design->n_row; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "",
                            relation->attributes[design->row[i]].name);
  if (kvsql_attribute_set_next (&design->value, -1) >= 0)
    {
      g_string_append (out, "; value ");
      kvsql_relation_append_names (relation, &design->value, out);
    }
}

/* What all statements pay for writing the schema. */
static gdouble
get_upkeep (const KvsqlAdvice *self, const KvsqlAdvisedSchema *schema)
{
  return self->problem->choice.items[schema->item].cost;
}

static void
append_schema (const KvsqlAdvice *self, const KvsqlAdvisedSchema *schema, GString *out)
{
  g_string_append_printf (out, "  %s%s", schema->is_primary ? "PRIMARY " : "", schema->name);
  if (schema->design->given != NULL)
    g_string_append (out, " (exists)");
  append_attributes (self, schema, out);
  g_string_append_c (out, '\n');
  append_numbers (schema, out);
  g_string_append_printf (out, "; %.0f bytes; writes cost %.6g", schema->size,
                          get_upkeep (self, schema));
  if (schema->without < INFINITY)
    {
      g_string_append_printf (out, "; without it %+.6g", schema->without);
      append_percent (schema->without, self->selection->cost, out);
    }
  g_string_append_c (out, '\n');
}

/* ---- statements */

static void
append_line (const gchar *text, GString *out)
{
  for (; *text != '\0'; text++)
    if (*text != '\n')
      g_string_append_c (out, *text);
    else if (out->str[out->len - 1] != ' ')
      g_string_append_c (out, ' ');
  g_string_append_c (out, '\n');
}

/* What a write pays to each schema. */
static void
append_payments (const KvsqlAdvice *self, const KvsqlAdvisedStatement *statement, GString *out)
{
  if (statement->statement->shape.kind == KVSQL_STATEMENT_SELECT)
    return;
  for (guint i = 0; i < self->n_schemas; i++)
    {
      KvsqlUpkeep upkeep;

      if (self->schemas[i].design->relation != statement->statement->relation)
        continue;
      upkeep = self->problem->model->write (self->problem->workload, statement->statement,
                                            self->schemas[i].design);
      if (upkeep.cost > 0)
        g_string_append_printf (out, "      pays %.6g for %s%s\n", upkeep.cost,
                                self->schemas[i].name,
                                upkeep.needs_old ? ", and the read of the old tuple" : "");
    }
}

static void
append_statement (const KvsqlAdvice *self, const KvsqlAdvisedStatement *statement, GString *out)
{
  gdouble total = statement->cost * statement->statement->weight;

  g_string_append_printf (out, "  %u: ", statement->statement->number);
  append_line (statement->statement->text, out);
  g_string_append_printf (out, "      weight %.6g, cost %.6g", statement->statement->weight,
                          statement->cost);
  if (kvsql_advice_get_ms (self, statement->cost) > 0)
    g_string_append_printf (out, " (about %.3g ms)", kvsql_advice_get_ms (self, statement->cost));
  if (self->cost > 0)
    g_string_append_printf (out, ", %.3g %% of all", 100 * total / self->cost);
  g_string_append_printf (out, "\n      %s\n", statement->plan);
  append_payments (self, statement, out);
}

/* ---- statements that no schema helps */

static void
append_scanned (const KvsqlAdvice *self, GString *out)
{
  guint n = 0;

  for (guint i = 0; i < self->n_statements; i++)
    if (self->statements[i].is_scanned)
      g_string_append_printf (
          out, "%s%u",
          n++ > 0 ? ", " : "Statements that no schema helps, as they read all tuples: ",
          self->statements[i].statement->number);
  g_string_append (out, n > 0 ? "\n" : "");
}

static void
append_missed (const KvsqlAdvice *self, GString *out)
{
  guint n = 0;

  for (guint i = 0; i < self->n_statements; i++)
    if (self->statements[i].misses_slo)
      g_string_append_printf (out, "%s%u",
                              n++ > 0 ? ", " : "Statements that miss their SLO with all schemas: ",
                              self->statements[i].statement->number);
  g_string_append (out, n > 0 ? "\n" : "");
}

/* The cost with the schemas that exist; INFINITY: some relation has no primary. */
static gdouble
get_cost_today (const KvsqlAdvice *self)
{
  const KvsqlProblem *problem = self->problem;
  g_autoptr (KvsqlSelection) today = kvsql_selection_new (&problem->choice);
  KvsqlChoice choice = problem->choice;

  for (guint i = 0; i < choice.n_items; i++)
    {
      today->chosen[i] = problem->designs[i]->given != NULL;
      if (today->chosen[i] && choice.items[i].can_be_primary)
        today->primary[choice.items[i].class] = i;
    }
  choice.size_limit = INFINITY;
  choice.count_limit = G_MAXUINT;
  kvsql_selection_evaluate (today, &choice);
  return today->cost < INFINITY ? kvsql_advice_cost_selection (self, g_steal_pointer (&today))
                                : INFINITY;
}

static void
append_head (const KvsqlAdvice *self, GString *out)
{
  gdouble today = get_cost_today (self), alone = get_cost_alone (self);
  const KvsqlWorkload *workload = self->problem->workload;

  g_string_append_printf (out, "Advice for %s%s%s: cost %.9g",
                          workload->name != NULL ? workload->name : "the workload",
                          workload->mix != NULL ? ", mix " : "",
                          workload->mix != NULL ? workload->mix : "", self->cost);
  if (today < INFINITY)
    {
      g_string_append_printf (out, "; with the schemas that exist %.9g", today);
      append_percent (self->cost - today, today, out);
    }
  else if (alone < INFINITY)
    {
      g_string_append_printf (out, "; with primaries alone %.9g", alone);
      append_percent (self->cost - alone, alone, out);
    }
  g_string_append_printf (out, "\n%.0f bytes", self->selection->size);
  if (self->problem->choice.size_limit < INFINITY)
    g_string_append_printf (out, " of %.0f", self->problem->choice.size_limit);
  if (self->problem->is_cut)
    g_string_append (out, "; some candidates were left out, as the time was over");
  if (self->gap > 0)
    g_string_append_printf (out, "; gap %.3g %%: not more than that above the least cost\n",
                            100 * self->gap);
  else
    g_string_append (out, "; no other schemas cost less\n");
}

static void
append_unused (const KvsqlAdvice *self, GString *out)
{
  const KvsqlWorkload *workload = self->problem->workload;
  guint n = 0;

  for (guint i = 0; i < workload->n_schemas; i++)
    if (!kvsql_advice_has_given (self, &workload->schemas[i]))
      g_string_append_printf (out, "%s%s",
                              n++ > 0 ? ", " : "Schemas that exist, and cost more than they save: ",
                              workload->schemas[i].name);
  g_string_append (out, n > 0 ? "\n" : "");
}

gchar *
kvsql_advice_to_text (const KvsqlAdvice *self, GError **error)
{
  GString *out = g_string_new (NULL);

  append_head (self, out);
  g_string_append (out, "Schemas\n");
  for (guint i = 0; i < self->n_schemas; i++)
    append_schema (self, &self->schemas[i], out);
  g_string_append (out, "Statements\n");
  for (guint i = 0; i < self->n_statements; i++)
    append_statement (self, &self->statements[i], out);
  if (self->curve.n > 0)
    kvsql_curve_append_text (&self->curve, out);
  append_unused (self, out);
  append_scanned (self, out);
  append_missed (self, out);
  return g_string_free (out, FALSE);
}
