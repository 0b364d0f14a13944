/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-types.c: types of operands, and overload resolution of functions.
 *
 * The rules are PostgreSQL's. An untyped literal gets the expected type. An overload whose argument
 * types match exactly wins; otherwise the one with most exact matches, then the one with most
 * preferred types (DOUBLE for numbers, STRING, TIMESTAMP, INTERVAL).
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/expr/bind-private.h"
#include "core/expr/cast.h"
#include "core/expr/evaluate.h"
#include "core/expr/shown-type.h"
#include "core/schema/relation.h"

KvsqlExpr *
kvsql_expr_new (const KvsqlBinder *binder, KvsqlExprKind kind, KvsqlType type, KvsqlSpan span,
                guint n_children)
{
  KvsqlExpr *self = kvsql_arena_new0 (binder->arena, KvsqlExpr);

  self->kind = kind;
  self->type = type;
  self->span = span;
  self->n_children = n_children;
  if (n_children > 0)
    self->children = kvsql_arena_array (binder->arena, KvsqlExpr *, n_children);
  return self;
}

KvsqlExpr *
kvsql_expr_constant (KvsqlArena *arena, const KvsqlValue *value, KvsqlSpan span)
{
  KvsqlExpr *self = kvsql_arena_new0 (arena, KvsqlExpr);

  self->kind = KVSQL_EXPR_CONSTANT;
  self->type = value->type;
  self->span = span;
  self->value = *value;
  return self;
}

KvsqlExpr *
kvsql_expr_column (KvsqlArena *arena, guint column, KvsqlType type, const gchar *name,
                   KvsqlSpan span)
{
  KvsqlExpr *self = kvsql_arena_new0 (arena, KvsqlExpr);

  self->kind = KVSQL_EXPR_COLUMN;
  self->type = type;
  self->span = span;
  self->column = column;
  self->name = name;
  return self;
}

KvsqlExpr *
kvsql_expr_null (const KvsqlBinder *binder, KvsqlSpan span)
{
  KvsqlExpr *self = kvsql_expr_constant (binder->arena, &KVSQL_VALUE_NULL, span);

  self->is_untyped = TRUE;
  return self;
}

/* ---- constants */

static gboolean
is_foldable (const KvsqlExpr *self)
{
  for (guint i = 0; i < self->n_children; i++)
    if (!kvsql_expr_is_constant (self->children[i]))
      return FALSE;
  if (self->kind == KVSQL_EXPR_CALL && self->function->is_volatile)
    return FALSE;
  return self->kind != KVSQL_EXPR_COLUMN && self->kind != KVSQL_EXPR_CONSTANT;
}

/* Whether an operand is NULL, and with it the result. */
static gboolean
is_always_null (const KvsqlExpr *self)
{
  if (self->kind != KVSQL_EXPR_CALL && self->kind != KVSQL_EXPR_COMPARE
      && self->kind != KVSQL_EXPR_LIKE && self->kind != KVSQL_EXPR_RLIKE)
    return FALSE;
  if (self->kind == KVSQL_EXPR_CALL && self->function->takes_nulls)
    return FALSE;
  for (guint i = 0; i < self->n_children; i++)
    if (kvsql_expr_is_constant (self->children[i])
        && kvsql_value_is_null (&self->children[i]->value))
      return TRUE;
  return FALSE;
}

/* What is known of @expr is known of its value. */
static KvsqlExpr *
replace (const KvsqlBinder *binder, KvsqlExpr *expr, const KvsqlValue *value)
{
  KvsqlExpr *self = kvsql_expr_constant (binder->arena, value, expr->span);

  kvsql_expr_note_shown (expr);
  self->type = expr->type; /* for a NULL, too */
  self->limit = kvsql_type_limit_shown_of (&expr->limit);
  return self;
}

KvsqlExpr *
kvsql_expr_fold (const KvsqlBinder *binder, KvsqlExpr *self, GError **error)
{
  g_autoptr (GError) failure = NULL;
  KvsqlValue value;

  if (self == NULL)
    return NULL;
  if (is_always_null (self))
    return replace (binder, self, &KVSQL_VALUE_NULL);
  if (!is_foldable (self))
    return self;
  if (!kvsql_expr_evaluate (self, NULL, binder->arena, &value, &failure))
    {
      if (binder->is_lazy)
        return self;
      g_propagate_error (error, g_steal_pointer (&failure));
      return NULL;
    }
  return replace (binder, self, &value);
}

/* ---- conversions */

/* The context of a parameter has determined its type, in prepare. */
static void
note_place (const KvsqlBinder *binder, const KvsqlExpr *expr, KvsqlType type)
{
  const KvsqlAstExpr parameter = { .kind = KVSQL_AST_PARAMETER, .parameter = expr->parameter - 1 };

  if (expr->parameter > 0)
    kvsql_binder_note_place (binder, &parameter, type);
}

static KvsqlExpr *
coerce_constant (const KvsqlBinder *binder, KvsqlExpr *expr, KvsqlType type, GError **error)
{
  KvsqlExpr *result;
  KvsqlValue value = expr->value;
  guint scale;

  note_place (binder, expr, type);
  if (!kvsql_value_is_null (&value)
      && !kvsql_cast_value (&expr->value, type, binder->arena, &value, error))
    {
      kvsql_error_at (error, expr->span);
      return NULL;
    }
  result = kvsql_expr_constant (binder->arena, &value, expr->span);
  result->type = type;
  if (type == KVSQL_TYPE_DECIMAL && kvsql_expr_find_scale (expr, &scale))
    result->limit = (KvsqlTypeLimit){ .kind = KVSQL_LIMIT_SCALE, .scale = scale };
  return result;
}

KvsqlExpr *
kvsql_expr_coerce (const KvsqlBinder *binder, KvsqlExpr *expr, KvsqlType type, GError **error)
{
  KvsqlExpr *self;

  if (expr == NULL || (expr->type == type && !expr->is_untyped))
    return expr;
  if (kvsql_expr_is_constant (expr))
    return coerce_constant (binder, expr, type, error);
  g_assert (kvsql_cast_is_possible (expr->type, type)); /* the caller has found this type */
  self = kvsql_expr_new (binder, KVSQL_EXPR_CAST, type, expr->span, 1);
  self->children[0] = expr;
  self->is_implicit = TRUE;
  return self;
}

KvsqlExpr *
kvsql_expr_default_to_string (const KvsqlBinder *binder, KvsqlExpr *expr)
{
  if (expr == NULL || !expr->is_untyped || expr->type == KVSQL_TYPE_NULL)
    return expr;
  return kvsql_expr_coerce (binder, expr, KVSQL_TYPE_STRING, NULL);
}

static KvsqlExpr *
convert (const KvsqlBinder *binder, KvsqlExpr *expr, KvsqlType type, const gchar *name,
         GError **error)
{
  KvsqlExpr *self;

  if (expr == NULL || (expr->type == type && !expr->is_untyped))
    return expr;
  if (!kvsql_cast_is_assignment (expr->type, type))
    {
      kvsql_error_set (error, KVSQL_ERROR_TYPE, expr->span, "%s cannot be stored as %s",
                       kvsql_type_get_name (expr->type), kvsql_type_get_name (type));
      if (name != NULL)
        g_prefix_error (error, "attribute \"%s\": ", name);
      if (kvsql_cast_is_possible (expr->type, type))
        kvsql_error_hint (error, "Write CAST (… AS %s).", kvsql_type_get_name (type));
      return NULL;
    }
  note_place (binder, expr, type);
  self = kvsql_expr_new (binder, KVSQL_EXPR_CAST, type, expr->span, 1);
  self->children[0] = expr;
  self->is_implicit = self->is_assignment = TRUE;
  self->name = name;
  self->size = expr->size + 1;
  return kvsql_expr_fold (binder, self, error);
}

KvsqlExpr *
kvsql_expr_convert (const KvsqlBinder *binder, KvsqlExpr *expr, KvsqlType type, GError **error)
{
  return convert (binder, expr, type, NULL, error);
}

KvsqlExpr *
kvsql_expr_assign (const KvsqlBinder *binder, KvsqlExpr *expr, const KvsqlAttribute *attribute,
                   GError **error)
{
  if (expr != NULL && expr->parameter > 0)
    {
      const KvsqlAstExpr parameter
          = { .kind = KVSQL_AST_PARAMETER, .parameter = expr->parameter - 1 };

      kvsql_binder_note_limited_place (binder, &parameter, attribute->type, &attribute->limit);
    }
  return convert (binder, expr, attribute->type, attribute->name, error);
}

/* PostgreSQL's rules for UNION, CASE and the like: untyped operands do not affect the type. */
gboolean
kvsql_expr_unify (const KvsqlBinder *binder, KvsqlExpr **exprs, guint n, const gchar *what,
                  KvsqlType *out_type, GError **error)
{
  KvsqlType type = KVSQL_TYPE_NULL;
  gboolean has_text = FALSE;

  for (guint i = 0; i < n; i++)
    {
      if (!kvsql_interrupt_poll (error))
        return FALSE;
      has_text = has_text || (exprs[i]->is_untyped && exprs[i]->type == KVSQL_TYPE_STRING);
      if (exprs[i]->is_untyped)
        continue;
      if (type == KVSQL_TYPE_NULL)
        type = exprs[i]->type;
      else if (!kvsql_cast_common_type (type, exprs[i]->type, &type))
        return kvsql_error_set (error, KVSQL_ERROR_TYPE, exprs[i]->span,
                                "%s types %s and %s cannot be matched", what,
                                kvsql_type_get_name (type), kvsql_type_get_name (exprs[i]->type));
    }
  if (type == KVSQL_TYPE_NULL && has_text)
    type = KVSQL_TYPE_STRING;
  for (guint i = 0; i < n && type != KVSQL_TYPE_NULL; i++)
    {
      exprs[i] = kvsql_expr_coerce (binder, exprs[i], type, error);
      if (exprs[i] == NULL || !kvsql_interrupt_poll (error))
        return FALSE;
    }
  *out_type = type;
  return TRUE;
}

/* ---- overloads */

typedef struct
{
  gint exact;
  gint preferred;
  gint order; /* the last criterion: the first in the table */
} Score;

static gboolean
is_preferred (KvsqlType type)
{
  return type == KVSQL_TYPE_DOUBLE || type == KVSQL_TYPE_STRING || type == KVSQL_TYPE_TIMESTAMP
         || type == KVSQL_TYPE_INTERVAL;
}

/* If one of two operands is untyped, the type of the other is tried first. */
static KvsqlType
assumed_type (KvsqlExpr *const *arguments, guint n, guint i)
{
  if (!arguments[i]->is_untyped)
    return arguments[i]->type;
  if (n == 2 && !arguments[1 - i]->is_untyped)
    return arguments[1 - i]->type;
  return arguments[i]->type;
}

/* In the tables of functions, MAP and LIST mean a map or list with any type of elements. */
static gboolean
is_any_of (KvsqlType type, KvsqlType wanted)
{
  return (wanted == KVSQL_TYPE_MAP && kvsql_type_is_map (type))
         || (wanted == KVSQL_TYPE_LIST && kvsql_type_is_list (type));
}

/* The expected type of an argument. NULL in the table of functions is the type of the map's or
 * list's elements, and MAP or LIST is the type of the first argument. */
static KvsqlType
wanted_type (const KvsqlFunction *function, KvsqlExpr *const *arguments, guint index)
{
  KvsqlType first = arguments[0]->type;

  if (function->arguments[index] != KVSQL_TYPE_NULL)
    return function->arguments[index];
  return is_any_of (first, function->arguments[0])
             ? kvsql_type_get_element (first)
             : kvsql_type_get_element (function->arguments[0]);
}

static KvsqlType
result_type (const KvsqlFunction *function, KvsqlExpr *const *arguments)
{
  if (function->result == KVSQL_TYPE_NULL)
    return kvsql_type_get_element (arguments[0]->type);
  return function->n_arguments > 0 && is_any_of (arguments[0]->type, function->result)
             ? arguments[0]->type
             : function->result;
}

static gboolean
score (const KvsqlFunction *function, KvsqlExpr *const *arguments, guint n, Score *out)
{
  *out = (Score){ 0 };
  if (function->n_arguments != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      KvsqlType wanted = wanted_type (function, arguments, i);
      if (is_any_of (arguments[i]->type, wanted))
        out->exact++;
      else if (arguments[i]->is_untyped)
        {
          out->exact += assumed_type (arguments, n, i) == wanted;
          out->preferred += arguments[i]->type != KVSQL_TYPE_NULL && is_preferred (wanted);
        }
      else if (arguments[i]->type == wanted)
        out->exact++;
      else if (function->arguments[i] == KVSQL_TYPE_NULL)
        {
          if (!kvsql_cast_is_assignment (arguments[i]->type, wanted))
            return FALSE;
        }
      else if (kvsql_cast_is_implicit (arguments[i]->type, wanted))
        out->preferred += is_preferred (wanted);
      else
        return FALSE;
    }
  return TRUE;
}

static const KvsqlFunction *
choose (const KvsqlFunction **overloads, guint n_overloads, KvsqlExpr *const *arguments, guint n)
{
  const KvsqlFunction *best = NULL;
  Score best_score = { 0 };

  for (guint i = 0; i < n_overloads; i++)
    {
      Score current;
      if (!score (overloads[i], arguments, n, &current))
        continue;
      if (best == NULL || current.exact > best_score.exact
          || (current.exact == best_score.exact && current.preferred > best_score.preferred))
        {
          best = overloads[i];
          best_score = current;
        }
    }
  return best;
}

/* The name of a type in the tables of functions. */
static const gchar *
name_of_wanted (KvsqlType type)
{
  switch (type)
    {
    case KVSQL_TYPE_MAP:
      return "MAP";
    case KVSQL_TYPE_LIST:
      return "LIST";
    case KVSQL_TYPE_NULL:
      return "its element";
    default:
      return kvsql_type_get_name (type);
    }
}

static void
append_types (const KvsqlType *types, guint n, GString *out)
{
  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", name_of_wanted (types[i]));
}

static const gchar *
hint_of_operator (const gchar *name, KvsqlType left)
{
  if (kvsql_type_is_map (left) && g_str_has_prefix (name, "->"))
    return "That is for JSON. Of a MAP, write m['key'].";
  return "Convert an operand with CAST (… AS type).";
}

static KvsqlExpr *
no_such_operator (const gchar *name, KvsqlExpr *const *arguments, guint n, KvsqlSpan span,
                  GError **error)
{
  const gchar *right = kvsql_type_get_name (arguments[n - 1]->type);

  if (strcmp (name, "[]") == 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_TYPE, span, "%s has no elements under a %s",
                       kvsql_type_get_name (arguments[0]->type), right);
      kvsql_error_hint (error, "A MAP has them under a STRING, a LIST from number 1 on.");
      return NULL;
    }
  if (n == 1)
    kvsql_error_set (error, KVSQL_ERROR_TYPE, span, "operator does not exist: %s %s", name, right);
  else
    kvsql_error_set (error, KVSQL_ERROR_TYPE, span, "operator does not exist: %s %s %s",
                     kvsql_type_get_name (arguments[0]->type), name, right);
  kvsql_error_sqlstate (error, "42883");
  kvsql_error_hint (error, "%s", hint_of_operator (name, arguments[0]->type));
  return NULL;
}

static KvsqlExpr *
no_such_function (const gchar *name, const KvsqlFunction **overloads, guint n_overloads,
                  KvsqlExpr *const *arguments, guint n, KvsqlSpan span, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const gchar *near = n_overloads == 0 ? kvsql_function_suggest (name) : NULL;
  gboolean count_fits = FALSE;

  /* SET j['key'] = value, see ast.h */
  if (strcmp (name, "map_put") == 0 && kvsql_type_is_json (arguments[0]->type))
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, span, "a part of a %s cannot be assigned",
                       kvsql_type_get_name (arguments[0]->type));
      kvsql_error_hint (error, "Assign the whole: SET j = jsonb_set (j, '{key}', value).");
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            kvsql_type_get_name (arguments[i]->type));
  kvsql_error_set (error, n_overloads == 0 ? KVSQL_ERROR_UNKNOWN_NAME : KVSQL_ERROR_TYPE, span,
                   "function %s(%s) does not exist", name, text->str);
  kvsql_error_sqlstate (error, "42883");
  g_string_truncate (text, 0);
  for (guint i = 0; i < n_overloads; i++)
    {
      count_fits = count_fits || overloads[i]->n_arguments == n;
      g_string_append_printf (text, "%s%s(", i > 0 ? ", " : "", name);
      append_types (overloads[i]->arguments, overloads[i]->n_arguments, text);
      g_string_append_c (text, ')');
    }
  if (n_overloads > 0)
    kvsql_error_hint (error, "There is %s.%s", text->str,
                      count_fits ? " Convert an argument with CAST (… AS type)." : "");
  else if (near != NULL)
    kvsql_error_hint (error, "Did you mean %s?", near);
  return NULL;
}

KvsqlExpr *
kvsql_expr_call (const KvsqlBinder *binder, const gchar *name, KvsqlExpr **arguments,
                 guint n_arguments, KvsqlSpan span, KvsqlSpan name_span, GError **error)
{
  const KvsqlFunction *overloads[KVSQL_FUNCTION_MAX_OVERLOADS];
  guint n = kvsql_function_find (name, overloads, G_N_ELEMENTS (overloads));
  const KvsqlFunction *function = choose (overloads, n, arguments, n_arguments);
  KvsqlExpr *self;

  if (function == NULL)
    return g_ascii_isalpha (name[0])
               ? no_such_function (name, overloads, n, arguments, n_arguments, name_span, error)
               : no_such_operator (name, arguments, n_arguments, name_span, error);
  self = kvsql_expr_new (binder, KVSQL_EXPR_CALL, result_type (function, arguments), span,
                         n_arguments);
  self->function = function;
  for (guint i = 0; i < n_arguments; i++)
    {
      KvsqlType wanted = wanted_type (function, arguments, i);
      self->children[i] = arguments[i];
      if (is_any_of (arguments[i]->type, wanted))
        continue;
      /* a value that is stored in a map or list is converted as in an assignment */
      self->children[i] = function->arguments[i] == KVSQL_TYPE_NULL
                              ? kvsql_expr_convert (binder, arguments[i], wanted, error)
                              : kvsql_expr_coerce (binder, arguments[i], wanted, error);
      if (self->children[i] == NULL)
        return NULL;
    }
  return kvsql_expr_fold (binder, self, error);
}
