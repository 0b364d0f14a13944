/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * estimate.h: how much of a relation a box holds.
 *
 * Without statistics an estimate knows no data: every fixed part of a key is taken to divide the
 * table by a hundred, a bounded one by ten.
 */
#pragma once

#include "core/layout/element.h"
#include "core/plan/boxes.h"

G_BEGIN_DECLS

/* What a table is taken to hold while nothing better is known. */
#define KVSQL_ASSUMED_ROWS 1000000.0

/* @statistics: (nullable) */
gdouble kvsql_estimate_table_rows (const KvsqlStatistics *statistics);

/* The part of the tuples that the bounds of @sequence let through, without statistics. Adds the
 * attributes whose constraints they use to @bounded; @out_is_exact says whether they decide them.
 */
gdouble kvsql_estimate_sequence (const KvsqlSequence *sequence, const KvsqlConstrainer *constrainer,
                                 KvsqlAttributeSet *bounded, gboolean *out_is_exact);

/* The same by statistics, for the attributes in @bounded: as if they knew nothing of each other. */
gdouble kvsql_estimate_known_share (const KvsqlStatistics *statistics, const KvsqlBox *box,
                                    const KvsqlAttributeSet *bounded);

/* How many different bytes the first @n_elements of @sequence have in all tuples of a box: an upper
 * bound; INFINITY: there is no telling. */
gdouble kvsql_estimate_fronts (const KvsqlSequence *sequence, guint n_elements,
                               const KvsqlConstrainer *constrainer,
                               const KvsqlStatistics *statistics);

/* Names of something, and no range. */
gboolean kvsql_pieces_are_points (const KvsqlPieces *pieces);

G_END_DECLS
