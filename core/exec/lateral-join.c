/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lateral-join.c: see the header.
 *
 * The query is run for each distinct list of values that it takes from the probe side
 * (core/expr/subquery.h keeps the rows). Rows are joined one by one.
 */
#include "config.h"

#include "core/exec/lateral-join.h"

#include "core/base/memory.h"
#include "core/expr/evaluate.h"
#include "core/expr/subquery.h"
#include "core/plan/join-tree.h"
#include "core/scan/predicate-filter.h"

typedef struct
{
  KvsqlRowSource base;
  const KvsqlSelectPlan *plan;
  const KvsqlJoinNode *node;
  KvsqlJoinSetup setup;
  KvsqlBatch *batch;
  KvsqlArena *arena;   /* of the values of the batch, and of those that are computed */
  KvsqlValue *columns; /* of the present row, by column of FROM */
  KvsqlValue *arguments;

  KvsqlRowSlice slice; /* of the probe side */
  guint next;          /* the row of @slice that is joined next */
  gboolean is_begun;   /* its partners are @rows */
  const KvsqlValue *rows;
  guint n_rows, next_row;
  gboolean has_partner;
} LateralJoin;

static void
lateral_join_free (KvsqlRowSource *source)
{
  LateralJoin *self = (LateralJoin *)source;

  if (self->setup.probe.is_owned)
    kvsql_row_source_free (self->setup.probe.rows);
  g_free (self->setup.probe.sources);
  g_free (self->setup.probe.targets);
  g_free (self->setup.build.sources);
  g_free (self->setup.build.targets);
  kvsql_batch_free (self->batch);
  kvsql_arena_free (self->arena);
  g_free (self->columns);
  g_free (self->arguments);
  g_free (self);
}

/* ---- one row of the probe side */

static void
set_probe (LateralJoin *self, guint32 row)
{
  const KvsqlJoinInput *probe = &self->setup.probe;

  for (guint i = 0; i < probe->n; i++)
    {
      guint column = self->slice.columns != NULL ? self->slice.columns[probe->sources[i]]
                                                 : probe->sources[i];

      self->columns[probe->targets[i]]
          = kvsql_vector_get (&self->slice.batch->columns[column], row);
    }
}

/* Finds the partners of the next row. */
static gboolean
begin_row (LateralJoin *self, GError **error)
{
  KvsqlSubquery *query = self->node->lateral;

  set_probe (self, self->slice.rows[self->next]);
  for (guint i = 0; i < query->n_arguments; i++)
    if (!kvsql_expr_evaluate (query->arguments[i], self->columns, self->arena, &self->arguments[i],
                              error))
      return FALSE;
  self->rows = kvsql_subquery_get_rows (query, self->arguments, &self->n_rows, error);
  self->next_row = 0;
  self->has_partner = FALSE;
  self->is_begun = self->rows != NULL;
  return self->is_begun;
}

/* ---- rows of the result */

/* @row: nullable: there is no partner */
static void
set_build (LateralJoin *self, const KvsqlValue *row)
{
  const KvsqlJoinInput *build = &self->setup.build;
  guint first = self->plan->join->parts[self->node->build->leaf - 1].first;

  for (guint i = 0; i < build->n; i++)
    self->columns[build->targets[i]]
        = row == NULL ? KVSQL_VALUE_NULL : row[build->targets[i] - first];
}

static gboolean
give_row (LateralJoin *self, GError **error)
{
  guint n = self->batch->n_rows++;

  for (guint i = 0; i < self->node->n_merged; i++)
    if (!kvsql_expr_evaluate (self->node->merged[i].expr, self->columns, self->arena,
                              &self->columns[self->node->merged[i].column], error))
      return FALSE;
  for (gint c = kvsql_attribute_set_next (&self->node->columns, -1); c >= 0;
       c = kvsql_attribute_set_next (&self->node->columns, c))
    {
      /* the rows of the query may be forgotten when it is run for other values */
      const KvsqlValue value = kvsql_value_dup (&self->columns[c], self->arena);

      kvsql_vector_set (&self->batch->columns[c], n, &value);
    }
  return TRUE;
}

/* Joins the present row with its partners, as long as there is room. */
static gboolean
join_row (LateralJoin *self, GError **error)
{
  guint n_columns = self->node->lateral->n_columns;
  gboolean is_admitted = TRUE;

  for (; self->next_row < self->n_rows && self->batch->n_rows < KVSQL_BATCH_ROWS; self->next_row++)
    {
      set_build (self, self->rows + (gsize)self->next_row * n_columns);
      if (self->node->residual != NULL
          && !kvsql_predicate_admits (self->node->residual, self->columns, self->arena,
                                      &is_admitted, error))
        return FALSE;
      if (!is_admitted)
        continue;
      self->has_partner = TRUE;
      if (!give_row (self, error))
        return FALSE;
    }
  if (self->next_row < self->n_rows || self->batch->n_rows == KVSQL_BATCH_ROWS)
    return TRUE;
  self->is_begun = FALSE;
  self->next++;
  if (self->has_partner || !self->node->keeps_probe)
    return TRUE;
  set_build (self, NULL);
  return give_row (self, error);
}

/* ---- the operator */

static gboolean
lateral_join_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
                   KvsqlRowSlice *out, GError **error)
{
  LateralJoin *self = (LateralJoin *)source;

  kvsql_batch_reset (self->batch);
  kvsql_arena_reset (self->arena);
  if (self->next == self->slice.n && !self->slice.is_end)
    {
      self->next = 0;
      if (!kvsql_row_source_poll (self->setup.probe.rows, &kvsql_row_demand_all, call, &self->slice,
                                  error))
        return FALSE;
    }
  while (self->next < self->slice.n && self->batch->n_rows < KVSQL_BATCH_ROWS)
    if (!kvsql_call_check (call, error) || (!self->is_begun && !begin_row (self, error))
        || !join_row (self, error))
      return FALSE;
  if (self->setup.counts != NULL)
    self->setup.counts->rows += self->batch->n_rows;
  kvsql_row_slice_set_batch (out, self->batch);
  out->is_end = self->slice.is_end;
  return TRUE;
}

static const KvsqlRowSourceClass lateral_join_class
    = { .next = lateral_join_next, .free = lateral_join_free, .shares_values = TRUE };

KvsqlRowSource *
kvsql_lateral_join_new (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node,
                        const KvsqlJoinSetup *setup)
{
  guint n = plan->relation->n_attributes;
  g_autofree KvsqlType *types = g_new (KvsqlType, n);
  LateralJoin *self = kvsql_new0 (LateralJoin);

  self->base.klass = &lateral_join_class;
  if (node->has_first)
    self->base.input = setup->probe.rows;
  self->plan = plan;
  self->node = node;
  self->setup = *setup;
  for (guint c = 0; c < n; c++)
    types[c] = kvsql_attribute_set_has (&node->columns, c) ? plan->relation->attributes[c].type
                                                           : KVSQL_TYPE_NULL;
  self->batch = kvsql_batch_new (types, n, KVSQL_BATCH_ROWS);
  self->arena = kvsql_arena_new ();
  self->columns = g_new0 (KvsqlValue, n);
  self->arguments = g_new0 (KvsqlValue, node->lateral->n_arguments + 1);
  return &self->base;
}
