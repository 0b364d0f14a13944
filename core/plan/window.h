/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window.h: bound calls with OVER.
 *
 * Expressions have two levels, as those of groups do (group.h). Those of the first level, the
 * inputs, are computed for each tuple or group. Then the windows add the results of their calls.
 * Expressions of the second level, the outputs, are over rows whose columns are the results of all
 * calls, and then the inputs.
 */
#pragma once

#include "core/expr/aggregate.h"
#include "core/expr/binder.h"
#include "core/expr/window-function.h"
#include "core/plan/frame.h"
#include "core/plan/order.h"

G_BEGIN_DECLS

#define KVSQL_WINDOW_MAX_ARGUMENTS 3

/* A call. Columns are those of the rows. */
typedef struct
{
  KvsqlWindowFunction function;
  KvsqlAggregate aggregate; /* of KVSQL_WINDOW_AGGREGATE */
  guint arguments[KVSQL_WINDOW_MAX_ARGUMENTS];
  guint n_arguments;
  guint column; /* of the result */
  KvsqlType type;
  KvsqlTypeLimit shown; /* how the result is shown (core/expr/shown-type.h) */
  KvsqlFrame frame;
  const gchar *text;
} KvsqlWindowCall;

/* All calls with the same PARTITION BY and ORDER BY. */
typedef struct
{
  KvsqlSortKey *partition; /* their order does not matter */
  guint n_partition;
  KvsqlSortKey *order;
  guint n_order;
  KvsqlWindowCall *calls;
  guint n_calls;
  /* What the rows are sorted by before. n_sort 0: they have a suitable order already, that of the
   * window before, or any order is. */
  KvsqlSortKey *sort;
  guint n_sort;
} KvsqlWindow;

typedef struct _KvsqlWindows
{
  KvsqlExpr **inputs; /* the first n_calls are placeholders for the results */
  guint n_inputs;
  guint n_calls;
  KvsqlWindow *windows; /* in the order in which they are computed */
  guint n_windows;
  KvsqlSortKey *last_sort; /* the order of the rows after the last window */
  guint n_last_sort;
  gboolean
      sorts_tuples;     /* all keys of the first sort are attributes: the scan may have its order */
  gboolean gives_order; /* the rows have the order of ORDER BY */
} KvsqlWindows;

typedef struct _KvsqlWindowing KvsqlWindowing;

/**
 * kvsql_windowing_new:
 * @rows: for expressions over tuples, or over groups; must outlive the result
 * @tuples: of the names
 * @select: has the clause WINDOW
 * @uses: (array length=n_uses): all expressions that will be bound with
 * kvsql_windowing_get_binder()
 */
KvsqlWindowing *kvsql_windowing_new (const KvsqlBinder *rows, const KvsqlBinder *tuples,
                                     const KvsqlSelect *select, const KvsqlAstExpr *const *uses,
                                     guint n_uses, GError **error);
/* The binder for expressions over the rows of windows. */
const KvsqlBinder *kvsql_windowing_get_binder (const KvsqlWindowing *self);
/* Call this after all expressions are bound. NULL with an error. */
KvsqlWindows *kvsql_windowing_finish (KvsqlWindowing *self, gboolean is_grouped, GError **error);

/* Orders the windows so that they need few sorts (window-sort.c). @order: that of ORDER BY, over
 * the rows; n_order 0: none. */
void kvsql_windows_sort (KvsqlWindows *self, const KvsqlSortKey *order, guint n_order,
                         KvsqlArena *arena);

G_END_DECLS
