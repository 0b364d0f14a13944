/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window.h: adds the results of calls with OVER to sorted rows.
 */
#pragma once

#include "core/exec/row-source.h"
#include "core/exec/sort.h"
#include "core/plan/window.h"

G_BEGIN_DECLS

/**
 * kvsql_window_new:
 * @input: (transfer full): the rows of a partition are consecutive, and in the order of the window
 * @types: (array length=n_types): of its columns; those of the results are KVSQL_TYPE_NULL
 * @window: must outlive the row source
 * @limits: memory, and temporary files for the rows around the current one that do not fit into
 *   memory. KVSQL_ERROR_LIMIT beyond them.
 *
 * Gives the rows of the input, in their order, with the columns of the results. Reads no more of
 * the input than the results need: without the end of the partition, rows are given before that
 * is read.
 */
KvsqlRowSource *kvsql_window_new (KvsqlRowSource *input, const KvsqlType *types, guint n_types,
                                  const KvsqlWindow *window, const KvsqlSortLimits *limits);

G_END_DECLS
