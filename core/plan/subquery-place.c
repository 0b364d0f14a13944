/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery-place.c: see the header.
 */
#include "config.h"

#include "core/plan/subquery-place.h"

#define TWO_SELECTS                                                                                \
  "Send two SELECTs: one with it as a condition of WHERE, one with NOT in front of it."

const KvsqlSubqueryPlace kvsql_place_items = { "the select list", TWO_SELECTS };
const KvsqlSubqueryPlace kvsql_place_group_by = { "GROUP BY", TWO_SELECTS };
const KvsqlSubqueryPlace kvsql_place_order_by = { "ORDER BY", TWO_SELECTS };
const KvsqlSubqueryPlace kvsql_place_having
    = { "HAVING", "If it uses attributes of GROUP BY only, make it a condition of WHERE." };
const KvsqlSubqueryPlace kvsql_place_outer_on
    = { "ON of an outer join", "It is possible in WHERE, and in ON of an inner join." };
const KvsqlSubqueryPlace kvsql_place_set
    = { "SET", "Send two UPDATEs: one with it as a condition of WHERE, one with NOT in front of "
               "it." };
const KvsqlSubqueryPlace kvsql_place_returning
    = { "RETURNING", "Send a SELECT with it as a condition of WHERE." };
const KvsqlSubqueryPlace kvsql_place_conflict
    = { "ON CONFLICT", "Send an UPDATE with it as a condition of WHERE." };

static const KvsqlSubqueryPlace operand_of_or
    = { "an operand of OR", "Send a statement for each operand, with the operand as its "
                            "condition." };
static const KvsqlSubqueryPlace operand_of_not
    = { "a condition with NOT around it",
        "Write NOT in front of each operand: NOT (a OR b) is NOT a AND NOT b." };
static const KvsqlSubqueryPlace expression
    = { "an expression", "Make it a condition of WHERE, alone or joined to others with AND." };

const KvsqlSubqueryPlace *
kvsql_place_of_operands (const KvsqlAstExpr *expr, const KvsqlSubqueryPlace *place)
{
  const KvsqlAstExpr *operand = expr->n_children == 0 ? NULL : expr->children[0];

  if (place != NULL || (expr->kind == KVSQL_AST_BINARY && expr->op == KVSQL_OP_AND))
    return place;
  if (expr->kind == KVSQL_AST_BINARY && expr->op == KVSQL_OP_OR)
    return &operand_of_or;
  if (expr->kind != KVSQL_AST_UNARY || expr->op != KVSQL_OP_NOT)
    return &expression;
  /* NOT EXISTS, NOT (x IN (…)), NOT NOT … */
  return operand->subquery != NULL || operand->kind == KVSQL_AST_UNARY ? NULL : &operand_of_not;
}

gboolean
kvsql_place_check (const KvsqlSubqueryPlace *place, const KvsqlAstExpr *expr, GError **error)
{
  if (place == NULL)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, expr->span,
                          "%s with a subquery that uses attributes of the statement around it is "
                          "not possible in %s",
                          expr->kind == KVSQL_AST_IN ? "IN" : "EXISTS", place->name)
         || kvsql_error_hint (error, "%s", place->hint);
}
