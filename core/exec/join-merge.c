/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-merge.c: a merge join: both sides come in the order of the keys.
 *
 * For each row of the probe side, in order, the build side is read up to its key. Rows with that
 * key are the group of the row. They are kept in the table, and rows without a probe row are not
 * kept at all. When the table is half full, its groups but the last one are forgotten after the
 * pairs of the probe rows so far were given. A group that alone is too large ends the merge: what
 * is left of both sides goes to partitions.
 *
 * The keys are compared as bytes that sort like the values (row-key.h). A key with a NULL has no
 * partner.
 */
#include "config.h"

#include "core/exec/join-private.h"

#include "core/base/interrupt.h"
#include "core/exec/row-key.h"

struct _KvsqlJoinMerge
{
  KvsqlKeyPart *parts[2]; /* by side; their columns are those of the current batch */
  KvsqlRowKeys keys[2];

  KvsqlRowSlice build;
  guint next;         /* the row of @build that is compared next */
  KvsqlBuffer before; /* the key of the last row of the build side */

  KvsqlBuffer key; /* of the last group */
  gboolean has_key;
  guint32 from, to; /* its rows in the table */

  GArray *groups; /* of Group, for the rows of the probe side's slice */
  guint n_ready;  /* rows of that slice whose group is complete */
};

typedef struct
{
  guint32 from, to;
} Group;

KvsqlJoinMerge *
_kvsql_join_merge_new (const KvsqlJoinNode *node)
{
  KvsqlJoinMerge *self = g_new0 (KvsqlJoinMerge, 1);

  for (guint side = 0; side < G_N_ELEMENTS (self->parts); side++)
    {
      self->parts[side] = g_new0 (KvsqlKeyPart, node->n_merge_keys);
      kvsql_row_keys_init (&self->keys[side], self->parts[side], node->n_merge_keys);
    }
  self->groups = g_array_new (FALSE, FALSE, sizeof (Group));
  return self;
}

void
_kvsql_join_merge_free (KvsqlJoinMerge *self)
{
  if (self == NULL)
    return;
  for (guint side = 0; side < G_N_ELEMENTS (self->parts); side++)
    {
      kvsql_row_keys_clear (&self->keys[side]);
      g_free (self->parts[side]);
    }
  kvsql_buffer_clear (&self->before);
  kvsql_buffer_clear (&self->key);
  g_array_unref (self->groups);
  g_free (self);
}

/* ---- keys */

static void
compute_keys (KvsqlJoinSource *join, KvsqlJoinSide side, const KvsqlRowSlice *slice)
{
  KvsqlJoinMerge *self = join->merge;
  const KvsqlJoinInput *input = side == KVSQL_JOIN_BUILD ? &join->setup.build : &join->setup.probe;

  if (slice->n == 0)
    return;
  for (guint k = 0; k < join->node->n_merge_keys; k++)
    {
      const KvsqlJoinKey *key = &join->node->keys[k];
      guint i = 0;

      while (input->targets[i] != (side == KVSQL_JOIN_BUILD ? key->build : key->probe))
        i++;
      self->parts[side][k].column = _kvsql_join_column_of (slice, input, i);
    }
  kvsql_row_keys_run (&self->keys[side], slice->batch);
}

static gboolean
has_null (const KvsqlJoinSource *join, KvsqlJoinSide side, const KvsqlBatch *batch, guint32 row)
{
  for (guint k = 0; k < join->node->n_merge_keys; k++)
    if (kvsql_vector_is_null (&batch->columns[join->merge->parts[side][k].column], row))
      return TRUE;
  return FALSE;
}

static void
set_key (KvsqlBuffer *self, KvsqlSlice key)
{
  self->size = 0;
  kvsql_buffer_append_slice (self, key);
}

/* The planner relies on the layout of a schema. If it is wrong, no row may be lost. */
static gboolean
out_of_order (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE,
                          "the rows of a merge join are not in the order of its keys");
}

/* ---- the build side */

/* Makes sure that there is a next row, unless the side is at its end. */
static gboolean
find_build_row (KvsqlJoinSource *join, const KvsqlCall *call, GError **error)
{
  KvsqlJoinMerge *self = join->merge;

  if (self->next < self->build.n || self->build.is_end)
    return TRUE;
  if (self->build.n > 0)
    set_key (&self->before, kvsql_row_keys_get (&self->keys[KVSQL_JOIN_BUILD],
                                                self->build.rows[self->build.n - 1]));
  if (!kvsql_call_check (call, error)
      || !kvsql_row_source_next (join->setup.build.rows, &kvsql_row_demand_all, call, &self->build,
                                 error))
    return FALSE;
  self->next = 0;
  compute_keys (join, KVSQL_JOIN_BUILD, &self->build);
  for (guint i = 0; i < self->build.n; i++)
    {
      KvsqlSlice key = kvsql_row_keys_get (&self->keys[KVSQL_JOIN_BUILD], self->build.rows[i]),
                 before = i == 0 ? kvsql_buffer_slice (&self->before)
                                 : kvsql_row_keys_get (&self->keys[KVSQL_JOIN_BUILD],
                                                       self->build.rows[i - 1]);

      if (kvsql_slice_compare (before, key) > 0)
        return out_of_order (error);
    }
  return TRUE;
}

/* Passes over rows with smaller keys. */
static gboolean
skip_smaller (KvsqlJoinSource *join, KvsqlSlice key, const KvsqlCall *call, GError **error)
{
  KvsqlJoinMerge *self = join->merge;

  for (;;)
    {
      if (!find_build_row (join, call, error))
        return FALSE;
      for (; self->next < self->build.n; self->next++)
        if (kvsql_slice_compare (
                kvsql_row_keys_get (&self->keys[KVSQL_JOIN_BUILD], self->build.rows[self->next]),
                key)
            >= 0)
          return TRUE;
      if (self->build.is_end)
        return TRUE;
    }
}

/* Adds the rows with this key to the table. *out_is_full: it is too large */
static gboolean
add_equal (KvsqlJoinSource *join, KvsqlSlice key, const KvsqlCall *call, gboolean *out_is_full,
           GError **error)
{
  KvsqlJoinMerge *self = join->merge;
  const KvsqlJoinInput *input = &join->setup.build;
  g_autofree guint *columns = g_new (guint, input->n + 1);

  *out_is_full = FALSE;
  for (;;)
    {
      guint first = self->next;

      while (self->next < self->build.n
             && kvsql_slice_equal (
                 kvsql_row_keys_get (&self->keys[KVSQL_JOIN_BUILD], self->build.rows[self->next]),
                 key))
        self->next++;
      for (guint i = 0; i < input->n && self->next > first; i++)
        columns[i] = _kvsql_join_column_of (&self->build, input, i);
      if (self->next > first
          && !kvsql_join_table_add (join->table, self->build.batch, columns,
                                    self->build.rows + first, self->next - first))
        return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                                "a join has too many rows with one key");
      *out_is_full = kvsql_join_table_get_size (join->table) > join->setup.limits.memory_bytes;
      if (self->next < self->build.n || self->build.is_end || *out_is_full)
        return TRUE;
      if (!find_build_row (join, call, error))
        return FALSE;
    }
}

/* ---- groups */

/* A new table, with the last group of the present one. */
static gboolean
forget_groups (KvsqlJoinSource *join)
{
  KvsqlJoinMerge *self = join->merge;
  KvsqlJoinTable *table = _kvsql_join_new_table (join);
  gboolean ok = TRUE;

  if (join->table != NULL && self->to > self->from)
    {
      g_autofree guint32 *rows = g_new (guint32, self->to - self->from);

      for (guint32 i = self->from; i < self->to; i++)
        rows[i - self->from] = i;
      ok = kvsql_join_table_add (table, kvsql_join_table_get_rows (join->table), NULL, rows,
                                 self->to - self->from);
    }
  self->to -= self->from;
  self->from = 0;
  kvsql_join_table_free (join->table);
  join->table = table;
  return ok;
}

static gboolean
find_group (KvsqlJoinSource *join, guint32 row, const KvsqlCall *call, gboolean *out_is_full,
            GError **error)
{
  KvsqlJoinMerge *self = join->merge;
  KvsqlSlice key = kvsql_row_keys_get (&self->keys[KVSQL_JOIN_PROBE], row);
  gint order = self->has_key ? kvsql_slice_compare (kvsql_buffer_slice (&self->key), key) : -1;

  *out_is_full = FALSE;
  if (order == 0)
    return TRUE;
  if (order > 0)
    return out_of_order (error);
  self->has_key = TRUE;
  set_key (&self->key, key);
  self->from = self->to = kvsql_join_table_get_rows (join->table)->n_rows;
  if (!skip_smaller (join, key, call, error) || !add_equal (join, key, call, out_is_full, error))
    return FALSE;
  self->to = kvsql_join_table_get_rows (join->table)->n_rows;
  return TRUE;
}

static void
count (KvsqlJoinSource *join, guint32 n_before)
{
  KvsqlJoinCounts *counts = join->setup.counts;

  if (counts == NULL)
    return;
  counts->kept += kvsql_join_table_get_rows (join->table)->n_rows - n_before;
  counts->bytes = MAX (counts->bytes, kvsql_join_table_get_size (join->table));
}

void
_kvsql_join_merge_begin_slice (KvsqlJoinSource *join)
{
  KvsqlJoinMerge *self = join->merge;

  self->n_ready = 0;
  g_array_set_size (self->groups, join->slice.n);
  compute_keys (join, KVSQL_JOIN_PROBE, &join->slice);
}

gboolean
_kvsql_join_merge_find_groups (KvsqlJoinSource *join, const KvsqlCall *call, gboolean *out_is_full,
                               GError **error)
{
  KvsqlJoinMerge *self = join->merge;
  const KvsqlRowSlice *slice = &join->slice;
  gsize most = join->setup.limits.memory_bytes / 2;
  guint32 n_before;

  *out_is_full = FALSE;
  if (join->table == NULL || kvsql_join_table_get_size (join->table) > most)
    *out_is_full = !forget_groups (join);
  n_before = kvsql_join_table_get_rows (join->table)->n_rows;
  for (; self->n_ready < slice->n && !*out_is_full; self->n_ready++)
    {
      guint32 row = slice->rows[self->n_ready];
      Group group = { 0, 0 };

      if (!kvsql_interrupt_poll (error))
        return FALSE;
      if (self->n_ready > join->next && kvsql_join_table_get_size (join->table) > most)
        break;
      if (!has_null (join, KVSQL_JOIN_PROBE, slice->batch, row))
        {
          if (!find_group (join, row, call, out_is_full, error))
            return FALSE;
          group = (Group){ self->from, self->to };
        }
      g_array_index (self->groups, Group, self->n_ready) = group;
    }
  count (join, n_before);
  return TRUE;
}

guint
_kvsql_join_merge_get_n_ready (const KvsqlJoinSource *join)
{
  return join->merge->n_ready;
}

guint32
_kvsql_join_merge_first (const KvsqlJoinSource *join)
{
  const Group *group = &g_array_index (join->merge->groups, Group, join->next);

  return group->from < group->to ? group->from : KVSQL_NO_ROW;
}

guint32
_kvsql_join_merge_next (const KvsqlJoinSource *join, guint32 last)
{
  const Group *group = &g_array_index (join->merge->groups, Group, join->next);

  return last + 1 < group->to ? last + 1 : KVSQL_NO_ROW;
}

KvsqlRowSlice
_kvsql_join_merge_take_build (KvsqlJoinSource *join)
{
  KvsqlRowSlice left = join->merge->build;

  left.rows += join->merge->next;
  left.n -= join->merge->next;
  return left;
}

gboolean
_kvsql_join_merge_is_over (const KvsqlJoinSource *join)
{
  const KvsqlJoinMerge *self = join->merge;

  return self->build.is_end && self->from == self->to && self->has_key;
}
