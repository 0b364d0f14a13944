/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * metrics.c: counts the statements.
 */
#include "config.h"

#include "daemon/metrics/metrics.h"

#include "core/sql/ast.h"

#include <string.h>
#include <unistd.h>

KvsqldRequestKind
kvsqld_request_kind_of_statement (KvsqlStatementKind kind)
{
  switch (kind)
    {
    case KVSQL_STATEMENT_SELECT:
      return KVSQLD_REQUEST_SELECT;
    case KVSQL_STATEMENT_INSERT:
      return KVSQLD_REQUEST_INSERT;
    case KVSQL_STATEMENT_UPDATE:
      return KVSQLD_REQUEST_UPDATE;
    case KVSQL_STATEMENT_DELETE:
    case KVSQL_STATEMENT_TRUNCATE:
      return KVSQLD_REQUEST_DELETE;
    case KVSQL_STATEMENT_DEFINE_RELATION:
    case KVSQL_STATEMENT_DEFINE_SCHEMA:
    case KVSQL_STATEMENT_CREATE_TABLE:
    case KVSQL_STATEMENT_CREATE_INDEX:
    case KVSQL_STATEMENT_CREATE_VIEW:
    case KVSQL_STATEMENT_CREATE_SEQUENCE:
    case KVSQL_STATEMENT_DROP:
    case KVSQL_STATEMENT_ALTER:
    case KVSQL_STATEMENT_COMMENT:
      return KVSQLD_REQUEST_DEFINE;
    case KVSQL_STATEMENT_ANALYZE:
    case KVSQL_STATEMENT_CALIBRATE:
    case KVSQL_STATEMENT_BACKFILL:
    case KVSQL_STATEMENT_VERIFY:
    case KVSQL_STATEMENT_REPAIR:
      return KVSQLD_REQUEST_MAINTAIN;
    default:
      return KVSQLD_REQUEST_OTHER;
    }
}

KvsqldOutcome
kvsqld_outcome_of_error (const GError *error)
{
  if (error == NULL)
    return KVSQLD_OUTCOME_OK;
  switch ((KvsqlErrorCode)error->code)
    {
    case KVSQL_ERROR_LIMIT:
      return KVSQLD_OUTCOME_LIMIT;
    case KVSQL_ERROR_DEADLINE:
      return KVSQLD_OUTCOME_TIMEOUT;
    case KVSQL_ERROR_UNAVAILABLE:
      return KVSQLD_OUTCOME_UNAVAILABLE;
    case KVSQL_ERROR_UNKNOWN_OUTCOME:
      return KVSQLD_OUTCOME_UNKNOWN;
    case KVSQL_ERROR_STORE:
    case KVSQL_ERROR_INTERNAL:
      return KVSQLD_OUTCOME_FAILED;
    default:
      return KVSQLD_OUTCOME_REFUSED;
    }
}

void
kvsqld_metrics_note (KvsqldMetrics *self, KvsqldRequestKind kind, KvsqldOutcome outcome,
                     gint64 duration_us)
{
  kvsql_count_add (&self->n_statements[kind][outcome], 1);
  kvsql_histogram_add (&self->durations[kind], duration_us);
}

static gint64
sum_histogram (const KvsqlHistogram *histogram, gint64 *out_us)
{
  gint64 n = 0;

  for (guint i = 0; i <= KVSQL_N_BUCKETS; i++)
    n += kvsql_count_get (&histogram->buckets[i]);
  *out_us += kvsql_count_get (&histogram->sum_us);
  return n;
}

void
kvsqld_metrics_sum (const KvsqldMetrics *self, const KvsqlStoreUsage *store, KvsqldTotals *out)
{
  *out = (KvsqldTotals){ 0 };
  for (guint w = 0; w < KVSQLD_N_REQUEST_KINDS; w++)
    {
      out->n_statements += sum_histogram (&self->durations[w], &out->statements_us);
      for (guint o = KVSQLD_OUTCOME_OK + 1; o < KVSQLD_N_OUTCOMES; o++)
        out->n_failed += kvsql_count_get (&self->n_statements[w][o]);
    }
  for (guint i = 0; i < KVSQL_N_STORE_CALLS; i++)
    {
      out->n_store_calls += sum_histogram (&store->durations[i], &out->store_us);
      out->n_store_errors += kvsql_count_get (&store->n_errors[i]);
    }
}

gint64
kvsqld_metrics_get_resident_bytes (void)
{
  g_autofree gchar *text = NULL;
  gchar *at;

  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL)
      || (at = strchr (text, ' ')) == NULL)
    return 0;
  return (gint64)g_ascii_strtoull (at, NULL, 10) * sysconf (_SC_PAGESIZE);
}
