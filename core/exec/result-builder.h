/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * result-builder.h: copies rows of batches into a page that owns its data.
 */
#pragma once

#include "core/exec/row-source.h"

G_BEGIN_DECLS

/**
 * kvsql_result_builder_append:
 * @columns: (nullable) (array): the column of @batch for each column of @page; NULL: the first
 *   ones, in order
 * @rows: (array length=n): of @batch, ascending, distinct
 * @arena: owns the page's bytes
 *
 * If the thread is interrupted (interrupt.h), the last values may be empty.
 *
 * Returns: the number of added bytes, about
 */
gsize kvsql_result_builder_append (KvsqlBatch *page, const KvsqlBatch *batch, const guint *columns,
                                   const guint32 *rows, guint n, KvsqlArena *arena);

/* The number of rows of @slice, one at least, that each column of @page can take with @max_bytes.
 * A value that all rows share is counted for each of them. */
guint kvsql_result_builder_count_fitting (const KvsqlBatch *page, const KvsqlRowSlice *slice,
                                          gsize max_bytes);

G_END_DECLS
