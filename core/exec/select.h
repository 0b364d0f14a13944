/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select.h: runs a SELECT: scan, filter, groups, order, limit, pages.
 *
 * A run belongs to one thread at a time. A run can resume from a position, in this daemon or
 * another one, as long as the plan is the same.
 */
#pragma once

#include "core/exec/worker-pool.h"
#include "core/scan/table-scan.h"
#include "core/plan/select-plan.h"

G_BEGIN_DECLS

typedef struct _KvsqlSelectRun KvsqlSelectRun;

/* Where the next page begins. */
typedef struct
{
  KvsqlScanPosition scan;
  guint64 n_skip;    /* tuples to skip from there */
  guint64 n_emitted; /* rows in earlier pages, for LIMIT */
  KvsqlScanPart part;
} KvsqlSelectPosition;

typedef struct
{
  guint64 max_scan_rows;  /* KVSQL_ERROR_LIMIT beyond; 0: no limit */
  KvsqlRunCounts *counts; /* nullable: reads are added here; must outlive the run */
  gsize sort_bytes; /* memory of ORDER BY, of GROUP BY, of DISTINCT, and of assembling tuples of
                       scattered cells: each */
  const gchar *sort_directory; /* of temporary files; NULL: the system's. Must outlive the run. */
  guint64 sort_disk_bytes;     /* of temporary files, for each ORDER BY; 0: none */

  KvsqlWorkerPool *workers; /* nullable: reads parts of long scans; must outlive the run */
  guint n_workers;          /* the most at one time */
  guint64 serial_rows;      /* a scan is long after this many tuples */
  gsize ahead_bytes;        /* rows that are read ahead, about */

  guint64 expected_rows; /* estimate of the rows that the scan reads; 0: not known */

  guint64 *undecodable; /* nullable: the undecodable cells of the first relation's scan are added
                           here when the run is freed */
} KvsqlSelectLimits;

/* @plan, @store, and the bytes of the part of @position (nullable) must outlive the run. */
KvsqlSelectRun *kvsql_select_run_new (const KvsqlSelectPlan *plan, KvsqlStore *store,
                                      const KvsqlSelectLimits *limits,
                                      const KvsqlSelectPosition *position);
void kvsql_select_run_free (KvsqlSelectRun *self); /* accepts NULL */

/**
 * kvsql_select_run_page:
 * @max_rows, @max_bytes: the page ends when it reaches one of the two; a page of a long scan may
 *   end earlier. It has at least one row, if there is one.
 * @arena: owns the bytes of the page's values
 * @out_page: (out) (transfer full): one column for each item of the plan
 * @out_has_more: (out): there may be another page
 *
 * After an error the run may only be freed.
 */
gboolean kvsql_select_run_page (KvsqlSelectRun *self, guint max_rows, gsize max_bytes,
                                const KvsqlCall *call, KvsqlArena *arena, KvsqlBatch **out_page,
                                gboolean *out_has_more, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The position after the last page. Its bytes live in @arena. */
void kvsql_select_run_get_position (KvsqlSelectRun *self, KvsqlArena *arena,
                                    KvsqlSelectPosition *out);

/* The share of the result that earlier pages hold, 0 … 1, as an estimate; < 0: not known. */
gdouble kvsql_select_run_guess_done (KvsqlSelectRun *self, const KvsqlCall *call);

/* Rows of the store that the scan has read. */
guint64 kvsql_select_run_get_n_rows (const KvsqlSelectRun *self);
void kvsql_select_run_get_counts (const KvsqlSelectRun *self, KvsqlAssemblerCounts *out);
/* Counts of another relation than the first, once. FALSE: they were returned before, or are not
 * known yet. */
gboolean kvsql_select_run_take_joined_counts (KvsqlSelectRun *self, guint part,
                                              KvsqlAssemblerCounts *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlSelectRun, kvsql_select_run_free)

G_END_DECLS
