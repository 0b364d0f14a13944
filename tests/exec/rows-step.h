/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rows-step.h: a step for tests that gives rows made beforehand.
 */
#pragma once

#include "core/exec/step.h"

G_BEGIN_DECLS

/* @rows must outlive it; they come in batches of @batch_rows. */
KvsqlStep *rows_step_new (const KvsqlBatch *rows, guint batch_rows);

/* All that a step gives, as one batch whose bytes lie in @arena. Frees the step. */
KvsqlBatch *rows_of_step (KvsqlStep *step, KvsqlArena *arena, GError **error);

G_END_DECLS
