/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * filter.h: a condition on column values that is pushed down to a scan of the store.
 *
 * A filter is an OR of clauses. A clause is an AND of terms. A term names a column and ranges of
 * bytes. A row passes a term if it has the column and the newest value is in one of the ranges.
 *
 * A filter is an optimization: the caller evaluates its predicate again on every row. A store
 * without the capability KVSQL_FILTER_VALUES may ignore the filter.
 *
 * Every family that the scan reads must be named by a term. HBase reads families without a term
 * later, for rows that passed: such a row could combine cells of two versions of the row. HBase
 * cannot do this in a reversed scan at all.
 */
#pragma once

#include "core/store/row-types.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlSlice family;
  KvsqlSlice qualifier;
  const KvsqlRowRange *ranges; /* of values: start <= value < stop, no stop: all from start on */
  guint n_ranges;              /* >= 1; disjoint, ascending, none of them empty */
} KvsqlFilterTerm;

typedef struct
{
  const KvsqlFilterTerm *terms;
  guint n_terms; /* >= 1 */
} KvsqlFilterClause;

typedef struct _KvsqlFilter
{
  const KvsqlFilterClause *clauses;
  guint n_clauses; /* >= 1 */
} KvsqlFilter;

/* Whether a term names that family. */
gboolean kvsql_filter_names_family (const KvsqlFilter *self, KvsqlSlice family);

/* Whether a row with these cells passes. @cells must contain all cells of the row in the filter's
 * columns. */
gboolean kvsql_filter_admits (const KvsqlFilter *self, const KvsqlCell *cells, guint n_cells);

/* A copy in @arena. NULL returns NULL. */
const KvsqlFilter *kvsql_filter_dup (const KvsqlFilter *self, KvsqlArena *arena);

/* Readable text: f:q = "x" OR f:q from "a" up to, not including, "b" */
void kvsql_filter_append_text (const KvsqlFilter *self, GString *out);

G_END_DECLS
