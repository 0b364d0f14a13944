/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * metrics.h: what the daemon counts about statements, and all its numbers as Prometheus reads them.
 *
 * Threads: counting and printing from any, without a lock.
 */
#pragma once

#include "core/sql/ast.h"
#include "core/store/usage.h"
#include "daemon/rpc/server.h"

G_BEGIN_DECLS

/* Kinds of statements that are told apart: few, as each makes a dozen lines. */
typedef enum
{
  KVSQLD_WORK_OTHER, /* what is no statement, too */
  KVSQLD_WORK_SELECT,
  KVSQLD_WORK_INSERT,
  KVSQLD_WORK_UPDATE,
  KVSQLD_WORK_DELETE,
  KVSQLD_WORK_DEFINE,   /* and all else that changes definitions */
  KVSQLD_WORK_MAINTAIN, /* ANALYZE, BACKFILL, VERIFY, REPAIR */
  KVSQLD_WORK_FETCH,    /* a page that is not the first */
  KVSQLD_WORK_PREPARE,
  KVSQLD_N_WORKS,
} KvsqldWork;

KvsqldWork kvsqld_work_of_statement (KvsqlStatementKind kind);

typedef enum
{
  KVSQLD_OUTCOME_OK,
  KVSQLD_OUTCOME_REFUSED, /* the statement's own fault */
  KVSQLD_OUTCOME_LIMIT,
  KVSQLD_OUTCOME_TIMEOUT,
  KVSQLD_OUTCOME_KILLED,
  KVSQLD_OUTCOME_UNAVAILABLE,
  KVSQLD_OUTCOME_UNKNOWN, /* a write that may have happened */
  KVSQLD_OUTCOME_FAILED,  /* the store, or we */
  KVSQLD_N_OUTCOMES,
} KvsqldOutcome;

/* @error: (nullable): NULL is OK */
KvsqldOutcome kvsqld_outcome_of_error (const GError *error);

/* Zero it. */
typedef struct
{
  KvsqlCount n_statements[KVSQLD_N_WORKS][KVSQLD_N_OUTCOMES];
  KvsqlHistogram durations[KVSQLD_N_WORKS];
  KvsqlCount n_rows_given;
  KvsqlCount n_pages;
  KvsqlCount n_tuples_changed;
  KvsqlCount n_slow;
  KvsqlCount n_plans_found;
  KvsqlCount n_plans_missed;
} KvsqldMetrics;

void kvsqld_metrics_note (KvsqldMetrics *self, KvsqldWork work, KvsqldOutcome outcome,
                          gint64 duration_us);

/* Over all kinds and calls. */
typedef struct
{
  gint64 n_statements;
  gint64 n_failed;
  gint64 statements_us;
  gint64 n_store_calls;
  gint64 n_store_errors;
  gint64 store_us;
} KvsqldTotals;

void kvsqld_metrics_sum (const KvsqldMetrics *self, const KvsqlStoreUsage *store,
                         KvsqldTotals *out);
gint64 kvsqld_metrics_get_resident_bytes (void); /* of the process */

/* All of them as text, version 0.0.4 of the format. Blocks for nothing. (transfer full) */
gchar *kvsqld_metrics_print (KvsqldService *service, const KvsqldRpcStatus *rpc);

G_END_DECLS
