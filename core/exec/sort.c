/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sort.c: an external merge sort.
 *
 * Rows are collected with their keys. When they fill the memory, they are sorted and written to a
 * temporary file as a run. At the end the runs are merged.
 *
 * If only the first n rows are wanted, the others are dropped each time that 2 n rows have come,
 * and rows that sort after the present n-th are not even collected. If there are more runs than can
 * be read together, runs of the same age are merged into one, so a row is written about once for
 * each power of MAX_RUNS.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/exec/merge.h"
#include "core/exec/row-serialization.h"
#include "core/exec/sort.h"

#include <stdlib.h>

#define MAX_RUNS 32
/* Of the rows of a batch that is read from files. */
#define MERGED_BYTES (1024 * 1024)
/* Memory of an entry without its bytes: the entry, and as much for the temporary array of
 * qsort(). */
#define ENTRY_COST (2 * sizeof (Entry))

typedef struct
{
  guint64 prefix;      /* the first bytes of the key, for a fast comparison */
  const guint8 *bytes; /* key, then row */
  guint32 key_size;
  guint32 row_size;
  guint64 sequence;
} Entry;

typedef struct
{
  KvsqlSpillRun run;
  guint age; /* how often its rows were merged */
} AgedRun;

typedef struct
{
  KvsqlRowSource base;
  KvsqlKeyPart *parts;
  KvsqlRowKeys keys;
  guint64 top;
  KvsqlSortLimits limits;

  KvsqlArena *arena; /* of the entries' bytes */
  GArray *entries;   /* of Entry */
  guint64 sequence;
  KvsqlSlice threshold; /* rows after it are not among the first @top; data NULL: not known yet */

  KvsqlSpill *spill;
  GArray *runs; /* of AgedRun */
  KvsqlMerge *merge;

  gboolean is_sorted;
  guint64 n_emitted;
  KvsqlBatch *batch;
  KvsqlArena *batch_arena;
} Sort;

static void
sort_free (KvsqlRowSource *source)
{
  Sort *self = (Sort *)source;

  kvsql_row_keys_clear (&self->keys);
  g_free (self->parts);
  kvsql_arena_free (self->arena);
  g_array_unref (self->entries);
  kvsql_merge_free (self->merge);
  kvsql_spill_free (self->spill);
  g_array_unref (self->runs);
  kvsql_batch_free (self->batch);
  kvsql_arena_free (self->batch_arena);
  g_free (self);
}

/* ---- in memory */

static KvsqlSlice
entry_key (const Entry *entry)
{
  return kvsql_slice (entry->bytes, entry->key_size);
}

static KvsqlSlice
entry_row (const Entry *entry)
{
  return kvsql_slice (entry->bytes + entry->key_size, entry->row_size);
}

static gint
compare_entries (gconstpointer x, gconstpointer y)
{
  const Entry *a = x, *b = y;
  gint order;

  if (a->prefix != b->prefix)
    return a->prefix < b->prefix ? -1 : 1;
  order = kvsql_slice_compare (entry_key (a), entry_key (b));
  return order != 0 ? order : (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

static guint64
prefix_of (KvsqlSlice key)
{
  guint8 bytes[8] = { 0 };

  memcpy (bytes, key.data, MIN (key.size, 8));
  return kvsql_get_be64 (bytes);
}

static gsize
memory_used (const Sort *self)
{
  return kvsql_arena_get_size (self->arena) + self->entries->len * ENTRY_COST;
}

static void
sort_entries (Sort *self)
{
  if (self->entries->len > 1)
    qsort (self->entries->data, self->entries->len, sizeof (Entry), compare_entries);
  if (self->entries->len > self->top)
    g_array_set_size (self->entries, (guint)self->top);
}

/* Keeps the first @top rows, and copies them into memory of their own. */
static void
drop_the_rest (Sort *self)
{
  KvsqlArena *arena = kvsql_arena_new ();

  sort_entries (self);
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = &g_array_index (self->entries, Entry, i);
      entry->bytes = kvsql_arena_copy (arena, entry->bytes, entry->key_size + entry->row_size);
    }
  kvsql_arena_free (self->arena);
  self->arena = arena;
  self->threshold = KVSQL_SLICE_EMPTY;
  if (self->entries->len == self->top && self->top > 0)
    self->threshold = entry_key (&g_array_index (self->entries, Entry, self->entries->len - 1));
}

/* ---- temporary files */

static gboolean
copy_runs (Sort *self, guint first, KvsqlSpillRun *out, const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqlMerge) merge = NULL;
  g_autofree KvsqlSpillRun *runs = g_new (KvsqlSpillRun, self->runs->len - first);
  KvsqlSlice key, row;
  gboolean any;

  for (guint i = first; i < self->runs->len; i++)
    runs[i - first] = g_array_index (self->runs, AgedRun, i).run;
  merge = kvsql_merge_new (self->spill, runs, self->runs->len - first, self->limits.memory_bytes);
  if (!kvsql_spill_begin_run (self->spill, error))
    return FALSE;
  for (guint64 n = 0; n < self->top; n++)
    {
      if ((n % KVSQL_BATCH_ROWS == 0 && !kvsql_call_check (call, error))
          || !kvsql_merge_next (merge, &key, &row, &any, error))
        return FALSE;
      if (!any)
        break;
      if (!kvsql_spill_append (self->spill, key, row, error))
        return FALSE;
    }
  return kvsql_spill_end_run (self->spill, out, error);
}

/* Adds a run. MAX_RUNS runs of one age are merged into a run of the next age. */
static gboolean
add_run (Sort *self, AgedRun added, const KvsqlCall *call, GError **error)
{
  g_array_append_val (self->runs, added);
  for (;;)
    {
      guint first = self->runs->len, age = g_array_index (self->runs, AgedRun, first - 1).age;

      while (first > 0 && g_array_index (self->runs, AgedRun, first - 1).age == age)
        first--;
      if (self->runs->len - first < MAX_RUNS)
        return TRUE;
      g_assert (first == 0 || g_array_index (self->runs, AgedRun, first - 1).age > age);
      added.age = age + 1;
      if (!copy_runs (self, first, &added.run, call, error))
        return FALSE;
      g_array_set_size (self->runs, first);
      g_array_append_val (self->runs, added);
    }
}

static gboolean
out_of_memory (const Sort *self, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "ORDER BY needs more than %" G_GSIZE_FORMAT " MiB",
                   self->limits.memory_bytes >> 20);
  return kvsql_error_hint (error, "Narrow the predicate, leave ORDER BY out, or raise sort_bytes "
                                  "or sort_disk_bytes in the daemon's configuration.");
}

static gboolean
write_run (Sort *self, const KvsqlCall *call, GError **error)
{
  AgedRun added = { .age = 0 };

  if (self->limits.disk_bytes == 0)
    return out_of_memory (self, error);
  if (self->spill == NULL)
    self->spill = kvsql_spill_new (self->limits.directory, self->limits.disk_bytes);
  sort_entries (self);
  if (!kvsql_spill_begin_run (self->spill, error))
    return FALSE;
  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, i);
      if ((i % KVSQL_BATCH_ROWS == 0 && !kvsql_call_check (call, error))
          || !kvsql_spill_append (self->spill, entry_key (entry), entry_row (entry), error))
        return FALSE;
    }
  if (!kvsql_spill_end_run (self->spill, &added.run, error))
    return FALSE;
  g_array_set_size (self->entries, 0);
  kvsql_arena_reset (self->arena);
  self->threshold = KVSQL_SLICE_EMPTY;
  return add_run (self, added, call, error);
}

/* ---- collecting */

static void
add_row (Sort *self, const KvsqlBatch *batch, guint row, KvsqlSlice key)
{
  gsize row_size = kvsql_row_get_serialized_size (batch, row);
  guint8 *bytes = kvsql_arena_alloc (self->arena, key.size + row_size);
  Entry entry = { .prefix = prefix_of (key),
                  .bytes = bytes,
                  .key_size = (guint32)key.size,
                  .row_size = (guint32)row_size,
                  .sequence = self->sequence++ };

  memcpy (bytes, key.data, key.size);
  kvsql_row_serialize (batch, row, bytes + key.size);
  g_array_append_val (self->entries, entry);
}

static gboolean
add_rows (Sort *self, const KvsqlBatch *batch, const KvsqlCall *call, GError **error)
{
  kvsql_row_keys_run (&self->keys, batch);
  for (guint row = 0; row < batch->n_rows; row++)
    {
      KvsqlSlice key = kvsql_row_keys_get (&self->keys, row);

      if (!kvsql_interrupt_poll (error))
        return FALSE;
      if (self->threshold.data != NULL && kvsql_slice_compare (key, self->threshold) >= 0)
        continue;
      add_row (self, batch, row, key);
      if (self->entries->len / 2 >= self->top && self->entries->len > KVSQL_BATCH_ROWS)
        drop_the_rest (self);
      if (memory_used (self) <= self->limits.memory_bytes)
        continue;
      if (self->entries->len > self->top)
        drop_the_rest (self);
      if (memory_used (self) > self->limits.memory_bytes / 2 && !write_run (self, call, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
begin_merge (Sort *self, const KvsqlCall *call, GError **error)
{
  g_autofree KvsqlSpillRun *runs = NULL;

  if (self->entries->len > 0 && !write_run (self, call, error))
    return FALSE;
  kvsql_arena_reset (self->arena);
  runs = g_new (KvsqlSpillRun, self->runs->len);
  for (guint i = 0; i < self->runs->len; i++)
    runs[i] = g_array_index (self->runs, AgedRun, i).run;
  self->merge = kvsql_merge_new (self->spill, runs, self->runs->len, self->limits.memory_bytes);
  return TRUE;
}

static gboolean
gather (Sort *self, const KvsqlCall *call, GError **error)
{
  const KvsqlBatch *batch;

  self->is_sorted = TRUE;
  if (self->top == 0)
    return TRUE;
  for (;;)
    {
      if (!kvsql_call_check (call, error)
          || !kvsql_row_source_next_batch (self->base.input, call, &batch, error))
        return FALSE;
      if (batch->n_rows == 0)
        break;
      if (!add_rows (self, batch, call, error))
        return FALSE;
    }
  /* the input is at its end, and its memory is no longer needed */
  kvsql_row_source_drop_input (&self->base);
  kvsql_row_keys_clear (&self->keys);
  if (self->spill != NULL)
    return begin_merge (self, call, error);
  sort_entries (self);
  return TRUE;
}

/* ---- emitting */

static gboolean
emit_merged (Sort *self, GError **error)
{
  guint64 most = MIN (KVSQL_BATCH_ROWS, self->top - self->n_emitted);
  KvsqlSlice key, row;
  gboolean any;

  g_assert (self->n_emitted <= self->top && self->entries->len == 0); /* all are in the runs */
  kvsql_arena_reset (self->batch_arena);
  while (self->batch->n_rows < most && kvsql_arena_get_size (self->batch_arena) < MERGED_BYTES)
    {
      if (!kvsql_merge_next (self->merge, &key, &row, &any, error))
        return FALSE;
      if (!any)
        break;
      row = kvsql_slice_dup (self->batch_arena, row);
      kvsql_row_deserialize (row.data, self->batch, self->batch->n_rows++);
    }
  self->n_emitted += self->batch->n_rows;
  return TRUE;
}

static void
emit_sorted (Sort *self)
{
  guint64 most = MIN (KVSQL_BATCH_ROWS, self->entries->len - self->n_emitted);

  g_assert (self->n_emitted <= self->entries->len && self->entries->len <= self->top);
  for (guint i = 0; i < most; i++)
    kvsql_row_deserialize (
        entry_row (&g_array_index (self->entries, Entry, self->n_emitted + i)).data, self->batch,
        i);
  self->batch->n_rows = (guint)most;
  self->n_emitted += most;
}

static gboolean
sort_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
           KvsqlRowSlice *out, GError **error)
{
  Sort *self = (Sort *)source;

  if (!self->is_sorted && !gather (self, call, error))
    return FALSE;
  kvsql_batch_reset (self->batch);
  if (self->merge == NULL)
    emit_sorted (self);
  else if (!kvsql_call_check (call, error) || !emit_merged (self, error))
    return FALSE;
  kvsql_row_slice_set_batch (out, self->batch);
  return TRUE;
}

static const KvsqlRowSourceClass sort_class = { .next = sort_next, .free = sort_free };

KvsqlRowSource *
kvsql_sort_new (KvsqlRowSource *input, const KvsqlType *types, guint n_types,
                const KvsqlKeyPart *parts, guint n_parts, guint64 top,
                const KvsqlSortLimits *limits)
{
  Sort *self = g_new0 (Sort, 1);

  self->base.klass = &sort_class;
  self->base.input = input;
  self->parts = g_memdup2 (parts, n_parts * sizeof (KvsqlKeyPart));
  kvsql_row_keys_init (&self->keys, self->parts, n_parts);
  self->top = top;
  self->limits = *limits;
  self->arena = kvsql_arena_new ();
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->runs = g_array_new (FALSE, FALSE, sizeof (AgedRun));
  self->batch = kvsql_batch_new (types, n_types, KVSQL_BATCH_ROWS);
  self->batch_arena = kvsql_arena_new ();
  return &self->base;
}
