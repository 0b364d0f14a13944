/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tuple-scan.h: the tuples that a candidate's ranges hold, batch by batch.
 *
 * The only operator that talks to the store while reading. It can begin again behind any tuple it
 * has given out, which is what makes cursors survive their daemon.
 */
#pragma once

#include "core/exec/assembler.h"
#include "core/exec/run-counts.h"
#include "core/plan/candidate.h"

G_BEGIN_DECLS

typedef struct _KvsqlTupleScan KvsqlTupleScan;

/* Behind a tuple. Either a row of a table and how many of its tuples are done, or a count of
 * tuples. */
typedef struct
{
  gboolean has_row;
  KvsqlSlice table;
  KvsqlSlice row;
  guint32 n_done_in_row;
} KvsqlScanPosition;

/* Some rows of one of the tables. */
typedef struct
{
  gboolean is_part;   /* FALSE: all rows of all tables */
  guint32 table;      /* its number among those of the candidate */
  KvsqlSlice name;    /* its name, by which an open table is found */
  KvsqlRowRange rows; /* an empty start has no bound either */
} KvsqlScanPart;

/**
 * kvsql_tuple_scan_new:
 * @candidate: must outlive the scan
 * @position: (nullable): where to go on
 * @row_hint: how many rows will probably be wanted; 0: all
 */
KvsqlTupleScan *kvsql_tuple_scan_new (KvsqlStore *store, const KvsqlCandidate *candidate,
                                      const KvsqlAttributeSet *wanted,
                                      const KvsqlScanPosition *position, guint64 row_hint,
                                      gsize max_bytes);
void kvsql_tuple_scan_free (KvsqlTupleScan *self); /* accepts NULL */

/* A table or family that does not exist is read as one without rows. That holds always where tuples
 * name their tables or families, which exist from the first write on; elsewhere it is an error,
 * because they were made when the schema was defined. */
void kvsql_tuple_scan_allow_missing_tables (KvsqlTupleScan *self);

/**
 * kvsql_tuple_scan_watch:
 * @max_rows: more rows than this are KVSQL_ERROR_LIMIT; 0: any number
 * @counts: (nullable): what is read is added there; it outlives the scan
 *
 * Before the first batch. A scan that is not watched reads as many rows as there are.
 */
void kvsql_tuple_scan_watch (KvsqlTupleScan *self, guint64 max_rows, KvsqlRunCounts *counts);
/* The same for one that reads by key what an index lacks. */
void kvsql_tuple_scan_watch_fetch (KvsqlTupleScan *self, guint64 max_rows, KvsqlRunCounts *counts);

/* So many rows will probably come, G_MAXUINT64: very many. Before the first batch. */
void kvsql_tuple_scan_expect (KvsqlTupleScan *self, guint64 rows);

/* Reads only that part, whose bytes must outlive the scan. Before anything else is asked of it. */
void kvsql_tuple_scan_restrict (KvsqlTupleScan *self, const KvsqlScanPart *part);
/* What will be read, in this order: tables and ranges. Before the first batch. */
gboolean kvsql_tuple_scan_get_tables (KvsqlTupleScan *self, const KvsqlCall *call,
                                      const KvsqlPlanTable **out_tables, guint *out_n_tables,
                                      GError **error);

/* TRUE with the next batch, columns by attribute; n_rows 0 is the end. Valid until the next call.
 */
gboolean kvsql_tuple_scan_next (KvsqlTupleScan *self, const KvsqlCall *call, KvsqlBatch **out_batch,
                                GError **error);

/* The least timestamp of the cells that tuple @tuple of the last batch was made of. Not where
 * tuples are fetched through an index. */
gint64 kvsql_tuple_scan_get_oldest (const KvsqlTupleScan *self, guint tuple);

/* The rows themselves instead, for who decodes them; a scan gives either. @out_rows NULL is the
 * end. Of a position only the row counts, which is given out again. */
gboolean kvsql_tuple_scan_next_rows (KvsqlTupleScan *self, const KvsqlCall *call,
                                     KvsqlSlice *out_table, const KvsqlRows **out_rows,
                                     GError **error);

/* The place behind tuple @tuple of the last batch (its index before any filter); bytes valid until
 * the next call. FALSE: this scan has no such places; count tuples instead. */
gboolean kvsql_tuple_scan_get_position (KvsqlTupleScan *self, guint tuple, KvsqlScanPosition *out);

/* How much of what this scan reads lies before a place, 0 … 1: a guess by where its row lies
 * between the first and the last, for which the store is asked once a table. < 0: not known. The
 * place is none before that of an earlier guess. */
gdouble kvsql_tuple_scan_guess_done (KvsqlTupleScan *self, const KvsqlScanPosition *position,
                                     const KvsqlCall *call);
/* Nothing more will be read: others do. Guesses can still be made. */
void kvsql_tuple_scan_stop (KvsqlTupleScan *self);

/* The newest timestamp of the cells of tuple @tuple of the last batch; for scans of a schema that
 * holds what is wanted. */
gint64 kvsql_tuple_scan_get_newest (const KvsqlTupleScan *self, guint tuple);

void kvsql_tuple_scan_get_counts (const KvsqlTupleScan *self, KvsqlAssemblerCounts *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlTupleScan, kvsql_tuple_scan_free)

G_END_DECLS
