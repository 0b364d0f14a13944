/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-width.h: how many bytes are read for a tuple, for costs.
 */
#pragma once

#include "core/catalog/schema.h"
#include "core/catalog/statistics.h"

G_BEGIN_DECLS

/* Of a value whose size is not known. */
gdouble kvsql_estimate_usual_bytes (KvsqlType type);

/* The average bytes of the cells of one tuple: rows, qualifiers and values. @statistics:
 * (nullable); without them, attributes have usual sizes. @is_read: (nullable): by cell; NULL: all
 */
gdouble kvsql_estimate_row_bytes (const KvsqlSchema *schema, const KvsqlStatistics *statistics,
                                  const gboolean *is_read);

G_END_DECLS
