/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * point-plan.c: the pattern of a plan, and its values.
 */
#include "config.h"

#include "core/layout/encode-plan.h"
#include "core/plan/bind-private.h"
#include "core/plan/point-plan.h"

#include <math.h>

struct _KvsqlPointPlan
{
  const KvsqlSelectPlan *plan;
  const KvsqlEncodePlan *row;
  const KvsqlAstExpr *
      *parameters; /* by attribute: the parameter that it has to equal; NULL: none */
};

/* ---- tests for a pattern */

static gboolean
is_fixed_count (const KvsqlAstExpr *expr)
{
  return expr == NULL || expr->kind == KVSQL_AST_LITERAL;
}

/* The result consists of attributes of tuples, unchanged. */
static gboolean
is_plain_select (const KvsqlSelectPlan *plan, const KvsqlSelect *select)
{
  return plan->entry != NULL && plan->join == NULL && plan->groups == NULL
         && kvsql_select_plan_is_plain (plan) && !plan->is_distinct && plan->n_sort == 0
         && is_fixed_count (select->limit) && is_fixed_count (select->offset);
}

/* The path reads one row, its tables and columns do not depend on values, and there is no other
 * work. */
static gboolean
is_one_row (const KvsqlAccessPath *best)
{
  const KvsqlSchema *schema = best->schema;
  KvsqlSlice family, qualifier;
  gboolean ok = best->lookup_schema == NULL && best->skip == NULL && best->filter == NULL
                && !best->has_open_table && best->n_tables == 1 && best->tables[0].n_ranges == 1
                && kvsql_row_range_is_point (&best->tables[0].ranges[0])
                && schema->has_constant_table && schema->is_row_local
                && schema->timestamp_attribute < 0;

  for (guint c = 0; ok && c < schema->n_cells; c++)
    ok = kvsql_cell_get_column (&schema->cells[c], &family, &qualifier);
  return ok;
}

/* Counts the equalities in `a = ? AND b = ?` and adds their attributes. */
static gboolean
collect (const KvsqlBinder *binder, const KvsqlAstExpr *expr, const KvsqlAstExpr **parameters,
         guint *n)
{
  const KvsqlAstExpr *name, *parameter;
  guint attribute;

  if (expr == NULL || expr->kind != KVSQL_AST_BINARY)
    return FALSE;
  if (expr->op == KVSQL_OP_AND)
    return collect (binder, expr->children[0], parameters, n)
           && collect (binder, expr->children[1], parameters, n);
  name = expr->children[expr->children[0]->kind != KVSQL_AST_NAME];
  parameter = expr->children[name == expr->children[0]];
  if (expr->op != KVSQL_OP_EQ || name->kind != KVSQL_AST_NAME
      || parameter->kind != KVSQL_AST_PARAMETER
      || !kvsql_binder_find_attribute (binder, name, &attribute, NULL)
      || parameters[attribute] != NULL)
    return FALSE;
  parameters[attribute] = parameter;
  (*n)++;
  return TRUE;
}

/* The predicate consists of equalities of all these attributes, and nothing else. */
static gboolean
is_all_equal (const KvsqlPredicate *predicate, const KvsqlAstExpr *const *parameters, guint *n)
{
  if (predicate->kind == KVSQL_PREDICATE_AND)
    {
      for (guint i = 0; i < predicate->n_children; i++)
        if (!is_all_equal (predicate->children[i], parameters, n))
          return FALSE;
      return TRUE;
    }
  (*n)--;
  return predicate->kind == KVSQL_PREDICATE_COMPARE && predicate->op == KVSQL_OP_EQ
         && parameters[predicate->attribute] != NULL;
}

/* ---- filling in */

/* FALSE if no value of the type of the attribute equals the parameter. */
static gboolean
get_value (const KvsqlPointPlan *self, const KvsqlBinder *binder, guint attribute, KvsqlValue *out)
{
  const KvsqlAstExpr *parameter = self->parameters[attribute];
  const KvsqlPredicate *compared;
  KvsqlValue value;

  if (!kvsql_binder_get_parameter (binder, parameter, &value, NULL))
    return FALSE;
  compared = kvsql_bind_compare (binder, attribute, KVSQL_OP_EQ, &value, parameter->span,
                                 parameter->span, NULL);
  if (compared == NULL || compared->kind != KVSQL_PREDICATE_COMPARE)
    return FALSE;
  *out = compared->value;
  /* zero and NaN have several forms as values but one form as keys */
  return kvsql_type_get_class (out->type) != KVSQL_CLASS_REAL
         || (out->real != 0 && !isnan (out->real));
}

static gboolean
get_row (const KvsqlPointPlan *self, const KvsqlValue *tuple, KvsqlArena *arena, KvsqlRowRange *out)
{
  if (!kvsql_encode_plan_run (self->row, tuple, arena, &out->start))
    return FALSE;
  out->stop = kvsql_row_key_next (out->start, arena);
  return TRUE;
}

/* By attribute; NULL if some attribute has no value. */
static KvsqlValue *
get_tuple (const KvsqlPointPlan *self, const KvsqlBinder *binder)
{
  KvsqlValue *tuple = kvsql_arena_array (binder->arena, KvsqlValue, binder->relation->n_attributes);

  for (guint a = 0; a < binder->relation->n_attributes; a++)
    if (self->parameters[a] == NULL)
      tuple[a] = KVSQL_VALUE_NULL;
    else if (!get_value (self, binder, a, &tuple[a]))
      return NULL;
  return tuple;
}

static KvsqlPredicate *
copy_predicate (const KvsqlPredicate *pattern, const KvsqlValue *tuple, KvsqlArena *arena)
{
  KvsqlPredicate *self = kvsql_arena_array (arena, KvsqlPredicate, 1);

  g_assert (pattern->kind == KVSQL_PREDICATE_COMPARE || pattern->kind == KVSQL_PREDICATE_AND);
  *self = *pattern;
  if (self->kind == KVSQL_PREDICATE_COMPARE)
    self->value = tuple[self->attribute];
  if (self->n_children > 0)
    self->children = kvsql_arena_array (arena, KvsqlPredicate *, self->n_children);
  for (guint i = 0; i < self->n_children; i++)
    self->children[i] = copy_predicate (pattern->children[i], tuple, arena);
  return self;
}

const KvsqlSelectPlan *
kvsql_point_plan_fill (const KvsqlPointPlan *self, const KvsqlBinder *outer)
{
  KvsqlArena *arena = outer->arena;
  KvsqlBinder binder = *outer;
  KvsqlRowRange *range = kvsql_arena_array (arena, KvsqlRowRange, 1);
  KvsqlPlanTable *table = kvsql_arena_array (arena, KvsqlPlanTable, 1);
  KvsqlAccessPath *best = kvsql_arena_array (arena, KvsqlAccessPath, 1);
  KvsqlSelectPlan *plan = kvsql_arena_array (arena, KvsqlSelectPlan, 1);
  const KvsqlValue *tuple;

  binder.relation = self->plan->relation;
  tuple = get_tuple (self, &binder);
  if (tuple == NULL || !get_row (self, tuple, arena, range))
    return NULL;
  *table = (KvsqlPlanTable){ self->plan->best->tables[0].table, range, 1 };
  *best = *self->plan->best;
  best->tables = table;
  *plan = *self->plan;
  plan->best = plan->paths = best;
  plan->n_paths = 1;
  plan->dnf = (KvsqlDnf){ 0 };
  plan->predicate = copy_predicate (self->plan->predicate, tuple, arena);
  return plan;
}

/* ---- construction */

/* Whether the pattern gives the same row for the values with which @plan was made. */
static gboolean
is_right (const KvsqlPointPlan *self, const KvsqlBinder *binder)
{
  const KvsqlValue *tuple = get_tuple (self, binder);
  KvsqlRowRange row;

  return tuple != NULL && get_row (self, tuple, binder->arena, &row)
         && kvsql_slice_equal (row.start, self->plan->best->tables[0].ranges[0].start);
}

const KvsqlPointPlan *
kvsql_point_plan_new (const KvsqlSelectPlan *plan, const KvsqlSelect *select,
                      const KvsqlBinder *outer)
{
  KvsqlPointPlan *self = kvsql_arena_new0 (outer->arena, KvsqlPointPlan);
  KvsqlBinder binder = *outer;
  guint n = 0;

  if (!is_plain_select (plan, select) || !is_one_row (plan->best))
    return NULL;
  binder.relation = plan->relation;
  binder.alias = &select->from.alias;
  self->plan = plan;
  self->row = plan->best->schema->cells[0].fields[KVSQL_FIELD_ROW]->encode_plan;
  self->parameters
      = kvsql_arena_array (binder.arena, const KvsqlAstExpr *, plan->relation->n_attributes);
  return self->row != NULL && collect (&binder, select->where, self->parameters, &n)
                 && is_all_equal (plan->predicate, self->parameters, &n) && n == 0
                 && is_right (self, &binder)
             ? self
             : NULL;
}
