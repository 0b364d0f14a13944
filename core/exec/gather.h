/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gather.h: the rows of a scan, which are read in parallel if the scan turns out to be long.
 */
#pragma once

#include "core/exec/limits.h"
#include "core/exec/part-scan.h"

G_BEGIN_DECLS

/**
 * kvsql_gather_new:
 * @input: (transfer full): computes rows of the tuples of @table
 * @table: a table source that @input reads
 * @output: rows of a part, like those of @input. Copied, except what it points to, which must
 *   outlive the gather; @output->types: (transfer full)
 * @limits: must outlive the gather. Its counts are not NULL.
 */
KvsqlRowSource *kvsql_gather_new (KvsqlRowSource *input, KvsqlRowSource *table,
                                  const KvsqlPartOutput *output, const KvsqlSelectLimits *limits);

/* ---- for an aggregate that is directly above the gather */

/* From now on a slice may have a chunk with groups. @aggregation must live as long as the
 * gather. */
void kvsql_gather_begin_aggregating (KvsqlRowSource *self, const KvsqlAggregation *aggregation);
/* Chunks that are begun from now on have rows. */
void kvsql_gather_end_aggregating (KvsqlRowSource *self);
/* Whether one of the chunks that are still to be given has groups. */
gboolean kvsql_gather_has_groups (KvsqlRowSource *self);
/* Gives all again, as rows. Counts start again, too. */
void kvsql_gather_restart (KvsqlRowSource *self);

G_END_DECLS
