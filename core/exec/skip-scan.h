/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * skip-scan.h: rows of one table, from one front of its keys to the next (core/plan/skip.h).
 *
 * Works on any store: a seek is a scan that begins there.
 */
#pragma once

#include "core/exec/run-counts.h"
#include "core/plan/skip.h"

G_BEGIN_DECLS

typedef struct _KvsqlSkipScan KvsqlSkipScan;

/**
 * kvsql_skip_scan_new:
 * @spec: the ranges in which fronts are looked for, columns, size of batches; what it points to
 *   must outlive the scan
 * @skip: must outlive the scan
 * @reads: what is read is added there
 */
KvsqlSkipScan *kvsql_skip_scan_new (KvsqlStore *store, const KvsqlScanSpec *spec,
                                    const KvsqlSkip *skip, KvsqlReadCounts *reads);
void kvsql_skip_scan_free (KvsqlSkipScan *self); /* accepts NULL */

/**
 * kvsql_skip_scan_next:
 * @out_rows: (out): in the order of the scan; valid until the next call; maybe none, which is not
 * the end
 * @out_is_at_end: (out): with it there are no rows
 *
 * Rows that begin with no front are given out as well: whoever decodes them will count them.
 */
gboolean kvsql_skip_scan_next (KvsqlSkipScan *self, const KvsqlCall *call,
                               const KvsqlRows **out_rows, gboolean *out_is_at_end, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlSkipScan, kvsql_skip_scan_free)

G_END_DECLS
