/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-special.c: forms with the syntax of a function and rules of their own: their arguments have
 * one type, or are not all computed, or they are the time of the statement.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/expr/bind-private.h"
#include "core/expr/cast.h"

typedef KvsqlExpr *(*Special) (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error);

static KvsqlExpr *
wrong_count (const KvsqlAstExpr *expr, const gchar *wanted, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_TYPE, expr->span, "%s takes %s, not %u", expr->name.text,
                   wanted, expr->n_children);
  kvsql_error_sqlstate (error, "42883");
  return NULL;
}

static KvsqlExpr *
of_one_type (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlExprKind kind,
             gboolean is_lazy, GError **error)
{
  KvsqlExpr *self, **arguments;
  g_autofree gchar *name = g_ascii_strup (expr->name.text, -1);

  if (expr->n_children == 0)
    return wrong_count (expr, "one argument or more", error);
  arguments = kvsql_expr_bind_children (binder, expr, 0, is_lazy, error);
  if (arguments == NULL)
    return NULL;
  self = kvsql_expr_new (binder, kind, KVSQL_TYPE_NULL, expr->span, 0);
  self->children = arguments;
  self->n_children = expr->n_children;
  if (!kvsql_expr_unify (binder, arguments, expr->n_children, name, &self->type, error))
    return NULL;
  return self;
}

static KvsqlExpr *
bind_coalesce (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr *self = of_one_type (binder, expr, KVSQL_EXPR_COALESCE, TRUE, error);

  if (self != NULL && self->type == KVSQL_TYPE_NULL)
    return kvsql_expr_null (binder, expr->span);
  /* leading constants decide the result, or are NULL and dropped */
  while (self != NULL && self->n_children > 1 && kvsql_expr_is_constant (self->children[0])
         && kvsql_value_is_null (&self->children[0]->value))
    {
      self->children++;
      self->n_children--;
    }
  if (self != NULL && (self->n_children == 1 || kvsql_expr_is_constant (self->children[0])))
    return kvsql_expr_fold (binder, self->children[0], error);
  return self;
}

static KvsqlExpr *
bind_minmax (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlOperator op, GError **error)
{
  KvsqlExpr *self = of_one_type (binder, expr, KVSQL_EXPR_MINMAX, FALSE, error);

  if (self == NULL)
    return NULL;
  if (self->type == KVSQL_TYPE_NULL)
    return kvsql_expr_null (binder, expr->span);
  if (!kvsql_cast_check_comparable (self->type, TRUE, expr->span, error))
    return NULL;
  self->op = op;
  return kvsql_expr_fold (binder, self, error);
}

static KvsqlExpr *
bind_greatest (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  return bind_minmax (binder, expr, KVSQL_OP_GT, error);
}

static KvsqlExpr *
bind_least (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  return bind_minmax (binder, expr, KVSQL_OP_LT, error);
}

/* nullif (a, b) is CASE WHEN a = b THEN NULL ELSE a END, and has the type of a. */
static KvsqlExpr *
bind_nullif (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr **arguments, *self, *equal;

  if (expr->n_children != 2)
    return wrong_count (expr, "two arguments", error);
  arguments = kvsql_expr_bind_children (binder, expr, 0, FALSE, error);
  if (arguments == NULL)
    return NULL;
  arguments[0] = kvsql_expr_default_to_string (binder, arguments[0]);
  equal = kvsql_expr_compare (binder, KVSQL_OP_EQ, arguments[0], arguments[1], expr->span,
                              expr->span, error);
  if (equal == NULL)
    return NULL;
  /* nullif (NULL, b) is a NULL of b's type */
  if (arguments[0]->type == KVSQL_TYPE_NULL)
    arguments[0]->type = kvsql_expr_default_to_string (binder, arguments[1])->type;
  self = kvsql_expr_new (binder, KVSQL_EXPR_CASE, arguments[0]->type, expr->span, 3);
  self->children[0] = equal;
  self->children[1] = kvsql_expr_null (binder, expr->span);
  self->children[1]->type = self->type;
  self->children[2] = arguments[0];
  return kvsql_expr_fold (binder, self, error);
}

/* coalesce (CAST (argument AS STRING), '') */
static KvsqlExpr *
text_or_empty (const KvsqlBinder *binder, KvsqlExpr *argument, KvsqlSpan span, GError **error)
{
  KvsqlExpr *self = kvsql_expr_new (binder, KVSQL_EXPR_COALESCE, KVSQL_TYPE_STRING, span, 2);
  KvsqlValue empty = { .type = KVSQL_TYPE_STRING };

  self->children[0] = kvsql_expr_coerce (binder, argument, KVSQL_TYPE_STRING, error);
  self->children[1] = kvsql_expr_constant (binder->arena, &empty, span);
  return self->children[0] == NULL ? NULL : kvsql_expr_fold (binder, self, error);
}

/* concat (…): the texts of all arguments that are not NULL. Neighbours are joined first: the tree
 * is low for many arguments, and no text is copied more often than it is high. */
static KvsqlExpr *
bind_concat (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr **parts = kvsql_expr_bind_children (binder, expr, 0, FALSE, error);
  KvsqlValue empty = { .type = KVSQL_TYPE_STRING };
  guint n = expr->n_children;

  if (parts == NULL)
    return NULL;
  if (n == 0)
    return kvsql_expr_constant (binder->arena, &empty, expr->span);
  for (guint i = 0; i < n; i++)
    if ((parts[i] = text_or_empty (binder, parts[i], expr->children[i]->span, error)) == NULL)
      return NULL;
  for (; n > 1; n = (n + 1) / 2)
    for (guint i = 0; i < n; i += 2)
      {
        KvsqlExpr *joined = parts[i];

        if (i + 1 < n)
          joined = kvsql_expr_call (binder, "||", parts + i, 2, expr->span, expr->span, error);
        if (joined == NULL || !kvsql_interrupt_poll (error))
          return NULL;
        parts[i / 2] = joined;
      }
  return parts[0];
}

/* Arguments from @first on as a LIST of their texts. */
static KvsqlExpr *
texts_of (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlExpr **arguments, guint first,
          GError **error)
{
  guint n = expr->n_children - first;
  KvsqlExpr *self = kvsql_expr_new (binder, KVSQL_EXPR_LIST, KVSQL_TYPE_LIST, expr->span, n);

  for (guint i = 0; i < n; i++)
    {
      self->children[i]
          = kvsql_expr_coerce (binder, arguments[first + i], KVSQL_TYPE_STRING, error);
      if (self->children[i] == NULL || !kvsql_interrupt_poll (error))
        return NULL;
    }
  return kvsql_expr_fold (binder, self, error);
}

/* name (first, LIST of the texts of the others) */
static KvsqlExpr *
call_with_texts (const KvsqlBinder *binder, const KvsqlAstExpr *expr, const gchar *name,
                 gboolean is_list_first, GError **error)
{
  KvsqlExpr **arguments = kvsql_expr_bind_children (binder, expr, 0, FALSE, error), *pair[2];

  if (arguments == NULL)
    return NULL;
  pair[is_list_first] = arguments[0];
  pair[!is_list_first] = texts_of (binder, expr, arguments, 1, error);
  if (pair[!is_list_first] == NULL)
    return NULL;
  return kvsql_expr_call (binder, name, pair, 2, expr->span, expr->name.span, error);
}

/* concat_ws (separator, …): the texts of all arguments that are not NULL. */
static KvsqlExpr *
bind_concat_ws (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  if (expr->n_children < 2)
    return wrong_count (expr, "two arguments or more", error);
  return call_with_texts (binder, expr, "array_to_string", TRUE, error);
}

static KvsqlExpr *
bind_format (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr **arguments;

  if (expr->n_children == 0)
    return wrong_count (expr, "one argument or more", error);
  if (expr->n_children > 1)
    return call_with_texts (binder, expr, "format", FALSE, error);
  arguments = kvsql_expr_bind_children (binder, expr, 0, FALSE, error);
  return arguments == NULL
             ? NULL
             : kvsql_expr_call (binder, "format", arguments, 1, expr->span, expr->name.span, error);
}

/* array_prepend (element, list): the function has the list first, which gives the type. */
static KvsqlExpr *
bind_array_prepend (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr **arguments, *swapped[2];

  if (expr->n_children != 2)
    return wrong_count (expr, "two arguments", error);
  arguments = kvsql_expr_bind_children (binder, expr, 0, FALSE, error);
  if (arguments == NULL)
    return NULL;
  swapped[0] = arguments[1];
  swapped[1] = arguments[0];
  return kvsql_expr_call (binder, "array_prepend", swapped, 2, expr->span, expr->name.span, error);
}

static gint64
now (const KvsqlBinder *binder)
{
  return binder->now != 0 ? binder->now : g_get_real_time () / 1000;
}

static KvsqlExpr *
bind_now (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlValue value = { .type = KVSQL_TYPE_TIMESTAMP, .integer = now (binder) };
  KvsqlExpr *self;

  if (expr->n_children > 0)
    return wrong_count (expr, "no arguments", error);
  self = kvsql_expr_constant (binder->arena, &value, expr->span);
  if (g_ascii_strcasecmp (expr->name.text, "localtimestamp") != 0)
    self->limit = KVSQL_TYPE_LIMIT_ZONE;
  return self;
}

static KvsqlExpr *
bind_current_date (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlValue value = { .type = KVSQL_TYPE_DATE, .integer = now (binder) / KVSQL_MS_PER_DAY };

  if (expr->n_children > 0)
    return wrong_count (expr, "no arguments", error);
  return kvsql_expr_constant (binder->arena, &value, expr->span);
}

/* The time of day now. */
static KvsqlExpr *
bind_local_time (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlValue value = { .type = KVSQL_TYPE_TIME, .integer = now (binder) % KVSQL_MS_PER_DAY };

  if (expr->n_children > 0)
    return wrong_count (expr, "no arguments", error);
  return kvsql_expr_constant (binder->arena, &value, expr->span);
}

static KvsqlExpr *
bind_name (const KvsqlBinder *binder, const KvsqlAstExpr *expr, const gchar *name, GError **error)
{
  KvsqlValue value = { .type = name != NULL ? KVSQL_TYPE_STRING : KVSQL_TYPE_NULL };
  KvsqlExpr *constant;

  if (name != NULL)
    value.bytes = kvsql_slice_from_text (kvsql_arena_strdup (binder->arena, name));
  constant = kvsql_expr_constant (binder->arena, &value, expr->span);
  return name != NULL ? constant : kvsql_expr_convert (binder, constant, KVSQL_TYPE_STRING, error);
}

static KvsqlExpr *
bind_user (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  return bind_name (binder, expr, binder->user, error);
}

static KvsqlExpr *
bind_session_user (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  return bind_name (binder, expr, binder->session_user, error);
}

/* 1 if the argument is NULL, or if it is not. */
static KvsqlExpr *
make_test (const KvsqlBinder *binder, KvsqlExpr *argument, gboolean is_negated, GError **error)
{
  KvsqlExpr *test
      = kvsql_expr_new (binder, KVSQL_EXPR_IS_NULL, KVSQL_TYPE_BOOLEAN, argument->span, 1),
      *cast = kvsql_expr_new (binder, KVSQL_EXPR_CAST, KVSQL_TYPE_INT, argument->span, 1);

  test->is_negated = is_negated;
  test->children[0] = argument;
  cast->children[0] = kvsql_expr_fold (binder, test, error);
  return cast->children[0] == NULL ? NULL : kvsql_expr_fold (binder, cast, error);
}

/* The number of arguments that are NULL, or that are not. Sums are added in pairs, so that many
 * arguments are no deep tree. */
static KvsqlExpr *
count_nulls (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated,
             GError **error)
{
  KvsqlExpr **sums = kvsql_expr_bind_children (binder, expr, 0, FALSE, error);

  if (sums == NULL)
    return NULL;
  if (expr->n_children == 0)
    return wrong_count (expr, "at least one argument", error);
  for (guint i = 0; i < expr->n_children; i++)
    {
      sums[i] = make_test (binder, sums[i], is_negated, error);
      if (sums[i] == NULL)
        return NULL;
    }
  for (guint n = expr->n_children; n > 1; n = (n + 1) / 2)
    for (guint i = 0; i < n; i += 2)
      {
        if (!kvsql_interrupt_poll (error))
          return NULL;
        sums[i / 2] = i + 1 == n ? sums[i]
                                 : kvsql_expr_call (binder, "+", sums + i, 2, expr->span,
                                                    expr->name.span, error);
        if (sums[i / 2] == NULL)
          return NULL;
      }
  return sums[0];
}

static KvsqlExpr *
bind_num_nulls (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  return count_nulls (binder, expr, FALSE, error);
}

static KvsqlExpr *
bind_num_nonnulls (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  return count_nulls (binder, expr, TRUE, error);
}

/* age (t) is the age at the beginning of today. */
static KvsqlExpr *
bind_age (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr **operands = kvsql_expr_bind_children (binder, expr, 0, FALSE, error), *both[2];
  gint64 today = now (binder);
  KvsqlValue value = { .type = KVSQL_TYPE_TIMESTAMP, .integer = today - today % KVSQL_MS_PER_DAY };

  if (operands == NULL)
    return NULL;
  if (expr->n_children != 1)
    return kvsql_expr_call (binder, "age", operands, expr->n_children, expr->span, expr->name.span,
                            error);
  both[0] = kvsql_expr_constant (binder->arena, &value, expr->span);
  both[1] = operands[0];
  return kvsql_expr_call (binder, "age", both, 2, expr->span, expr->name.span, error);
}

/* timezone (z, t): what clocks of the zone show at a TIMESTAMPTZ, or the TIMESTAMPTZ at which they
 * show a TIMESTAMP. A DATE is its begin in UTC, and a TIMESTAMPTZ. */
static KvsqlExpr *
bind_timezone (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr **arguments;
  gboolean is_instant;

  if (expr->n_children != 2)
    return wrong_count (expr, "a zone and a time", error);
  arguments = kvsql_expr_bind_children (binder, expr, 0, FALSE, error);
  if (arguments == NULL)
    return NULL;
  is_instant
      = arguments[1]->limit.kind == KVSQL_LIMIT_ZONE || arguments[1]->type == KVSQL_TYPE_DATE;
  return kvsql_expr_call (binder, is_instant ? "clock_of_zone" : "timezone", arguments, 2,
                          expr->span, expr->name.span, error);
}

static const struct
{
  const gchar *name;
  Special bind;
  gboolean is_of_clock; /* without arguments: the time of the statement */
} specials[] = {
  { "coalesce", bind_coalesce },
  { "ifnull", bind_coalesce },
  { "greatest", bind_greatest },
  { "least", bind_least },
  { "nullif", bind_nullif },
  { "concat", bind_concat },
  { "concat_ws", bind_concat_ws },
  { "format", bind_format },
  { "array_prepend", bind_array_prepend },
  { "to_json", kvsql_expr_bind_to_json },
  { "to_jsonb", kvsql_expr_bind_to_json },
  { "json_build_array", kvsql_expr_bind_json_build },
  { "jsonb_build_array", kvsql_expr_bind_json_build },
  { "json_build_object", kvsql_expr_bind_json_build },
  { "jsonb_build_object", kvsql_expr_bind_json_build },
  { "json_extract_path", kvsql_expr_bind_json_extract },
  { "jsonb_extract_path", kvsql_expr_bind_json_extract },
  { "json_extract_path_text", kvsql_expr_bind_json_extract },
  { "jsonb_extract_path_text", kvsql_expr_bind_json_extract },
  { "now", bind_now, .is_of_clock = TRUE },
  { "statement_timestamp", bind_now, .is_of_clock = TRUE },
  { "transaction_timestamp", bind_now, .is_of_clock = TRUE },
  { "current_timestamp", bind_now, .is_of_clock = TRUE },
  { "current_date", bind_current_date, .is_of_clock = TRUE },
  { "localtimestamp", bind_now, .is_of_clock = TRUE },
  { "localtime", bind_local_time, .is_of_clock = TRUE },
  { "age", bind_age },
  { "timezone", bind_timezone },
  { "num_nulls", bind_num_nulls },
  { "num_nonnulls", bind_num_nonnulls },
  { "current_user", bind_user },
  { "current_role", bind_user },
  { "session_user", bind_session_user },
};

gboolean
kvsql_function_is_of_clock (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (specials); i++)
    if (g_ascii_strcasecmp (name, specials[i].name) == 0)
      return specials[i].is_of_clock;
  return FALSE;
}

gboolean
kvsql_expr_bind_special (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlExpr **out,
                         GError **error)
{
  *out = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (specials); i++)
    if (g_ascii_strcasecmp (expr->name.text, specials[i].name) == 0)
      {
        *out = specials[i].bind (binder, expr, error);
        return *out != NULL;
      }
  return TRUE;
}
