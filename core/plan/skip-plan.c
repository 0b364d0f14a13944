/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * skip-plan.c: the cost of a skip scan.
 */
#include "config.h"

#include "core/plan/skip-plan.h"

/* Reading a window costs at most 1/WINDOW_PART of a request. */
#define WINDOW_PART 5
#define LEAST_WINDOW 2
#define LARGEST_WINDOW 32
/* A second request reads the remaining suffixes of the key prefix. */
#define REQUESTS_PER_PREFIX 2

guint
kvsql_skip_plan_get_window (const KvsqlStoreCapabilities *capabilities)
{
  return (guint)CLAMP (kvsql_store_costs_get_range (&capabilities->costs) / WINDOW_PART,
                       LEAST_WINDOW, LARGEST_WINDOW);
}

gdouble
kvsql_skip_plan_get_cost (const KvsqlSkipPlan *self, gdouble rows,
                          const KvsqlStoreCapabilities *capabilities)
{
  gdouble prefixes = self->n_prefixes * MIN (rows / MAX (self->matching, 1e-9), 1);
  gdouble each = REQUESTS_PER_PREFIX * kvsql_store_costs_get_range (&capabilities->costs)
                 + kvsql_skip_plan_get_window (capabilities);

  return MAX (prefixes, 1) * each;
}
