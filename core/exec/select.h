/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select.h: a SELECT under way: scan, filter, groups, order, limit, pages.
 *
 * A run belongs to one thread at a time. It can be begun again from a position,
 * in this daemon or another, as long as the plan is the same.
 */
#pragma once

#include "core/exec/helpers.h"
#include "core/exec/tuple-scan.h"
#include "core/plan/select-plan.h"

G_BEGIN_DECLS

typedef struct _KvsqlSelectRun KvsqlSelectRun;

/* Where the next page begins. */
typedef struct
{
  KvsqlScanPosition scan;
  guint64 n_skip;  /* tuples to pass over from there */
  guint64 n_given; /* rows given out so far, for LIMIT */
  KvsqlScanPart part;
} KvsqlSelectPosition;

typedef struct
{
  guint64 max_scan_rows;  /* more are an error; 0: any number */
  KvsqlRunCounts *counts; /* nullable: what is read is added there; it outlives the run */
  gsize sort_bytes; /* memory of ORDER BY, of GROUP BY, of DISTINCT, and of putting scattered tuples
                       together: each */
  const gchar *sort_directory; /* of temporary files; NULL: the system's. It outlives the run. */
  guint64 sort_disk_bytes;     /* of temporary files, for each ORDER BY; 0: none */

  KvsqlHelpers *helpers; /* nullable: who reads parts of long scans; outlive the run */
  guint n_helpers;       /* at once, at most */
  guint64 serial_rows;   /* a scan that has read so many tuples is long */
  gsize ahead_bytes;     /* of rows that are read ahead, about */

  guint64 expected_rows; /* so many the scan will probably read; 0: not known */
} KvsqlSelectLimits;

/* @plan and @store must outlive the run, and so must the bytes of the part of @position, which is
 * nullable. */
KvsqlSelectRun *kvsql_select_run_new (const KvsqlSelectPlan *plan, KvsqlStore *store,
                                      const KvsqlSelectLimits *limits,
                                      const KvsqlSelectPosition *position);
void kvsql_select_run_free (KvsqlSelectRun *self); /* accepts NULL */

/**
 * kvsql_select_run_page:
 * @max_rows, @max_bytes: the page ends when it reaches either, of a long scan also before; it has
 * one row at least, if there is one
 * @arena: owns the bytes of the page's values
 * @out_page: (out) (transfer full): one column an item of the plan
 * @out_has_more: (out): there may be another page
 *
 * On an error the run is of no more use.
 */
gboolean kvsql_select_run_page (KvsqlSelectRun *self, guint max_rows, gsize max_bytes,
                                const KvsqlCall *call, KvsqlArena *arena, KvsqlBatch **out_page,
                                gboolean *out_has_more, GError **error);

/* Where the page after the last one begins; its bytes live in @arena. */
void kvsql_select_run_get_position (KvsqlSelectRun *self, KvsqlArena *arena,
                                    KvsqlSelectPosition *out);

/* How much of the answer has been given, 0 … 1, as far as a guess can tell; < 0: not known. */
gdouble kvsql_select_run_guess_done (KvsqlSelectRun *self, const KvsqlCall *call);

/* Rows of the store that the scan has read. */
guint64 kvsql_select_run_get_n_rows (const KvsqlSelectRun *self);
void kvsql_select_run_get_counts (const KvsqlSelectRun *self, KvsqlAssemblerCounts *out);
/* Of a relation beside the first, once. FALSE: it was told before, or is not known yet. */
gboolean kvsql_select_run_take_joined_counts (KvsqlSelectRun *self, guint part,
                                              KvsqlAssemblerCounts *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlSelectRun, kvsql_select_run_free)

G_END_DECLS
