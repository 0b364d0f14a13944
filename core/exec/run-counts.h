/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * run-counts.h: what a statement has read, and the bound on it.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 requests; /* calls of the store */
  guint64 seeks;    /* places that a skip scan went to */
  guint64 rows;
  guint64 cells;
  guint64 bytes; /* of keys, columns and values */
  gint64 us;     /* in the store */
} KvsqlReadCounts;

typedef struct
{
  KvsqlReadCounts scan;
  KvsqlReadCounts fetch; /* of an index's tuples, from the primary */
  guint64 entries;       /* of an index */
  guint64 entries_kept;  /* that were fetched */
  guint64 tuples;        /* that came to the predicate */
  guint64 matched;       /* that satisfied it */
  guint64 parts;         /* that were read beside each other */
} KvsqlRunCounts;

void kvsql_run_counts_add (KvsqlRunCounts *self, const KvsqlRunCounts *other);
void kvsql_run_counts_subtract (KvsqlRunCounts *self, const KvsqlRunCounts *other);

/* Adds the rows of one call of the store, which took @us. */
void kvsql_read_counts_add (KvsqlReadCounts *self, const KvsqlRows *rows, gint64 us);

/* KVSQL_ERROR_LIMIT once more than @max_rows rows have been read; 0: any number may be. */
gboolean kvsql_run_counts_check (const KvsqlRunCounts *self, guint64 max_rows, GError **error);

G_END_DECLS
