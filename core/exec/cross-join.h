/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cross-join.h: each tuple of a scan with each tuple of other relations.
 *
 * Belongs to one thread at a time.
 */
#pragma once

#include "core/exec/select.h"
#include "core/plan/cross-join-plan.h"

G_BEGIN_DECLS

typedef struct _KvsqlCrossJoinRun KvsqlCrossJoinRun;

/* @plan has a cross join; all arguments must outlive the run. The other relations together may use
 * limits->sort_bytes of memory. */
KvsqlCrossJoinRun *kvsql_cross_join_run_new (const KvsqlSelectPlan *plan, KvsqlStore *store,
                                             const KvsqlSelectLimits *limits);
void kvsql_cross_join_run_free (KvsqlCrossJoinRun *self); /* accepts NULL */

/* TRUE with the next rows, columns as cross-join-plan.h numbers them; n_rows 0 is the end. Valid
 * until the next call. @scan: of the first relation. */
gboolean kvsql_cross_join_run_next (KvsqlCrossJoinRun *self, KvsqlTableScan *scan,
                                    const KvsqlCall *call, KvsqlBatch **out_batch,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Counts of reading another relation; valid while the run lives. FALSE: they were returned before,
 * or are not known yet. */
gboolean kvsql_cross_join_run_take_counts (KvsqlCrossJoinRun *self, guint part,
                                           KvsqlAssemblerCounts *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlCrossJoinRun, kvsql_cross_join_run_free)

G_END_DECLS
