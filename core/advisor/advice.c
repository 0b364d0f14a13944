/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * advice.c: see advice.h.
 */
#include "config.h"

#include "core/advisor/advice.h"

#include <math.h>

/* ---- schemas */

static gboolean
is_name_used (const KvsqlAdvice *self, const gchar *name)
{
  const KvsqlWorkload *workload = self->problem->workload;

  for (guint i = 0; i < self->n_schemas; i++)
    if (self->schemas[i].name != NULL && g_ascii_strcasecmp (self->schemas[i].name, name) == 0)
      return TRUE;
  for (guint i = 0; i < workload->n_schemas; i++)
    if (g_ascii_strcasecmp (workload->schemas[i].name, name) == 0)
      return TRUE;
  return FALSE;
}

/* The attributes before the rest of the KEY: RELATION_by_A_B. */
static guint
count_named (const KvsqlRelation *relation, const KvsqlDesign *design)
{
  guint n = design->n_row;

  while (n > 1 && relation->attributes[design->row[n - 1]].is_key
         && !relation->attributes[design->row[0]].is_key)
    n--;
  return n;
}

static const gchar *
make_name (const KvsqlAdvice *self, const KvsqlDesign *design)
{
  const KvsqlRelation *relation = self->problem->workload->relations[design->relation].relation;
  g_autoptr (GString) name = g_string_new (relation->name);
  guint n = count_named (relation, design);
  gsize size;

  if (design->given != NULL)
    return design->given->name;
  for (guint i = 0; i < n; i++)
    g_string_append_printf (name, "%s%s", i == 0 ? "_by_" : "_",
                            relation->attributes[design->row[i]].name);
  size = name->len;
  for (guint i = 2; is_name_used (self, name->str); i++)
    {
      g_string_truncate (name, size);
      g_string_append_printf (name, "_%u", i);
    }
  return kvsql_arena_strndup (self->problem->arena, name->str, name->len);
}

/* The cost with the other schemas alone. */
static gdouble
get_cost_without (const KvsqlAdvice *self, guint item)
{
  g_autoptr (KvsqlSelection) others = kvsql_selection_new (&self->problem->choice);

  kvsql_selection_copy (others, self->selection, &self->problem->choice);
  others->chosen[item] = FALSE;
  kvsql_selection_evaluate (others, &self->problem->choice);
  return others->cost;
}

/* Primaries first, relation by relation. */
static void
add_schemas (KvsqlAdvice *self, guint relation, gboolean primaries)
{
  const KvsqlProblem *problem = self->problem;

  for (guint i = 0; i < problem->choice.n_items; i++)
    {
      gboolean is_primary = self->selection->primary[relation] == i;
      KvsqlAdvisedSchema *schema;

      if (!self->selection->chosen[i] || problem->designs[i]->relation != relation
          || is_primary != primaries)
        continue;
      schema = KVSQL_ARENA_ADD (problem->arena, self->schemas, self->n_schemas);
      *schema = (KvsqlAdvisedSchema){ .design = problem->designs[i], .item = i };
      schema->is_primary = is_primary;
      schema->size = problem->choice.items[i].size;
      schema->without = is_primary ? INFINITY : get_cost_without (self, i) - self->selection->cost;
      schema->name = make_name (self, schema->design);
    }
}

static KvsqlAdvisedSchema *
find_schema (const KvsqlAdvice *self, guint item)
{
  for (guint i = 0; i < self->n_schemas; i++)
    if (self->schemas[i].item == item)
      return &self->schemas[i];
  return NULL;
}

void
kvsql_advised_schema_add_reader (KvsqlAdvisedSchema *self, guint number, KvsqlArena *arena)
{
  if (self->n_statements == 0 || self->statements[self->n_statements - 1] != number)
    *KVSQL_ARENA_ADD (arena, self->statements, self->n_statements) = number;
}

static void
add_reader (const KvsqlAdvice *self, guint item, guint number)
{
  KvsqlAdvisedSchema *schema = item != KVSQL_NO_ITEM ? find_schema (self, item) : NULL;

  if (schema != NULL)
    kvsql_advised_schema_add_reader (schema, number, self->problem->arena);
}

/* ---- statements */

/* The cost of reading all tuples of the primary, and checking each. */
static gdouble
get_scan_cost (const KvsqlAdvice *self, const KvsqlProblemGroup *group)
{
  KvsqlRead read = group->read;
  const KvsqlDesign *primary
      = self->problem->designs[self->selection->primary[group->read.relation]];

  kvsql_attribute_set_add_all (&read.shape.filtered, &read.shape.equal);
  kvsql_attribute_set_add_all (&read.shape.filtered, &read.shape.bounded);
  read.shape.equal = read.shape.bounded = (KvsqlAttributeSet){ 0 };
  read.shape.fan_out = 1;
  return self->problem->model->read (&read, primary, NULL, NULL, NULL);
}

/* Adds what a group costs, and how it is read. */
static void
add_group (const KvsqlAdvice *self, guint number, KvsqlAdvisedStatement *out, GString *plan)
{
  const KvsqlProblem *problem = self->problem;
  const KvsqlChoiceGroup *group = &problem->choice.groups[number];
  const KvsqlChoicePlan *best;
  const KvsqlDesign *primary = NULL;
  gdouble cost;
  const gchar *names[2] = { NULL, NULL };

  if (!kvsql_selection_is_read (self->selection, group))
    return;
  best = kvsql_selection_find_plan (self->selection, group);
  if (best->primary != KVSQL_NO_ITEM)
    {
      primary = problem->designs[best->primary];
      names[1] = find_schema (self, best->primary)->name;
    }
  names[0] = find_schema (self, best->item)->name;
  g_string_append (plan, plan->len > 0 ? "; " : "");
  g_string_append (plan, group->is_conditional ? "for the old tuple " : "");
  cost = problem->model->read (&problem->groups[number].read, problem->designs[best->item], primary,
                               names, plan);
  out->cost += cost;
  out->read_cost += cost;
  out->misses_slo = out->statement->slo > 0 && cost > out->statement->slo;
  if (!group->is_conditional)
    {
      out->is_scanned = cost >= get_scan_cost (self, &problem->groups[number]);
      add_reader (self, best->item, out->statement->number);
      add_reader (self, best->primary, out->statement->number);
    }
}

static void
add_writes (const KvsqlAdvice *self, KvsqlAdvisedStatement *out, GString *plan)
{
  const KvsqlWorkload *workload = self->problem->workload;
  guint n = 0;

  if (out->statement->shape.kind == KVSQL_STATEMENT_SELECT)
    return;
  for (guint i = 0; i < self->n_schemas; i++)
    {
      KvsqlUpkeep upkeep = { 0, FALSE };

      if (self->schemas[i].design->relation == out->statement->relation)
        upkeep = self->problem->model->write (workload, out->statement, self->schemas[i].design);
      out->cost += upkeep.cost;
      if (!(upkeep.cost > 0))
        continue;
      g_string_append_printf (plan, "%s%s",
                              n > 0           ? ", "
                              : plan->len > 0 ? "; write "
                                              : "write ",
                              self->schemas[i].name);
      n++;
    }
}

/* What a statement of the workload reads. */
static void
add_reads (const KvsqlAdvice *self, guint index, KvsqlAdvisedStatement *out, GString *plan)
{
  for (guint i = 0; i < self->problem->choice.n_groups; i++)
    if (self->problem->groups[i].statement == self->problem->workload->statements[index].first)
      add_group (self, i, out, plan);
}

static KvsqlAdvisedStatement *
add_statement (KvsqlAdvice *self, const KvsqlWorkloadStatement *statement)
{
  KvsqlAdvisedStatement *out = &self->statements[self->n_statements++];

  *out = (KvsqlAdvisedStatement){ .statement = statement };
  return out;
}

static void
add_single (KvsqlAdvice *self, guint index)
{
  g_autoptr (GString) plan = g_string_new (NULL);
  KvsqlAdvisedStatement *out = add_statement (self, &self->problem->workload->statements[index]);

  add_reads (self, index, out, plan);
  add_writes (self, out, plan);
  out->plan = kvsql_arena_strndup (self->problem->arena, plan->str, plan->len);
}

/* The parts from @first on are one statement. Returns their number. */
static guint
add_join (KvsqlAdvice *self, guint first)
{
  const KvsqlWorkload *workload = self->problem->workload;
  const guint join = workload->statements[first].join;
  g_autoptr (GString) plan = g_string_new (NULL);
  KvsqlAdvisedStatement *out = add_statement (self, &workload->joins[join].whole);
  guint n = 0;

  for (; first + n < workload->n_statements && workload->statements[first + n].join == join; n++)
    {
      const KvsqlWorkloadStatement *part = &workload->statements[first + n];
      KvsqlAdvisedStatement read = { .statement = part };
      g_autoptr (GString) text = g_string_new (NULL);

      add_reads (self, first + n, &read, text);
      g_string_append (plan, n > 0 ? "; " : "");
      if (part->repeats > 1)
        g_string_append_printf (plan, "%.6g times ", part->repeats);
      g_string_append (plan, text->str);
      out->cost += part->repeats * read.cost;
      out->is_scanned = out->is_scanned || read.is_scanned;
    }
  out->read_cost = out->cost;
  out->plan = kvsql_arena_strndup (self->problem->arena, plan->str, plan->len);
  return n;
}

/* A plan that misses its SLO costs more to the solvers than it does. */
static gdouble
get_cost (const KvsqlAdvice *self)
{
  gboolean misses = FALSE;
  gdouble sum = 0;

  for (guint i = 0; i < self->n_statements; i++)
    {
      sum += self->statements[i].statement->weight * self->statements[i].cost;
      misses = misses || self->statements[i].misses_slo;
    }
  return misses ? sum : self->selection->cost;
}

gboolean
kvsql_advice_has_given (const KvsqlAdvice *self, const KvsqlWorkloadSchema *given)
{
  for (guint i = 0; i < self->n_schemas; i++)
    if (self->schemas[i].design->given == given)
      return TRUE;
  return FALSE;
}

KvsqlAdvice *
kvsql_advice_new (KvsqlProblem *problem, KvsqlSelection *selection, gdouble gap)
{
  KvsqlAdvice *self = g_new0 (KvsqlAdvice, 1);

  self->problem = problem;
  self->selection = selection;
  self->gap = gap;
  for (guint i = 0; i < problem->workload->n_relations; i++)
    {
      add_schemas (self, i, TRUE);
      add_schemas (self, i, FALSE);
    }
  self->statements
      = kvsql_arena_array (problem->arena, KvsqlAdvisedStatement, problem->workload->n_statements);
  for (guint i = 0, n = 1; i < problem->workload->n_statements; i += n)
    if (problem->workload->statements[i].join != KVSQL_NO_JOIN)
      n = add_join (self, i);
    else
      {
        add_single (self, i);
        n = 1;
      }
  self->cost = get_cost (self);
  return self;
}

void
kvsql_advice_free (KvsqlAdvice *self)
{
  if (self == NULL)
    return;
  kvsql_problem_free (self->problem);
  kvsql_selection_free (self->selection);
  g_free (self);
}
