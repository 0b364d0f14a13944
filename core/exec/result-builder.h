/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * result-builder.h: copies rows of batches into a page that owns its data.
 */
#pragma once

#include "core/base/vector.h"

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

G_END_DECLS
