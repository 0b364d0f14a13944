/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * distinct.c: emits rows that are new to a hash table.
 *
 * When the table is full, it takes no more rows. Rows that are not in it are sorted, and of equal
 * ones the first is emitted.
 */
#include "config.h"

#include "core/exec/distinct.h"
#include "core/exec/group-table.h"
#include "core/exec/grouping.h"

typedef struct
{
  KvsqlRowSource base; /* its input is the sort, after that was made */
  KvsqlType *types;
  KvsqlSortLimits limits;
  KvsqlKeyPart *parts;
  KvsqlRowKeys keys;
  KvsqlGroupTable *table;
  KvsqlBatch *batch;
  KvsqlArena *arena;
  gboolean is_sorting; /* the rows that are not in the full table */
  KvsqlBuffer last_key;
  gboolean has_last_key;
} Distinct;

/* ---- rows that are not in the full table */

static gboolean
next_unknown (gpointer data, KvsqlRowSource *input, const KvsqlCall *call,
              const KvsqlBatch **out_batch, GError **error)
{
  Distinct *owner = data;
  const KvsqlBatch *batch;
  guint32 unused;

  kvsql_batch_reset (owner->batch);
  kvsql_arena_reset (owner->arena);
  do
    {
      if (!kvsql_row_source_next_batch (input, call, &batch, error))
        return FALSE;
      kvsql_row_keys_run (&owner->keys, batch);
      for (guint row = 0; row < batch->n_rows; row++)
        if (!kvsql_group_table_find (owner->table, kvsql_row_keys_get (&owner->keys, row), &unused))
          kvsql_grouping_add_name (owner->batch, owner->arena, batch, row);
    }
  while (batch->n_rows > 0 && owner->batch->n_rows == 0);
  *out_batch = owner->batch;
  return TRUE;
}

static void
sort_the_rest (Distinct *self)
{
  KvsqlRowSource *unknown
      = kvsql_grouping_rest_new (g_steal_pointer (&self->base.input), next_unknown, self);

  self->base.input = kvsql_sort_new (unknown, self->types, self->keys.n_parts, self->parts,
                                     self->keys.n_parts, G_MAXUINT64, &self->limits);
  self->is_sorting = TRUE;
}

/* ---- the row source */

static void
distinct_free (KvsqlRowSource *source)
{
  Distinct *self = (Distinct *)source;

  kvsql_row_keys_clear (&self->keys);
  kvsql_buffer_clear (&self->last_key);
  g_free (self->parts);
  g_free (self->types);
  kvsql_group_table_free (self->table);
  kvsql_batch_free (self->batch);
  kvsql_arena_free (self->arena);
  g_free (self);
}

static gboolean
take_new_rows (Distinct *self, const KvsqlCall *call, gboolean *out_at_end, GError **error)
{
  const KvsqlBatch *batch;

  if (!kvsql_row_source_next_batch (self->base.input, call, &batch, error))
    return FALSE;
  *out_at_end = batch->n_rows == 0;
  g_assert (!self->is_sorting && self->batch->n_rows == 0);
  kvsql_row_keys_run (&self->keys, batch);
  for (guint row = 0; row < batch->n_rows; row++)
    {
      gboolean is_new;
      kvsql_group_table_add (self->table, kvsql_row_keys_get (&self->keys, row), &is_new);
      if (is_new)
        kvsql_grouping_add_name (self->batch, self->arena, batch, row);
    }
  if (kvsql_group_table_get_size (self->table) <= self->limits.memory_bytes)
    return TRUE;
  if (self->limits.disk_bytes == 0)
    return kvsql_grouping_out_of_memory (&self->limits, "DISTINCT", error);
  sort_the_rest (self);
  return TRUE;
}

static gboolean
take_sorted_rows (Distinct *self, const KvsqlCall *call, gboolean *out_at_end, GError **error)
{
  const KvsqlBatch *batch;

  /* reading the first of them calls rest_next(), which uses our batch */
  if (!kvsql_row_source_next_batch (self->base.input, call, &batch, error))
    return FALSE;
  kvsql_batch_reset (self->batch);
  kvsql_arena_reset (self->arena);
  *out_at_end = batch->n_rows == 0;
  kvsql_row_keys_run (&self->keys, batch);
  for (guint row = 0; row < batch->n_rows; row++)
    {
      KvsqlSlice key = kvsql_row_keys_get (&self->keys, row);
      if (self->has_last_key && kvsql_slice_equal (key, kvsql_buffer_slice (&self->last_key)))
        continue;
      self->has_last_key = TRUE;
      self->last_key.size = 0;
      kvsql_buffer_append_slice (&self->last_key, key);
      kvsql_grouping_add_name (self->batch, self->arena, batch, row);
    }
  return TRUE;
}

static gboolean
distinct_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
               KvsqlRowSlice *out, GError **error)
{
  Distinct *self = (Distinct *)source;
  gboolean is_at_end = FALSE;

  kvsql_batch_reset (self->batch);
  kvsql_arena_reset (self->arena);
  while (self->batch->n_rows == 0 && !is_at_end)
    if (!kvsql_call_check (call, error)
        || !(self->is_sorting ? take_sorted_rows (self, call, &is_at_end, error)
                              : take_new_rows (self, call, &is_at_end, error)))
      return FALSE;
  kvsql_row_slice_set_batch (out, self->batch);
  return TRUE;
}

static const KvsqlRowSourceClass distinct_class = { .next = distinct_next, .free = distinct_free };

KvsqlRowSource *
kvsql_distinct_new (KvsqlRowSource *input, const KvsqlType *types, guint n_columns,
                    const KvsqlSortLimits *limits)
{
  Distinct *self = g_new0 (Distinct, 1);

  self->base.klass = &distinct_class;
  self->base.input = input;
  self->types = g_memdup2 (types, n_columns * sizeof (KvsqlType));
  self->limits = *limits;
  self->parts = kvsql_grouping_parts (n_columns);
  kvsql_row_keys_init (&self->keys, self->parts, n_columns);
  self->table = kvsql_group_table_new ();
  self->batch = kvsql_batch_new (types, n_columns, KVSQL_BATCH_ROWS);
  self->arena = kvsql_arena_new ();
  return &self->base;
}
