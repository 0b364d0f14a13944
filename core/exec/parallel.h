/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parallel.h: reads the parts of a scan in parallel, and gives their rows in the order of the scan.
 *
 * Workers read ahead of the caller, also between its calls, up to a bound of memory. The caller
 * reads parts itself if no worker has taken them. So the scan proceeds even if no worker ever
 * comes.
 *
 * Threads: one caller at a time. No worker uses the object after free() has returned.
 */
#pragma once

#include "core/exec/worker-pool.h"
#include "core/exec/part-scan.h"

G_BEGIN_DECLS

typedef struct _KvsqlParallel KvsqlParallel;

typedef struct
{
  KvsqlWorkerPool *workers; /* must outlive it */
  guint n_workers;          /* the most at one time */
  gsize buffer_bytes;       /* rows that were read and not asked for yet, about */
} KvsqlParallelLimits;

/**
 * kvsql_parallel_new:
 * @output: what it points to must outlive the object
 * @position: (nullable): where the first part begins
 * @call: workers count against the usage of its statement, too
 * @counts: the reads of the chunks that next() returns are added here; must outlive the object
 *
 * Parts and position are copied.
 */
KvsqlParallel *kvsql_parallel_new (const KvsqlPartOutput *output, const KvsqlScanPart *parts,
                                   guint n_parts, const KvsqlScanPosition *position,
                                   const KvsqlParallelLimits *limits, const KvsqlCall *call,
                                   KvsqlRunCounts *counts);
/* Waits until all workers have left: as long as a cancelled call of the store takes. */
void kvsql_parallel_free (KvsqlParallel *self); /* accepts NULL */

/* The size of chunks that are begun from now on. */
void kvsql_parallel_set_chunks (KvsqlParallel *self, guint max_rows, gsize max_bytes);

/* Whether chunks that are begun from now on have groups instead of rows. */
void kvsql_parallel_set_aggregating (KvsqlParallel *self, gboolean is_aggregating);
/* Whether one of the chunks that next() has still to return has groups. */
gboolean kvsql_parallel_has_groups (KvsqlParallel *self);

/* The next chunk, which has rows or groups; NULL at the end. (transfer full) Chunks of a part come
 * after all chunks of the parts before it. After an error the object may only be freed. */
gboolean kvsql_parallel_next (KvsqlParallel *self, const KvsqlCall *call,
                              KvsqlPartChunk **out_chunk, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Counts of the parts that next() has returned completely; valid while the object lives. */
void kvsql_parallel_get_counts (const KvsqlParallel *self, KvsqlAssemblerCounts *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlParallel, kvsql_parallel_free)

G_END_DECLS
