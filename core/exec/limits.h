/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * limits.h: what a SELECT may use, and where it begins.
 */
#pragma once

#include "core/exec/worker-pool.h"
#include "core/scan/run-counts.h"
#include "core/scan/scan-position.h"

G_BEGIN_DECLS

/* Where the next page begins. */
typedef struct
{
  KvsqlScanPosition scan;
  guint64 n_skip;    /* tuples to skip from there */
  guint64 n_emitted; /* rows in earlier pages, for LIMIT */
  KvsqlScanPart part;
} KvsqlSelectPosition;

/* Of a join, for EXPLAIN ANALYZE. */
typedef struct
{
  guint64 rows;    /* that it gave */
  guint64 kept;    /* rows of the build side */
  guint64 bytes;   /* of them, in memory at one time */
  guint64 spilled; /* bytes that were written to temporary files */
} KvsqlJoinCounts;

typedef struct
{
  guint64 max_scan_rows;  /* KVSQL_ERROR_LIMIT beyond; 0: no limit */
  KvsqlRunCounts *counts; /* nullable: reads are added here; must outlive the run */
  gboolean counts_given;  /* also the rows that each operator of the first relation's plan gives */
  KvsqlJoinCounts *joins; /* nullable: of each join of the plan; must outlive the run */
  guint64 *operands;      /* nullable: the rows of each operand of the plan's set operation, by
                             KvsqlSetOperand.number; must outlive the run */
  gsize sort_bytes; /* memory of ORDER BY, of GROUP BY, of DISTINCT, of each join, and of assembling
                       tuples of scattered cells: each */
  const gchar *sort_directory; /* of temporary files; NULL: the system's. Must outlive the run. */
  guint64 sort_disk_bytes;     /* of temporary files, for each of these; 0: none */

  KvsqlWorkerPool *workers; /* nullable: reads parts of long scans; must outlive the run */
  guint n_workers;          /* the most at one time */
  guint64 serial_rows;      /* a scan is long after this many tuples */
  gsize ahead_bytes;        /* rows that are read ahead, about */

  guint64 expected_rows; /* estimate of the rows that the scan reads; 0: not known */

  guint64 *undecodable; /* nullable: the undecodable cells that were read are added here when the
                           run is freed */
} KvsqlSelectLimits;

G_END_DECLS
