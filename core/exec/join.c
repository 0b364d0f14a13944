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
#include "core/exec/join-private.h"
#include "core/plan/lookup-plan.h"

gsize kvsql_join_forced_bytes;

/* Rows of the build side without a partner come after all others. */
#define AFTER_PROBE ((guint64)1 << 62)

/* With a column for the sequence of the row, which has no type yet. */
static KvsqlType *
types_of (const KvsqlSelectPlan *plan, const KvsqlAttributeSet *columns)
{
  KvsqlType *types = g_new (KvsqlType, plan->relation->n_attributes + 1);

  for (guint c = 0; c < plan->relation->n_attributes; c++)
    types[c] = kvsql_attribute_set_has (columns, c) ? plan->relation->attributes[c].type
                                                    : KVSQL_TYPE_NULL;
  types[plan->relation->n_attributes] = KVSQL_TYPE_NULL;
  return types;
}

static KvsqlBatch *
new_batch (const KvsqlSelectPlan *plan, const KvsqlAttributeSet *columns)
{
  g_autofree KvsqlType *types = types_of (plan, columns);

  return kvsql_batch_new (types, plan->relation->n_attributes, KVSQL_BATCH_ROWS);
}

static void
join_free (KvsqlRowSource *source)
{
  KvsqlJoinSource *self = (KvsqlJoinSource *)source;

  if (self->setup.probe.is_owned)
    kvsql_row_source_free (self->setup.probe.rows);
  if (self->setup.build.is_owned)
    kvsql_row_source_free (self->setup.build.rows);
  kvsql_row_source_free (self->sorted);
  kvsql_join_table_free (self->table);
  kvsql_join_partitions_free (self->partitions);
  _kvsql_join_merge_free (self->merge);
  if (self->sequences != NULL)
    g_array_unref (self->sequences);
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

/* ---- pairs */

static void
add_pair (KvsqlJoinPairs *self, guint32 probe, guint32 build)
{
  g_assert (self->n < KVSQL_BATCH_ROWS);
  self->probe[self->n] = probe;
  self->build[self->n++] = build;
}

/* Chooses pairs of the current row. FALSE: there are more. */
static gboolean
choose_of_row (KvsqlJoinSource *self, guint32 row)
{
  if (!self->is_row_begun)
    self->candidate = self->merge != NULL ? _kvsql_join_merge_first (self)
                                          : kvsql_join_table_first (self->table, self->keys, row);
  else if (_kvsql_join_is_semi (self) && self->has_row_matched) /* the pairs before were checked */
    self->candidate = KVSQL_NO_ROW;
  self->is_row_begun = TRUE;
  for (; self->candidate != KVSQL_NO_ROW;
       self->candidate = self->merge != NULL ? _kvsql_join_merge_next (self, self->candidate)
                                             : kvsql_join_table_next (self->table, self->keys, row,
                                                                      self->candidate))
    {
      if (self->pairs.n == KVSQL_BATCH_ROWS)
        return FALSE;
      add_pair (&self->pairs, row, self->candidate);
      if (_kvsql_join_is_semi (self) && self->filter == NULL) /* one partner is enough */
        {
          self->candidate = KVSQL_NO_ROW;
          break;
        }
    }
  if (!self->node->keeps_probe && !_kvsql_join_is_semi (self))
    return TRUE;
  if (self->pairs.n == KVSQL_BATCH_ROWS)
    return FALSE;
  add_pair (&self->pairs, row, KVSQL_NO_ROW);
  return TRUE;
}

static void
choose_pairs (KvsqlJoinSource *self)
{
  guint n = self->merge != NULL ? _kvsql_join_merge_get_n_ready (self) : self->slice.n;

  self->pairs.n = 0;
  while (self->next < n && choose_of_row (self, self->slice.rows[self->next]))
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
fill (KvsqlJoinSource *self, const KvsqlJoinPairs *pairs, KvsqlBatch *batch)
{
  const KvsqlJoinInput *probe = &self->setup.probe, *build = &self->setup.build;
  const KvsqlBatch *rows = self->table == NULL ? NULL : kvsql_join_table_get_rows (self->table);
  /* after the end of the probe side there is no row of it */
  static const KvsqlVector none;

  kvsql_batch_reset (batch);
  for (guint i = 0; i < probe->n; i++)
    if (batch->columns[probe->targets[i]].type != KVSQL_TYPE_NULL)
      fill_column (
          &batch->columns[probe->targets[i]],
          self->slice.batch == NULL
              ? &none
              : &self->slice.batch->columns[_kvsql_join_column_of (&self->slice, probe, i)],
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
collect_real (const KvsqlJoinSource *self, KvsqlJoinPairs *out, guint *places)
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
check_pairs (KvsqlJoinSource *self, guint8 *admitted, GError **error)
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

/* All partners of a probe row have been looked at, but those in later chunks of a partition. */
static gboolean
end_row (KvsqlJoinSource *self, guint32 row, GError **error)
{
  gboolean has_partner
      = self->has_row_matched
        || (self->partitions != NULL && kvsql_join_partitions_had_partner (self->partitions, row));

  self->has_row_matched = FALSE;
  if (self->partitions != NULL && !kvsql_join_partitions_is_last_pass (self->partitions)
      && !(has_partner && _kvsql_join_is_semi (self)))
    return kvsql_join_partitions_carry (self->partitions, row, has_partner, error);
  if (has_partner == self->node->is_semi)
    add_pair (&self->kept, row, KVSQL_NO_ROW);
  return TRUE;
}

/* Keeps the pairs that are rows of the result. */
static gboolean
keep_pairs (KvsqlJoinSource *self, GError **error)
{
  guint8 admitted[KVSQL_BATCH_ROWS];

  if (!check_pairs (self, admitted, error))
    return FALSE;
  self->kept.n = 0;
  for (guint i = 0; i < self->pairs.n; i++)
    if (self->pairs.build[i] == KVSQL_NO_ROW)
      {
        if (!end_row (self, self->pairs.probe[i], error))
          return FALSE;
      }
    else if (admitted[i])
      {
        self->has_row_matched = TRUE;
        if (_kvsql_join_is_semi (self))
          continue;
        if (self->has_partner != NULL)
          self->has_partner[self->pairs.build[i]] = 1;
        add_pair (&self->kept, self->pairs.probe[i], self->pairs.build[i]);
      }
  return TRUE;
}

/* Rows of the build side without a partner. */
static void
choose_lonely (KvsqlJoinSource *self)
{
  guint n = self->node->keeps_build && self->table != NULL
                ? kvsql_join_table_get_rows (self->table)->n_rows
                : 0;

  self->kept.n = 0;
  for (; self->next_lonely < n && self->kept.n < KVSQL_BATCH_ROWS; self->next_lonely++)
    if (!self->has_partner[self->next_lonely])
      add_pair (&self->kept, KVSQL_NO_ROW, self->next_lonely);
}

/* ---- the operator */

static gboolean
compute_merged (KvsqlJoinSource *self, GError **error)
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

static void
find_keys (KvsqlJoinSource *self)
{
  const KvsqlJoinInput *probe = &self->setup.probe;

  for (guint k = 0; k < self->node->n_keys && self->slice.n > 0; k++)
    for (guint i = 0; i < probe->n; i++)
      if (probe->targets[i] == self->node->keys[k].probe)
        self->keys[k] = &self->slice.batch->columns[_kvsql_join_column_of (&self->slice, probe, i)];
}

/* Of the current partition. */
static gboolean
next_spilled_slice (KvsqlJoinSource *self, GError **error)
{
  const KvsqlBatch *rows;

  if (!kvsql_join_partitions_read (self->partitions, KVSQL_JOIN_PROBE, &rows, error))
    return FALSE;
  self->slice = (KvsqlRowSlice){ 0 };
  kvsql_row_slice_set_batch (&self->slice, rows);
  find_keys (self);
  return TRUE;
}

static gboolean
next_slice (KvsqlJoinSource *self, const KvsqlCall *call, GError **error)
{
  KvsqlRowDemand demand = kvsql_row_demand_all;

  self->next = 0;
  if (self->partitions != NULL)
    return next_spilled_slice (self, error);
  if (self->node->n_looked_up > 0)
    demand.max_rows = demand.max_copied = kvsql_lookup_plan_get_most (self->node->n_looked_up);
  if (!kvsql_row_source_poll (self->setup.probe.rows, &demand, call, &self->slice, error))
    return FALSE;
  if (self->merge != NULL)
    _kvsql_join_merge_begin_slice (self);
  find_keys (self);
  return self->node->n_looked_up == 0 || self->slice.n == 0
         || _kvsql_join_look_up (self, call, error);
}

/* Without rows to keep there may be no row at all. */
static gboolean
is_empty (const KvsqlJoinSource *self)
{
  return !self->node->keeps_probe && !self->node->is_anti && self->node->n_looked_up == 0
         && self->partitions == NULL && self->merge == NULL
         && kvsql_join_table_get_rows (self->table)->n_rows == 0;
}

/* The rows at the end of the probe side. In partitions, the next pass follows. */
static gboolean
end_probe (KvsqlJoinSource *self, const KvsqlCall *call, gboolean *out_is_end, GError **error)
{
  gboolean any;

  choose_lonely (self);
  *out_is_end = self->kept.n == 0;
  if (!*out_is_end || self->partitions == NULL)
    return TRUE;
  if (!_kvsql_join_advance (self, call, &any, error))
    return FALSE;
  *out_is_end = !any;
  return TRUE;
}

static void
set_sequences (KvsqlJoinSource *self)
{
  KvsqlVector *column = &self->batch->columns[self->plan->relation->n_attributes];
  const guint64 *probe = kvsql_join_partitions_get_sequences (self->partitions, KVSQL_JOIN_PROBE);

  for (guint i = 0; i < self->kept.n; i++)
    column->integers[i]
        = self->kept.probe[i] != KVSQL_NO_ROW
              ? (gint64)(probe[self->kept.probe[i]] & (AFTER_PROBE - 1))
              : (gint64)(AFTER_PROBE
                         | g_array_index (self->sequences, guint64, self->kept.build[i]));
}

static void restore_order (KvsqlJoinSource *self);

/* After the build side, and what was left of the probe side, went to partitions. */
static void
begin_partitions (KvsqlJoinSource *self)
{
  if (self->setup.keeps_order)
    restore_order (self);
  self->slice = (KvsqlRowSlice){ .is_end = TRUE }; /* of no partition; the first one follows */
  self->next = 0;
}

/* The partners of the next rows of the slice. */
static gboolean
merge (KvsqlJoinSource *self, const KvsqlCall *call, GError **error)
{
  gboolean is_full;

  if (self->slice.n == 0 || self->next < _kvsql_join_merge_get_n_ready (self))
    return TRUE;
  if (!self->node->keeps_probe && !self->node->is_anti && _kvsql_join_merge_is_over (self))
    {
      self->slice.is_end = TRUE;
      return TRUE;
    }
  if (!_kvsql_join_merge_find_groups (self, call, &is_full, error))
    return FALSE;
  if (!is_full)
    return TRUE;
  if (!_kvsql_join_spill_rest (self, _kvsql_join_merge_take_build (self), call, error))
    return FALSE;
  g_clear_pointer (&self->merge, _kvsql_join_merge_free);
  begin_partitions (self);
  return TRUE;
}

/* The next rows, which may be out of order if there are partitions. */
static gboolean
give (KvsqlJoinSource *self, const KvsqlCall *call, KvsqlRowSlice *out, GError **error)
{
  gboolean is_end = FALSE, merges = self->merge != NULL;

  if (!kvsql_call_check (call, error)
      || (self->next == self->slice.n && !self->slice.is_end && !next_slice (self, call, error))
      || (self->merge != NULL && !self->slice.is_end && !merge (self, call, error)))
    return FALSE;
  if (merges && self->merge == NULL) /* it was given up */
    {
      kvsql_batch_reset (self->batch);
      out->batch = self->batch;
      return TRUE;
    }
  if (self->slice.n == 0)
    self->pairs.n = self->kept.n = 0;
  if (self->slice.is_end && !end_probe (self, call, &is_end, error))
    return FALSE;
  if (!self->slice.is_end && self->slice.n > 0)
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

/* ---- rows of partitions, in order */

typedef struct
{
  KvsqlRowSource base;
  KvsqlJoinSource *join;
} Unordered;

static gboolean
unordered_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
                KvsqlRowSlice *out, GError **error)
{
  Unordered *self = (Unordered *)source;

  if (!give (self->join, call, out, error))
    return FALSE;
  if (out->n > 0)
    set_sequences (self->join);
  return TRUE;
}

static void
unordered_free (KvsqlRowSource *source)
{
  g_free (source);
}

static const KvsqlRowSourceClass unordered_class
    = { .next = unordered_next, .free = unordered_free, .shares_values = TRUE };

/* Each row gets its sequence as one more column, and is sorted by it. */
static void
restore_order (KvsqlJoinSource *self)
{
  const KvsqlRelation *relation = self->plan->relation;
  const KvsqlKeyPart by_sequence = { .column = relation->n_attributes };
  g_autofree KvsqlType *types = types_of (self->plan, &self->node->columns);
  KvsqlSortLimits limits = self->setup.limits;
  Unordered *unordered = kvsql_new0 (Unordered);

  limits.memory_bytes /= 2; /* the partitions have the other half */
  limits.disk_bytes -= limits.disk_bytes / 2;
  types[relation->n_attributes] = KVSQL_TYPE_BIGINT;
  kvsql_batch_free (self->batch);
  self->batch = kvsql_batch_new (types, relation->n_attributes + 1, KVSQL_BATCH_ROWS);
  self->sequences = g_array_new (FALSE, FALSE, sizeof (guint64));
  unordered->base.klass = &unordered_class;
  unordered->join = self;
  self->sorted = kvsql_sort_new (&unordered->base, types, relation->n_attributes + 1, &by_sequence,
                                 1, G_MAXUINT64, &limits);
}

/* ---- the operator */

static gboolean
begin (KvsqlJoinSource *self, const KvsqlCall *call, GError **error)
{
  if (!_kvsql_join_load (self, call, error))
    return FALSE;
  if (self->partitions != NULL)
    begin_partitions (self);
  return TRUE;
}

static gboolean
join_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
           KvsqlRowSlice *out, GError **error)
{
  KvsqlJoinSource *self = (KvsqlJoinSource *)source;

  if (self->table == NULL && self->partitions == NULL && self->merge == NULL
      && self->node->n_looked_up == 0 && !begin (self, call, error))
    return FALSE;
  if (self->sorted != NULL)
    return kvsql_row_source_poll (self->sorted, &kvsql_row_demand_all, call, out, error);
  if (is_empty (self))
    {
      kvsql_batch_reset (self->batch);
      kvsql_row_slice_set_batch (out, self->batch);
      return TRUE;
    }
  return give (self, call, out, error);
}

static const KvsqlRowSourceClass join_class
    = { .next = join_next, .free = join_free, .shares_values = TRUE };

KvsqlRowSource *
kvsql_join_new (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node, const KvsqlJoinSetup *setup)
{
  KvsqlJoinSource *self = kvsql_new0 (KvsqlJoinSource);

  self->base.klass = &join_class;
  if (node->has_first)
    self->base.input = node->probe->has_first ? setup->probe.rows : setup->build.rows;
  self->plan = plan;
  self->node = node;
  self->setup = *setup;
  if (kvsql_join_forced_bytes > 0)
    self->setup.limits.memory_bytes = kvsql_join_forced_bytes;
  if (node->n_merge_keys > 0)
    self->merge = _kvsql_join_merge_new (node);
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
