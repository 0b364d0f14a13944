/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * filter.h: filters in HBase's filter language, for TScan and TGet.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

/* Appends the text of a scan's filter; nothing without a filter. The text is bytes: it contains
 * values as they are, with quotes doubled. */
void kvsqld_hbase_filter_append (const KvsqlScanSpec *spec, KvsqlBuffer *out);

G_END_DECLS
