/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * evaluate-value.c: the value of an expression for one tuple.
 */
#include "config.h"

#include "core/base/collection.h"
#include "core/base/conversion.h"
#include "core/expr/cast.h"
#include "core/base/interrupt.h"
#include "core/expr/evaluate-private.h"
#include "core/expr/regex.h"
#include "core/expr/subquery.h"

#define MAX_CHILDREN_ON_STACK 8

static KvsqlValue
truth_value (gboolean truth)
{
  return (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = truth != FALSE };
}

/* ---- operations on values */

static gboolean
apply_call (const KvsqlExpr *self, const KvsqlValue *arguments, KvsqlArena *arena, KvsqlValue *out,
            GError **error)
{
  KvsqlFunctionCall call = { .arena = arena, .type = self->type };

  for (guint i = 0; i < self->n_children && !self->function->takes_nulls; i++)
    if (kvsql_value_is_null (&arguments[i]))
      return TRUE;
  return self->function->row (&call, arguments, out, error) || kvsql_error_at (error, self->span);
}

static gboolean
fail_cast (const KvsqlExpr *self, GError **error)
{
  if (self->name != NULL)
    g_prefix_error (error, "attribute \"%s\": ", self->name);
  return kvsql_error_at (error, self->children[0]->span);
}

static gboolean
apply_cast (const KvsqlExpr *self, const KvsqlValue *value, KvsqlArena *arena, KvsqlValue *out,
            GError **error)
{
  gboolean is_time = kvsql_type_is_time (self->type);

  g_assert (self->n_children == 1);
  if (kvsql_value_is_null (value))
    return TRUE;
  /* whole numbers are assigned to times as days or milliseconds */
  if (self->is_assignment
      && !(is_time && (value->type == KVSQL_TYPE_INT || value->type == KVSQL_TYPE_BIGINT)))
    return kvsql_value_convert (value, self->type, arena, out, error) || fail_cast (self, error);
  return kvsql_cast_value (value, self->type, arena, out, error) || fail_cast (self, error);
}

static gboolean
apply_in (const KvsqlExpr *self, const KvsqlValue *value, KvsqlValue *out)
{
  g_assert (self->n_children == 1);
  if (kvsql_value_is_null (value))
    return TRUE;
  if (kvsql_values_contain (self->values, self->n_values, value))
    *out = truth_value (!self->is_negated);
  else if (!self->has_null)
    *out = truth_value (self->is_negated);
  return TRUE;
}

static gboolean
apply_like (const KvsqlExpr *self, const KvsqlValue *arguments, KvsqlArena *arena, KvsqlValue *out,
            GError **error)
{
  const KvsqlLike *like = self->like;
  gint escape = '\\';

  g_assert (self->n_children >= 2);
  for (guint i = 0; i < self->n_children; i++)
    if (kvsql_value_is_null (&arguments[i]))
      return TRUE;
  if (like == NULL)
    {
      if (self->n_children > 2 && !kvsql_like_escape (arguments[2].bytes, &escape, error))
        return kvsql_error_at (error, self->children[2]->span);
      like = self->is_caseless
                 ? kvsql_like_compile_caseless (arguments[1].bytes, escape, arena, error)
                 : kvsql_like_compile (arguments[1].bytes, escape,
                                       self->children[0]->type == KVSQL_TYPE_BYTES, arena, error);
      if (like == NULL)
        return kvsql_error_at (error, self->children[1]->span);
    }
  *out = truth_value (kvsql_like_matches (like, arguments[0].bytes) != self->is_negated);
  return TRUE;
}

static gboolean
apply_rlike (const KvsqlExpr *self, const KvsqlValue *arguments, KvsqlValue *out, GError **error)
{
  gboolean matches;

  g_assert (self->n_children == 2);
  if (kvsql_value_is_null (&arguments[0]) || kvsql_value_is_null (&arguments[1]))
    return TRUE;
  if (!kvsql_regex_matches (arguments[1].bytes, arguments[0].bytes,
                            self->children[0]->type == KVSQL_TYPE_BYTES, &matches, error))
    return kvsql_error_at (error, self->children[1]->span);
  *out = truth_value ((matches != FALSE) != self->is_negated);
  return TRUE;
}

static gboolean
apply_minmax (const KvsqlExpr *self, const KvsqlValue *arguments, KvsqlValue *out)
{
  for (guint i = 0; i < self->n_children; i++)
    if (!kvsql_value_is_null (&arguments[i])
        && (kvsql_value_is_null (out)
            || kvsql_operator_admits (self->op, kvsql_value_compare (&arguments[i], out))))
      *out = arguments[i];
  return TRUE;
}

/* ANY is true if one comparison is, ALL is false if one is; unknown comparisons count after that.
 */
static gboolean
apply_quantified (const KvsqlExpr *self, const KvsqlValue *arguments, KvsqlArena *arena,
                  KvsqlValue *out, GError **error)
{
  KvsqlValue *elements, element;
  gboolean has_null = FALSE;
  guint n;

  if (kvsql_value_is_null (&arguments[1]))
    return TRUE;
  kvsql_list_split (arguments[1].type, arguments[1].bytes, arena, &elements, &n);
  for (guint i = 0; i < n; i++)
    {
      if (!kvsql_interrupt_poll (error))
        return FALSE;
      if (kvsql_value_is_null (&arguments[0]) || kvsql_value_is_null (&elements[i]))
        {
          has_null = TRUE;
          continue;
        }
      if (!kvsql_cast_value (&elements[i], self->children[0]->type, arena, &element, error))
        return kvsql_error_at (error, self->children[1]->span);
      if (kvsql_operator_admits (self->op, kvsql_value_compare (&arguments[0], &element))
          != self->is_all)
        {
          *out = truth_value (!self->is_all);
          return TRUE;
        }
    }
  *out = has_null ? KVSQL_VALUE_NULL : truth_value (self->is_all);
  return TRUE;
}

static gboolean
apply_list (const KvsqlExpr *self, const KvsqlValue *arguments, KvsqlArena *arena, KvsqlValue *out,
            GError **error)
{
  *out = (KvsqlValue){ .type = self->type,
                       .bytes = kvsql_list_join (arguments, self->n_children, arena) };
  return out->bytes.size <= KVSQL_FUNCTION_MAX_BYTES || kvsql_function_fail_too_long (error)
         || kvsql_error_at (error, self->span);
}

gboolean
kvsql_expr_apply (const KvsqlExpr *self, const KvsqlValue *arguments, KvsqlArena *arena,
                  KvsqlValue *out, GError **error)
{
  *out = KVSQL_VALUE_NULL;
  switch (self->kind)
    {
    case KVSQL_EXPR_CALL:
      return apply_call (self, arguments, arena, out, error);
    case KVSQL_EXPR_CAST:
      return apply_cast (self, &arguments[0], arena, out, error);
    case KVSQL_EXPR_COMPARE:
      g_assert (self->n_children == 2);
      if (!kvsql_value_is_null (&arguments[0]) && !kvsql_value_is_null (&arguments[1]))
        *out = truth_value (
            kvsql_operator_admits (self->op, kvsql_value_compare (&arguments[0], &arguments[1])));
      return TRUE;
    case KVSQL_EXPR_IN:
      return apply_in (self, &arguments[0], out);
    case KVSQL_EXPR_LIKE:
      return apply_like (self, arguments, arena, out, error);
    case KVSQL_EXPR_RLIKE:
      return apply_rlike (self, arguments, out, error);
    case KVSQL_EXPR_DISTINCT:
      *out = truth_value (kvsql_value_equal (&arguments[0], &arguments[1]) == self->is_negated);
      return TRUE;
    case KVSQL_EXPR_SUBQUERY:
      return kvsql_subquery_evaluate (self, arguments, arena, out, error);
    case KVSQL_EXPR_QUANTIFIED:
      return apply_quantified (self, arguments, arena, out, error);
    case KVSQL_EXPR_LIST:
      return apply_list (self, arguments, arena, out, error);
    case KVSQL_EXPR_MINMAX:
      return apply_minmax (self, arguments, out);
    default:
      g_assert_not_reached ();
    }
}

/* ---- the tree */

/* FALSE decides AND, TRUE decides OR. */
static gboolean
evaluate_connective (const KvsqlExpr *self, const KvsqlValue *tuple, KvsqlArena *arena,
                     KvsqlValue *out, GError **error)
{
  gboolean neutral = self->kind == KVSQL_EXPR_AND, has_null = FALSE;
  KvsqlValue value;

  for (guint i = 0; i < self->n_children; i++)
    {
      if (!kvsql_expr_evaluate (self->children[i], tuple, arena, &value, error))
        return FALSE;
      if (kvsql_value_is_null (&value))
        has_null = TRUE;
      else if ((value.boolean != FALSE) != neutral)
        {
          *out = value;
          return TRUE;
        }
    }
  *out = has_null ? KVSQL_VALUE_NULL : truth_value (neutral);
  return TRUE;
}

static gboolean
evaluate_case (const KvsqlExpr *self, const KvsqlValue *tuple, KvsqlArena *arena, KvsqlValue *out,
               GError **error)
{
  for (guint i = 0; i + 1 < self->n_children; i += 2)
    {
      KvsqlValue when;
      if (!kvsql_expr_evaluate (self->children[i], tuple, arena, &when, error))
        return FALSE;
      if (!kvsql_value_is_null (&when) && when.boolean)
        return kvsql_expr_evaluate (self->children[i + 1], tuple, arena, out, error);
    }
  return kvsql_expr_evaluate (self->children[self->n_children - 1], tuple, arena, out, error);
}

static gboolean
evaluate_coalesce (const KvsqlExpr *self, const KvsqlValue *tuple, KvsqlArena *arena,
                   KvsqlValue *out, GError **error)
{
  *out = KVSQL_VALUE_NULL;
  for (guint i = 0; i < self->n_children && kvsql_value_is_null (out); i++)
    if (!kvsql_expr_evaluate (self->children[i], tuple, arena, out, error))
      return FALSE;
  return TRUE;
}

static gboolean
evaluate_operands (const KvsqlExpr *self, const KvsqlValue *tuple, KvsqlArena *arena,
                   KvsqlValue *out, GError **error)
{
  KvsqlValue some[MAX_CHILDREN_ON_STACK];
  g_autofree KvsqlValue *more
      = self->n_children > MAX_CHILDREN_ON_STACK ? g_new (KvsqlValue, self->n_children) : NULL;
  KvsqlValue *arguments = more != NULL ? more : some;

  for (guint i = 0; i < self->n_children; i++)
    if (!kvsql_expr_evaluate (self->children[i], tuple, arena, &arguments[i], error))
      return FALSE;
  return kvsql_expr_apply (self, arguments, arena, out, error);
}

gboolean
kvsql_expr_evaluate (const KvsqlExpr *self, const KvsqlValue *tuple, KvsqlArena *arena,
                     KvsqlValue *out, GError **error)
{
  KvsqlValue value;

  if (!kvsql_interrupt_poll (error))
    return FALSE;
  switch (self->kind)
    {
    case KVSQL_EXPR_CONSTANT:
      *out = self->value;
      return TRUE;
    case KVSQL_EXPR_COLUMN:
      *out = tuple[self->column];
      return TRUE;
    case KVSQL_EXPR_AND:
    case KVSQL_EXPR_OR:
      return evaluate_connective (self, tuple, arena, out, error);
    case KVSQL_EXPR_NOT:
      if (!kvsql_expr_evaluate (self->children[0], tuple, arena, &value, error))
        return FALSE;
      *out = kvsql_value_is_null (&value) ? value : truth_value (!value.boolean);
      return TRUE;
    case KVSQL_EXPR_IS_NULL:
      if (!kvsql_expr_evaluate (self->children[0], tuple, arena, &value, error))
        return FALSE;
      *out = truth_value ((kvsql_value_is_null (&value) != FALSE) != self->is_negated);
      return TRUE;
    case KVSQL_EXPR_CASE:
      return evaluate_case (self, tuple, arena, out, error);
    case KVSQL_EXPR_COALESCE:
      return evaluate_coalesce (self, tuple, arena, out, error);
    default:
      return evaluate_operands (self, tuple, arena, out, error);
    }
}
