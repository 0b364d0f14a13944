/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * first-of-each.h: DISTINCT ON: of consecutive rows with equal values, the first one.
 */
#pragma once

#include "core/exec/row-key.h"
#include "core/exec/row-source.h"

G_BEGIN_DECLS

/**
 * kvsql_first_of_each_new:
 * @input: (transfer full): rows with equal values are consecutive
 * @columns: (array length=n_columns): of the values; copied
 */
KvsqlRowSource *kvsql_first_of_each_new (KvsqlRowSource *input, const guint *columns,
                                         guint n_columns);

G_END_DECLS
