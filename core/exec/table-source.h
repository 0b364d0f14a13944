/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * table-source.h: the tuples of a table scan, or the entries of an index, as an operator.
 */
#pragma once

#include "core/exec/row-source.h"
#include "core/plan/select-plan.h"
#include "core/scan/run-counts.h"

G_BEGIN_DECLS

typedef struct
{
  const KvsqlSelectPlan *plan; /* must outlive the operator, as must @store and @counts */
  KvsqlStore *store;
  const KvsqlScanPosition *position; /* nullable: where to resume */
  KvsqlScanPart part;                /* what to read */
  guint64 row_hint;                  /* the rows that will be asked for; 0: all */
  guint64 expected_rows;             /* that there are; 0: not known */
  guint64 max_scan_rows;             /* KVSQL_ERROR_LIMIT beyond; 0: no limit */
  gsize max_bytes;
  KvsqlRunCounts *counts;
} KvsqlTableSourceSetup;

/* @setup is copied; the bytes of its position and its part must outlive the operator. */
KvsqlRowSource *kvsql_table_source_new (const KvsqlTableSourceSetup *setup);

/* The tuples or entries that were read. */
guint64 kvsql_table_source_get_n_read (const KvsqlRowSource *self);
/* The position after the last tuple that was read. FALSE: there is none. */
gboolean kvsql_table_source_get_end (KvsqlRowSource *self, KvsqlScanPosition *out);
/* As kvsql_table_scan_guess_done(). */
gdouble kvsql_table_source_guess_done (KvsqlRowSource *self, const KvsqlScanPosition *position,
                                       const KvsqlCall *call);
/* Ends the scan: others read the rest. Estimates are still possible. */
void kvsql_table_source_stop (KvsqlRowSource *self);
/* Reads by another path of the same schema. No row was read yet. */
void kvsql_table_source_use_path (KvsqlRowSource *self, const KvsqlAccessPath *path);
/* Reads all again. The counts of cells start again, too. */
void kvsql_table_source_restart (KvsqlRowSource *self);

G_END_DECLS
