/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statistics-share.h: the share of tuples that satisfies a condition, by statistics.
 */
#pragma once

#include "core/catalog/statistics.h"
#include "core/layout/ranges/constraint.h"

G_BEGIN_DECLS

/* The share of all tuples that satisfies a constraint on one attribute: 0 … 1. */
gdouble kvsql_statistics_get_share (const KvsqlStatistics *self, guint attribute,
                                    const KvsqlConstraint *constraint);

G_END_DECLS
