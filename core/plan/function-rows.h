/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * function-rows.h: a function in FROM, of which core/exec makes rows.
 */
#pragma once

#include "core/expr/expr.h"
#include "core/expr/row-function.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;
  KvsqlExpr **arguments; /* without names */
  guint n_arguments;
  /* Neither of them: the elements of lists, as of unnest(). */
  const struct _KvsqlSeriesClass *series; /* of generate_series() */
  const KvsqlRowFunction *row_function;
  KvsqlType *types;        /* of the columns */
  guint n_columns;         /* without the number of the row */
  gboolean has_ordinality; /* one more column */
  gdouble rows;            /* estimated */
} KvsqlFunctionPlan;

G_END_DECLS
