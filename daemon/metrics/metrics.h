/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * metrics.h: counts statements; monitor/metrics-text.h prints the numbers.
 *
 * Threads: any thread may count, without a lock.
 */
#pragma once

#include "core/sql/statement-kind.h"
#include "core/store/usage.h"

G_BEGIN_DECLS

/* Kinds of requests with separate numbers. There are few, because each makes a dozen lines. */
typedef enum
{
  KVSQLD_REQUEST_OTHER, /* also requests that are no statement */
  KVSQLD_REQUEST_SELECT,
  KVSQLD_REQUEST_INSERT,
  KVSQLD_REQUEST_UPDATE,
  KVSQLD_REQUEST_DELETE,
  KVSQLD_REQUEST_DEFINE,   /* and all other changes of definitions */
  KVSQLD_REQUEST_MAINTAIN, /* ANALYZE, BACKFILL, VERIFY, REPAIR */
  KVSQLD_REQUEST_FETCH,    /* a page that is not the first */
  KVSQLD_REQUEST_PREPARE,
  KVSQLD_N_REQUEST_KINDS,
} KvsqldRequestKind;

KvsqldRequestKind kvsqld_request_kind_of_statement (KvsqlStatementKind kind);

typedef enum
{
  KVSQLD_OUTCOME_OK,
  KVSQLD_OUTCOME_REFUSED, /* an error in the statement */
  KVSQLD_OUTCOME_LIMIT,
  KVSQLD_OUTCOME_TIMEOUT,
  KVSQLD_OUTCOME_KILLED,
  KVSQLD_OUTCOME_UNAVAILABLE,
  KVSQLD_OUTCOME_UNKNOWN, /* a write that may have happened */
  KVSQLD_OUTCOME_FAILED,  /* an error of the store or the daemon */
  KVSQLD_N_OUTCOMES,
} KvsqldOutcome;

/* @error: (nullable): NULL is OK */
KvsqldOutcome kvsqld_outcome_of_error (const GError *error);

/* Zero it. */
typedef struct
{
  KvsqlCount n_statements[KVSQLD_N_REQUEST_KINDS][KVSQLD_N_OUTCOMES];
  KvsqlHistogram durations[KVSQLD_N_REQUEST_KINDS];
  KvsqlCount n_rows_given;
  KvsqlCount n_pages;
  KvsqlCount n_tuples_changed;
  KvsqlCount n_slow;
  KvsqlCount n_plans_found;
  KvsqlCount n_plans_missed;
} KvsqldMetrics;

void kvsqld_metrics_note (KvsqldMetrics *self, KvsqldRequestKind kind, KvsqldOutcome outcome,
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

G_END_DECLS
