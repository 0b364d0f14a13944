/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-json.c: functions of JSON with any number of arguments, or arguments of any type. Arguments
 * become JSON one by one, and the function gets a list of them (fn-json-build.c).
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/expr/bind-private.h"
#include "core/sql/ast.h"

static gboolean
is_jsonb (const KvsqlAstExpr *expr)
{
  return g_ascii_strncasecmp (expr->name.text, "jsonb", strlen ("jsonb")) == 0;
}

/* to_json (argument) or to_jsonb (argument); NULL stays NULL. */
static KvsqlExpr *
convert (const KvsqlBinder *binder, KvsqlExpr *argument, gboolean wants_jsonb, GError **error)
{
  KvsqlExpr *null;

  argument = kvsql_expr_default_to_string (binder, argument);
  if (argument != NULL && argument->type == KVSQL_TYPE_NULL)
    {
      null = kvsql_expr_null (binder, argument->span);
      null->type = wants_jsonb ? KVSQL_TYPE_JSONB : KVSQL_TYPE_JSON;
      null->is_untyped = FALSE;
      return null;
    }
  return argument == NULL ? NULL
                          : kvsql_expr_call (binder, wants_jsonb ? "to_jsonb" : "to_json",
                                             &argument, 1, argument->span, argument->span, error);
}

/* The arguments from @first on as a list. */
static KvsqlExpr *
list_of (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlExpr **arguments, guint first,
         KvsqlType element, GError **error)
{
  guint n = expr->n_children - first;
  KvsqlExpr *self = kvsql_expr_new (binder, KVSQL_EXPR_LIST,
                                    (KvsqlType)(KVSQL_TYPE_LIST + element - 1), expr->span, n);

  for (guint i = 0; i < n; i++)
    {
      self->children[i]
          = element == KVSQL_TYPE_STRING
                ? kvsql_expr_coerce (binder, arguments[first + i], KVSQL_TYPE_STRING, error)
                : convert (binder, arguments[first + i], element == KVSQL_TYPE_JSONB, error);
      if (self->children[i] == NULL || !kvsql_interrupt_poll (error))
        return NULL;
    }
  return kvsql_expr_fold (binder, self, error);
}

KvsqlExpr *
kvsql_expr_bind_json_build (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr **arguments = kvsql_expr_bind_children (binder, expr, 0, FALSE, error), *list;
  g_autofree gchar *name = g_ascii_strdown (expr->name.text, -1);
  gboolean is_object = g_str_has_suffix (name, "object");

  if (arguments == NULL)
    return NULL;
  if (is_object && expr->n_children % 2 != 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_VALUE, expr->span,
                       "argument list must have even number of elements");
      kvsql_error_hint (error, "The arguments of %s must consist of alternating keys and values.",
                        name);
      kvsql_error_sqlstate (error, "22023");
      return NULL;
    }
  for (guint i = 0; is_object && i < expr->n_children; i += 2)
    if (kvsql_type_is_collection (arguments[i]->type) || kvsql_type_is_json (arguments[i]->type))
      {
        kvsql_error_set (error, KVSQL_ERROR_VALUE, expr->children[i]->span,
                         "key value must be scalar, not array, composite, or json");
        kvsql_error_sqlstate (error, "22023");
        return NULL;
      }
  list = list_of (binder, expr, arguments, 0, is_jsonb (expr) ? KVSQL_TYPE_JSONB : KVSQL_TYPE_JSON,
                  error);
  return list == NULL
             ? NULL
             : kvsql_expr_call (binder, name, &list, 1, expr->span, expr->name.span, error);
}

/* json_extract_path (j, 'a', 'b'): the steps become a list. */
KvsqlExpr *
kvsql_expr_bind_json_extract (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr **arguments = kvsql_expr_bind_children (binder, expr, 0, FALSE, error), *pair[2];
  g_autofree gchar *name = g_ascii_strdown (expr->name.text, -1);

  if (arguments == NULL)
    return NULL;
  if (expr->n_children < 2)
    {
      kvsql_error_set (error, KVSQL_ERROR_TYPE, expr->span,
                       "%s takes two arguments or more, not %u", name, expr->n_children);
      return NULL;
    }
  pair[0] = arguments[0];
  pair[1] = list_of (binder, expr, arguments, 1, KVSQL_TYPE_STRING, error);
  return pair[1] == NULL
             ? NULL
             : kvsql_expr_call (binder, name, pair, 2, expr->span, expr->name.span, error);
}

/* to_json of a text that is written as a literal. */
KvsqlExpr *
kvsql_expr_bind_to_json (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr **arguments = kvsql_expr_bind_children (binder, expr, 0, FALSE, error);
  g_autofree gchar *name = g_ascii_strdown (expr->name.text, -1);

  if (arguments == NULL)
    return NULL;
  if (expr->n_children == 1)
    return convert (binder, arguments[0], g_str_has_suffix (name, "b"), error);
  return kvsql_expr_call (binder, name, arguments, expr->n_children, expr->span, expr->name.span,
                          error);
}
