/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parallel.h: the parts of a scan, read beside each other, given out in the scan's order.
 *
 * Helpers read ahead of who asks, also between his calls, until a bound of memory; he reads himself
 * what nobody has read yet, so that it goes on though no helper ever comes.
 *
 * Threads: one at a time calls; helpers come by themselves, and are gone when free() returns.
 */
#pragma once

#include "core/exec/helpers.h"
#include "core/exec/part-scan.h"

G_BEGIN_DECLS

typedef struct _KvsqlParallel KvsqlParallel;

typedef struct
{
  KvsqlHelpers *helpers; /* outlive it */
  guint n_helpers;       /* at once, at most */
  gsize buffer_bytes;    /* of rows that were read and not asked for yet, about */
} KvsqlParallelLimits;

/**
 * kvsql_parallel_new:
 * @output: what it points to must outlive it
 * @position: (nullable): where the first part begins
 * @call: the usage of its statement counts for helpers, too
 * @counts: what was read for the chunks that are given is added there; it outlives it
 *
 * Parts and position are copied.
 */
KvsqlParallel *kvsql_parallel_new (const KvsqlPartOutput *output, const KvsqlScanPart *parts,
                                   guint n_parts, const KvsqlScanPosition *position,
                                   const KvsqlParallelLimits *limits, const KvsqlCall *call,
                                   KvsqlRunCounts *counts);
/* Waits until helpers have left it: no longer than a call of the store that was cancelled takes. */
void kvsql_parallel_free (KvsqlParallel *self); /* accepts NULL */

/* How large chunks are, from now on. */
void kvsql_parallel_set_chunks (KvsqlParallel *self, guint max_rows, gsize max_bytes);

/* Whether chunks that are begun from now on have groups instead of rows. */
void kvsql_parallel_set_folding (KvsqlParallel *self, gboolean is_folding);
/* Whether chunks not yet given have groups. */
gboolean kvsql_parallel_has_groups (KvsqlParallel *self);

/* The next chunk, which has rows, or groups; NULL at the end. (transfer full) The first chunk of a
 * part comes only after all of the parts before. On an error it is of no more use. */
gboolean kvsql_parallel_next (KvsqlParallel *self, const KvsqlCall *call,
                              KvsqlPartChunk **out_chunk, GError **error);

/* Of the parts that were given to their end; as long as it lives. */
void kvsql_parallel_get_misfits (const KvsqlParallel *self, KvsqlAssemblerCounts *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlParallel, kvsql_parallel_free)

G_END_DECLS
