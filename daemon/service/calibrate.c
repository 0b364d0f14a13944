/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * calibrate.c: CALIBRATE, whose result is kept in the registry, for all daemons with a store of
 * this kind.
 */
#include "config.h"

#include "core/engine/calibrate.h"
#include "daemon/service/service-private.h"

typedef struct
{
  const gchar *store;
  KvsqlStoreCosts costs;
} Found;

/* KvsqldDecide */
static gboolean
decide (KvsqlDecision *decision, gconstpointer data, GError **error)
{
  const Found *found = data;

  kvsql_decision_set_costs (decision, found->store, &found->costs);
  return TRUE;
}

KvsqlResultPage *
kvsqld_run_calibrate (KvsqldContext *context, GError **error)
{
  const KvsqlExecution execution = kvsqld_context_get_execution (context);
  Found found = { .store = context->service->store->klass->name };
  g_autoptr (KvsqlResultPage) page = kvsql_execute_calibrate (&execution, &found.costs, error);
  g_autoptr (KvsqlResultPage) changed = NULL;

  if (page == NULL)
    return NULL;
  changed = kvsqld_change_definitions (context, decide, &found, error);
  return changed == NULL ? NULL : g_steal_pointer (&page);
}
