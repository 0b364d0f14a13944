/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * filter.h: what a store may be asked to leave out of a scan: rows by the value of a column.
 *
 * A filter is an OR of clauses, a clause an AND of terms, a term names a column and ranges of
 * bytes. A row that lacks the column does not pass the term, and neither does one whose value
 * (the newest version) lies in none of the ranges.
 *
 * A filter only saves work: whoever asks checks again what comes. So a store that does not have
 * KVSQL_FILTER_VALUES among its capabilities may ignore it.
 *
 * All families that are read have to be named by some term. HBase reads the others later, for the
 * rows that passed: such a row could then be one that never was; and it can't do so backwards.
 */
#pragma once

#include "core/store/store.h"

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

struct _KvsqlFilter
{
  const KvsqlFilterClause *clauses;
  guint n_clauses; /* >= 1 */
};

/* Whether a term is about that family. */
gboolean kvsql_filter_names_family (const KvsqlFilter *self, KvsqlSlice family);

/* Whether a row of these cells passes; every cell of the filter's columns must be among them. */
gboolean kvsql_filter_admits (const KvsqlFilter *self, const KvsqlCell *cells, guint n_cells);

/* A copy that lives as long as @arena; NULL of NULL. */
const KvsqlFilter *kvsql_filter_dup (const KvsqlFilter *self, KvsqlArena *arena);

/* For people: f:q = "x" OR f:q from "a" up to, not including, "b" */
void kvsql_filter_append_text (const KvsqlFilter *self, GString *out);

G_END_DECLS
