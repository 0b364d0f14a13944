/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * table-scan.h: reads the tuples in an access path's ranges, batch by batch.
 *
 * With skip-scan.c the only code that reads tuples from the store. Of an access path with an index
 * lookup, a scan gives the index entries (core/exec/index-lookup.h reads their tuples). A scan can
 * resume after any tuple that it has given. For this reason cursors survive a restart of their
 * daemon.
 */
#pragma once

#include "core/scan/assembler.h"
#include "core/scan/run-counts.h"
#include "core/scan/scan-position.h"
#include "core/plan/access-path.h"

G_BEGIN_DECLS

typedef struct _KvsqlTableScan KvsqlTableScan;

/**
 * kvsql_table_scan_new:
 * @path: must outlive the scan
 * @position: (nullable): where to resume
 * @row_hint: estimate of the rows that the caller will ask for; 0: all
 */
KvsqlTableScan *kvsql_table_scan_new (KvsqlStore *store, const KvsqlAccessPath *path,
                                      const KvsqlAttributeSet *wanted,
                                      const KvsqlScanPosition *position, guint64 row_hint,
                                      gsize max_bytes);
void kvsql_table_scan_free (KvsqlTableScan *self); /* accepts NULL */

/* Reads a table or family that does not exist as empty. Always so if tuples name their tables or
 * families, because these are made by the first write. Otherwise a missing table is an error,
 * because it was made when the schema was defined. */
void kvsql_table_scan_allow_missing_tables (KvsqlTableScan *self);
/* To be called before the first batch: reads all columns of the rows, not only those of the access
 * path. */
void kvsql_table_scan_read_all_columns (KvsqlTableScan *self);

/**
 * kvsql_table_scan_watch:
 * @max_rows: KVSQL_ERROR_LIMIT beyond; 0: no limit
 * @counts: (nullable): reads are added here; must outlive the scan
 *
 * To be called before the first batch. Without it there is no limit.
 */
void kvsql_table_scan_watch (KvsqlTableScan *self, guint64 max_rows, KvsqlRunCounts *counts);
/* The same for a scan that reads the primary schema for index entries. */
void kvsql_table_scan_watch_lookup (KvsqlTableScan *self, guint64 max_rows, KvsqlRunCounts *counts);

/* Estimate of the rows that will come; G_MAXUINT64: very many. To be called before the first
 * batch. */
void kvsql_table_scan_expect (KvsqlTableScan *self, guint64 rows);

/* Restricts the scan to one part, whose bytes must outlive the scan. To be called before all other
 * functions. */
void kvsql_table_scan_restrict (KvsqlTableScan *self, const KvsqlScanPart *part);
/* The tables and ranges that will be read, in this order. To be called before the first batch. */
gboolean kvsql_table_scan_get_tables (KvsqlTableScan *self, const KvsqlCall *call,
                                      const KvsqlPlanTable **out_tables, guint *out_n_tables,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* TRUE with the next batch, columns by attribute; n_rows 0 is the end. Valid until the next call.
 */
gboolean kvsql_table_scan_next (KvsqlTableScan *self, const KvsqlCall *call, KvsqlBatch **out_batch,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The oldest timestamp among the cells of tuple @tuple of the last batch. */
gint64 kvsql_table_scan_get_oldest (const KvsqlTableScan *self, guint tuple);

/* Gives rows instead of tuples, for a caller that decodes them. A scan gives either rows or tuples.
 * @out_rows NULL is the end. Of the position only the row matters; that row is given again. */
gboolean kvsql_table_scan_next_rows (KvsqlTableScan *self, const KvsqlCall *call,
                                     KvsqlSlice *out_table, const KvsqlRows **out_rows,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The position after tuple @tuple of the last batch (its index before any filter). Its bytes are
 * valid until the next call. FALSE: this scan has no such positions; count tuples instead. */
gboolean kvsql_table_scan_get_position (KvsqlTableScan *self, guint tuple, KvsqlScanPosition *out);

/* Estimates how much of the scan lies before a position, 0 … 1, from where its row lies between the
 * first and the last row. Asks the store for these once for each table. < 0: not known. Positions
 * must not decrease between calls. */
gdouble kvsql_table_scan_guess_done (KvsqlTableScan *self, const KvsqlScanPosition *position,
                                     const KvsqlCall *call);
/* Ends the scan: others read the rest. Estimates are still possible. */
void kvsql_table_scan_stop (KvsqlTableScan *self);

/* The newest timestamp among the cells of tuple @tuple of the last batch. */
gint64 kvsql_table_scan_get_newest (const KvsqlTableScan *self, guint tuple);

void kvsql_table_scan_get_counts (const KvsqlTableScan *self, KvsqlAssemblerCounts *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlTableScan, kvsql_table_scan_free)

G_END_DECLS
