/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * access-path.h: one way to answer a query: what to read from the tables of one schema, and the
 * cost.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/plan/dnf.h"
#include "core/plan/row-ranges.h"
#include "core/plan/skip-plan.h"
#include "core/store/capabilities.h"

G_BEGIN_DECLS

typedef struct _KvsqlFilter KvsqlFilter; /* core/store/filter.h */

/* One table, and the ranges to read from it. */
typedef struct
{
  KvsqlSlice table;
  KvsqlRowRange *ranges; /* disjoint, ascending */
  guint n_ranges;
} KvsqlPlanTable;

typedef struct
{
  const KvsqlSchema *schema;
  gboolean is_usable;     /* the schema, or an index lookup, has all attributes of the query */
  gint missing_attribute; /* the first one that is missing, if not usable */

  const KvsqlSchema *lookup_schema; /* nullable: where missing attributes are looked up by key */
  KvsqlAttributeSet looked_up;      /* the attributes that the lookup adds */
  const KvsqlPredicate *index_predicate; /* nullable: checked before an index lookup */
  gboolean is_verified; /* tuples are compared with their anchors, which are read in place of an
                           index lookup */

  gboolean has_open_table; /* the predicate does not fix TABLE: the tables whose names begin with
                              @table_prefix are listed when the plan runs */
  KvsqlSlice table_prefix;
  KvsqlRowRange table_names; /* only listed tables with a name in this range are read */
  KvsqlPlanTable *tables; /* with an open table: one entry without a name, for all listed tables */
  guint n_tables;
  KvsqlColumn *columns; /* that the store returns; n_columns 0: all */
  guint n_columns;
  const KvsqlFilter *filter; /* nullable: pushed down to the store (pushdown.h) */
  gboolean keys_only;        /* no value is needed or checked */
  KvsqlTimeRange times;      /* the store returns only cells with a timestamp in it */
  guint n_cells;             /* upper bound of the cells that are read for each tuple */

  gboolean is_full_scan;     /* a range has no bound at all */
  gboolean is_exact;         /* the ranges decide the predicate: no residual filter */
  KvsqlAttributeSet bounded; /* attributes whose constraints bound the ranges */
  guint n_fixed;             /* leading elements of ROW that are fixed: breaks ties */
  gboolean gives_order;      /* the scan returns tuples in the order of ORDER BY (order.h) */
  gboolean is_for_merge;     /* a merge join uses the order of the scan */
  gboolean is_reversed;      /* the ranges are read from the last row to the first */
  const KvsqlSkipPlan *skip; /* nullable: a skip scan reads only a part of the ranges */
  gdouble requests;          /* estimated, of the scan without index lookups and skips */
  gdouble rows;
  gboolean is_assumed; /* @rows is a share of KVSQL_ASSUMED_ROWS, not a measure of the data */
  gdouble cost;
  gdouble unit_us;                    /* microseconds of a unit of the cost; 0: not measured */
  gdouble row_bytes, looked_up_bytes; /* of a row that is read, and of one that is looked up; 0: the
                                         cost has no bytes */

  const KvsqlSkipPlan *other_skip; /* nullable: the skip scan that was rejected, if @skip is NULL */
  gdouble other_cost;              /* cost of the alternative: without @skip, or with @other_skip */
} KvsqlAccessPath;

/* The number of rows in one request of reads by key. An index lookup sends fewer, since a LIMIT may
 * end the query before all index entries are looked up. */
#define KVSQL_ROWS_PER_GET 100
#define KVSQL_NAMED_ROWS_PER_GET 500
/* The most anchors that a verified read gets in one request: of a batch of a scan. */
#define KVSQL_ANCHORS_PER_GET 1024

/* Sets the estimates for a scan that reads @rows rows. */
void kvsql_access_path_estimate (KvsqlAccessPath *self, gdouble rows,
                                 const KvsqlStoreCapabilities *capabilities);

/* Makes it the path of a verified read: the anchors of all tuples are read, too. */
void kvsql_access_path_verify (KvsqlAccessPath *self, const KvsqlStoreCapabilities *capabilities);

/* Negative if @a is better. Both must be usable. */
gint kvsql_access_path_compare (const KvsqlAccessPath *a, const KvsqlAccessPath *b);

G_END_DECLS
