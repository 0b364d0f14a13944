/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * candidate.h: what it would mean to answer a query from one schema.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/plan/boxes.h"
#include "core/plan/row-ranges.h"
#include "core/plan/skip.h"

G_BEGIN_DECLS

/* One table and what to read of it. */
typedef struct
{
  KvsqlSlice table;
  KvsqlRowRange *ranges; /* disjoint, ascending */
  guint n_ranges;
} KvsqlPlanTable;

struct _KvsqlCandidate
{
  const KvsqlSchema *schema;
  gboolean is_usable;     /* holds every attribute the query needs, or can fetch them */
  gint missing_attribute; /* if not */

  const KvsqlSchema *fetch_schema;       /* nullable: what the schema lacks is read there, by key */
  KvsqlAttributeSet fetched;             /* what it lacks */
  const KvsqlPredicate *index_predicate; /* nullable: checked before anything is fetched */

  gboolean has_open_table; /* the predicate does not fix TABLE: @prefix-ed tables are listed when it
                              runs */
  KvsqlSlice table_prefix;
  KvsqlRowRange table_names; /* and of those, only names in here are read */
  KvsqlPlanTable
      *tables; /* with an open table: one entry with an empty name, for each table listed */
  guint n_tables;
  KvsqlColumn *columns; /* what to ask the store for; n_columns 0: everything */
  guint n_columns;
  const KvsqlFilter *filter; /* nullable: what the store is to leave out (store-side.h) */
  gboolean keys_only;        /* no value is needed, nor looked at */
  KvsqlTimeRange times;      /* cells outside of it are not asked for */
  guint n_cells;             /* that are read of a tuple, at most */

  gboolean is_full_scan;     /* a range without any bound */
  gboolean is_proved;        /* the ranges decide the predicate alone */
  KvsqlAttributeSet bounded; /* attributes whose constraints the ranges use */
  guint n_fixed;             /* elements in front of ROW that are fixed: the paper's score */
  gboolean gives_order;      /* the scan gives the order that is asked for (order.h) */
  gboolean is_reversed;      /* by reading the ranges from the last row to the first */
  const KvsqlSkip *skip;     /* nullable: not all of the ranges is read */
  gdouble requests;          /* estimates: of the scan, without those of a fetch or a skip */
  gdouble rows;
  gdouble cost;

  const KvsqlSkip *other_skip; /* nullable: with @skip unset, what it could have been */
  gdouble other_cost;          /* of reading without @skip, or with @other_skip */
};

/* Rows that are asked for by key go into one request, this many at most: of a fetch for the entries
 * of an index, which may not be wanted to the end, and of keys that the predicate names. */
#define KVSQL_ROWS_PER_GET 100
#define KVSQL_NAMED_ROWS_PER_GET 500
/* What reading a row by its key costs beside the request, in units of a row in a scan. */
#define KVSQL_GET_COST 4.0

void kvsql_candidate_make (const KvsqlSchema *schema, const KvsqlBoxes *boxes,
                           const KvsqlAttributeSet *needed,
                           const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena,
                           KvsqlCandidate *out);

/* Sets the estimates for @rows rows being read. */
void kvsql_candidate_estimate (KvsqlCandidate *self, gdouble rows,
                               const KvsqlStoreCapabilities *capabilities);

/* <0: @a is the better choice. Neither is unusable. */
gint kvsql_candidate_compare (const KvsqlCandidate *a, const KvsqlCandidate *b);

G_END_DECLS
