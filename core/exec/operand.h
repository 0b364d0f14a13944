/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * operand.h: the rows of an operand of a set operation, as rows of the operation.
 */
#pragma once

#include "core/exec/row-source.h"
#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* Runs the plans of operands. An operand is opened for its first row, as there may be many. */
typedef struct
{
  /* The rows of the plan, until close(). (transfer none) */
  KvsqlRowSource *(*open) (gpointer data, guint operand);
  /* There are no more rows. */
  void (*close) (gpointer data, guint operand);
  gpointer data; /* must outlive the operators */
} KvsqlOperandOpener;

/**
 * kvsql_operand_new:
 * @is_dense: the rows are all rows of their batches; else rows that need no conversion are not
 *   copied
 *
 * @set must outlive it.
 */
KvsqlRowSource *kvsql_operand_new (const KvsqlSetPlan *set, guint number,
                                   const KvsqlOperandOpener *opener, gboolean is_dense);

G_END_DECLS
