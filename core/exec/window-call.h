/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window-call.h: computes a call with OVER, row by row.
 */
#pragma once

#include "core/exec/window-current.h"
#include "core/plan/window.h"

G_BEGIN_DECLS

typedef struct _KvsqlWindowEvaluator KvsqlWindowEvaluator;

/* @call must outlive it. @order: (nullable): the first sort key of the window */
KvsqlWindowEvaluator *kvsql_window_evaluator_new (const KvsqlWindowCall *call,
                                                  const KvsqlKeyPart *order);
void kvsql_window_evaluator_free (KvsqlWindowEvaluator *self); /* accepts NULL */

/* The result for the current row. Rows come in their order. Bytes of the result are in @arena. */
gboolean kvsql_window_evaluator_compute (KvsqlWindowEvaluator *self, KvsqlWindowCurrent *current,
                                         KvsqlArena *arena, KvsqlValue *out,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The arena of the results is reset. */
void kvsql_window_evaluator_begin_batch (KvsqlWindowEvaluator *self);
/* The first row that the call may use for rows after the current one. */
guint64 kvsql_window_evaluator_get_first (const KvsqlWindowEvaluator *self,
                                          const KvsqlWindowCurrent *current);

G_END_DECLS
