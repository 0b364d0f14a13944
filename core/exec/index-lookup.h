/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * index-lookup.h: the tuples of the primary schema for the entries of an index, as an operator.
 *
 * It reads the tuples of some entries at a time, by key. The primary decides. If the tuple of an
 * entry is gone, or has another value than the entry says, the entry is dropped: it remains from an
 * unfinished write, and the present values of the tuple have an entry of their own. The order of
 * the entries is kept.
 */
#pragma once

#include "core/exec/row-source.h"
#include "core/plan/select-plan.h"
#include "core/scan/run-counts.h"

G_BEGIN_DECLS

/**
 * kvsql_index_lookup_new:
 * @input: (transfer full): gives entries, with all attributes that the index holds
 * @plan: its best access path has a lookup_schema; must outlive the operator, as must @counts
 * @max_scan_rows: KVSQL_ERROR_LIMIT beyond; 0: no limit
 */
KvsqlRowSource *kvsql_index_lookup_new (KvsqlRowSource *input, const KvsqlSelectPlan *plan,
                                        KvsqlStore *store, guint64 max_scan_rows,
                                        KvsqlRunCounts *counts);

G_END_DECLS
