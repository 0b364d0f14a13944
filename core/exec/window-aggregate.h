/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window-aggregate.h: an aggregate over a frame that moves.
 */
#pragma once

#include "core/exec/window-frame.h"
#include "core/plan/window.h"

G_BEGIN_DECLS

typedef struct _KvsqlWindowAggregate KvsqlWindowAggregate;

/* @call must outlive it. */
KvsqlWindowAggregate *kvsql_window_aggregate_new (const KvsqlAggregate *call);
void kvsql_window_aggregate_free (KvsqlWindowAggregate *self); /* accepts NULL */

/* The result over the frame, which is that of the current row. Its bytes are in @arena. */
gboolean kvsql_window_aggregate_compute (KvsqlWindowAggregate *self, const KvsqlWindowFrame *frame,
                                         KvsqlWindowCurrent *current, KvsqlArena *arena,
                                         KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The bytes of the last result are gone. */
void kvsql_window_aggregate_forget_result (KvsqlWindowAggregate *self);
/* The first row that may have to be removed later. */
guint64 kvsql_window_aggregate_get_first (const KvsqlWindowAggregate *self);

G_END_DECLS
