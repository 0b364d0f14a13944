/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join.c: see the header.
 *
 * The rows of a batch are chosen as a list of pairs: a row of the probe side with a row of the
 * build side. After the last pair of a probe row that is given without a partner, too, comes a pair
 * without a build row. It stays if no pair before it does. So one pass keeps the order, also
 * if the rest of the condition rejects pairs. Of a semi or anti join, only the pairs without a
 * build row may stay.
 */
#include "config.h"

#include "core/exec/join.h"

#include "core/base/memory.h"
#include "core/exec/join-table.h"
#include "core/exec/lookup-source.h"
#include "core/expr/evaluate.h"
#include "core/plan/join-tree.h"
#include "core/plan/lookup-plan.h"
#include "core/scan/predicate-filter.h"

typedef struct
{
  guint32 probe[KVSQL_BATCH_ROWS]; /* KVSQL_NO_ROW: none */
  guint32 build[KVSQL_BATCH_ROWS];
  guint n;
} Pairs;

typedef struct
{
  KvsqlRowSource base;
  const KvsqlSelectPlan *plan;
  const KvsqlJoinNode *node;
  KvsqlJoinSetup setup;
  KvsqlJoinTable *table; /* NULL: the build side was not read yet */
  guint8 *has_partner;   /* by row of the table, if those without one are given */
  guint32 next_lonely;   /* the next row of the table that may have none */

  KvsqlRowSlice slice;      /* of the probe side */
  guint next;               /* the row of @slice whose pairs are chosen next */
  gboolean is_row_begun;    /* some of its pairs were chosen */
  guint32 candidate;        /* the build row of its next pair */
  gboolean has_row_matched; /* of the row whose pairs are checked next */
  const KvsqlVector **keys; /* of the probe side */

  Pairs pairs, kept;
  KvsqlBatch *checked; /* nullable: the columns that the residual condition reads */
  KvsqlPredicateFilter *filter;
  KvsqlBatch *batch;
  KvsqlEvaluator **merged; /* of each merged column */
} Join;

static KvsqlBatch *
new_batch (const KvsqlSelectPlan *plan, const KvsqlAttributeSet *columns)
{
  g_autofree KvsqlType *types = g_new (KvsqlType, plan->relation->n_attributes);

  for (guint c = 0; c < plan->relation->n_attributes; c++)
    types[c] = kvsql_attribute_set_has (columns, c) ? plan->relation->attributes[c].type
                                                    : KVSQL_TYPE_NULL;
  return kvsql_batch_new (types, plan->relation->n_attributes, KVSQL_BATCH_ROWS);
}

static void
join_free (KvsqlRowSource *source)
{
  Join *self = (Join *)source;

  if (self->setup.probe.is_owned)
    kvsql_row_source_free (self->setup.probe.rows);
  if (self->setup.build.is_owned)
    kvsql_row_source_free (self->setup.build.rows);
  kvsql_join_table_free (self->table);
  kvsql_predicate_filter_free (self->filter);
  kvsql_batch_free (self->checked);
  kvsql_batch_free (self->batch);
  for (guint i = 0; i < self->node->n_merged; i++)
    kvsql_evaluator_free (self->merged[i]);
  g_free (self->merged);
  g_free (self->has_partner);
  g_free (self->keys);
  g_free (self->setup.probe.sources);
  g_free (self->setup.probe.targets);
  g_free (self->setup.build.sources);
  g_free (self->setup.build.targets);
  g_free (self);
}

/* The column of @slice's batch that is column @i of an input. */
static guint
column_of (const KvsqlRowSlice *slice, const KvsqlJoinInput *input, guint i)
{
  return slice->columns != NULL ? slice->columns[input->sources[i]] : input->sources[i];
}

/* ---- the build side */

static void
append_names (const Join *self, const KvsqlJoinNode *node, GString *out)
{
  if (node->probe != NULL)
    {
      append_names (self, node->probe, out);
      append_names (self, node->build, out);
      return;
    }
  g_string_append_printf (out, "%s\"%s\"", out->len > 0 ? " and " : "",
                          kvsql_binder_relation_name (&self->plan->join->relations[node->leaf]));
}

static gboolean
too_large (const Join *self, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  append_names (self, self->node->build, names);
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "a join keeps the rows of %s in memory, and they need more than %" G_GSIZE_FORMAT
                   " MiB",
                   names->str, self->setup.max_bytes >> 20);
  return kvsql_error_hint (error, "Narrow what is read of them, ANALYZE the relations, so that the "
                                  "smaller side is kept, or raise sort_bytes in the daemon's "
                                  "configuration.");
}

static KvsqlJoinTable *
new_table (const Join *self)
{
  const KvsqlAttribute *attributes = self->plan->relation->attributes;
  const KvsqlJoinInput *build = &self->setup.build;
  g_autofree KvsqlType *types = g_new (KvsqlType, build->n + 1);
  g_autofree KvsqlJoinTableKey *keys = g_new0 (KvsqlJoinTableKey, self->node->n_keys + 1);

  for (guint i = 0; i < build->n; i++)
    types[i] = attributes[build->targets[i]].type;
  for (guint k = 0; k < self->node->n_keys; k++)
    {
      const KvsqlJoinKey *key = &self->node->keys[k];

      keys[k].is_exact = key->is_exact;
      keys[k].other = attributes[key->probe].type;
      while (build->targets[keys[k].column] != key->build)
        keys[k].column++;
    }
  return kvsql_join_table_new (types, build->n, keys, self->node->n_keys);
}

static gboolean
load (Join *self, const KvsqlCall *call, GError **error)
{
  const KvsqlJoinInput *build = &self->setup.build;
  g_autofree guint *columns = g_new (guint, build->n + 1);
  KvsqlRowSlice slice;

  self->table = new_table (self);
  do
    {
      if (!kvsql_call_check (call, error)
          || !kvsql_row_source_next (build->rows, &kvsql_row_demand_all, call, &slice, error))
        return FALSE;
      for (guint i = 0; i < build->n; i++)
        columns[i] = column_of (&slice, build, i);
      if ((slice.n > 0
           && !kvsql_join_table_add (self->table, slice.batch, columns, slice.rows, slice.n))
          || kvsql_join_table_get_size (self->table) > self->setup.max_bytes)
        return too_large (self, error);
    }
  while (!slice.is_end);
  if (!kvsql_join_table_finish (self->table, error))
    return FALSE;
  if (self->node->keeps_build)
    self->has_partner = g_malloc0 (kvsql_join_table_get_rows (self->table)->n_rows + 1);
  if (self->setup.counts != NULL)
    {
      KvsqlJoinCounts *counts = self->setup.counts;

      counts->kept += kvsql_join_table_get_rows (self->table)->n_rows;
      counts->bytes = MAX (counts->bytes, kvsql_join_table_get_size (self->table));
    }
  return TRUE;
}

/* ---- pairs */

static void
add_pair (Pairs *self, guint32 probe, guint32 build)
{
  g_assert (self->n < KVSQL_BATCH_ROWS);
  self->probe[self->n] = probe;
  self->build[self->n++] = build;
}

/* Only rows of the probe side are given. */
static gboolean
is_semi (const Join *self)
{
  return self->node->is_semi || self->node->is_anti;
}

/* Chooses pairs of the current row. FALSE: there are more. */
static gboolean
choose_of_row (Join *self, guint32 row)
{
  if (!self->is_row_begun)
    self->candidate = kvsql_join_table_first (self->table, self->keys, row);
  else if (is_semi (self) && self->has_row_matched) /* the pairs before were checked */
    self->candidate = KVSQL_NO_ROW;
  self->is_row_begun = TRUE;
  for (; self->candidate != KVSQL_NO_ROW;
       self->candidate = kvsql_join_table_next (self->table, self->keys, row, self->candidate))
    {
      if (self->pairs.n == KVSQL_BATCH_ROWS)
        return FALSE;
      add_pair (&self->pairs, row, self->candidate);
      if (is_semi (self) && self->filter == NULL) /* one partner is enough */
        {
          self->candidate = KVSQL_NO_ROW;
          break;
        }
    }
  if (!self->node->keeps_probe && !is_semi (self))
    return TRUE;
  if (self->pairs.n == KVSQL_BATCH_ROWS)
    return FALSE;
  add_pair (&self->pairs, row, KVSQL_NO_ROW);
  return TRUE;
}

static void
choose_pairs (Join *self)
{
  self->pairs.n = 0;
  while (self->next < self->slice.n && choose_of_row (self, self->slice.rows[self->next]))
    {
      self->next++;
      self->is_row_begun = FALSE;
    }
}

/* Copies the values of rows; of no row, NULL. */
static void
fill_column (KvsqlVector *to, const KvsqlVector *from, const guint32 *rows, guint n)
{
  for (guint i = 0; i < n; i++)
    if (rows[i] == KVSQL_NO_ROW || kvsql_vector_is_null (from, rows[i]))
      kvsql_vector_set_null (to, i);
    else
      switch (kvsql_type_get_class (to->type))
        {
        case KVSQL_CLASS_BOOLEAN:
          to->booleans[i] = from->booleans[rows[i]];
          break;
        case KVSQL_CLASS_INTEGER:
          to->integers[i] = from->integers[rows[i]];
          break;
        case KVSQL_CLASS_REAL:
          to->reals[i] = from->reals[rows[i]];
          break;
        case KVSQL_CLASS_SLICE:
          to->slices[i] = from->slices[rows[i]];
          break;
        case KVSQL_CLASS_NONE:
          break;
        }
}

/* Fills the columns that @batch has. */
static void
fill (Join *self, const Pairs *pairs, KvsqlBatch *batch)
{
  const KvsqlJoinInput *probe = &self->setup.probe, *build = &self->setup.build;
  const KvsqlBatch *rows = self->table == NULL ? NULL : kvsql_join_table_get_rows (self->table);
  /* after the end of the probe side there is no row of it */
  static const KvsqlVector none;

  kvsql_batch_reset (batch);
  for (guint i = 0; i < probe->n; i++)
    if (batch->columns[probe->targets[i]].type != KVSQL_TYPE_NULL)
      fill_column (&batch->columns[probe->targets[i]],
                   self->slice.batch == NULL
                       ? &none
                       : &self->slice.batch->columns[column_of (&self->slice, probe, i)],
                   pairs->probe, pairs->n);
  for (guint i = 0; i < build->n; i++)
    if (batch->columns[build->targets[i]].type != KVSQL_TYPE_NULL)
      fill_column (&batch->columns[build->targets[i]], rows == NULL ? &none : &rows->columns[i],
                   pairs->build, pairs->n);
  batch->n_rows = pairs->n;
}

/* The pairs that have both rows, for the residual condition. Their places in self->pairs are in
 * @places. */
static void
collect_real (const Join *self, Pairs *out, guint *places)
{
  out->n = 0;
  for (guint i = 0; i < self->pairs.n; i++)
    if (self->pairs.build[i] != KVSQL_NO_ROW)
      {
        places[out->n] = i;
        add_pair (out, self->pairs.probe[i], self->pairs.build[i]);
      }
}

/* Marks in @admitted the pairs that satisfy the whole condition. */
static gboolean
check_pairs (Join *self, guint8 *admitted, GError **error)
{
  guint places[KVSQL_BATCH_ROWS];
  const guint32 *selection;
  guint n;

  if (self->filter == NULL)
    {
      memset (admitted, 1, self->pairs.n);
      return TRUE;
    }
  memset (admitted, 0, self->pairs.n);
  collect_real (self, &self->kept, places);
  fill (self, &self->kept, self->checked);
  if (self->kept.n == 0)
    return TRUE;
  if (!kvsql_predicate_filter_run (self->filter, self->checked, &selection, &n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    admitted[places[selection[i]]] = 1;
  return TRUE;
}

/* Keeps the pairs that are rows of the result. */
static gboolean
keep_pairs (Join *self, GError **error)
{
  guint8 admitted[KVSQL_BATCH_ROWS];

  if (!check_pairs (self, admitted, error))
    return FALSE;
  self->kept.n = 0;
  for (guint i = 0; i < self->pairs.n; i++)
    if (self->pairs.build[i] == KVSQL_NO_ROW)
      {
        if (self->has_row_matched == self->node->is_semi)
          add_pair (&self->kept, self->pairs.probe[i], KVSQL_NO_ROW);
        self->has_row_matched = FALSE;
      }
    else if (admitted[i])
      {
        self->has_row_matched = TRUE;
        if (is_semi (self))
          continue;
        if (self->has_partner != NULL)
          self->has_partner[self->pairs.build[i]] = 1;
        add_pair (&self->kept, self->pairs.probe[i], self->pairs.build[i]);
      }
  return TRUE;
}

/* Rows of the build side without a partner. */
static void
choose_lonely (Join *self)
{
  guint n = self->node->keeps_build ? kvsql_join_table_get_rows (self->table)->n_rows : 0;

  self->kept.n = 0;
  for (; self->next_lonely < n && self->kept.n < KVSQL_BATCH_ROWS; self->next_lonely++)
    if (!self->has_partner[self->next_lonely])
      add_pair (&self->kept, KVSQL_NO_ROW, self->next_lonely);
}

/* ---- the operator */

static gboolean
compute_merged (Join *self, GError **error)
{
  for (guint i = 0; i < self->node->n_merged; i++)
    {
      KvsqlVector *to = &self->batch->columns[self->node->merged[i].column];
      KvsqlBatch *values;

      if (to->type == KVSQL_TYPE_NULL)
        continue;
      if (!kvsql_evaluator_run (self->merged[i], self->batch, NULL, self->batch->n_rows, &values,
                                error))
        return FALSE;
      fill_column (to, &values->columns[0], kvsql_row_numbers (), self->batch->n_rows);
    }
  return TRUE;
}

/* Reads the tuples that may be partners of the rows of the slice. */
static gboolean
look_up (Join *self, const KvsqlCall *call, GError **error)
{
  g_autofree const KvsqlVector **keys = g_new (const KvsqlVector *, self->node->n_looked_up);

  for (guint i = 0; i < self->node->n_looked_up; i++)
    keys[i] = self->keys[self->node->lookup_keys[i]];
  if (!kvsql_lookup_source_set_keys (self->setup.build.rows, keys, self->slice.rows, self->slice.n,
                                     error))
    return FALSE;
  g_clear_pointer (&self->table, kvsql_join_table_free);
  return load (self, call, error);
}

static gboolean
next_slice (Join *self, const KvsqlCall *call, GError **error)
{
  const KvsqlJoinInput *probe = &self->setup.probe;
  KvsqlRowDemand demand = kvsql_row_demand_all;

  self->next = 0;
  if (self->node->n_looked_up > 0)
    demand.max_rows = demand.max_copied = kvsql_lookup_plan_get_most (self->node->n_looked_up);
  if (!kvsql_row_source_poll (probe->rows, &demand, call, &self->slice, error))
    return FALSE;
  for (guint k = 0; k < self->node->n_keys && self->slice.n > 0; k++)
    for (guint i = 0; i < probe->n; i++)
      if (probe->targets[i] == self->node->keys[k].probe)
        self->keys[k] = &self->slice.batch->columns[column_of (&self->slice, probe, i)];
  return self->node->n_looked_up == 0 || self->slice.n == 0 || look_up (self, call, error);
}

/* Without rows to keep there may be no row at all. */
static gboolean
is_empty (const Join *self)
{
  return !self->node->keeps_probe && !self->node->is_anti && self->node->n_looked_up == 0
         && kvsql_join_table_get_rows (self->table)->n_rows == 0;
}

static gboolean
join_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
           KvsqlRowSlice *out, GError **error)
{
  Join *self = (Join *)source;
  gboolean is_end = FALSE;

  if (!kvsql_call_check (call, error)
      || (self->table == NULL && self->node->n_looked_up == 0 && !load (self, call, error)))
    return FALSE;
  if (is_empty (self))
    {
      kvsql_batch_reset (self->batch);
      kvsql_row_slice_set_batch (out, self->batch);
      return TRUE;
    }
  if (self->next == self->slice.n && !self->slice.is_end && !next_slice (self, call, error))
    return FALSE;
  if (self->slice.n == 0)
    self->pairs.n = self->kept.n = 0;
  if (self->slice.is_end)
    {
      choose_lonely (self);
      is_end = self->kept.n == 0;
    }
  else if (self->slice.n > 0)
    {
      choose_pairs (self);
      if (!keep_pairs (self, error))
        return FALSE;
    }
  fill (self, &self->kept, self->batch);
  if (self->batch->n_rows > 0 && !compute_merged (self, error))
    return FALSE;
  if (self->setup.counts != NULL)
    self->setup.counts->rows += self->batch->n_rows;
  kvsql_row_slice_set_batch (out, self->batch);
  out->is_end = is_end;
  return TRUE;
}

static const KvsqlRowSourceClass join_class = { .next = join_next, .free = join_free };

KvsqlRowSource *
kvsql_join_new (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node, const KvsqlJoinSetup *setup)
{
  Join *self = kvsql_new0 (Join);

  self->base.klass = &join_class;
  if (node->has_first)
    self->base.input = node->probe->has_first ? setup->probe.rows : setup->build.rows;
  self->plan = plan;
  self->node = node;
  self->setup = *setup;
  self->keys = g_new0 (const KvsqlVector *, node->n_keys + 1);
  self->batch = new_batch (plan, &node->columns);
  if (node->residual != NULL)
    {
      KvsqlAttributeSet columns = kvsql_predicate_get_columns (node->residual);

      self->checked = new_batch (plan, &columns);
      self->filter = kvsql_predicate_filter_new (node->residual);
    }
  self->merged = g_new0 (KvsqlEvaluator *, node->n_merged + 1);
  for (guint i = 0; i < node->n_merged; i++)
    self->merged[i] = kvsql_evaluator_new (&node->merged[i].expr, 1);
  return &self->base;
}
