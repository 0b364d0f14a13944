/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * access-path.c: the cost of an access path, and the better one of two.
 */
#include "config.h"

#include "core/plan/access-path.h"

#include <math.h>

void
kvsql_access_path_estimate (KvsqlAccessPath *self, gdouble rows,
                            const KvsqlStoreCapabilities *capabilities)
{
  const KvsqlStoreCosts *costs = &capabilities->costs;

  self->rows = rows;
  self->unit_us = costs->unit_us;
  self->cost = rows * (1.0 + costs->cell * (self->n_cells - 1) + costs->byte * self->row_bytes);
  if (self->lookup_schema != NULL || self->is_verified)
    {
      self->cost
          += costs->request
             * ceil (rows / (self->is_verified ? KVSQL_ANCHORS_PER_GET : KVSQL_ROWS_PER_GET));
      self->cost += rows * (costs->get + costs->get_byte * self->looked_up_bytes);
    }
  self->cost += self->requests * kvsql_store_costs_get_range (costs);
  if (self->skip != NULL)
    self->cost += kvsql_skip_plan_get_cost (self->skip, rows, capabilities);
}

void
kvsql_access_path_verify (KvsqlAccessPath *self, const KvsqlStoreCapabilities *capabilities)
{
  self->is_verified = TRUE;
  kvsql_access_path_estimate (self, self->rows, capabilities);
}

gint
kvsql_access_path_compare (const KvsqlAccessPath *a, const KvsqlAccessPath *b)
{
  if (fabs (a->cost - b->cost) > 1e-9 * (a->cost + b->cost))
    return a->cost < b->cost ? -1 : 1;
  if (a->n_fixed != b->n_fixed)
    return a->n_fixed > b->n_fixed ? -1 : 1;
  return (b->schema->is_primary != 0) - (a->schema->is_primary != 0);
}
