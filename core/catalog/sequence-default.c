/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sequence-default.c: see sequence-default.h.
 */
#include "config.h"

#include "core/catalog/sequence-default.h"

#include "core/catalog/number-sequence.h"
#include "core/sql/ast.h"

gchar *
kvsql_expression_get_sequence (const KvsqlAstExpr *expr)
{
  g_autofree gchar *argument = NULL;

  if (expr->kind != KVSQL_AST_FUNCTION || expr->n_children != 1
      || expr->children[0]->kind != KVSQL_AST_LITERAL
      || expr->children[0]->value.type != KVSQL_TYPE_STRING
      || g_ascii_strcasecmp (expr->name.text, "nextval") != 0)
    return NULL;
  argument = g_strndup ((const gchar *)expr->children[0]->value.bytes.data,
                        expr->children[0]->value.bytes.size);
  return kvsql_number_sequence_fold_argument (argument);
}
