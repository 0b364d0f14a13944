/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * aggregate-call.h: binds a call of an aggregate, of groups or of windows.
 */
#pragma once

#include "core/expr/aggregate.h"
#include "core/expr/binder.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/* Where the arguments go. */
typedef struct
{
  const KvsqlBinder *binder; /* for the arguments */
  /* makes the expression a column of the input, and returns its number */
  guint (*add) (KvsqlExpr *expr, gpointer data);
  gpointer data;
} KvsqlAggregateInputs;

/* @expr: a call of an aggregate; its OVER is not looked at. Sets all members of @out. */
gboolean kvsql_aggregate_call_bind (const KvsqlAggregateInputs *self, const KvsqlAstExpr *expr,
                                    KvsqlAggregate *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
