/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * run-counts.h: counts and limits what a statement reads.
 */
#pragma once

#include "core/plan/plan-node.h"
#include "core/store/store.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 requests; /* calls of the store */
  guint64 seeks;    /* key prefixes that a skip scan looked for */
  guint64 rows;
  guint64 cells;
  guint64 bytes; /* of keys, columns and values */
  gint64 us;     /* microseconds in the store */
} KvsqlReadCounts;

typedef struct
{
  KvsqlReadCounts scan;
  KvsqlReadCounts lookup;            /* tuples of an index's entries, from the primary */
  KvsqlReadCounts anchors;           /* of a verified read */
  guint64 replaced;                  /* tuples, because their anchors have newer ones */
  guint64 dropped;                   /* tuples that there are not any more */
  guint64 repeated;                  /* tuples that had been returned already */
  guint64 index_entries;             /* read */
  guint64 index_entries_kept;        /* whose tuples were read from the primary */
  guint64 tuples;                    /* that the predicate was applied to */
  guint64 matched;                   /* that satisfied the predicate */
  guint64 parts;                     /* that were read in parallel */
  guint64 given[KVSQL_N_NODE_KINDS]; /* rows that each operator gave, if asked for */
  guint32 operators; /* bit k: there is an operator for the node of kind k, and it was counted */
} KvsqlRunCounts;

void kvsql_run_counts_add (KvsqlRunCounts *self, const KvsqlRunCounts *other);
void kvsql_run_counts_subtract (KvsqlRunCounts *self, const KvsqlRunCounts *other);

/* Adds the rows of one call of the store. @us: its duration. */
void kvsql_read_counts_add (KvsqlReadCounts *self, const KvsqlRows *rows, gint64 us);

/* KVSQL_ERROR_LIMIT if more than @max_rows rows have been read; 0: no limit. */
gboolean kvsql_run_counts_check (const KvsqlRunCounts *self, guint64 max_rows,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
