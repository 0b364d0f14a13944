/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * function-plan.c: see the header.
 */
#include "config.h"

#include "core/plan/function-plan.h"

#include "core/base/collection.h"
#include "core/base/decimal.h"
#include "core/expr/series.h"

/* PostgreSQL's, if nothing is known. */
#define ROWS_OF_SERIES 1000
#define ROWS_OF_LIST 10

/* ---- arguments */

static gboolean
bind_arguments (KvsqlFunctionPlan *self, const KvsqlSelect *select, const KvsqlBinder *binder,
                GError **error)
{
  self->n_arguments = select->n_values;
  self->arguments = kvsql_arena_array (binder->arena, KvsqlExpr *, self->n_arguments);
  for (guint i = 0; i < self->n_arguments; i++)
    {
      const KvsqlAstExpr *expr = select->rows[0][i];

      if (!kvsql_group_reject_aggregates (expr, "a function in FROM", error))
        return FALSE;
      self->arguments[i] = kvsql_expr_bind (binder, expr, error);
      if (self->arguments[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

/* ---- generate_series */

static gboolean
fail_series (const KvsqlName *name, KvsqlType type, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_TYPE, name->span, "generate_series does not count %s",
                   kvsql_type_get_name (type));
  kvsql_error_sqlstate (error, "42883");
  if (type == KVSQL_TYPE_DATE || type == KVSQL_TYPE_TIMESTAMP)
    return kvsql_error_hint (error, "A series of times has a step: INTERVAL '1 day'.");
  return kvsql_error_hint (error, "It counts INT, BIGINT and DECIMAL, and TIMESTAMP with a step "
                                  "of INTERVAL.");
}

static gboolean
is_day_or_time (const KvsqlExpr *expr)
{
  return expr->type == KVSQL_TYPE_DATE || expr->type == KVSQL_TYPE_TIMESTAMP;
}

static gboolean
has_no_type (const KvsqlExpr *expr)
{
  return expr->type == KVSQL_TYPE_NULL || expr->is_untyped;
}

/* Whether it is a series of times: its step is an INTERVAL, or a literal of a series of times. */
static gboolean
counts_times (const KvsqlFunctionPlan *self)
{
  const KvsqlExpr *step = self->n_arguments == 3 ? self->arguments[2] : NULL;

  return step != NULL
         && (step->type == KVSQL_TYPE_INTERVAL
             || (has_no_type (step)
                 && (is_day_or_time (self->arguments[0]) || is_day_or_time (self->arguments[1]))));
}

static gboolean
bind_times (KvsqlFunctionPlan *self, const KvsqlName *name, const KvsqlBinder *binder,
            GError **error)
{
  for (guint i = 0; i < 3; i++)
    {
      KvsqlType type = i < 2 ? KVSQL_TYPE_TIMESTAMP : KVSQL_TYPE_INTERVAL;

      if (i < 2 && !is_day_or_time (self->arguments[i]) && !has_no_type (self->arguments[i]))
        return fail_series (name, self->arguments[i]->type, error);
      self->arguments[i] = kvsql_expr_convert (binder, self->arguments[i], type, error);
      if (self->arguments[i] == NULL)
        return FALSE;
    }
  self->series = kvsql_series_find (KVSQL_TYPE_TIMESTAMP, KVSQL_TYPE_INTERVAL);
  return TRUE;
}

static gboolean
bind_series (KvsqlFunctionPlan *self, const KvsqlName *name, const KvsqlBinder *binder,
             KvsqlType *types, GError **error)
{
  guint n = 2; /* of one type; a step may have another one */
  KvsqlType type;

  if (self->n_arguments != 2 && self->n_arguments != 3)
    return kvsql_error_set (error, KVSQL_ERROR_TYPE, name->span,
                            "generate_series takes a start, an end and perhaps a step")
           || kvsql_error_hint (error, "Write generate_series (1, 10) or generate_series (1, 10, "
                                       "3).");
  if (counts_times (self))
    {
      types[0] = KVSQL_TYPE_TIMESTAMP;
      return bind_times (self, name, binder, error);
    }
  if (!kvsql_expr_unify (binder, self->arguments, n, "generate_series", &type, error))
    return FALSE;
  if (self->n_arguments == 3 && kvsql_series_find (type, self->arguments[2]->type) == NULL)
    n = 3;
  if (n == 3 && !kvsql_expr_unify (binder, self->arguments, n, "generate_series", &type, error))
    return FALSE;
  /* NULLs, or literals without a type */
  for (guint i = 0; (type == KVSQL_TYPE_NULL || type == KVSQL_TYPE_STRING) && i < n; i++)
    {
      if (self->arguments[i]->type == KVSQL_TYPE_STRING && !self->arguments[i]->is_untyped)
        return fail_series (name, type, error);
      self->arguments[i]
          = kvsql_expr_convert (binder, self->arguments[i], KVSQL_TYPE_BIGINT, error);
      if (self->arguments[i] == NULL)
        return FALSE;
    }
  if (type == KVSQL_TYPE_NULL || type == KVSQL_TYPE_STRING)
    type = KVSQL_TYPE_BIGINT;
  self->series = kvsql_series_find (type, self->n_arguments == 3 ? self->arguments[2]->type
                                                                 : KVSQL_TYPE_NULL);
  types[0] = type;
  return self->series != NULL || fail_series (name, type, error);
}

/* ---- unnest */

static gboolean
bind_unnest (KvsqlFunctionPlan *self, const KvsqlSelect *select, const KvsqlBinder *binder,
             KvsqlType *types, GError **error)
{
  for (guint i = 0; i < self->n_arguments; i++)
    {
      KvsqlExpr *list = self->arguments[i];

      if (!kvsql_type_is_list (list->type))
        return kvsql_error_set (error, KVSQL_ERROR_TYPE, select->rows[0][i]->span,
                                "unnest takes lists, not %s", kvsql_type_get_name (list->type))
               || kvsql_error_hint (error,
                                    "Write unnest (ARRAY[1, 2]), or CAST a text to LIST<T>.");
      types[i] = kvsql_type_get_element (list->type);
    }
  return TRUE;
}

/* ---- estimates */

static gdouble
to_double (const KvsqlValue *value)
{
  return value->type == KVSQL_TYPE_DECIMAL ? kvsql_decimal_to_double (value->bytes)
                                           : (gdouble)value->integer;
}

static gboolean
is_known (const KvsqlExpr *expr)
{
  return kvsql_expr_is_constant (expr) && !kvsql_value_is_null (&expr->value);
}

static gdouble
estimate_rows (const KvsqlFunctionPlan *self)
{
  gdouble step = 1, rows = 0;

  if (self->series == NULL)
    {
      for (guint i = 0; i < self->n_arguments; i++)
        {
          const KvsqlExpr *list = self->arguments[i];

          rows = MAX (rows, is_known (list)
                                ? (gdouble)kvsql_collection_get_size (list->type, list->value.bytes)
                                : ROWS_OF_LIST);
        }
      return rows;
    }
  for (guint i = 0; i < self->n_arguments; i++)
    if (!is_known (self->arguments[i]) || self->arguments[i]->type != self->arguments[0]->type)
      return ROWS_OF_SERIES;
  if (self->n_arguments == 3)
    step = to_double (&self->arguments[2]->value);
  if (step == 0)
    return 0;
  rows = (to_double (&self->arguments[1]->value) - to_double (&self->arguments[0]->value)) / step;
  return CLAMP (rows + 1, 0, 1e18);
}

/* ---- columns */

static void
set_column (KvsqlRelation *relation, guint i, const gchar *name, KvsqlType type,
            gboolean is_not_null)
{
  relation->attributes[i] = (KvsqlAttribute){
    .name = name, .name_hash = kvsql_name_hash (name), .type = type, .is_not_null = is_not_null
  };
}

static KvsqlRelation *
make_relation (const KvsqlFunctionPlan *self, const KvsqlType *types, KvsqlArena *arena)
{
  KvsqlRelation *relation = kvsql_arena_new0 (arena, KvsqlRelation);

  relation->name = self->name;
  relation->is_derived = TRUE;
  relation->n_attributes = self->n_columns + (self->has_ordinality ? 1 : 0);
  relation->attributes = kvsql_arena_array (arena, KvsqlAttribute, relation->n_attributes);
  for (guint i = 0; i < self->n_columns; i++)
    set_column (relation, i, self->name, types[i], self->series != NULL);
  if (self->has_ordinality)
    set_column (relation, self->n_columns, "ordinality", KVSQL_TYPE_BIGINT, TRUE);
  return relation;
}

static gboolean
fail_unknown (const KvsqlName *name, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span,
                   "there is no function \"%s\" that gives rows", name->text);
  kvsql_error_sqlstate (error, "42883");
  return kvsql_error_hint (error, "FROM takes generate_series and unnest. Other functions give one "
                                  "value: FROM (SELECT f (x)) AS x.");
}

gboolean
kvsql_function_plan_bind (KvsqlSelectPlan *self, const KvsqlSelect *select, KvsqlBinder *binder,
                          GError **error)
{
  KvsqlFunctionPlan *function = kvsql_arena_new0 (binder->arena, KvsqlFunctionPlan);
  const KvsqlName *name = &select->function->name;
  KvsqlType *types = kvsql_arena_array (binder->arena, KvsqlType, select->n_values + 1);
  gboolean is_series = kvsql_name_means (name, "generate_series", FALSE);

  if (!is_series && !kvsql_name_means (name, "unnest", FALSE))
    return fail_unknown (name, error);
  function->name = is_series ? "generate_series" : "unnest";
  function->has_ordinality = select->function->has_ordinality;
  if (!bind_arguments (function, select, binder, error)
      || !(is_series ? bind_series (function, name, binder, types, error)
                     : bind_unnest (function, select, binder, types, error)))
    return FALSE;
  function->n_columns = is_series ? 1 : function->n_arguments;
  if (function->n_columns >= KVSQL_MAX_ATTRIBUTES)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, name->span, "unnest has more than %d columns",
                            KVSQL_MAX_ATTRIBUTES);
  function->types = types;
  types[function->n_columns] = KVSQL_TYPE_BIGINT;
  function->rows = estimate_rows (function);
  self->function = function;
  self->relation = binder->relation = make_relation (function, types, binder->arena);
  return TRUE;
}
