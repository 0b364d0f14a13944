/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cost-nose.c: the cost model of NoSE for Cassandra, on ordered rows.
 *
 *   lookup = index + ranges · partition + rows · row
 *   insert, delete = constants
 *   sort = 1, filter and limit = 0
 *
 * Values are taken to be uniform and independent: an equality leaves one of `distinct` values, a
 * bound a tenth. Of what NoSE cannot do, a scan of all tuples is one lookup of one range.
 * Attributes that no statement names have no size, as NoSE would not store them. An INSERT reads
 * nothing.
 */
#include "config.h"

#include "core/advisor/cost-model.h"

#include <math.h>

/* seconds, measured by the authors of NoSE */
#define INDEX 0.0078395645
#define PARTITION 0.0013692786
#define ROW 1.17093638386496e-5
#define DELETE 0.0013287903
#define INSERT 0.013329108
#define SORT 1.0
#define BOUND 0.1

static gdouble
lookup (gdouble ranges, gdouble rows)
{
  return INDEX + ranges * PARTITION + rows * ROW;
}

static gdouble
get_share (const KvsqlWorkloadRelation *relation, guint attribute)
{
  return 1 / kvsql_workload_get_distinct (relation, attribute);
}

/* The number of tuples that some conditions select. */
static gdouble
select_rows (const KvsqlWorkloadRelation *relation, const KvsqlShape *shape,
             const KvsqlAttributeSet *decided)
{
  gdouble rows = MAX (relation->rows, 1);
  gboolean has_equal = FALSE;

  for (guint a = 0; a < relation->relation->n_attributes; a++)
    {
      if (!kvsql_attribute_set_has (decided, a))
        continue;
      has_equal = has_equal || kvsql_attribute_set_has (&shape->equal, a);
      if (kvsql_attribute_set_has (&shape->equal, a))
        rows *= get_share (relation, a);
      else if (kvsql_attribute_set_has (&shape->bounded, a))
        rows *= BOUND;
    }
  rows *= has_equal ? shape->fan_out : 1;
  if (kvsql_attribute_set_contains (decided, &relation->relation->keys)
      && kvsql_shape_is_by_key (shape, relation->relation))
    rows = MIN (rows, shape->fan_out);
  return rows;
}

/* What the ranges of a row key decide. */
typedef struct
{
  guint n_equal;
  guint n_decided; /* leading attributes */
  KvsqlAttributeSet decided;
  gboolean gives_order;
  gboolean is_one; /* at most one tuple */
} Ranges;

static void
find_ranges (const KvsqlRead *read, const KvsqlDesign *design, Ranges *out)
{
  const KvsqlShape *shape = &read->shape;

  *out = (Ranges){ 0 };
  out->n_equal = kvsql_row_count_equal (design->row, design->n_row, shape);
  out->n_decided = out->n_equal;
  if (out->n_equal < design->n_row
      && kvsql_attribute_set_has (&shape->bounded, design->row[out->n_equal]))
    out->n_decided++;
  for (guint i = 0; i < out->n_decided; i++)
    kvsql_attribute_set_add (&out->decided, design->row[i]);
  out->gives_order = kvsql_row_gives_order (design->row, design->n_row, out->n_equal, shape);
  out->is_one
      = shape->fan_out == 1
        && kvsql_shape_is_by_key (shape, read->workload->relations[read->relation].relation);
}

/* All conditions on attributes. */
static KvsqlAttributeSet
get_conditions (const KvsqlShape *shape)
{
  KvsqlAttributeSet all = shape->equal;

  kvsql_attribute_set_add_all (&all, &shape->bounded);
  kvsql_attribute_set_add_all (&all, &shape->filtered);
  return all;
}

static void
append_names (const KvsqlRead *read, const guint *row, guint n, GString *out)
{
  const KvsqlRelation *relation = read->workload->relations[read->relation].relation;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", relation->attributes[row[i]].name);
}

static void
append_plan (const KvsqlRead *read, const KvsqlDesign *design, const Ranges *ranges,
             const gchar *const *names, gdouble lookups, gdouble rows, gboolean sorts, GString *out)
{
  if (ranges->n_decided == 0)
    g_string_append_printf (out, "scan %s", names[0]);
  else
    {
      g_string_append_printf (out, "read %s [", names[0]);
      append_names (read, design->row, ranges->n_decided, out);
      g_string_append_c (out, ']');
    }
  g_string_append_printf (out, ", %.6g row%s", rows, rows == 1 ? "" : "s");
  if (lookups >= 0)
    g_string_append_printf (out, "; look up %.6g in %s", lookups, names[1]);
  if (sorts)
    g_string_append (out, "; sort");
}

/* As in NoSE, only by the KEY: a primary with another row is not looked up in. */
static gboolean
can_look_up (const KvsqlDesign *design, const KvsqlDesign *primary, const KvsqlRelation *relation)
{
  KvsqlShape by_key = { .equal = relation->keys };
  guint n = 0;

  if (primary == NULL || primary == design || !primary->is_whole)
    return FALSE;
  for (gint a = -1; (a = kvsql_attribute_set_next (&relation->keys, a)) >= 0;)
    n++;
  return kvsql_row_count_equal (primary->row, primary->n_row, &by_key) == n
         && kvsql_attribute_set_contains (&design->holds, &primary->in_row);
}

static gdouble
read_cost (const KvsqlRead *read, const KvsqlDesign *design, const KvsqlDesign *primary,
           const gchar *const *names, GString *plan)
{
  const KvsqlWorkloadRelation *relation = &read->workload->relations[read->relation];
  KvsqlAttributeSet needed = kvsql_shape_get_needed (&read->shape),
                    conditions = get_conditions (&read->shape), kept = conditions;
  gboolean covers = kvsql_attribute_set_contains (&design->holds, &needed), sorts, stops;
  gdouble rows, found, cost, lookups = -1;
  Ranges ranges;

  find_ranges (read, design, &ranges);
  /* without a range, the primary is scanned at no more cost */
  if (!covers && (!can_look_up (design, primary, relation->relation) || ranges.n_decided == 0))
    return INFINITY;
  for (guint i = 0; i < G_N_ELEMENTS (kept.bits); i++)
    kept.bits[i] &= design->holds.bits[i];
  rows = select_rows (relation, &read->shape, &ranges.decided);
  found = select_rows (relation, &read->shape, &kept);
  sorts = read->shape.is_sorted && !ranges.gives_order && !ranges.is_one;
  stops = !sorts && kvsql_attribute_set_contains (&ranges.decided, &conditions);
  if (stops)
    {
      rows = MIN (rows, read->shape.limit);
      found = MIN (found, read->shape.limit);
    }
  cost = lookup (ranges.n_equal > 0 ? read->shape.fan_out : 1, rows) + (sorts ? SORT : 0);
  if (!covers)
    {
      lookups = found;
      cost += lookup (lookups, lookups);
    }
  if (plan != NULL)
    append_plan (read, design, &ranges, names, lookups, rows, sorts, plan);
  return cost;
}

/* ---- writes */

/* The number of tuples that an UPDATE or DELETE changes. */
static gdouble
count_changed (const KvsqlWorkload *workload, const KvsqlWorkloadStatement *statement)
{
  KvsqlAttributeSet conditions = get_conditions (&statement->shape);

  if (statement->shape.kind == KVSQL_STATEMENT_INSERT)
    return 1;
  return MIN (
      select_rows (&workload->relations[statement->relation], &statement->shape, &conditions),
      statement->shape.limit);
}

static KvsqlUpkeep
update_cost (const KvsqlWorkloadStatement *statement, const KvsqlDesign *design, gdouble rows)
{
  const KvsqlShape *shape = &statement->shape;
  KvsqlUpkeep upkeep = { 0, FALSE };
  KvsqlAttributeSet given = shape->equal;
  gboolean moves = kvsql_attribute_set_intersects (&shape->assigned, &design->in_row);

  if (!kvsql_attribute_set_intersects (&shape->assigned, &design->holds))
    return upkeep;
  kvsql_attribute_set_add_all (&given, &shape->assigned);
  upkeep.cost = rows * (INSERT + (moves ? DELETE : 0));
  upkeep.needs_old = moves || !kvsql_attribute_set_contains (&given, &design->in_row)
                     || kvsql_attribute_set_next (&shape->read, -1) >= 0;
  return upkeep;
}

static KvsqlUpkeep
write_cost (const KvsqlWorkload *workload, const KvsqlWorkloadStatement *statement,
            const KvsqlDesign *design)
{
  gdouble rows = count_changed (workload, statement);

  if (statement->shape.kind == KVSQL_STATEMENT_INSERT)
    return (KvsqlUpkeep){ INSERT, FALSE };
  if (statement->shape.kind == KVSQL_STATEMENT_UPDATE)
    return update_cost (statement, design, rows);
  return (KvsqlUpkeep){ rows * DELETE,
                        !kvsql_attribute_set_contains (&statement->shape.equal, &design->in_row) };
}

static gdouble
get_size (const KvsqlWorkload *workload, const KvsqlDesign *design)
{
  const KvsqlWorkloadRelation *relation = &workload->relations[design->relation];
  gdouble bytes = 0;

  for (gint a = -1; (a = kvsql_attribute_set_next (&design->holds, a)) >= 0;)
    if (kvsql_attribute_set_has (&relation->used, (guint)a)
        || kvsql_attribute_set_has (&relation->relation->keys, (guint)a))
      bytes += kvsql_workload_get_bytes (relation, (guint)a);
  return bytes * MAX (relation->rows, 1);
}

const KvsqlCostModel kvsql_cost_nose = {
  .name = "nose",
  .reads_separately = TRUE,
  .is_in_seconds = TRUE,
  .read = read_cost,
  .write = write_cost,
  .size = get_size,
};
