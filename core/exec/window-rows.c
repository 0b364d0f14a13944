/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window-rows.c: chunks of rows in memory and in a temporary file.
 *
 * A chunk that is written once needs no second writing: its rows do not change. When memory is
 * full, the chunk that was used least recently is given up. A new file begins when none of its
 * chunks is needed any more.
 */
#include "config.h"

#include "core/exec/window-rows.h"

#include "core/base/memory.h"
#include "core/exec/result-builder.h"
#include "core/exec/row-serialization.h"
#include "core/exec/spill.h"

#define READ_BUFFER_BYTES (64 * 1024)
/* Chunks that stay in memory in any case: the current one, and the ends of a frame. */
#define LEAST_CHUNKS 4

typedef struct
{
  KvsqlBatch *rows; /* NULL: in the file */
  KvsqlArena *arena;
  KvsqlWindowPlace *places; /* in the arena */
  guint64 number;
  guint n_rows;
  gboolean is_written;
  KvsqlSpillRun run;
  guint64 last_used;
} Chunk;

struct _KvsqlWindowRows
{
  KvsqlType *types;
  guint n_columns;
  KvsqlSortLimits limits;
  KvsqlKeyPart *partition_parts, *order_parts;
  KvsqlRowKeys partition_keys, order_keys;
  KvsqlBuffer last_partition, last_order; /* the keys of the last row */
  KvsqlWindowPlace last;

  KvsqlRowSource *input;
  const KvsqlCall *call;
  gboolean is_at_end;
  guint64 n_known;

  GPtrArray *chunks;   /* of Chunk; NULL: dropped */
  guint64 first_chunk; /* the number of the first chunk in the array */
  guint n_dropped;     /* at its start */
  guint64 pinned;      /* the number of a chunk */
  guint64 clock;
  GPtrArray *in_memory;  /* of Chunk */
  gsize bytes_in_memory; /* of full chunks */
  guint n_written;       /* chunks in the file that were not dropped */
  KvsqlSpill *spill;

  GArray *starts; /* of guint64: the first rows of partitions, from that of find_end() on */
  guint first_start;
};

static void
chunk_unload (Chunk *self)
{
  g_clear_pointer (&self->rows, kvsql_batch_free);
  g_clear_pointer (&self->arena, kvsql_arena_free);
  self->places = NULL;
}

static void
chunk_free (gpointer data)
{
  Chunk *self = data;

  if (self == NULL)
    return;
  chunk_unload (self);
  g_free (self);
}

KvsqlWindowRows *
kvsql_window_rows_new (const KvsqlType *types, guint n_columns, const KvsqlKeyPart *partition,
                       guint n_partition, const KvsqlKeyPart *order, guint n_order,
                       const KvsqlSortLimits *limits)
{
  KvsqlWindowRows *self = g_new0 (KvsqlWindowRows, 1);

  self->types = g_memdup2 (types, n_columns * sizeof (KvsqlType));
  self->n_columns = n_columns;
  self->limits = *limits;
  self->partition_parts = g_memdup2 (partition, n_partition * sizeof (KvsqlKeyPart));
  self->order_parts = g_memdup2 (order, n_order * sizeof (KvsqlKeyPart));
  kvsql_row_keys_init (&self->partition_keys, self->partition_parts, n_partition);
  kvsql_row_keys_init (&self->order_keys, self->order_parts, n_order);
  self->chunks = g_ptr_array_new_with_free_func (chunk_free);
  self->in_memory = g_ptr_array_new ();
  self->starts = g_array_new (FALSE, FALSE, sizeof (guint64));
  return self;
}

void
kvsql_window_rows_free (KvsqlWindowRows *self)
{
  if (self == NULL)
    return;
  kvsql_row_keys_clear (&self->partition_keys);
  kvsql_row_keys_clear (&self->order_keys);
  kvsql_buffer_clear (&self->last_partition);
  kvsql_buffer_clear (&self->last_order);
  g_ptr_array_unref (self->chunks);
  g_ptr_array_unref (self->in_memory);
  g_array_unref (self->starts);
  kvsql_spill_free (self->spill);
  g_free (self->partition_parts);
  g_free (self->order_parts);
  g_free (self->types);
  g_free (self);
}

void
kvsql_window_rows_set_input (KvsqlWindowRows *self, KvsqlRowSource *input, const KvsqlCall *call)
{
  self->input = input;
  self->call = call;
}

guint64
kvsql_window_rows_get_n_known (const KvsqlWindowRows *self)
{
  return self->n_known;
}

/* ---- the file */

static gsize
bytes_of (const Chunk *chunk)
{
  return chunk->rows->block_size + kvsql_arena_get_size (chunk->arena);
}

static gboolean
begin_file (KvsqlWindowRows *self, GError **error)
{
  if (self->spill != NULL)
    return TRUE;
  if (self->limits.disk_bytes == 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "a window needs more than %" G_GSIZE_FORMAT " MiB",
                       self->limits.memory_bytes >> 20);
      return kvsql_error_hint (error,
                               "Make its partitions or frames smaller, or raise sort_bytes or "
                               "sort_disk_bytes in the daemon's configuration.");
    }
  self->spill = kvsql_spill_new (self->limits.directory, self->limits.disk_bytes);
  return TRUE;
}

static gboolean
write_chunk (KvsqlWindowRows *self, Chunk *chunk, GError **error)
{
  KvsqlBuffer bytes = { 0 };
  gboolean is_written;

  if (!begin_file (self, error) || !kvsql_spill_begin_run (self->spill, error))
    return FALSE;
  is_written = TRUE;
  for (guint row = 0; row < chunk->n_rows && is_written; row++)
    {
      gsize size = kvsql_row_get_serialized_size (chunk->rows, row);
      KvsqlSlice place
          = kvsql_slice ((const guint8 *)&chunk->places[row], sizeof (KvsqlWindowPlace));

      bytes.size = 0;
      kvsql_row_serialize (chunk->rows, row, kvsql_buffer_extend (&bytes, size));
      is_written = kvsql_spill_append (self->spill, place, kvsql_buffer_slice (&bytes), error);
    }
  kvsql_buffer_clear (&bytes);
  if (!is_written || !kvsql_spill_end_run (self->spill, &chunk->run, error))
    return FALSE;
  chunk->is_written = TRUE;
  self->n_written++;
  return TRUE;
}

static void
make_room (KvsqlWindowRows *self, Chunk *chunk)
{
  chunk->rows = kvsql_batch_new (self->types, self->n_columns, KVSQL_BATCH_ROWS);
  chunk->arena = kvsql_arena_new ();
  chunk->places = kvsql_arena_array (chunk->arena, KvsqlWindowPlace, KVSQL_BATCH_ROWS);
  g_ptr_array_add (self->in_memory, chunk);
}

static gboolean
read_chunk (KvsqlWindowRows *self, Chunk *chunk, GError **error)
{
  g_autoptr (KvsqlSpillReader) reader
      = kvsql_spill_reader_new (self->spill, &chunk->run, READ_BUFFER_BYTES);
  KvsqlSlice place, row;
  gboolean any;

  make_room (self, chunk);
  for (guint i = 0; i < chunk->n_rows; i++)
    {
      if (!kvsql_spill_reader_next (reader, &place, &row, &any, error))
        return FALSE;
      g_assert (any && place.size == sizeof (KvsqlWindowPlace));
      memcpy (&chunk->places[i], place.data, place.size);
      row = kvsql_slice_dup (chunk->arena, row);
      kvsql_row_deserialize (row.data, chunk->rows, i);
    }
  chunk->rows->n_rows = chunk->n_rows;
  self->bytes_in_memory += bytes_of (chunk);
  return TRUE;
}

/* ---- chunks */

static Chunk *
chunk_at (const KvsqlWindowRows *self, guint64 number)
{
  g_assert (number >= self->first_chunk && number - self->first_chunk < self->chunks->len);
  return g_ptr_array_index (self->chunks, number - self->first_chunk);
}

/* The full chunk that was used least recently; NULL: none can be given up. */
static Chunk *
find_oldest (const KvsqlWindowRows *self)
{
  Chunk *oldest = NULL;

  for (guint i = 0; i < self->in_memory->len; i++)
    {
      Chunk *chunk = g_ptr_array_index (self->in_memory, i);

      if (chunk->n_rows == KVSQL_BATCH_ROWS && chunk->number != self->pinned
          && (oldest == NULL || chunk->last_used < oldest->last_used))
        oldest = chunk;
    }
  return oldest;
}

static void
give_up (KvsqlWindowRows *self, Chunk *chunk)
{
  if (chunk->n_rows == KVSQL_BATCH_ROWS)
    self->bytes_in_memory -= bytes_of (chunk);
  g_ptr_array_remove_fast (self->in_memory, chunk);
  chunk_unload (chunk);
}

/* Gives up chunks until there is memory for another one. */
static gboolean
shrink (KvsqlWindowRows *self, GError **error)
{
  while (self->bytes_in_memory > self->limits.memory_bytes && self->in_memory->len > LEAST_CHUNKS)
    {
      Chunk *chunk = find_oldest (self);

      if (chunk == NULL)
        return TRUE;
      if (!chunk->is_written && !write_chunk (self, chunk, error))
        return FALSE;
      give_up (self, chunk);
    }
  return TRUE;
}

gboolean
kvsql_window_rows_get (KvsqlWindowRows *self, guint64 row, const KvsqlBatch **out,
                       const KvsqlWindowPlace **out_places, GError **error)
{
  Chunk *chunk = chunk_at (self, row / KVSQL_BATCH_ROWS);

  g_assert (row < self->n_known);
  chunk->last_used = ++self->clock;
  if (chunk->rows == NULL
      && (!kvsql_call_check (self->call, error) || !shrink (self, error)
          || !read_chunk (self, chunk, error)))
    return FALSE;
  *out = chunk->rows;
  *out_places = chunk->places;
  return TRUE;
}

void
kvsql_window_rows_pin (KvsqlWindowRows *self, guint64 row)
{
  self->pinned = row / KVSQL_BATCH_ROWS;
}

void
kvsql_window_rows_drop (KvsqlWindowRows *self, guint64 row)
{
  guint64 first = row / KVSQL_BATCH_ROWS;
  guint n_before = self->n_dropped;

  for (; self->first_chunk + self->n_dropped < first && self->n_dropped < self->chunks->len;
       self->n_dropped++)
    {
      Chunk *chunk = g_ptr_array_index (self->chunks, self->n_dropped);

      self->n_written -= chunk->is_written != FALSE;
      if (chunk->rows != NULL)
        give_up (self, chunk);
      chunk_free (chunk);
      g_ptr_array_index (self->chunks, self->n_dropped) = NULL;
    }
  if (self->n_dropped > n_before && self->n_written == 0)
    g_clear_pointer (&self->spill, kvsql_spill_free);
  if (self->n_dropped <= self->chunks->len / 2)
    return;
  g_ptr_array_remove_range (self->chunks, 0, self->n_dropped);
  self->first_chunk += self->n_dropped;
  self->n_dropped = 0;
}

/* ---- reading */

static Chunk *
last_chunk (KvsqlWindowRows *self)
{
  Chunk *chunk
      = self->chunks->len == 0 ? NULL : g_ptr_array_index (self->chunks, self->chunks->len - 1);

  if (chunk != NULL && chunk->n_rows < KVSQL_BATCH_ROWS)
    return chunk;
  chunk = kvsql_new0 (Chunk);
  chunk->last_used = ++self->clock;
  chunk->number = self->first_chunk + self->chunks->len;
  make_room (self, chunk);
  g_ptr_array_add (self->chunks, chunk);
  return chunk;
}

/* Whether the key of row @row is not that of the row before, whose key is in @last for row 0. */
static gboolean
differs (const KvsqlRowKeys *keys, guint row, KvsqlBuffer *last)
{
  KvsqlSlice key = kvsql_row_keys_get (keys, row);
  KvsqlSlice before = row > 0 ? kvsql_row_keys_get (keys, row - 1) : kvsql_buffer_slice (last);

  return !kvsql_slice_equal (key, before);
}

/* Sets self->last to the place of row @row of the batch. */
static void
find_place (KvsqlWindowRows *self, guint row)
{
  gboolean is_first = self->n_known == 0;

  if (is_first
      || (self->partition_keys.n_parts > 0
          && differs (&self->partition_keys, row, &self->last_partition)))
    {
      self->last = (KvsqlWindowPlace){ .partition = self->n_known, .peers = self->n_known };
      g_array_append_val (self->starts, self->n_known);
    }
  else if (self->order_keys.n_parts > 0 && differs (&self->order_keys, row, &self->last_order))
    {
      self->last.peers = self->n_known;
      self->last.group++;
    }
}

static void
keep_key (const KvsqlRowKeys *keys, guint row, KvsqlBuffer *out)
{
  out->size = 0;
  kvsql_buffer_append_slice (out, kvsql_row_keys_get (keys, row));
}

/* Appends rows @from to @to of the batch to the chunk. */
static void
add_rows (KvsqlWindowRows *self, Chunk *chunk, const KvsqlBatch *batch, guint from, guint to)
{
  for (guint row = from; row < to; row++)
    {
      find_place (self, row);
      chunk->places[chunk->n_rows++] = self->last;
      self->n_known++;
    }
  kvsql_result_builder_append (chunk->rows, batch, NULL, kvsql_row_numbers () + from, to - from,
                               chunk->arena);
  if (chunk->n_rows == KVSQL_BATCH_ROWS)
    self->bytes_in_memory += bytes_of (chunk);
}

static gboolean
read_batch (KvsqlWindowRows *self, GError **error)
{
  const KvsqlBatch *batch;

  if (!kvsql_call_check (self->call, error)
      || !kvsql_row_source_next_batch (self->input, self->call, &batch, error))
    return FALSE;
  self->is_at_end = batch->n_rows == 0;
  if (self->is_at_end)
    return TRUE;
  kvsql_row_keys_run (&self->partition_keys, batch);
  kvsql_row_keys_run (&self->order_keys, batch);
  for (guint from = 0, to; from < batch->n_rows; from = to)
    {
      Chunk *chunk = last_chunk (self);

      to = MIN (batch->n_rows, from + KVSQL_BATCH_ROWS - chunk->n_rows);
      add_rows (self, chunk, batch, from, to);
      if (!shrink (self, error))
        return FALSE;
    }
  keep_key (&self->partition_keys, batch->n_rows - 1, &self->last_partition);
  keep_key (&self->order_keys, batch->n_rows - 1, &self->last_order);
  return TRUE;
}

gboolean
kvsql_window_rows_read (KvsqlWindowRows *self, guint64 row, gboolean *out, GError **error)
{
  while (row >= self->n_known && !self->is_at_end)
    if (!read_batch (self, error))
      return FALSE;
  *out = row < self->n_known;
  return TRUE;
}

gboolean
kvsql_window_rows_find_end (KvsqlWindowRows *self, guint64 row, guint64 *out, GError **error)
{
  g_assert (row < self->n_known);
  for (;;)
    {
      const guint64 *starts = (const guint64 *)(gpointer)self->starts->data;

      while (self->first_start < self->starts->len && starts[self->first_start] <= row)
        self->first_start++;
      if (self->first_start < self->starts->len)
        {
          *out = starts[self->first_start];
          break;
        }
      if (self->is_at_end)
        {
          *out = self->n_known;
          break;
        }
      if (!read_batch (self, error))
        return FALSE;
    }
  if (self->first_start > KVSQL_BATCH_ROWS)
    {
      g_array_remove_range (self->starts, 0, self->first_start);
      self->first_start = 0;
    }
  return TRUE;
}
