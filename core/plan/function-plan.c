/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * function-plan.c: see the header.
 */
#include "config.h"

#include "core/plan/function-plan.h"

#include "core/base/collection.h"
#include "core/base/decimal.h"
#include "core/expr/series.h"
#include "core/plan/function-columns.h"

/* PostgreSQL's, if nothing is known. */
#define ROWS_OF_SERIES 1000
#define ROWS_OF_LIST 10
#define ROWS_OF_FUNCTION 100

/* ---- arguments */

static gboolean
reject_aggregates (const KvsqlSelect *select, GError **error)
{
  for (guint i = 0; i < select->n_values; i++)
    if (!kvsql_group_reject_aggregates (select->rows[0][i], "a function in FROM", error))
      return FALSE;
  return TRUE;
}

static gboolean
bind_arguments (KvsqlFunctionPlan *self, const KvsqlSelect *select, const KvsqlBinder *binder,
                GError **error)
{
  self->n_arguments = select->n_values;
  self->arguments = kvsql_arena_array (binder->arena, KvsqlExpr *, self->n_arguments);
  for (guint i = 0; i < self->n_arguments; i++)
    {
      self->arguments[i] = kvsql_expr_bind (binder, select->rows[0][i], error);
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
bind_series (KvsqlFunctionPlan *self, const KvsqlSelect *select, const KvsqlBinder *binder,
             KvsqlType *types, GError **error)
{
  const KvsqlName *name = &select->function->name;
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

/* ---- lists */

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
               || kvsql_error_sqlstate (error, "42883")
               || kvsql_error_hint (error,
                                    "Write unnest (ARRAY[1, 2]), or CAST a text to LIST<T>.");
      types[i] = kvsql_type_get_element (list->type);
    }
  return TRUE;
}

/* The rows are the elements of the list that a function of expressions makes of the arguments. */
static gboolean
bind_list (KvsqlFunctionPlan *self, const KvsqlSelect *select, const gchar *maker,
           const KvsqlBinder *binder, KvsqlType *types, GError **error)
{
  const KvsqlName *name = &select->function->name;
  KvsqlAstExpr *call = kvsql_arena_new0 (binder->arena, KvsqlAstExpr);
  KvsqlExpr **list = kvsql_arena_array (binder->arena, KvsqlExpr *, 1);

  call->kind = KVSQL_AST_FUNCTION;
  call->span = call->op_span = name->span;
  call->name = (KvsqlName){ .text = maker, .span = name->span };
  call->children = select->rows[0];
  call->n_children = select->n_values;
  list[0] = kvsql_expr_bind (binder, call, error);
  if (list[0] == NULL)
    return FALSE;
  self->arguments = list;
  self->n_arguments = 1;
  types[0] = kvsql_type_get_element (list[0]->type);
  return TRUE;
}

/* ---- functions of the table */

static gboolean
fail_arguments (const KvsqlRowFunction *function, const KvsqlName *name, GError **error)
{
  guint most = kvsql_row_function_get_max_arguments (function);

  if (function->n_required == most)
    kvsql_error_set (error, KVSQL_ERROR_TYPE, name->span, "%s takes %u argument%s", function->name,
                     most, most == 1 ? "" : "s");
  else
    kvsql_error_set (error, KVSQL_ERROR_TYPE, name->span, "%s takes %u or %u arguments",
                     function->name, function->n_required, most);
  return kvsql_error_sqlstate (error, "42883");
}

static gboolean
fail_argument (const KvsqlRowFunction *function, guint i, const KvsqlExpr *argument, GError **error)
{
  gboolean is_list = function->arguments[i] == KVSQL_TYPE_LIST;
  const gchar *type = is_list ? "a list" : kvsql_type_get_name (function->arguments[i]);

  kvsql_error_set (error, KVSQL_ERROR_TYPE, argument->span, "%s takes %s, not %s", function->name,
                   type, kvsql_type_get_name (argument->type));
  kvsql_error_sqlstate (error, "42883");
  return kvsql_error_hint (error, "Write CAST (x AS %s).", is_list ? "LIST<T>" : type);
}

/* A literal without a type becomes what is wanted. */
static gboolean
bind_row_function (KvsqlFunctionPlan *self, const KvsqlName *name, const KvsqlBinder *binder,
                   KvsqlType *types, GError **error)
{
  const KvsqlRowFunction *function = self->row_function;

  if (self->n_arguments < function->n_required
      || self->n_arguments > kvsql_row_function_get_max_arguments (function))
    return fail_arguments (function, name, error);
  for (guint i = 0; i < self->n_arguments; i++)
    {
      KvsqlExpr *argument = self->arguments[i];
      KvsqlType type = function->arguments[i];

      if (type == KVSQL_TYPE_LIST && kvsql_type_is_list (argument->type))
        continue;
      if (type == KVSQL_TYPE_LIST || (argument->type != type && !has_no_type (argument)))
        return fail_argument (function, i, argument, error);
      self->arguments[i] = kvsql_expr_convert (binder, argument, type, error);
      if (self->arguments[i] == NULL)
        return FALSE;
    }
  for (guint i = 0; i < function->n_columns; i++)
    types[i] = function->columns[i].type;
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

  if (self->row_function != NULL)
    return ROWS_OF_FUNCTION;
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

static KvsqlAttribute
make_column (const gchar *name, gboolean is_quoted, KvsqlType type, gboolean is_not_null)
{
  return (KvsqlAttribute){ .name = name,
                           .name_hash = kvsql_name_hash (name),
                           .is_quoted = is_quoted,
                           .type = type,
                           .is_not_null = is_not_null };
}

static KvsqlRelation *
make_relation (const KvsqlFunctionPlan *self, const KvsqlSelect *select, KvsqlArena *arena)
{
  KvsqlRelation *relation = kvsql_arena_new0 (arena, KvsqlRelation);

  relation->name = self->name;
  relation->is_derived = TRUE;
  relation->n_attributes = self->n_columns + (self->has_ordinality ? 1 : 0);
  relation->attributes = kvsql_arena_array (arena, KvsqlAttribute, relation->n_attributes);
  for (guint i = 0; i < self->n_columns; i++)
    {
      gboolean is_not_null = self->row_function != NULL ? self->row_function->columns[i].is_not_null
                                                        : self->series != NULL;
      gboolean is_quoted;
      const gchar *name = kvsql_function_columns_get (select, i, &is_quoted);

      relation->attributes[i] = make_column (name, is_quoted, self->types[i], is_not_null);
    }
  if (self->has_ordinality)
    relation->attributes[self->n_columns]
        = make_column ("ordinality", FALSE, KVSQL_TYPE_BIGINT, TRUE);
  return relation;
}

/* ---- by name */

typedef struct
{
  const gchar *name;
  gboolean (*bind) (KvsqlFunctionPlan *self, const KvsqlSelect *select, const KvsqlBinder *binder,
                    KvsqlType *types, GError **error);
  const gchar *list; /* the function that makes a list of the same values */
} Kind;

static const Kind kinds[] = {
  { "generate_series", bind_series, NULL },
  { "unnest", bind_unnest, NULL },
  { "string_to_table", NULL, "string_to_array" },
  { "regexp_split_to_table", NULL, "regexp_split_to_array" },
};

gboolean
kvsql_function_plan_knows (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_ascii_strcasecmp (kinds[i].name, name) == 0)
      return TRUE;
  return kvsql_row_function_find (name) != NULL;
}

static gboolean
fail_unknown (const KvsqlName *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const KvsqlRowFunction *function;
  const gchar *similar;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_ptr_array_add (names, (gpointer)kinds[i].name);
  for (guint i = 0; (function = kvsql_row_function_get (i)) != NULL; i++)
    g_ptr_array_add (names, (gpointer)function->name);
  similar = kvsql_suggest (name->text, (const gchar *const *)names->pdata, names->len);
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span,
                   "there is no function \"%s\" that gives rows", name->text);
  kvsql_error_sqlstate (error, "42883");
  if (similar != NULL)
    return kvsql_error_hint (error, "Did you mean %s?", similar);
  return kvsql_error_hint (error, "FROM takes generate_series, unnest, json_each and the like. "
                                  "Other functions give one value: FROM (SELECT f (x)) AS x.");
}

static gboolean
bind_kind (KvsqlFunctionPlan *self, const KvsqlSelect *select, const KvsqlBinder *binder,
           KvsqlType *types, GError **error)
{
  const KvsqlName *name = &select->function->name;

  self->row_function = kvsql_row_function_find (name->text);
  if (self->row_function != NULL)
    {
      self->name = self->row_function->name;
      return bind_arguments (self, select, binder, error)
             && bind_row_function (self, name, binder, types, error);
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kvsql_name_means (name, kinds[i].name, FALSE))
      {
        self->name = kinds[i].name;
        if (kinds[i].list != NULL)
          return bind_list (self, select, kinds[i].list, binder, types, error);
        return bind_arguments (self, select, binder, error)
               && kinds[i].bind (self, select, binder, types, error);
      }
  return fail_unknown (name, error);
}

gboolean
kvsql_function_plan_bind (KvsqlSelectPlan *self, const KvsqlSelect *select, KvsqlBinder *binder,
                          GError **error)
{
  KvsqlFunctionPlan *function = kvsql_arena_new0 (binder->arena, KvsqlFunctionPlan);
  guint n_columns = kvsql_function_columns_count (select);

  if (n_columns >= KVSQL_MAX_ATTRIBUTES)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, select->function->name.span,
                            "unnest has more than %d columns", KVSQL_MAX_ATTRIBUTES);
  function->n_columns = n_columns;
  function->types = kvsql_arena_array (binder->arena, KvsqlType, n_columns + 1);
  function->types[n_columns] = KVSQL_TYPE_BIGINT;
  function->has_ordinality = select->function->has_ordinality;
  if (!reject_aggregates (select, error)
      || !bind_kind (function, select, binder, function->types, error))
    return FALSE;
  function->rows = estimate_rows (function);
  self->function = function;
  self->relation = binder->relation = make_relation (function, select, binder->arena);
  return TRUE;
}
