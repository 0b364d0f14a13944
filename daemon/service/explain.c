/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain.c: EXPLAIN, and the count of the tuples that EXPLAIN ANALYZE writes.
 */
#include "config.h"

#include "core/engine/explain.h"
#include "daemon/service/service-private.h"

KvsqlResultPage *
kvsqld_run_explain (KvsqldContext *context, GError **error)
{
  const KvsqlExplain *explain = &context->statement->explain;
  const KvsqlExecution execution = kvsqld_context_get_execution (context);
  gint64 affected;
  KvsqlResultPage *page;

  if (explain->is_analyze && !kvsqld_context_may_execute (context, explain->statement, error))
    return NULL;
  page = kvsql_execute_explain (&execution, context->statement, &affected, error);
  if (affected > 0)
    kvsql_count_add (&context->service->metrics.n_tuples_changed, affected);
  return page;
}
