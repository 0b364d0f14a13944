/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * spool.h: stores all rows before it gives the first one back, in their order.
 *
 * For statements that write what they read. Rows that do not fit into memory go to a temporary
 * file. Not thread-safe.
 */
#pragma once

#include "core/base/arena.h"
#include "core/base/vector.h"
#include "core/exec/sort.h"

G_BEGIN_DECLS

typedef struct _KvsqlSpool KvsqlSpool;

KvsqlSpool *kvsql_spool_new (const KvsqlSortLimits *limits);
void kvsql_spool_free (KvsqlSpool *self); /* accepts NULL */

/* Copies the rows. All batches have columns of the same types. Not to be called after the first
 * pop. Errors: KVSQL_ERROR_LIMIT when neither memory nor disk may hold more. */
gboolean kvsql_spool_push (KvsqlSpool *self, const KvsqlBatch *batch,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_spool_pop:
 * @arena: owns the bytes of the values
 * @out: (transfer none): the next rows, KVSQL_BATCH_ROWS at most, valid until the next call; NULL:
 *   the end
 */
gboolean kvsql_spool_pop (KvsqlSpool *self, KvsqlArena *arena, const KvsqlBatch **out,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlSpool, kvsql_spool_free)

G_END_DECLS
