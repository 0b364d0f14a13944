/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * analyze.c: ANALYZE. The statistics stay in this daemon's memory until the daemon ends or the
 * relation is defined again.
 */
#include "config.h"

#include "core/engine/analyze.h"
#include "daemon/service/service-private.h"

KvsqlResultPage *
kvsqld_run_analyze (KvsqldContext *context, GError **error)
{
  const KvsqlExecution execution = kvsqld_context_get_execution (context);
  KvsqldService *service = context->service;
  g_autoptr (KvsqlStatistics) statistics = NULL;
  g_autoptr (GHashTable) old = NULL;
  KvsqlResultPage *page = kvsql_execute_analyze (&execution, &context->statement->analyze.relation,
                                                 &statistics, error);

  if (page == NULL)
    return NULL;
  g_mutex_lock (&service->mutex);
  old = service->statistics;
  service->statistics = kvsql_statistics_set_add (old, statistics);
  g_mutex_unlock (&service->mutex);
  return page;
}
