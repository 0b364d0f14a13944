/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * filter.h: filters in HBase's filter language, as TScan and TGet take it.
 */
#pragma once

#include "core/store/filter.h"

G_BEGIN_DECLS

/* Appends the text for the filter of a scan, which is bytes: values stand in it as they are, with
 * quotes doubled. Nothing for no filter. */
void kvsqld_hbase_filter_append (const KvsqlScanSpec *spec, KvsqlBuffer *out);

G_END_DECLS
