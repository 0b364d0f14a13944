/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * operator-tree.h: builds the operators of a plan.
 */
#pragma once

#include "core/exec/limits.h"
#include "core/exec/narrow.h"
#include "core/exec/row-source.h"
#include "core/plan/select-plan.h"

G_BEGIN_DECLS

typedef struct _KvsqlOperandTree KvsqlOperandTree;

typedef struct _KvsqlOperatorTree KvsqlOperatorTree;
struct _KvsqlOperatorTree
{
  KvsqlRowSource *root;      /* a limit */
  KvsqlOperatorTree *others; /* of the relations and queries that are joined to the first */
  guint n_others;
  KvsqlRowSource *table; /* of the first relation, below @root: it lives until a blocking operator
                            has read it. NULL: without FROM, or of a set operation */
  KvsqlNarrow **narrows; /* nullable: of the relations of a join, if their scans are narrowed */
  guint n_narrows;
  KvsqlOperandTree *operands; /* of a set operation */
  guint n_operands;
  KvsqlSelectLimits *limits; /* nullable: of its own */
};

/* Undecodable cells of @schema. */
typedef void (*KvsqlUndecodableFunc) (const KvsqlSchema *schema, guint64 n,
                                      const gchar *const *samples, guint n_samples, gpointer data);

/* @plan, @store, @limits, whose counts are not NULL, and the bytes of the part of @position
 * (nullable) must outlive the operators. */
void kvsql_operator_tree_init (KvsqlOperatorTree *self, const KvsqlSelectPlan *plan,
                               KvsqlStore *store, const KvsqlSelectLimits *limits,
                               const KvsqlSelectPosition *position);
void kvsql_operator_tree_clear (KvsqlOperatorTree *self);

/* Calls @func for what the operands of set operations, and queries in FROM, have found since the
 * last call. */
void kvsql_operator_tree_take_undecodable (KvsqlOperatorTree *self, KvsqlUndecodableFunc func,
                                           gpointer data);

G_END_DECLS
