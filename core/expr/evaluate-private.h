/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * evaluate-private.h: what evaluating a batch and a tuple share: nodes on values that are known.
 */
#pragma once

#include "core/expr/evaluate.h"
#include "core/expr/function.h"

G_BEGIN_DECLS

/* A CALL, CAST, IN, LIKE, RLIKE, COMPARE or EXTREME of operands in @arguments; NULL operands give
 * what they have to. An error has its place. */
gboolean kvsql_expr_apply (const KvsqlExpr *self, const KvsqlValue *arguments, KvsqlArena *arena,
                           KvsqlValue *out, GError **error);

/* Whether "a op b" holds, given the order of a and b. */
static inline gboolean
kvsql_order_admits (KvsqlOperator op, gint order)
{
  switch (op)
    {
    case KVSQL_OP_EQ:
      return order == 0;
    case KVSQL_OP_NE:
      return order != 0;
    case KVSQL_OP_LT:
      return order < 0;
    case KVSQL_OP_LE:
      return order <= 0;
    case KVSQL_OP_GT:
      return order > 0;
    default:
      return order >= 0;
    }
}

G_END_DECLS
