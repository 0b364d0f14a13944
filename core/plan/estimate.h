/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * estimate.h: how many tuples satisfy a disjunct.
 *
 * Without statistics an estimate knows nothing about the data: each fixed element of a key divides
 * the table by a hundred, a bounded element by ten.
 */
#pragma once

#include "core/layout/layout-types.h"
#include "core/plan/dnf.h"

G_BEGIN_DECLS

/* The assumed size of a table without statistics. */
#define KVSQL_ASSUMED_ROWS 1000000.0

/* @statistics: (nullable) */
gdouble kvsql_estimate_table_rows (const KvsqlStatistics *statistics);
/* Whether kvsql_estimate_table_rows() returns KVSQL_ASSUMED_ROWS. */
gboolean kvsql_estimate_is_assumed (const KvsqlStatistics *statistics);

/* The share of tuples within the bounds of @sequence, without statistics. Adds the attributes whose
 * constraints give these bounds to @bounded. @out_is_exact: whether the bounds decide those
 * constraints. */
gdouble kvsql_estimate_sequence (const KvsqlSequence *sequence, const KvsqlConstrainer *constrainer,
                                 KvsqlAttributeSet *bounded, gboolean *out_is_exact);

/* The same with statistics, for the attributes in @bounded, which are taken to be independent. */
gdouble kvsql_estimate_known_share (const KvsqlStatistics *statistics,
                                    const KvsqlDisjunct *disjunct,
                                    const KvsqlAttributeSet *bounded);

/* An upper bound of the number of different key prefixes of @n_elements elements in the tuples of a
 * disjunct; INFINITY if unknown. */
gdouble kvsql_estimate_key_prefixes (const KvsqlSequence *sequence, guint n_elements,
                                     const KvsqlConstrainer *constrainer,
                                     const KvsqlStatistics *statistics);

/* Whether the ranges are point lookups only. */
gboolean kvsql_byte_ranges_are_points (const KvsqlByteRanges *ranges);

G_END_DECLS
