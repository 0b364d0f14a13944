/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-private.h: what the files of the predicate binder share.
 */
#pragma once

#include "core/plan/bind.h"
#include "core/plan/predicate-private.h"

G_BEGIN_DECLS

/* The predicate "attribute op value". An error points at @value_span if the value cannot be
 * converted, else at @span. */
KvsqlPredicate *kvsql_bind_compare (const KvsqlBinder *binder, guint attribute, KvsqlOperator op,
                                    const KvsqlValue *value, KvsqlSpan value_span, KvsqlSpan span,
                                    GError **error);

/**
 * kvsql_bind_solve:
 *
 * Solves "expr op value" for the attribute: a + 1 <= 3 becomes a <= 2. This is done only where the
 * result is exact: for sums, differences and negations of whole numbers, DECIMALs and times. (If
 * the sum is out of the range of its type for some row, that row is true or false; it is not an
 * error.)
 *
 * Returns: %FALSE if @expr has no such form
 */
gboolean kvsql_bind_solve (const KvsqlBinder *binder, const KvsqlExpr *expr, KvsqlOperator *op,
                           KvsqlValue *value, guint *out_attribute);

static inline KvsqlOperator
kvsql_operator_mirror (KvsqlOperator op)
{
  switch (op)
    {
    case KVSQL_OP_LT:
      return KVSQL_OP_GT;
    case KVSQL_OP_LE:
      return KVSQL_OP_GE;
    case KVSQL_OP_GT:
      return KVSQL_OP_LT;
    case KVSQL_OP_GE:
      return KVSQL_OP_LE;
    default:
      return op;
    }
}

G_END_DECLS
