/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * distinct.h: SELECT DISTINCT.
 */
#pragma once

#include "core/exec/sort.h"

G_BEGIN_DECLS

/* The rows of @input (transfer full), each once. @types: of its columns. New rows are emitted at
 * once while the table of known rows fits into memory. The other rows are sorted, and emitted at
 * the end. */
KvsqlRowSource *kvsql_distinct_new (KvsqlRowSource *input, const KvsqlType *types, guint n_columns,
                                    const KvsqlSortLimits *limits);

G_END_DECLS
