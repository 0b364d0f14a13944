/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * verify.h: the current tuples of what a scan gives, as an operator of SELECT … WITH VERIFIED.
 *
 * It reads the anchors of some tuples at a time (core/scan/verified-tuples.h). A tuple that is not
 * current is replaced by the current one with the same KEY, so the predicate has to be tested
 * after this. A tuple that there is not any more is dropped. The order of the scan is kept. The
 * input may be entries of an index: an anchor has all attributes.
 */
#pragma once

#include "core/exec/row-source.h"
#include "core/plan/select-plan.h"
#include "core/scan/run-counts.h"

G_BEGIN_DECLS

/**
 * kvsql_verify_new:
 * @input: (transfer full): gives tuples or entries, with the KEY
 * @plan: is verified; must outlive the operator, as must @store and @counts
 * @max_scan_rows: KVSQL_ERROR_LIMIT beyond, anchors included; 0: no limit
 */
KvsqlRowSource *kvsql_verify_new (KvsqlRowSource *input, const KvsqlSelectPlan *plan,
                                  KvsqlStore *store, guint64 max_scan_rows, KvsqlRunCounts *counts);

G_END_DECLS
