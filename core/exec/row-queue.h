/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-queue.h: rows that are all taken in before the first is given out, in their order.
 *
 * For statements that write what they read. What memory does not hold goes on in a temporary file.
 * No thread safety.
 */
#pragma once

#include "core/base/arena.h"
#include "core/base/vector.h"
#include "core/exec/sort.h"

G_BEGIN_DECLS

typedef struct _KvsqlRowQueue KvsqlRowQueue;

KvsqlRowQueue *kvsql_row_queue_new (const KvsqlSortLimits *limits);
void kvsql_row_queue_free (KvsqlRowQueue *self); /* accepts NULL */

/* Takes a copy of the rows; all batches have columns of the same types. Not after the first pop.
 * Errors: KVSQL_ERROR_LIMIT when neither memory nor disk may hold more. */
gboolean kvsql_row_queue_push (KvsqlRowQueue *self, const KvsqlBatch *batch, GError **error);

/**
 * kvsql_row_queue_pop:
 * @arena: owns the bytes of the values
 * @out: (transfer none): the next rows, KVSQL_BATCH_ROWS at most, until the next call; NULL: there
 *   are none
 */
gboolean kvsql_row_queue_pop (KvsqlRowQueue *self, KvsqlArena *arena, const KvsqlBatch **out,
                              GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlRowQueue, kvsql_row_queue_free)

G_END_DECLS
