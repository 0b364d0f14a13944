/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * page-fill.h: rows of batches, gathered in a page that owns what it holds.
 */
#pragma once

#include "core/base/vector.h"

G_BEGIN_DECLS

/**
 * kvsql_page_append:
 * @columns: (nullable) (array): which column of @batch each of @page's is; NULL: the first ones, in
 * order
 * @rows: (array length=n): of @batch, ascending, none twice
 * @arena: owns the page's bytes
 *
 * Returns: about how many bytes were added
 */
gsize kvsql_page_append (KvsqlBatch *page, const KvsqlBatch *batch, const guint *columns,
                         const guint32 *rows, guint n, KvsqlArena *arena);

G_END_DECLS
