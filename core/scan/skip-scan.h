/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * skip-scan.h: reads rows of one table, from one key prefix to the next (core/plan/skip-plan.h).
 *
 * Works on any store: a seek is a scan that begins at the key prefix.
 */
#pragma once

#include "core/scan/run-counts.h"
#include "core/plan/skip-plan.h"

G_BEGIN_DECLS

typedef struct _KvsqlSkipScan KvsqlSkipScan;

/**
 * kvsql_skip_scan_new:
 * @spec: the ranges that contain the key prefixes, columns, size of batches; what it points to must
 *   outlive the scan
 * @skip: must outlive the scan
 * @reads: reads are added here
 */
KvsqlSkipScan *kvsql_skip_scan_new (KvsqlStore *store, const KvsqlScanSpec *spec,
                                    const KvsqlSkipPlan *skip, KvsqlReadCounts *reads);
void kvsql_skip_scan_free (KvsqlSkipScan *self); /* accepts NULL */

/**
 * kvsql_skip_scan_next:
 * @out_rows: (out): in the order of the scan; valid until the next call; may be empty before the
 *   end
 * @out_is_at_end: (out): then there are no rows
 *
 * Rows without a key prefix are returned as well: the decoder counts them.
 */
gboolean kvsql_skip_scan_next (KvsqlSkipScan *self, const KvsqlCall *call,
                               const KvsqlRows **out_rows, gboolean *out_is_at_end,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlSkipScan, kvsql_skip_scan_free)

G_END_DECLS
