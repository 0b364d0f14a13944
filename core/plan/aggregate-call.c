/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * aggregate-call.c: checks a call of an aggregate, and binds its arguments, ORDER BY and FILTER.
 */
#include "config.h"

#include "core/plan/aggregate-call.h"
#include "core/expr/cast.h"

#include "core/plan/same-expression.h"

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

  for (guint i = 0; expr->is_distinct && i < expr->n_order; i++)
    {
      gboolean found = FALSE;

      for (guint k = 0; k < n && !found; k++)
        found = kvsql_group_is_same (expr->children[k], expr->children[n + i], binder);
      if (!found)
        return kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->children[n + i]->span,
                                "in an aggregate with DISTINCT, ORDER BY expressions must appear "
                                "in argument list")
               || kvsql_error_sqlstate (error, "42P10");
    }
  return TRUE;
}

static gboolean
check_arguments (const KvsqlAstExpr *expr, const KvsqlAggregateFunction *function,
                 const KvsqlBinder *binder, GError **error)
{
  const gchar *name = kvsql_aggregate_get_name (function);
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
  return check_order (expr, function, error) && check_distinct (expr, binder, error);
}

static KvsqlExpr *
bind_value (const KvsqlAggregateInputs *self, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr *value = kvsql_expr_bind (self->binder, expr, error);

  /* the literal has no other context that gives it a type, so it is a text */
  if (value != NULL && value->is_untyped && value->type != KVSQL_TYPE_NULL)
    value = kvsql_expr_convert (self->binder, value, KVSQL_TYPE_STRING, error);
  return value;
}

/* Binds an argument of an aggregate. @wanted: NULL: the type that the aggregate converts it to */
static gboolean
bind_argument (const KvsqlAggregateInputs *self, const KvsqlAstExpr *expr,
               const KvsqlAggregateFunction *function, KvsqlType wanted, guint *out_column,
               KvsqlType *out_type, KvsqlTypeLimit *out_shown, GError **error)
{
  KvsqlExpr *argument = bind_value (self, expr, error);

  if (argument == NULL)
    return FALSE;
  if (wanted == KVSQL_TYPE_NULL || kvsql_aggregate_pairs_any (function))
    wanted = kvsql_aggregate_get_wanted (function, argument->type);
  if (wanted != argument->type)
    {
      argument = kvsql_expr_convert (self->binder, argument, wanted, error);
      if (argument == NULL)
        return FALSE;
    }
  *out_type = argument->type;
  *out_shown = kvsql_type_limit_shown_of (&argument->limit);
  *out_column = self->add (argument, self->data);
  return TRUE;
}

/* The part of a percentile is a constant between 0 and 1. */
static gboolean
bind_fraction (const KvsqlAggregateInputs *self, const KvsqlAstExpr *expr,
               KvsqlAggregate *aggregate, GError **error)
{
  KvsqlExpr *fraction = kvsql_expr_bind (self->binder, expr, error);

  if (fraction != NULL)
    fraction = kvsql_expr_convert (self->binder, fraction, KVSQL_TYPE_DOUBLE, error);
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
                          "percentile value %g is not between 0 and 1", fraction->value.real)
         || kvsql_error_sqlstate (error, "22003");
}

/* Binds ORDER BY. Where the result has no order, it is only checked. */
static gboolean
bind_order (const KvsqlAggregateInputs *self, const KvsqlAstExpr *expr, KvsqlAggregate *aggregate,
            GError **error)
{
  guint first = kvsql_ast_get_n_arguments (expr);
  KvsqlAggregateOrder *order
      = kvsql_arena_array (self->binder->arena, KvsqlAggregateOrder, expr->n_order + 1);

  for (guint i = 0; i < expr->n_order; i++)
    {
      KvsqlExpr *value = bind_value (self, expr->children[first + i], error);
      if (value == NULL
          || !kvsql_cast_check_comparable (value->type, TRUE, expr->children[first + i]->span,
                                           error))
        return FALSE;
      if (!kvsql_aggregate_has_order (aggregate->function))
        continue;
      order[i] = (KvsqlAggregateOrder){ .column = self->add (value, self->data),
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
bind_filter (const KvsqlAggregateInputs *self, const KvsqlAstExpr *expr, KvsqlAggregate *aggregate,
             GError **error)
{
  KvsqlExpr *condition;

  if (!expr->has_filter)
    return TRUE;
  condition = kvsql_expr_bind_boolean (self->binder, kvsql_ast_get_filter (expr), "FILTER", error);
  if (condition == NULL)
    return FALSE;
  aggregate->has_filter = TRUE;
  aggregate->filter = self->add (condition, self->data);
  return TRUE;
}

gboolean
kvsql_aggregate_call_bind (const KvsqlAggregateInputs *self, const KvsqlAstExpr *expr,
                           KvsqlAggregate *aggregate, GError **error)
{
  const KvsqlAggregateFunction *function = kvsql_aggregate_find (expr->name.text);
  gboolean is_ordered_set = kvsql_aggregate_is_ordered_set (function);
  guint n = kvsql_ast_get_n_arguments (expr);
  KvsqlTypeLimit shown = { 0 };
  KvsqlType second;

  *aggregate = (KvsqlAggregate){
    .function = function,
    .column = KVSQL_NO_COLUMN,
    .is_distinct = expr->is_distinct && kvsql_aggregate_counts_duplicates (function),
  };
  if (!check_arguments (expr, function, self->binder, error))
    return FALSE;
  if (!expr->is_star
      && !bind_argument (self, expr->children[is_ordered_set ? n : 0], function, KVSQL_TYPE_NULL,
                         &aggregate->column, &aggregate->argument, &shown, error))
    return FALSE;
  if (!kvsql_aggregate_get_type (function, aggregate->argument, expr->span, &aggregate->type,
                                 error))
    return FALSE;
  if (aggregate->type == aggregate->argument && kvsql_aggregate_keeps_form (function))
    aggregate->shown = shown;
  if (expr->is_star)
    return bind_filter (self, expr, aggregate, error);
  if ((aggregate->is_distinct || is_ordered_set)
      && !kvsql_cast_check_comparable (aggregate->argument, is_ordered_set, expr->span, error))
    return FALSE;
  if (is_ordered_set)
    {
      aggregate->is_descending = expr->order[0].is_descending;
      return (n == 0 || bind_fraction (self, expr->children[0], aggregate, error))
             && bind_filter (self, expr, aggregate, error);
    }
  aggregate->has_second = n > 1;
  return (n == 1
          || bind_argument (self, expr->children[1], function, aggregate->argument,
                            &aggregate->second, &second, &shown, error))
         && bind_order (self, expr, aggregate, error) && bind_filter (self, expr, aggregate, error);
}
