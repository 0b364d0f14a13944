/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * match.h: INTERSECT and EXCEPT.
 */
#pragma once

#include "core/exec/sort.h"

G_BEGIN_DECLS

typedef struct
{
  const KvsqlType *types; /* (array length=n_columns): of both inputs; copied */
  guint n_columns;
  gboolean keeps_matches; /* INTERSECT; else EXCEPT */
  gboolean is_all;        /* each row of the other input matches one row; else any number of rows */
} KvsqlMatching;

/**
 * kvsql_match_new:
 * @input: (transfer full): whose rows are given, if they have a match, or if they have none
 * @other: (transfer full): read first; its different rows are kept in memory, as many as fit
 *
 * Both give all rows of their batches. Rows with NULLs match each other, as in DISTINCT. Without
 * `is_all`, equal rows of @input are all given.
 */
KvsqlRowSource *kvsql_match_new (KvsqlRowSource *input, KvsqlRowSource *other,
                                 const KvsqlMatching *matching, const KvsqlSortLimits *limits);

G_END_DECLS
