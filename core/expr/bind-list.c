/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-list.c: ARRAY […], and comparisons with ANY and ALL elements of a list.
 */
#include "config.h"

#include "core/base/collection.h"
#include "core/base/interrupt.h"
#include "core/expr/bind-private.h"
#include "core/expr/cast.h"
#include "core/sql/printer.h"

/* ---- ARRAY */

static gboolean
check_elements (const KvsqlAstExpr *expr, KvsqlType element, GError **error)
{
  if (kvsql_type_is_collection (element))
    return kvsql_error_set (error, KVSQL_ERROR_TYPE, expr->span, "there is no LIST of %s",
                            kvsql_type_get_name (element))
           || kvsql_error_hint (error, "The elements of a LIST are single values.");
  return expr->n_children <= KVSQL_COLLECTION_MAX_ELEMENTS
         || kvsql_error_set (error, KVSQL_ERROR_LIMIT, expr->span, "a LIST has at most %d elements",
                             KVSQL_COLLECTION_MAX_ELEMENTS);
}

/* CAST (ARRAY […] AS LIST<INT>) converts each element as CAST does. */
static gboolean
cast_elements (const KvsqlBinder *binder, KvsqlExpr **elements, guint n, KvsqlType type,
               GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      KvsqlExpr *cast = kvsql_expr_new (binder, KVSQL_EXPR_CAST, type, elements[i]->span, 1);

      if (!kvsql_cast_is_possible (elements[i]->type, type))
        return kvsql_error_set (error, KVSQL_ERROR_TYPE, elements[i]->span, "cannot cast %s to %s",
                                kvsql_type_get_name (elements[i]->type),
                                kvsql_type_get_name (type));
      cast->children[0] = elements[i];
      elements[i] = kvsql_expr_fold (binder, cast, error);
      if (elements[i] == NULL || !kvsql_interrupt_poll (error))
        return FALSE;
    }
  return TRUE;
}

KvsqlExpr *
kvsql_expr_bind_array (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlType element,
                       GError **error)
{
  KvsqlExpr **elements = kvsql_expr_bind_children (binder, expr, 0, FALSE, error), *self;
  gboolean is_cast = element != KVSQL_TYPE_NULL;

  if (elements == NULL)
    return NULL;
  if (expr->n_children == 0 && !is_cast)
    {
      kvsql_error_set (error, KVSQL_ERROR_TYPE, expr->span,
                       "cannot determine the type of an empty ARRAY");
      kvsql_error_hint (error, "Write its type, as in CAST (ARRAY[] AS LIST<INT>).");
      return NULL;
    }
  if (is_cast ? !cast_elements (binder, elements, expr->n_children, element, error)
              : !kvsql_expr_unify (binder, elements, expr->n_children, "ARRAY", &element, error))
    return NULL;
  if (element == KVSQL_TYPE_NULL) /* all of them are NULL */
    element = KVSQL_TYPE_STRING;
  if (!check_elements (expr, element, error))
    return NULL;
  self = kvsql_expr_new (binder, KVSQL_EXPR_LIST, (KvsqlType)(KVSQL_TYPE_LIST + element - 1),
                         expr->span, 0);
  self->children = elements;
  self->n_children = expr->n_children;
  return kvsql_expr_fold (binder, self, error);
}

/* ---- ANY, ALL */

/* The elements are converted to the type of the comparison when they are compared. */
KvsqlExpr *
kvsql_expr_bind_quantified (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr **operands = kvsql_expr_bind_children (binder, expr, 0, FALSE, error), *self, *pair[2];

  if (operands == NULL)
    return NULL;
  g_assert (kvsql_type_is_list (operands[1]->type)); /* else kvsql_expr_rewrite() has failed */
  pair[0] = operands[0];
  pair[1] = kvsql_expr_column (binder->arena, 0, kvsql_type_get_element (operands[1]->type), "",
                               expr->children[1]->span);
  if (!kvsql_expr_prepare_comparison (binder, kvsql_operator_get_text (expr->op), pair,
                                      expr->op_span, error))
    return NULL;
  self = kvsql_expr_new (binder, KVSQL_EXPR_QUANTIFIED, KVSQL_TYPE_BOOLEAN, expr->span, 2);
  self->op = expr->op;
  self->is_all = expr->is_all;
  self->children[0] = pair[0];
  self->children[1] = operands[1];
  return kvsql_expr_fold (binder, self, error);
}
