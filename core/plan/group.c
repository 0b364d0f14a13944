/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * group.c: extends the binder with a hook that turns grouping expressions and aggregates into
 * columns.
 */
#include "config.h"

#include "core/plan/group.h"
#include "core/base/interrupt.h"
#include "core/schema/relation.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"

struct _KvsqlGrouping
{
  KvsqlBinder over_groups;
  const KvsqlBinder *over_tuples;
  const KvsqlAstExpr **by;
  KvsqlExpr **by_exprs;
  guint n_by;

  const KvsqlAstExpr **calls; /* of aggregates, without duplicates */
  KvsqlAggregate *aggregates;
  guint n_calls;
  KvsqlExpr **arguments; /* of aggregates that have an argument */
  guint n_arguments;
};

/* ---- search in trees */

static const KvsqlAggregateFunction *
aggregate_of (const KvsqlAstExpr *expr)
{
  return expr->kind == KVSQL_AST_FUNCTION ? kvsql_aggregate_find (expr->name.text) : NULL;
}

const KvsqlAstExpr *
kvsql_group_find_aggregate (const KvsqlAstExpr *expr)
{
  const KvsqlAstExpr *found = NULL;

  if (expr == NULL)
    return NULL;
  if (aggregate_of (expr) != NULL)
    return expr;
  for (guint i = 0; i < expr->n_children && found == NULL && kvsql_interrupt_tick (); i++)
    found = kvsql_group_find_aggregate (expr->children[i]);
  return found;
}

gboolean
kvsql_group_reject_aggregates (const KvsqlAstExpr *expr, const gchar *clause, GError **error)
{
  const KvsqlAstExpr *found = kvsql_group_find_aggregate (expr);

  if (found == NULL)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, found->span,
                   "aggregate functions are not allowed in %s", clause);
  if (g_str_equal (clause, "WHERE"))
    kvsql_error_hint (
        error,
        "WHERE chooses tuples before they are grouped; conditions on groups belong in HAVING.");
  return FALSE;
}

static gboolean
is_same_name (const KvsqlAstExpr *a, const KvsqlAstExpr *b, const KvsqlBinder *binder)
{
  guint x, y;

  return kvsql_binder_find_attribute (binder, a, &x, NULL)
         && kvsql_binder_find_attribute (binder, b, &y, NULL) && x == y;
}

gboolean
kvsql_group_is_same (const KvsqlAstExpr *a, const KvsqlAstExpr *b, const KvsqlBinder *binder)
{
  if (a == b)
    return TRUE;
  if (a->kind != b->kind || a->op != b->op || a->is_negated != b->is_negated
      || a->is_star != b->is_star || a->is_distinct != b->is_distinct
      || a->has_operand != b->has_operand || a->has_else != b->has_else
      || a->is_caseless != b->is_caseless || a->is_symmetric != b->is_symmetric
      || a->is_all != b->is_all || a->n_order != b->n_order || a->has_filter != b->has_filter
      || a->is_within_group != b->is_within_group || a->n_children != b->n_children
      || a->subquery != b->subquery)
    return FALSE;
  for (guint i = 0; i < a->n_order; i++)
    if (a->order[i].is_descending != b->order[i].is_descending
        || a->order[i].nulls != b->order[i].nulls)
      return FALSE;
  if (a->kind == KVSQL_AST_NAME)
    return is_same_name (a, b, binder);
  if (a->kind == KVSQL_AST_PARAMETER)
    return a->parameter == b->parameter;
  if ((a->kind == KVSQL_AST_LITERAL || a->kind == KVSQL_AST_IS_TRUTH)
      && (a->value.type != b->value.type || !kvsql_value_equal (&a->value, &b->value)))
    return FALSE;
  if (a->kind == KVSQL_AST_FUNCTION && g_ascii_strcasecmp (a->name.text, b->name.text) != 0)
    return FALSE;
  if (a->kind == KVSQL_AST_CAST && g_ascii_strcasecmp (a->cast_type.text, b->cast_type.text) != 0)
    return FALSE;
  for (guint i = 0; i < a->n_children && kvsql_interrupt_tick (); i++)
    if (!kvsql_group_is_same (a->children[i], b->children[i], binder))
      return FALSE;
  return TRUE;
}

static const gchar *
text_of (const KvsqlAstExpr *expr, KvsqlArena *arena)
{
  g_autoptr (GString) text = g_string_new (NULL);

  kvsql_print_expression (expr, text);
  return kvsql_arena_strdup (arena, text->str);
}

/* ---- aggregates */

static gboolean
check_order (const KvsqlAstExpr *expr, const KvsqlAggregateFunction *function, GError **error)
{
  const gchar *name = kvsql_aggregate_get_name (function);

  if (kvsql_aggregate_is_ordered_set (function) != (expr->is_within_group != FALSE))
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span,
                       expr->is_within_group ? "%s has no WITHIN GROUP" : "%s needs WITHIN GROUP",
                       name);
      return kvsql_error_hint (error,
                               expr->is_within_group ? "Write ORDER BY in the parentheses of %s."
                                                     : "Write %s (…) WITHIN GROUP (ORDER BY x).",
                               name);
    }
  if (expr->is_within_group && (expr->n_order != 1 || expr->is_distinct))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span,
                            "%s takes the values of one expression in WITHIN GROUP", name);
  return TRUE;
}

/* With DISTINCT, equal values are one: they have no other order than their own. */
static gboolean
check_distinct (const KvsqlAstExpr *expr, const KvsqlBinder *binder, GError **error)
{
  guint n = kvsql_ast_get_n_arguments (expr);

  if (!expr->is_distinct || n == 0)
    return TRUE;
  for (guint i = 0; i < expr->n_order; i++)
    if (!kvsql_group_is_same (expr->children[0], expr->children[n + i], binder))
      return kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->children[n + i]->span,
                              "in an aggregate with DISTINCT, ORDER BY expressions must appear in "
                              "argument list");
  if (n > 1 && expr->children[1]->kind != KVSQL_AST_LITERAL
      && expr->children[1]->kind != KVSQL_AST_PARAMETER)
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, expr->children[1]->span,
                            "with DISTINCT, the second argument must be a constant");
  return TRUE;
}

static gboolean
check_call (const KvsqlAstExpr *expr, const KvsqlAggregateFunction *function,
            const KvsqlBinder *binder, GError **error)
{
  const gchar *name = kvsql_aggregate_get_name (function);
  const KvsqlAstExpr *nested = NULL;
  guint n = kvsql_aggregate_get_n_arguments (function);

  if (expr->is_star && !kvsql_aggregate_takes_star (function))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span, "%s(*) means nothing", name)
           || kvsql_error_hint (error, "Only count takes *; name what %s is of.", name);
  if (!expr->is_star && kvsql_ast_get_n_arguments (expr) != n)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span, "%s takes %s, not %u", name,
                            n == 0   ? "no argument"
                            : n == 1 ? "one argument"
                                     : "two arguments",
                            kvsql_ast_get_n_arguments (expr));
  for (guint i = 0; i < expr->n_children && nested == NULL; i++)
    nested = kvsql_group_find_aggregate (expr->children[i]);
  if (nested == NULL)
    return check_order (expr, function, error) && check_distinct (expr, binder, error);
  kvsql_error_set (error, KVSQL_ERROR_INVALID, nested->span,
                   "aggregate function calls cannot be nested");
  return kvsql_error_hint (error, "Compute the inner one with a statement of its own first.");
}

static KvsqlExpr *
bind_value (KvsqlGrouping *self, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr *value = kvsql_expr_bind (self->over_tuples, expr, error);

  /* the literal has no other context that gives it a type, so it is a text */
  if (value != NULL && value->is_untyped && value->type != KVSQL_TYPE_NULL)
    value = kvsql_expr_convert (self->over_tuples, value, KVSQL_TYPE_STRING, error);
  return value;
}

/* Adds a column to the input of the groups. */
static guint
add_input (KvsqlGrouping *self, KvsqlExpr *expr)
{
  self->arguments[self->n_arguments] = expr;
  return self->n_by + self->n_arguments++;
}

/* Binds an argument of an aggregate. @wanted: NULL: the type that the aggregate converts it to */
static gboolean
bind_argument (KvsqlGrouping *self, const KvsqlAstExpr *expr,
               const KvsqlAggregateFunction *function, KvsqlType wanted, guint *out_column,
               KvsqlType *out_type, GError **error)
{
  KvsqlExpr *argument = bind_value (self, expr, error);

  if (argument == NULL)
    return FALSE;
  if (wanted == KVSQL_TYPE_NULL)
    wanted = kvsql_aggregate_get_wanted (function, argument->type);
  if (wanted != argument->type)
    {
      argument = kvsql_expr_convert (self->over_tuples, argument, wanted, error);
      if (argument == NULL)
        return FALSE;
    }
  *out_type = argument->type;
  *out_column = add_input (self, argument);
  return TRUE;
}

/* The part of a percentile is a constant between 0 and 1. */
static gboolean
bind_fraction (KvsqlGrouping *self, const KvsqlAstExpr *expr, KvsqlAggregate *aggregate,
               GError **error)
{
  KvsqlExpr *fraction = kvsql_expr_bind (self->over_tuples, expr, error);

  if (fraction != NULL)
    fraction = kvsql_expr_convert (self->over_tuples, fraction, KVSQL_TYPE_DOUBLE, error);
  if (fraction == NULL)
    return FALSE;
  if (!kvsql_expr_is_constant (fraction))
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, expr->span,
                            "the part of a percentile must be a constant");
  aggregate->fraction = fraction->value;
  if (kvsql_value_is_null (&fraction->value)
      || (fraction->value.real >= 0 && fraction->value.real <= 1))
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_VALUE, expr->span,
                          "percentile value %g is not between 0 and 1", fraction->value.real);
}

/* Binds ORDER BY. Where the result has no order, it is only checked. */
static gboolean
bind_order (KvsqlGrouping *self, const KvsqlAstExpr *expr, KvsqlAggregate *aggregate,
            GError **error)
{
  guint first = kvsql_ast_get_n_arguments (expr);
  KvsqlAggregateOrder *order
      = kvsql_arena_array (self->over_tuples->arena, KvsqlAggregateOrder, expr->n_order + 1);

  for (guint i = 0; i < expr->n_order; i++)
    {
      KvsqlExpr *value = bind_value (self, expr->children[first + i], error);
      if (value == NULL)
        return FALSE;
      if (!kvsql_aggregate_has_order (aggregate->function))
        continue;
      order[i] = (KvsqlAggregateOrder){ .column = add_input (self, value),
                                        .is_descending = expr->order[i].is_descending };
      order[i].nulls_first = expr->order[i].nulls == KVSQL_NULLS_DEFAULT
                                 ? expr->order[i].is_descending
                                 : expr->order[i].nulls == KVSQL_NULLS_FIRST;
      aggregate->n_order = i + 1;
    }
  aggregate->order = order;
  return TRUE;
}

static gboolean
bind_filter (KvsqlGrouping *self, const KvsqlAstExpr *expr, KvsqlAggregate *aggregate,
             GError **error)
{
  KvsqlExpr *condition;

  if (!expr->has_filter)
    return TRUE;
  condition = kvsql_expr_bind_boolean (self->over_tuples, expr->children[expr->n_children - 1],
                                       "FILTER", error);
  if (condition == NULL)
    return FALSE;
  aggregate->has_filter = TRUE;
  aggregate->filter = add_input (self, condition);
  return TRUE;
}

static gboolean
bind_arguments (KvsqlGrouping *self, const KvsqlAstExpr *expr, KvsqlAggregate *aggregate,
                GError **error)
{
  const KvsqlAggregateFunction *function = aggregate->function;
  gboolean is_ordered_set = kvsql_aggregate_is_ordered_set (function);
  guint n = kvsql_ast_get_n_arguments (expr);
  KvsqlType second;

  if (!expr->is_star
      && !bind_argument (self, expr->children[is_ordered_set ? n : 0], function, KVSQL_TYPE_NULL,
                         &aggregate->column, &aggregate->argument, error))
    return FALSE;
  if (!kvsql_aggregate_get_type (function, aggregate->argument, expr->span, &aggregate->type,
                                 error))
    return FALSE;
  if (expr->is_star)
    return bind_filter (self, expr, aggregate, error);
  if (is_ordered_set)
    {
      aggregate->is_descending = expr->order[0].is_descending;
      return (n == 0 || bind_fraction (self, expr->children[0], aggregate, error))
             && bind_filter (self, expr, aggregate, error);
    }
  aggregate->has_second = n > 1;
  return (n == 1
          || bind_argument (self, expr->children[1], function, aggregate->argument,
                            &aggregate->second, &second, error))
         && bind_order (self, expr, aggregate, error) && bind_filter (self, expr, aggregate, error);
}

static gboolean
bind_call (KvsqlGrouping *self, const KvsqlAstExpr *expr, const KvsqlAggregateFunction *function,
           KvsqlExpr **out, GError **error)
{
  KvsqlAggregate aggregate
      = { .function = function,
          .column = KVSQL_NO_COLUMN,
          .is_distinct = expr->is_distinct && kvsql_aggregate_counts_duplicates (function) };
  KvsqlArena *arena = self->over_tuples->arena;
  guint number;

  for (number = 0; number < self->n_calls; number++)
    if (kvsql_group_is_same (self->calls[number], expr, self->over_tuples))
      break;
  if (number == KVSQL_MAX_ITEMS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, expr->span,
                            "the statement has more than %d aggregates", KVSQL_MAX_ITEMS);
  if (number == self->n_calls)
    {
      if (!check_call (expr, function, self->over_tuples, error)
          || !bind_arguments (self, expr, &aggregate, error))
        return FALSE;
      self->calls[number] = expr;
      self->aggregates[number] = aggregate;
      self->n_calls++;
    }
  *out = kvsql_expr_column (arena, self->n_by + number, self->aggregates[number].type,
                            text_of (expr, arena), expr->span);
  return TRUE;
}

/* ---- the hook */

static gboolean
reject_name (const KvsqlGrouping *self, const KvsqlAstExpr *expr, GError **error)
{
  guint attribute;
  const gchar *name;

  if (!kvsql_binder_find_attribute (self->over_tuples, expr, &attribute, error))
    return FALSE;
  name = self->over_tuples->relation->attributes[attribute].name;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span,
                   "attribute \"%s\" must appear in the GROUP BY clause or be used in an aggregate "
                   "function",
                   name);
  return kvsql_error_hint (error,
                           "A group has many tuples: add %s to GROUP BY, or say which of its "
                           "values is meant, as in min(%s).",
                           name, name);
}

static gboolean
resolve (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlExpr **out, GError **error)
{
  KvsqlGrouping *self = binder->resolve_data;
  const KvsqlAggregateFunction *function = aggregate_of (expr);

  *out = NULL;
  if (function != NULL)
    return bind_call (self, expr, function, out, error);
  for (guint i = 0; i < self->n_by; i++)
    if (kvsql_group_is_same (self->by[i], expr, self->over_tuples))
      {
        *out = kvsql_expr_column (binder->arena, i, self->by_exprs[i]->type,
                                  text_of (self->by[i], binder->arena), expr->span);
        return TRUE;
      }
  return expr->kind != KVSQL_AST_NAME || reject_name (self, expr, error);
}

/* ---- grouping expressions */

static gboolean
add_group (KvsqlGrouping *self, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr *bound;

  for (guint i = 0; i < self->n_by; i++)
    if (kvsql_group_is_same (self->by[i], expr, self->over_tuples))
      return TRUE;
  bound = kvsql_expr_bind (self->over_tuples, expr, error);
  if (bound != NULL && (bound->is_untyped || bound->type == KVSQL_TYPE_NULL))
    bound = kvsql_expr_convert (self->over_tuples, bound, KVSQL_TYPE_STRING, error);
  if (bound == NULL)
    return FALSE;
  self->by[self->n_by] = expr;
  self->by_exprs[self->n_by++] = bound;
  return TRUE;
}

static gboolean
groups_by_key (const KvsqlGrouping *self)
{
  const KvsqlRelation *relation = self->over_tuples->relation;
  KvsqlAttributeSet grouped = { 0 };

  for (guint i = 0; i < self->n_by; i++)
    if (self->by_exprs[i]->kind == KVSQL_EXPR_COLUMN)
      kvsql_attribute_set_add (&grouped, self->by_exprs[i]->column);
  return relation != NULL && kvsql_attribute_set_contains (&grouped, &relation->keys);
}

/* An upper bound of the number of names, aggregates and their arguments in a tree. */
static guint
count_nodes (const KvsqlAstExpr *expr)
{
  guint n = expr->kind == KVSQL_AST_NAME;

  if (aggregate_of (expr) != NULL)
    n = 1 + expr->n_children;

  for (guint i = 0; i < expr->n_children && kvsql_interrupt_tick (); i++)
    n += count_nodes (expr->children[i]);
  return n;
}

static gboolean
add_names (KvsqlGrouping *self, const KvsqlAstExpr *expr, GError **error)
{
  if (aggregate_of (expr) != NULL)
    return TRUE;
  if (expr->kind == KVSQL_AST_NAME)
    return add_group (self, expr, error);
  for (guint i = 0; i < expr->n_children && kvsql_interrupt_tick (); i++)
    if (!add_names (self, expr->children[i], error))
      return FALSE;
  return TRUE;
}

KvsqlGrouping *
kvsql_grouping_new (const KvsqlBinder *binder, const KvsqlAstExpr *const *by, guint n_by,
                    const KvsqlAstExpr *const *uses, guint n_uses, GError **error)
{
  KvsqlGrouping *self = kvsql_arena_new0 (binder->arena, KvsqlGrouping);
  guint most = n_by + 1;

  for (guint i = 0; i < n_uses; i++)
    most += count_nodes (uses[i]);
  self->over_tuples = binder;
  self->over_groups = *binder;
  self->over_groups.resolve = resolve;
  self->over_groups.resolve_data = self;
  self->by = kvsql_arena_array (binder->arena, const KvsqlAstExpr *, most);
  self->by_exprs = kvsql_arena_array (binder->arena, KvsqlExpr *, most);
  self->calls = kvsql_arena_array (binder->arena, const KvsqlAstExpr *, most);
  self->aggregates = kvsql_arena_array (binder->arena, KvsqlAggregate, most);
  self->arguments = kvsql_arena_array (binder->arena, KvsqlExpr *, most);
  for (guint i = 0; i < n_by; i++)
    if (!add_group (self, by[i], error))
      return NULL;
  /* if the KEY is grouped by, each group is one tuple, so all attributes are allowed */
  for (guint i = 0; i < n_uses && groups_by_key (self); i++)
    if (!add_names (self, uses[i], error))
      return NULL;
  return self;
}

const KvsqlBinder *
kvsql_grouping_get_binder (const KvsqlGrouping *self)
{
  return &self->over_groups;
}

KvsqlGroups *
kvsql_grouping_finish (KvsqlGrouping *self, KvsqlExpr *having)
{
  KvsqlArena *arena = self->over_tuples->arena;
  KvsqlGroups *groups = kvsql_arena_new0 (arena, KvsqlGroups);

  for (guint i = 0; i < self->n_calls; i++) /* the inputs are the groups, then the arguments */
    g_assert (self->aggregates[i].column == KVSQL_NO_COLUMN
              || (self->aggregates[i].column >= self->n_by
                  && self->aggregates[i].column < self->n_by + self->n_arguments));
  groups->n_groups = self->n_by;
  groups->n_inputs = self->n_by + self->n_arguments;
  groups->inputs = kvsql_arena_array (arena, KvsqlExpr *, groups->n_inputs + 1);
  memcpy (groups->inputs, self->by_exprs, self->n_by * sizeof (KvsqlExpr *));
  memcpy (groups->inputs + self->n_by, self->arguments, self->n_arguments * sizeof (KvsqlExpr *));
  groups->aggregates = self->aggregates;
  groups->n_aggregates = self->n_calls;
  groups->texts = kvsql_arena_array (arena, const gchar *, self->n_calls + 1);
  for (guint i = 0; i < self->n_calls; i++)
    groups->texts[i] = text_of (self->calls[i], arena);
  groups->having = having;
  return groups;
}
