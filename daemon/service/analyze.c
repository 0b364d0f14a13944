/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * analyze.c: ANALYZE, whose result is kept in the registry, for all daemons.
 */
#include "config.h"

#include "core/engine/analyze.h"
#include "daemon/service/service-private.h"

typedef struct
{
  const KvsqlName *relation;
  const KvsqlStatistics *statistics;
} Found;

/* KvsqldDecide */
static gboolean
decide (KvsqlDecision *decision, gconstpointer data, GError **error)
{
  const Found *found = data;

  return kvsql_decision_set_statistics (decision, found->relation, found->statistics, error);
}

KvsqlResultPage *
kvsqld_run_analyze (KvsqldContext *context, GError **error)
{
  const KvsqlExecution execution = kvsqld_context_get_execution (context);
  const KvsqlName *relation = &context->statement->analyze.relation;
  g_autoptr (KvsqlStatistics) statistics = NULL;
  g_autoptr (KvsqlResultPage) changed = NULL;
  g_autoptr (KvsqlResultPage) page = NULL;

  if (!kvsqld_definitions_may_change (context->service->definitions, context->catalog, error))
    return NULL;
  page = kvsql_execute_analyze (&execution, relation, &statistics, error);
  if (page == NULL)
    return NULL;
  changed = kvsqld_change_definitions (context, decide, &(Found){ relation, statistics }, error);
  return changed == NULL ? NULL : g_steal_pointer (&page);
}
