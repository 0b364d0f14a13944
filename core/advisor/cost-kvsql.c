/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cost-kvsql.c: the costs of kvsql's own planner, in reads of one row.
 *
 * Reads cost what the planner says (planner.h). The planner has no costs of writes: writing or
 * removing an entry costs what COSTS say, or as much as reading one by its key, and each cell of it
 * after the first as much as in a scan.
 */
#include "config.h"

#include "core/advisor/cost-model.h"

#include "core/advisor/planner.h"
#include "core/catalog/schema.h"

#include <math.h>

/* Of a cell without row and value, in HBase's form. */
#define CELL_BYTES 24

static guint
count (const KvsqlAttributeSet *set)
{
  guint n = 0;

  for (gint a = -1; (a = kvsql_attribute_set_next (set, a)) >= 0;)
    n++;
  return n;
}

static const KvsqlPlannedCosts *
get_costs (const KvsqlWorkload *workload, const KvsqlWorkloadStatement *statement)
{
  return &workload->planned[statement->first];
}

static gdouble
read_cost (const KvsqlRead *read, const KvsqlDesign *design, const KvsqlDesign *primary,
           const gchar *const *names, GString *plan)
{
  const KvsqlPlannedCosts *costs = get_costs (read->workload, read->statement);
  gdouble cost = costs->alone[design->number];

  if (primary != NULL && cost == INFINITY && primary != design && primary->is_whole
      && kvsql_attribute_set_contains (&design->holds, &primary->in_row))
    cost = costs->looked_up[design->number];
  if (plan != NULL)
    g_string_append_printf (plan, "read %s", names[0]);
  return cost;
}

/* A whole design has a cell for each attribute (schema-text.h). */
static gboolean
has_cells (const KvsqlDesign *design)
{
  return design->given != NULL ? !kvsql_schema_has_one_cell (design->given->schema)
                               : design->is_whole;
}

static gdouble
get_entry_cost (const KvsqlStoreCosts *costs, const KvsqlDesign *design)
{
  return costs->put + (has_cells (design) ? costs->cell * count (&design->value) : 0);
}

static KvsqlUpkeep
write_cost (const KvsqlWorkload *workload, const KvsqlWorkloadStatement *statement,
            const KvsqlDesign *design)
{
  const KvsqlStoreCosts *costs = &workload->costs;
  const KvsqlShape *shape = &statement->shape;
  gboolean moves = kvsql_attribute_set_intersects (&shape->assigned, &design->in_row);
  KvsqlAttributeSet written = shape->assigned;
  KvsqlUpkeep upkeep = { 0, FALSE };

  if (shape->kind == KVSQL_STATEMENT_INSERT)
    upkeep.cost = get_entry_cost (costs, design);
  else if (shape->kind == KVSQL_STATEMENT_DELETE)
    upkeep.cost = get_costs (workload, statement)->changed * costs->remove;
  else if (kvsql_attribute_set_intersects (&shape->assigned, &design->holds))
    {
      for (guint i = 0; i < G_N_ELEMENTS (written.bits); i++)
        written.bits[i] &= design->value.bits[i];
      upkeep.cost = moves ? costs->remove + get_entry_cost (costs, design) : costs->put;
      if (!moves && has_cells (design) && count (&written) > 1)
        upkeep.cost += costs->cell * (count (&written) - 1);
      upkeep.cost *= get_costs (workload, statement)->changed;
    }
  return upkeep;
}

static gdouble
get_bytes (const KvsqlWorkloadRelation *relation, const KvsqlAttributeSet *attributes)
{
  gdouble bytes = 0;

  for (gint a = -1; (a = kvsql_attribute_set_next (attributes, a)) >= 0;)
    bytes += kvsql_workload_get_bytes (relation, (guint)a);
  return bytes;
}

/* One cell, or one for each attribute, each with the row. */
static gdouble
get_size (const KvsqlWorkload *workload, const KvsqlDesign *design)
{
  const KvsqlWorkloadRelation *relation = &workload->relations[design->relation];
  guint n_cells = has_cells (design) ? count (&design->value) + 1 : 1;
  gdouble bytes = n_cells * (CELL_BYTES + get_bytes (relation, &design->in_row))
                  + get_bytes (relation, &design->value);

  return bytes * MAX (relation->rows, 1);
}

const KvsqlCostModel kvsql_cost_kvsql = {
  .name = "kvsql",
  .reads_text = TRUE,
  .is_planner = TRUE,
  .read = read_cost,
  .write = write_cost,
  .size = get_size,
};
