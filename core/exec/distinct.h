/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * distinct.h: SELECT DISTINCT.
 */
#pragma once

#include "core/exec/sort.h"

G_BEGIN_DECLS

/* The rows of @input (transfer full), each once; given out as they come, while there is memory to
 * know them by, and the others sorted, at the end. @types: of its columns. */
KvsqlStep *kvsql_distinct_new (KvsqlStep *input, const KvsqlType *types, guint n_columns,
                               const KvsqlSortLimits *limits);

G_END_DECLS
