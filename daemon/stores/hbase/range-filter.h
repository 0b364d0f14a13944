/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * range-filter.h: several ranges of rows as one scan: HBase's MultiRowRangeFilter.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

/* Appends the filter that admits only these ranges, for TScan's filterBytes. Each has an end. */
void kvsqld_hbase_range_filter_append (const KvsqlRowRange *ranges, guint n_ranges,
                                       KvsqlBuffer *out);

G_END_DECLS
