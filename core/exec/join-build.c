/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-build.c: the build side of a join: all of it, what one lookup found, or a chunk of a
 * partition.
 */
#include "config.h"

#include "core/base/hash.h"
#include "core/exec/join-private.h"
#include "core/exec/lookup-source.h"

/* ---- memory */

static void
append_names (const KvsqlJoinSource *self, const KvsqlJoinNode *node, GString *out)
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
too_large (const KvsqlJoinSource *self, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  append_names (self, self->node->build, names);
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "a join keeps the rows of %s in memory, and they need more than %" G_GSIZE_FORMAT
                   " MiB",
                   names->str, self->setup.limits.memory_bytes >> 20);
  return kvsql_error_hint (error, "Narrow what is read of them, ANALYZE the relations, so that the "
                                  "smaller side is kept, or raise sort_bytes or sort_disk_bytes in "
                                  "the daemon's configuration.");
}

static KvsqlType *
types_of (const KvsqlJoinSource *self, const KvsqlJoinInput *input)
{
  KvsqlType *types = g_new (KvsqlType, input->n + 1);

  for (guint i = 0; i < input->n; i++)
    types[i] = self->plan->relation->attributes[input->targets[i]].type;
  return types;
}

KvsqlJoinTable *
_kvsql_join_new_table (const KvsqlJoinSource *self)
{
  const KvsqlAttribute *attributes = self->plan->relation->attributes;
  const KvsqlJoinInput *build = &self->setup.build;
  g_autofree KvsqlType *types = types_of (self, build);
  g_autofree KvsqlJoinTableKey *keys = g_new0 (KvsqlJoinTableKey, self->node->n_keys + 1);

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

/* ---- all rows, or those of a lookup */

static gboolean
finish_table (KvsqlJoinSource *self, GError **error)
{
  guint n = kvsql_join_table_get_rows (self->table)->n_rows;

  if (!kvsql_join_table_finish (self->table, error))
    return FALSE;
  if (self->node->keeps_build)
    {
      g_free (self->has_partner);
      self->has_partner = g_malloc0 (n + 1);
    }
  if (self->setup.counts != NULL)
    {
      KvsqlJoinCounts *counts = self->setup.counts;

      counts->kept += n;
      counts->bytes = MAX (counts->bytes, kvsql_join_table_get_size (self->table));
    }
  return TRUE;
}

/* Adds the rows of the build side until they fill the memory. @out_slice: the rows that are not in
 * the table, if there are any */
static gboolean
fill_table (KvsqlJoinSource *self, const KvsqlCall *call, KvsqlRowSlice *out_slice,
            gboolean *out_is_full, GError **error)
{
  const KvsqlJoinInput *build = &self->setup.build;
  g_autofree guint *columns = g_new (guint, build->n + 1);
  KvsqlRowSlice *slice = out_slice;

  do
    {
      if (!kvsql_call_check (call, error)
          || !kvsql_row_source_next (build->rows, &kvsql_row_demand_all, call, slice, error))
        return FALSE;
      for (guint i = 0; i < build->n; i++)
        columns[i] = _kvsql_join_column_of (slice, build, i);
      *out_is_full
          = slice->n > 0
            && !kvsql_join_table_add (self->table, slice->batch, columns, slice->rows, slice->n);
      if (*out_is_full)
        return TRUE;
      slice->n = 0;
      *out_is_full = kvsql_join_table_get_size (self->table) > self->setup.limits.memory_bytes;
    }
  while (!slice->is_end && !*out_is_full);
  return TRUE;
}

/* ---- to partitions */

/* The rows of one side on their way to the partitions. */
typedef struct
{
  KvsqlJoinSource *join;
  KvsqlJoinSide side;
  const KvsqlJoinInput *input;
  const KvsqlJoinTable *hasher; /* without rows */
  guint64 sequence;
  KvsqlBatch columns; /* those of the input, borrowed */
  const KvsqlVector **keys;
} Spilling;

static void
spilling_init (Spilling *self, KvsqlJoinSource *join, KvsqlJoinSide side,
               const KvsqlJoinTable *hasher)
{
  *self = (Spilling){ .join = join, .side = side, .hasher = hasher };
  self->input = side == KVSQL_JOIN_BUILD ? &join->setup.build : &join->setup.probe;
  self->columns.n_columns = self->input->n;
  self->columns.columns = g_new0 (KvsqlVector, self->input->n + 1);
  self->keys = g_new0 (const KvsqlVector *, join->node->n_keys + 1);
}

static void
spilling_clear (Spilling *self)
{
  g_free (self->columns.columns);
  g_free (self->keys);
}

static void
find_keys (Spilling *self)
{
  const KvsqlJoinNode *node = self->join->node;

  for (guint k = 0; k < node->n_keys; k++)
    for (guint i = 0; i < self->input->n; i++)
      if (self->input->targets[i]
          == (self->side == KVSQL_JOIN_BUILD ? node->keys[k].build : node->keys[k].probe))
        self->keys[k] = &self->columns.columns[i];
}

/* @rows: (nullable): NULL: all */
static gboolean
spill_rows (Spilling *self, const guint32 *rows, guint n, const KvsqlCall *call, GError **error)
{
  find_keys (self);
  for (guint i = 0; i < n; i++)
    {
      guint32 row = rows == NULL ? i : rows[i];
      guint64 hash;
      /* not by the secret seed, so that the order of partitions is the same in each daemon */
      gboolean has_key
          = kvsql_join_table_hash (self->hasher, self->keys, row, KVSQL_HASH_FIXED_SEED, &hash);

      if ((i % KVSQL_BATCH_ROWS == 0 && !kvsql_call_check (call, error))
          || !kvsql_join_partitions_add (self->join->partitions, self->side, &self->columns, row,
                                         has_key ? &hash : NULL, self->sequence++, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
spill_slice (Spilling *self, const KvsqlRowSlice *slice, const KvsqlCall *call, GError **error)
{
  if (slice->n == 0)
    return TRUE;
  for (guint i = 0; i < self->input->n; i++)
    self->columns.columns[i] = slice->batch->columns[_kvsql_join_column_of (slice, self->input, i)];
  return spill_rows (self, slice->rows, slice->n, call, error);
}

/* What the side still has. */
static gboolean
spill_rest (Spilling *self, KvsqlRowSlice *slice, const KvsqlCall *call, GError **error)
{
  while (!slice->is_end)
    if (!kvsql_row_source_next (self->input->rows, &kvsql_row_demand_all, call, slice, error)
        || !spill_slice (self, slice, call, error))
      return FALSE;
  return TRUE;
}

/* The rows of the table, then @slice, then the rest of the build side. */
static gboolean
spill_build (KvsqlJoinSource *self, const KvsqlJoinTable *hasher, KvsqlRowSlice *slice,
             const KvsqlCall *call, GError **error)
{
  const KvsqlBatch *rows = kvsql_join_table_get_rows (self->table);
  Spilling spilling;
  gboolean ok;

  spilling_init (&spilling, self, KVSQL_JOIN_BUILD, hasher);
  memcpy (spilling.columns.columns, rows->columns, rows->n_columns * sizeof *rows->columns);
  ok = spill_rows (&spilling, NULL, rows->n_rows, call, error);
  g_clear_pointer (&self->table, kvsql_join_table_free);
  ok = ok && spill_slice (&spilling, slice, call, error)
       && spill_rest (&spilling, slice, call, error);
  spilling_clear (&spilling);
  return ok;
}

/* The rows of @slice, then the rest of the probe side. */
static gboolean
spill_probe (KvsqlJoinSource *self, const KvsqlJoinTable *hasher, KvsqlRowSlice slice,
             const KvsqlCall *call, GError **error)
{
  Spilling spilling;
  gboolean ok;

  spilling_init (&spilling, self, KVSQL_JOIN_PROBE, hasher);
  ok = spill_slice (&spilling, &slice, call, error) && spill_rest (&spilling, &slice, call, error);
  spilling_clear (&spilling);
  return ok;
}

static KvsqlJoinPartitions *
new_partitions (const KvsqlJoinSource *self)
{
  const KvsqlJoinNode *node = self->node;
  gsize memory = self->setup.limits.memory_bytes;
  g_autofree KvsqlType *build = types_of (self, &self->setup.build),
                       *probe = types_of (self, &self->setup.probe);
  KvsqlJoinPartitionsSetup setup = {
    .types = { [KVSQL_JOIN_BUILD] = build, [KVSQL_JOIN_PROBE] = probe },
    .n_types
    = { [KVSQL_JOIN_BUILD] = self->setup.build.n, [KVSQL_JOIN_PROBE] = self->setup.probe.n },
    .is_alone = { [KVSQL_JOIN_BUILD] = node->keeps_build,
                  [KVSQL_JOIN_PROBE] = node->keeps_probe || node->is_anti },
    .has_keys = node->n_keys > 0,
    .carries_probe = node->keeps_probe || _kvsql_join_is_semi (self),
    .limits = self->setup.limits,
    .table_bytes = memory - memory / 4, /* blocks, and rows that are read, need the rest */
  };

  if (self->setup.keeps_order) /* the sort needs as much */
    {
      setup.table_bytes = memory / 2;
      setup.limits.disk_bytes /= 2;
    }
  return kvsql_join_partitions_new (&setup);
}

/* The rows of partitions have the columns of the input alone. */
static void
renumber_columns (KvsqlJoinInput *input)
{
  for (guint i = 0; i < input->n; i++)
    input->sources[i] = i;
}

static void
count_spilled (KvsqlJoinSource *self)
{
  guint64 n = kvsql_join_partitions_get_written (self->partitions);

  if (self->setup.counts != NULL)
    self->setup.counts->spilled += n - self->n_spilled;
  self->n_spilled = n;
}

/* @build, @probe: rows that were read already, but are not in the table */
static gboolean
spill (KvsqlJoinSource *self, KvsqlRowSlice *build, const KvsqlRowSlice *probe,
       const KvsqlCall *call, GError **error)
{
  KvsqlJoinTable *hasher;
  gboolean ok;

  if (self->setup.limits.disk_bytes == 0)
    return too_large (self, error);
  hasher = _kvsql_join_new_table (self);
  self->partitions = new_partitions (self);
  ok = spill_build (self, hasher, build, call, error)
       && spill_probe (self, hasher, *probe, call, error)
       && kvsql_join_partitions_end_adding (self->partitions, error);
  kvsql_join_table_free (hasher);
  renumber_columns (&self->setup.build);
  renumber_columns (&self->setup.probe);
  count_spilled (self);
  return ok;
}

gboolean
_kvsql_join_spill_rest (KvsqlJoinSource *self, KvsqlRowSlice build, const KvsqlCall *call,
                        GError **error)
{
  KvsqlRowSlice probe = self->slice;

  probe.rows += self->next;
  probe.n -= self->next;
  return spill (self, &build, &probe, call, error);
}

/* ---- chunks of partitions */

static gboolean
fill_chunk (KvsqlJoinSource *self, const KvsqlCall *call, GError **error)
{
  gsize memory = self->setup.limits.memory_bytes;
  gsize most = self->setup.keeps_order ? memory / 2 : memory - memory / 4;
  const KvsqlBatch *rows;

  self->table = _kvsql_join_new_table (self);
  if (self->sequences != NULL)
    g_array_set_size (self->sequences, 0);
  do
    {
      if (!kvsql_call_check (call, error)
          || !kvsql_join_partitions_read (self->partitions, KVSQL_JOIN_BUILD, &rows, error))
        return FALSE;
      if (!kvsql_join_table_add (self->table, rows, NULL, kvsql_row_numbers (), rows->n_rows))
        return too_large (self, error);
      if (self->sequences != NULL && rows->n_rows > 0)
        g_array_append_vals (
            self->sequences,
            kvsql_join_partitions_get_sequences (self->partitions, KVSQL_JOIN_BUILD), rows->n_rows);
    }
  while (rows->n_rows > 0 && kvsql_join_table_get_size (self->table) <= most);
  return finish_table (self, error);
}

gboolean
_kvsql_join_advance (KvsqlJoinSource *self, const KvsqlCall *call, gboolean *out_any,
                     GError **error)
{
  gboolean is_over = TRUE; /* the partition, if there is one */

  *out_any = TRUE;
  if (self->table != NULL)
    {
      is_over = kvsql_join_partitions_is_last_pass (self->partitions);
      if (!kvsql_join_partitions_end_pass (self->partitions, error))
        return FALSE;
    }
  if (is_over && !kvsql_join_partitions_next (self->partitions, call, out_any, error))
    return FALSE;
  count_spilled (self);
  self->next_lonely = 0;
  self->slice = (KvsqlRowSlice){ .is_end = !*out_any };
  self->next = 0;
  g_clear_pointer (&self->table, kvsql_join_table_free);
  if (!*out_any)
    return TRUE;
  if (!fill_chunk (self, call, error))
    return FALSE;
  kvsql_join_partitions_begin_pass (self->partitions);
  return TRUE;
}

/* ---- for the operator */

/* The values of a key, for the scan of the probe side. */
static gboolean
narrow_probe (KvsqlJoinSource *self, GError **error)
{
  const KvsqlBatch *rows = kvsql_join_table_get_rows (self->table);
  guint i = 0;

  if (self->setup.narrow == NULL)
    return TRUE;
  while (self->setup.build.targets[i] != self->node->keys[self->node->narrowing_key].build)
    i++;
  return kvsql_narrow_add (self->setup.narrow, self->node->narrowed_attribute, &rows->columns[i],
                           rows->n_rows, error);
}

gboolean
_kvsql_join_load (KvsqlJoinSource *self, const KvsqlCall *call, GError **error)
{
  KvsqlRowSlice slice = { 0 };
  const KvsqlRowSlice none = { 0 };
  gboolean is_full;

  self->table = _kvsql_join_new_table (self);
  if (!fill_table (self, call, &slice, &is_full, error))
    return FALSE;
  if (!is_full)
    return finish_table (self, error) && narrow_probe (self, error);
  return spill (self, &slice, &none, call, error);
}

gboolean
_kvsql_join_look_up (KvsqlJoinSource *self, const KvsqlCall *call, GError **error)
{
  g_autofree const KvsqlVector **keys = g_new (const KvsqlVector *, self->node->n_looked_up);
  KvsqlRowSlice slice;
  gboolean is_full;

  for (guint i = 0; i < self->node->n_looked_up; i++)
    keys[i] = self->keys[self->node->lookup_keys[i]];
  if (!kvsql_lookup_source_set_keys (self->setup.build.rows, keys, self->slice.rows, self->slice.n,
                                     error))
    return FALSE;
  g_clear_pointer (&self->table, kvsql_join_table_free);
  self->table = _kvsql_join_new_table (self);
  if (!fill_table (self, call, &slice, &is_full, error))
    return FALSE;
  return is_full ? too_large (self, error) : finish_table (self, error);
}
