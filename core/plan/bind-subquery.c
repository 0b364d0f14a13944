/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-subquery.c: see the header.
 */
#include "config.h"

#include "core/plan/bind-subquery.h"

#include "core/base/interrupt.h"
#include "core/expr/evaluate.h"
#include "core/plan/outer-names.h"
#include "core/plan/subquery-whole.h"
#include "core/sql/printer.h"

#include <math.h>

#define MOST_RUNS 1e9

typedef struct
{
  const KvsqlBinder *binder;
  KvsqlSubquery *subquery;
  KvsqlExpr **arguments; /* the outer values, as expressions of the statement around */
  guint n_arguments;
} Binding;

/* ---- outer values */

static gboolean
is_same_argument (const KvsqlExpr *a, const KvsqlExpr *b)
{
  return a->kind == KVSQL_EXPR_COLUMN && b->kind == KVSQL_EXPR_COLUMN && a->column == b->column;
}

static KvsqlAstExpr *
replace_name (const KvsqlAstExpr *name, gpointer data, GError **error)
{
  Binding *self = data;
  KvsqlArena *arena = self->binder->arena;
  KvsqlExpr *argument = kvsql_expr_bind (self->binder, name, error);
  KvsqlAstExpr *outer;
  guint number = 0;

  if (argument == NULL)
    return NULL;
  while (number < self->n_arguments && kvsql_interrupt_tick ()
         && !is_same_argument (self->arguments[number], argument))
    number++;
  if (number == self->n_arguments)
    *KVSQL_ARENA_ADD (arena, self->arguments, self->n_arguments) = argument;
  outer = kvsql_arena_copy (arena, name, sizeof *name);
  outer->kind = KVSQL_AST_OUTER;
  outer->parameter = number;
  return outer;
}

static void
set_types (Binding *self)
{
  KvsqlType *types = kvsql_arena_array (self->binder->arena, KvsqlType, self->n_arguments + 1);

  for (guint i = 0; i < self->n_arguments; i++)
    types[i] = self->arguments[i]->type;
  self->subquery->types = types;
  self->subquery->n_arguments = self->n_arguments;
}

/* ---- plans, for types and costs */

/* Some value, as one of equal cost. */
static KvsqlValue
example (KvsqlType type)
{
  KvsqlValue value = { .type = type };

  switch (kvsql_type_get_class (type))
    {
    case KVSQL_CLASS_BOOLEAN:
      value.boolean = TRUE;
      return value;
    case KVSQL_CLASS_INTEGER:
      value.integer = 1;
      return value;
    case KVSQL_CLASS_REAL:
      value.real = 1;
      return value;
    default:
      break;
    }
  if (kvsql_type_is_collection (type) || type == KVSQL_TYPE_NULL)
    return KVSQL_VALUE_NULL;
  if (type == KVSQL_TYPE_INTERVAL)
    value.bytes = kvsql_slice_from_text ("00:00:01");
  else if (type == KVSQL_TYPE_UUID)
    value.bytes = kvsql_slice_from_text ("00000000-0000-0000-0000-000000000001");
  else
    value.bytes = kvsql_slice_from_text ("1");
  return value;
}

static KvsqlSelectPlan *
plan (const Binding *self, const KvsqlSelect *select, const KvsqlValue *values, GError **error)
{
  const KvsqlSubqueryBinder *subqueries = self->binder->subqueries;
  const KvsqlBinder *outer = self->binder;
  const KvsqlBinder binder = { .parameters = outer->parameters,
                               .n_parameters = outer->n_parameters,
                               .is_prepare = outer->is_prepare,
                               .declared_types = outer->declared_types,
                               .place_types = outer->place_types,
                               .place_limits = outer->place_limits,
                               .now = outer->now,
                               .user = outer->user,
                               .session_user = outer->session_user,
                               .is_lazy = TRUE,
                               .statistics = outer->statistics,
                               .arena = outer->arena,
                               .outer_types = self->subquery->types,
                               .outer_values = values };

  return subqueries->plan (subqueries->catalog, select, &binder, subqueries->capabilities, error);
}

/* With values as examples; if there are none that can be computed with, without. */
static KvsqlSelectPlan *
plan_example (const Binding *self, const KvsqlSelect *select, GError **error)
{
  KvsqlValue *values
      = kvsql_arena_array (self->binder->arena, KvsqlValue, self->subquery->n_arguments + 1);
  g_autoptr (GError) problem = NULL;
  KvsqlSelectPlan *made;

  for (guint i = 0; i < self->subquery->n_arguments; i++)
    values[i] = example (self->subquery->types[i]);
  made = plan (self, select, values, &problem);
  if (made != NULL)
    return made;
  if (problem != NULL && g_error_matches (problem, KVSQL_ERROR, KVSQL_ERROR_VALUE))
    return plan (self, select, NULL, error);
  g_propagate_error (error, g_steal_pointer (&problem));
  return NULL;
}

static gdouble
cost_of (const KvsqlSelectPlan *self)
{
  gdouble cost = self->best == NULL ? 0 : self->best->cost;

  for (guint i = 0; self->join != NULL && i < self->join->n_parts; i++)
    cost += self->join->parts[i].query != NULL ? cost_of (self->join->parts[i].query)
                                               : self->join->parts[i].plan->best->cost;
  for (guint i = 0; self->set != NULL && i < self->set->n_operands; i++)
    cost += cost_of (self->set->operands[i].plan);
  return MAX (cost, 1);
}

/* ---- all rows at once */

/* Whether equal values have equal keys (core/expr/subquery-rows.h). */
static gboolean
has_equal_keys (KvsqlType a, KvsqlType b)
{
  gboolean are_integers = (a == KVSQL_TYPE_INT || a == KVSQL_TYPE_BIGINT)
                          && (b == KVSQL_TYPE_INT || b == KVSQL_TYPE_BIGINT);

  return are_integers
         || (a == b && kvsql_type_has_one_form (a) && !kvsql_type_is_collection (a)
             && !kvsql_type_is_json (a));
}

/* A form that cannot be planned is not used. */
static gboolean
find_whole (Binding *self, guint n_outer, gdouble cost, GError **error)
{
  KvsqlSubquery *subquery = self->subquery;
  KvsqlSubqueryWhole *whole = kvsql_subquery_whole_new (subquery, n_outer, self->binder->arena);
  const KvsqlSelectPlan *made = whole == NULL ? NULL : plan (self, whole->select, NULL, NULL);

  if (made == NULL || made->n_items != subquery->n_columns + subquery->n_arguments)
    return kvsql_interrupt_poll (error);
  for (guint i = 0; i < subquery->n_arguments; i++)
    if (!has_equal_keys (kvsql_select_plan_get_type (made, subquery->n_columns + i),
                         subquery->types[i]))
      return kvsql_interrupt_poll (error);
  whole->runs_before = (guint64)CLAMP (ceil (cost_of (made) / cost), 1, MOST_RUNS);
  subquery->whole = whole;
  return kvsql_interrupt_poll (error);
}

/* ---- operands */

static gboolean
fail_columns (const KvsqlAstExpr *expr, const KvsqlSelect *select, guint n, guint n_wanted,
              GError **error)
{
  KvsqlSpan span = kvsql_select_get_first_span (select);

  if (expr->kind == KVSQL_AST_IN && n_wanted == 1)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, span,
                            "a subquery of IN gives one column, not %u", n);
  return kvsql_error_set (error, KVSQL_ERROR_INVALID, span,
                          "this subquery must give %u column%s, not %u", n_wanted,
                          n_wanted == 1 ? "" : "s", n)
         || kvsql_error_sqlstate (error, "42601");
}

static guint
count_operands (const KvsqlAstExpr *expr)
{
  if (expr->kind == KVSQL_AST_EXISTS || expr->kind == KVSQL_AST_SUBQUERY)
    return 0;
  return expr->children[0]->kind == KVSQL_AST_ROW ? expr->children[0]->n_children : 1;
}

/* Binds the operands, and converts them and the columns to types that can be compared. */
static gboolean
bind_operands (Binding *self, const KvsqlAstExpr *expr, const KvsqlSelectPlan *plan,
               KvsqlExpr **operands, GError **error)
{
  KvsqlSubquery *subquery = self->subquery;
  KvsqlAstExpr *const *children
      = expr->children[0]->kind == KVSQL_AST_ROW ? expr->children[0]->children : expr->children;
  KvsqlBinder lazy = *self->binder;

  lazy.is_lazy = TRUE;
  subquery->convert = kvsql_expr_evaluate;
  subquery->columns = kvsql_arena_array (lazy.arena, KvsqlExpr *, subquery->n_columns);
  for (guint i = 0; i < subquery->n_columns; i++)
    {
      KvsqlExpr *column = kvsql_expr_column (lazy.arena, i, kvsql_select_plan_get_type (plan, i),
                                             plan->item_names[i], expr->span);
      KvsqlExpr *pair[2] = { kvsql_expr_bind (&lazy, children[i], error), column };
      KvsqlType unused;

      /* the comparison checks the types; with a NULL it is folded, so it does not have the operands
       */
      if (kvsql_expr_compare (&lazy, subquery->op, pair[0], column, expr->span, expr->op_span,
                              error)
              == NULL
          || !kvsql_expr_unify (&lazy, pair, 2, kvsql_operator_get_text (subquery->op), &unused,
                                error))
        return FALSE;
      operands[i] = pair[0];
      subquery->columns[i] = pair[1];
    }
  return TRUE;
}

/* ---- kinds */

static void
set_kind (KvsqlSubquery *self, const KvsqlAstExpr *expr)
{
  self->kind = KVSQL_SUBQUERY_COMPARE;
  self->op = expr->op;
  self->is_all = expr->is_all;
  if (expr->kind == KVSQL_AST_EXISTS)
    self->kind = KVSQL_SUBQUERY_EXISTS;
  else if (expr->kind == KVSQL_AST_SUBQUERY)
    self->kind = KVSQL_SUBQUERY_SCALAR;
  else if (expr->kind == KVSQL_AST_BINARY)
    self->kind = KVSQL_SUBQUERY_ROW;
  else if (expr->kind == KVSQL_AST_IN)
    {
      self->op = KVSQL_OP_EQ;
      self->is_negated = expr->is_negated;
    }
}

/* No more rows are read than are needed. */
static void
set_limit (KvsqlSubquery *self, KvsqlSelect *select, KvsqlArena *arena)
{
  KvsqlAstExpr *limit;

  if (self->kind == KVSQL_SUBQUERY_COMPARE)
    {
      select->is_distinct
          = select->is_distinct
            || (select->set == NULL && select->limit == NULL && select->n_distinct_on == 0
                && select->offset == NULL && select->n_order_by == 0);
      return;
    }
  if (select->limit != NULL)
    return;
  limit = kvsql_arena_new0 (arena, KvsqlAstExpr);
  limit->kind = KVSQL_AST_LITERAL;
  limit->span = self->ast->span;
  limit->value = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT,
                               .integer = self->kind == KVSQL_SUBQUERY_EXISTS ? 1 : 2 };
  select->limit = limit;
}

static KvsqlTypeLimit
shown_of_item (const KvsqlSelectPlan *plan)
{
  const KvsqlTypeLimit limit = kvsql_select_plan_get_limit (plan, 0);

  return kvsql_type_limit_shown_of (&limit);
}

static KvsqlExpr *
new_expr (const Binding *self, const KvsqlSelectPlan *plan, const KvsqlAstExpr *expr,
          guint n_operands)
{
  KvsqlExpr *bound = kvsql_arena_new0 (self->binder->arena, KvsqlExpr);

  bound->kind = KVSQL_EXPR_SUBQUERY;
  bound->span = expr->span;
  bound->subquery = self->subquery;
  bound->type = self->subquery->kind == KVSQL_SUBQUERY_SCALAR ? kvsql_select_plan_get_type (plan, 0)
                                                              : KVSQL_TYPE_BOOLEAN;
  if (self->subquery->kind == KVSQL_SUBQUERY_SCALAR)
    bound->limit = shown_of_item (plan);
  bound->n_children = self->n_arguments + n_operands;
  bound->children = kvsql_arena_array (self->binder->arena, KvsqlExpr *, bound->n_children + 1);
  for (guint i = 0; i < self->n_arguments; i++)
    bound->children[i] = self->arguments[i];
  return bound;
}

static KvsqlExpr *
bind (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlArena *arena = binder->arena;
  KvsqlSubquery *subquery = kvsql_arena_new0 (arena, KvsqlSubquery);
  Binding self = { .binder = binder, .subquery = subquery };
  const KvsqlOuterNames names = { binder->subqueries->catalog, arena, replace_name, &self };
  const KvsqlSelect *written
      = expr->subquery != NULL ? expr->subquery : expr->children[1]->subquery;
  guint n_operands = count_operands (expr), n_wanted = MAX (n_operands, 1), n_outer;
  const KvsqlSelectPlan *made;
  KvsqlSelect *select;
  KvsqlExpr *bound;

  subquery->ast = expr;
  subquery->arena = arena;
  set_kind (subquery, expr);
  select = kvsql_outer_names_replace (&names, written, &n_outer, error);
  if (select == NULL)
    return NULL;
  set_types (&self);
  made = plan_example (&self, select, error);
  if (made == NULL)
    return NULL;
  if (subquery->kind != KVSQL_SUBQUERY_EXISTS && made->n_items != n_wanted
      && !fail_columns (expr, written, made->n_items, n_wanted, error))
    return NULL;
  subquery->n_columns = subquery->kind == KVSQL_SUBQUERY_EXISTS ? 0 : n_wanted;
  subquery->select = select;
  subquery->example = made;
  if (!find_whole (&self, n_outer, cost_of (made), error))
    return NULL;
  set_limit (subquery, select, arena);
  bound = new_expr (&self, made, expr, n_operands);
  subquery->arguments = bound->children;
  if (n_operands > 0
      && !bind_operands (&self, expr, made, bound->children + self.n_arguments, error))
    return NULL;
  *KVSQL_ARENA_ADD (arena, binder->subqueries->list->all, binder->subqueries->list->n) = subquery;
  return bound;
}

/* ---- lateral queries */

gboolean
kvsql_subquery_bind_lateral (const KvsqlBinder *binder, const KvsqlSelect *written, KvsqlSpan span,
                             KvsqlSubquery **out, KvsqlSelectPlan **out_plan, GError **error)
{
  KvsqlArena *arena = binder->arena;
  KvsqlSubquery *subquery = kvsql_arena_new0 (arena, KvsqlSubquery);
  Binding self = { .binder = binder, .subquery = subquery };
  const KvsqlOuterNames names = { binder->subqueries->catalog, arena, replace_name, &self };
  KvsqlAstExpr *ast = kvsql_arena_new0 (arena, KvsqlAstExpr);
  KvsqlSelect *select;
  guint n_outer;

  ast->kind = KVSQL_AST_SUBQUERY;
  ast->span = span;
  ast->subquery = (KvsqlSelect *)written;
  subquery->kind = KVSQL_SUBQUERY_ROWS;
  subquery->ast = ast;
  subquery->arena = arena;
  subquery->select = select = kvsql_outer_names_replace (&names, written, &n_outer, error);
  if (select == NULL)
    return FALSE;
  set_types (&self);
  subquery->arguments = self.arguments;
  subquery->example = *out_plan = plan_example (&self, select, error);
  if (*out_plan == NULL)
    return FALSE;
  subquery->n_columns = (*out_plan)->n_items;
  if (!find_whole (&self, n_outer, cost_of (*out_plan), error))
    return FALSE;
  *KVSQL_ARENA_ADD (arena, binder->subqueries->list->all, binder->subqueries->list->n) = subquery;
  *out = subquery;
  return TRUE;
}

/* The work of nested subqueries would double with each level. */
static KvsqlExpr *
bind_once (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlSubqueryBinder *self = binder->subqueries;
  gboolean is_plain = binder->resolve == NULL;
  KvsqlExpr *bound;

  if (self->bound == NULL)
    self->bound = g_hash_table_new (NULL, NULL);
  bound = is_plain ? g_hash_table_lookup (self->bound, expr) : NULL;
  if (bound != NULL)
    return bound;
  bound = bind (binder, expr, error);
  if (bound != NULL && is_plain)
    g_hash_table_insert (self->bound, (gpointer)expr, bound);
  return bound;
}

KvsqlSubqueryList *
kvsql_subquery_binder_init (KvsqlSubqueryBinder *self, const KvsqlCatalog *catalog,
                            const KvsqlStoreCapabilities *capabilities, KvsqlPlanFunc plan_func,
                            KvsqlBinder *binder)
{
  *self = (KvsqlSubqueryBinder){ .catalog = catalog,
                                 .capabilities = capabilities,
                                 .plan = plan_func,
                                 .list = kvsql_arena_new0 (binder->arena, KvsqlSubqueryList) };
  binder->subqueries = self;
  binder->bind_subquery = bind_once;
  return self->list;
}

void
kvsql_subquery_binder_clear (KvsqlSubqueryBinder *self)
{
  g_clear_pointer (&self->bound, g_hash_table_unref);
}
