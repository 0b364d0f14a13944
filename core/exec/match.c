/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * match.c: counts the rows of one input in a hash table, and looks up those of the other input.
 *
 * When the table is full, it takes no more rows: further rows of the counted input are only counted
 * if the table has them. The others are sorted, and all rows of the first input are sorted, too.
 * The two orders are then walked side by side.
 */
#include "config.h"

#include "core/exec/match.h"

#include "core/exec/group-table.h"
#include "core/exec/grouping.h"

typedef struct
{
  KvsqlRowSource base;   /* its input is the sort of it, after that was made */
  KvsqlRowSource *other; /* likewise; NULL: all its rows are in the table */
  KvsqlType *types;
  gboolean keeps_matches;
  gboolean is_all;
  KvsqlSortLimits limits;
  KvsqlKeyPart *parts;
  KvsqlRowKeys keys; /* of the current batch of the input */
  guint32 *selection;
  guint capacity; /* of @selection */

  gboolean is_counted; /* the other input was read */
  KvsqlGroupTable *table;
  GArray *counts; /* guint64, by number: rows of the other input that have no match yet */

  /* rows that are not in the full table */
  KvsqlBatch *unknown;
  KvsqlArena *unknown_arena;
  KvsqlRowKeys other_keys;  /* of the current batch of the other input */
  const KvsqlBatch *sorted; /* of the other input; n_rows 0: the end */
  guint next_sorted;
} Match;

static void
match_free (KvsqlRowSource *source)
{
  Match *self = (Match *)source;

  kvsql_row_source_free (self->other);
  kvsql_row_keys_clear (&self->keys);
  kvsql_row_keys_clear (&self->other_keys);
  kvsql_group_table_free (self->table);
  g_array_unref (self->counts);
  kvsql_batch_free (self->unknown);
  kvsql_arena_free (self->unknown_arena);
  g_free (self->selection);
  g_free (self->parts);
  g_free (self->types);
  g_free (self);
}

static guint64 *
get_count (Match *self, guint32 number)
{
  return &g_array_index (self->counts, guint64, number);
}

/* ---- the other input */

static void
count_row (Match *self, KvsqlSlice key)
{
  const guint64 none = 0;
  gboolean is_new;
  guint32 number = kvsql_group_table_add (self->table, key, &is_new);

  if (is_new)
    g_array_append_val (self->counts, none);
  ++*get_count (self, number);
}

/* Counts rows that the full table has. *out_batch: the others. */
static gboolean
next_unknown (gpointer data, KvsqlRowSource *input, const KvsqlCall *call,
              const KvsqlBatch **out_batch, GError **error)
{
  Match *owner = data;
  const KvsqlBatch *batch;
  guint32 number;

  kvsql_batch_reset (owner->unknown);
  kvsql_arena_reset (owner->unknown_arena);
  do
    {
      if (!kvsql_row_source_next_batch (input, call, &batch, error))
        return FALSE;
      kvsql_row_keys_run (&owner->other_keys, batch);
      for (guint row = 0; row < batch->n_rows; row++)
        if (kvsql_group_table_find (owner->table, kvsql_row_keys_get (&owner->other_keys, row),
                                    &number))
          ++*get_count (owner, number);
        else
          kvsql_grouping_add_row (owner->unknown, owner->unknown_arena, batch, row);
    }
  while (batch->n_rows > 0 && owner->unknown->n_rows == 0);
  *out_batch = owner->unknown;
  return TRUE;
}

static KvsqlRowSource *
sort_rows (const Match *self, KvsqlRowSource *rows)
{
  guint n = self->keys.n_parts;

  return kvsql_sort_new (rows, self->types, n, self->parts, n, G_MAXUINT64, &self->limits);
}

static gboolean
load_sorted (Match *self, const KvsqlCall *call, GError **error)
{
  if (!kvsql_call_check (call, error)
      || !kvsql_row_source_next_batch (self->other, call, &self->sorted, error))
    return FALSE;
  kvsql_row_keys_run (&self->other_keys, self->sorted);
  self->next_sorted = 0;
  return TRUE;
}

/* Reads the rest of the other input, after which the counts are complete. */
static gboolean
sort_the_rest (Match *self, const KvsqlCall *call, GError **error)
{
  KvsqlRowSource *rest
      = kvsql_grouping_rest_new (g_steal_pointer (&self->other), next_unknown, self);

  self->unknown = kvsql_batch_new (self->types, self->keys.n_parts, KVSQL_BATCH_ROWS);
  self->unknown_arena = kvsql_arena_new ();
  self->other = sort_rows (self, rest);
  self->base.input = sort_rows (self, g_steal_pointer (&self->base.input));
  return load_sorted (self, call, error);
}

static gsize
memory_used (const Match *self)
{
  return kvsql_group_table_get_size (self->table) + self->counts->len * sizeof (guint64);
}

static gboolean
count_other (Match *self, const KvsqlCall *call, GError **error)
{
  const KvsqlBatch *batch;

  self->is_counted = TRUE;
  do
    {
      if (!kvsql_call_check (call, error)
          || !kvsql_row_source_next_batch (self->other, call, &batch, error))
        return FALSE;
      kvsql_row_keys_run (&self->other_keys, batch);
      for (guint row = 0; row < batch->n_rows; row++)
        count_row (self, kvsql_row_keys_get (&self->other_keys, row));
    }
  while (batch->n_rows > 0 && memory_used (self) <= self->limits.memory_bytes);
  if (batch->n_rows == 0)
    g_clear_pointer (&self->other, kvsql_row_source_free);
  else if (self->limits.disk_bytes == 0)
    return kvsql_grouping_out_of_memory (&self->limits,
                                         self->keeps_matches ? "INTERSECT" : "EXCEPT", error);
  else
    return sort_the_rest (self, call, error);
  return TRUE;
}

/* ---- matches */

/* Whether the sorted rest has @key. Skips the rows before it, and with is_all also the match. */
static gboolean
find_in_rest (Match *self, KvsqlSlice key, const KvsqlCall *call, gboolean *out, GError **error)
{
  gint order = -1;

  while (order < 0 && self->sorted->n_rows > 0)
    {
      order = kvsql_slice_compare (kvsql_row_keys_get (&self->other_keys, self->next_sorted), key);
      if (order < 0 || (order == 0 && self->is_all))
        self->next_sorted++;
      if (self->next_sorted == self->sorted->n_rows && !load_sorted (self, call, error))
        return FALSE;
    }
  *out = order == 0;
  return TRUE;
}

/* Whether a row has a match, which then is none of the next rows. */
static gboolean
find_match (Match *self, KvsqlSlice key, const KvsqlCall *call, gboolean *out, GError **error)
{
  guint32 number;
  guint64 *count;

  if (!kvsql_group_table_find (self->table, key, &number))
    {
      *out = FALSE;
      return self->other == NULL || find_in_rest (self, key, call, out, error);
    }
  count = get_count (self, number);
  *out = *count > 0;
  *count -= *out && self->is_all ? 1 : 0;
  return TRUE;
}

static gboolean
match_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
            KvsqlRowSlice *out, GError **error)
{
  Match *self = (Match *)source;
  const KvsqlBatch *batch;
  guint n = 0;

  if ((!self->is_counted && !count_other (self, call, error)) || !kvsql_call_check (call, error)
      || !kvsql_row_source_next_batch (self->base.input, call, &batch, error))
    return FALSE;
  if (batch->n_rows > self->capacity)
    {
      self->capacity = batch->n_rows;
      self->selection = g_renew (guint32, self->selection, self->capacity);
    }
  kvsql_row_keys_run (&self->keys, batch);
  for (guint row = 0; row < batch->n_rows; row++)
    {
      gboolean is_match;

      if (!find_match (self, kvsql_row_keys_get (&self->keys, row), call, &is_match, error))
        return FALSE;
      self->selection[n] = row;
      n += is_match == self->keeps_matches;
    }
  kvsql_row_slice_set_batch (out, batch);
  out->rows = self->selection;
  out->n = n;
  return TRUE;
}

static const KvsqlRowSourceClass match_class = { .next = match_next, .free = match_free };

KvsqlRowSource *
kvsql_match_new (KvsqlRowSource *input, KvsqlRowSource *other, const KvsqlMatching *matching,
                 const KvsqlSortLimits *limits)
{
  Match *self = g_new0 (Match, 1);
  guint n = matching->n_columns;

  self->base.klass = &match_class;
  self->base.input = input;
  self->other = other;
  self->types = g_memdup2 (matching->types, n * sizeof (KvsqlType));
  self->keeps_matches = matching->keeps_matches;
  self->is_all = matching->is_all;
  self->limits = *limits;
  self->parts = kvsql_grouping_parts (n);
  kvsql_row_keys_init (&self->keys, self->parts, n);
  kvsql_row_keys_init (&self->other_keys, self->parts, n);
  self->table = kvsql_group_table_new ();
  self->counts = g_array_new (FALSE, FALSE, sizeof (guint64));
  return &self->base;
}
