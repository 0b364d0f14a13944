/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parallel.c: a window of parts, which the caller and the workers fill.
 *
 * A thread that fills a part has it alone, for one chunk. Between two chunks any thread may take
 * the part. A thread never waits for a worker that has not come yet: it waits only for a part that
 * another thread is filling, and only if there is nothing else to fill.
 */
#include "config.h"

#include "core/exec/parallel.h"

#include "core/base/account.h"
#include "core/scan/undecodable-cells.h"

#define CHUNK_ROWS 8192
#define CHUNK_BYTES (1024 * 1024)
G_STATIC_ASSERT (CHUNK_ROWS <= KVSQL_ROW_NUMBERS);
/* Estimated memory of a chunk without its rows. */
#define CHUNK_OVERHEAD 4096
/* After this many chunks a worker ends its round, so that other jobs get theirs. */
#define CHUNKS_PER_ROUND 8
/* KILL arrives through a cancellable, which does not wake a thread that waits for a condition. */
#define LONGEST_WAIT_US (20 * 1000)

typedef struct
{
  KvsqlScanPart bounds;
  KvsqlPartScan *scan;     /* NULL: not begun, or at its end */
  GQueue chunks;           /* KvsqlPartChunk: read, and not returned yet */
  gboolean is_taken;       /* a thread is filling it */
  gboolean is_aggregating; /* the chunk in progress gets groups */
  gboolean is_at_end;      /* nothing will be added */
  GError *error;           /* nullable: why it ended */
  guint64 n_cells;         /* read, known at its end */
  guint64 n_undecodable;   /* of @n_cells */
  GPtrArray *samples;      /* of the undecodable cells; nullable */
} Part;

struct _KvsqlParallel
{
  gatomicrefcount refs;
  KvsqlPartOutput output;
  KvsqlParallelLimits limits;
  KvsqlScanPosition position; /* of the first part */
  KvsqlArena *arena;          /* of @position's bytes, and of the parts' */
  KvsqlUsage usage;           /* of workers */
  KvsqlAccount *account;
  GCancellable *cancellable; /* of workers */

  GMutex mutex;
  GCond changed;
  Part *parts;
  guint n_parts;
  guint current;     /* the part whose chunks are returned */
  gsize n_bytes;     /* of all chunks */
  guint n_submitted; /* jobs that are queued or running */
  guint n_there;
  gboolean is_closed;
  KvsqlChunkShape shape;
  gint64 timeout_us; /* for a worker's calls: the longest time-out that the caller has had */

  /* of the caller; workers do not use them */
  KvsqlRunCounts *counts;
  KvsqlAssemblerCounts undecodable;
  GPtrArray *samples; /* of the undecodable cells */
};

static void
part_clear (Part *self)
{
  g_queue_clear_full (&self->chunks, (GDestroyNotify)kvsql_part_chunk_free);
  g_clear_pointer (&self->scan, kvsql_part_scan_free);
  g_clear_error (&self->error);
  g_clear_pointer (&self->samples, g_ptr_array_unref);
}

static KvsqlParallel *
ref (KvsqlParallel *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/* A worker that has not come yet may hold the last reference. All else is freed by then. */
static void
unref (gpointer data)
{
  KvsqlParallel *self = data;

  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_object_unref (self->cancellable);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static void
copy_parts (KvsqlParallel *self, const KvsqlScanPart *parts, const KvsqlScanPosition *position)
{
  for (guint i = 0; i < self->n_parts; i++)
    {
      KvsqlScanPart *bounds = &self->parts[i].bounds;

      *bounds = parts[i];
      bounds->name = kvsql_slice_dup (self->arena, bounds->name);
      bounds->rows.start = kvsql_slice_dup (self->arena, bounds->rows.start);
      bounds->rows.stop = kvsql_slice_dup (self->arena, bounds->rows.stop);
    }
  if (position == NULL || !position->has_row || !kvsql_slice_equal (position->table, parts[0].name))
    return;
  self->position = *position;
  self->position.table = kvsql_slice_dup (self->arena, position->table);
  self->position.row = kvsql_slice_dup (self->arena, position->row);
}

KvsqlParallel *
kvsql_parallel_new (const KvsqlPartOutput *output, const KvsqlScanPart *parts, guint n_parts,
                    const KvsqlScanPosition *position, const KvsqlParallelLimits *limits,
                    const KvsqlCall *call, KvsqlRunCounts *counts)
{
  KvsqlParallel *self = g_new0 (KvsqlParallel, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->cancellable = g_cancellable_new ();
  self->output = *output;
  self->output.types = g_memdup2 (output->types, output->n_columns * sizeof (KvsqlType));
  self->limits = *limits;
  self->arena = kvsql_arena_new ();
  self->parts = g_new0 (Part, n_parts);
  self->n_parts = n_parts;
  copy_parts (self, parts, position);
  self->account = kvsql_account_ref (kvsql_account_get_current ());
  if (call != NULL && call->usage != NULL)
    {
      self->usage = *call->usage;
      self->usage.account = self->account;
      self->usage.n_calls = self->usage.n_rows = 0;
    }
  kvsql_parallel_set_chunks (self, CHUNK_ROWS, CHUNK_BYTES);
  self->samples = g_ptr_array_new_with_free_func (g_free);
  self->counts = counts;
  self->counts->parts += n_parts;
  return self;
}

void
kvsql_parallel_free (KvsqlParallel *self)
{
  if (self == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_mutex_lock (&self->mutex);
  self->is_closed = TRUE;
  while (self->n_there > 0)
    g_cond_wait (&self->changed, &self->mutex);
  g_mutex_unlock (&self->mutex);
  for (guint i = 0; i < self->n_parts; i++)
    part_clear (&self->parts[i]);
  g_free (self->parts);
  g_free (self->output.types);
  g_ptr_array_unref (self->samples);
  kvsql_arena_free (self->arena);
  g_clear_pointer (&self->account, kvsql_account_unref);
  unref (self);
}

void
kvsql_parallel_set_chunks (KvsqlParallel *self, guint max_rows, gsize max_bytes)
{
  g_mutex_lock (&self->mutex);
  self->shape.max_rows = MIN (max_rows, CHUNK_ROWS);
  self->shape.max_bytes = MIN (max_bytes, CHUNK_BYTES);
  g_mutex_unlock (&self->mutex);
}

void
kvsql_parallel_set_aggregating (KvsqlParallel *self, gboolean is_aggregating)
{
  g_mutex_lock (&self->mutex);
  self->shape.is_aggregated = is_aggregating;
  g_mutex_unlock (&self->mutex);
}

static gint
compare_groups (gconstpointer chunk, gconstpointer nothing)
{
  return ((const KvsqlPartChunk *)chunk)->groups == NULL;
}

gboolean
kvsql_parallel_has_groups (KvsqlParallel *self)
{
  gboolean has_groups = FALSE;

  g_mutex_lock (&self->mutex);
  for (guint i = self->current; i < self->n_parts && !has_groups; i++)
    {
      Part *part = &self->parts[i];

      has_groups = (part->is_taken && part->is_aggregating)
                   || g_queue_find_custom (&part->chunks, NULL, compare_groups) != NULL;
    }
  g_mutex_unlock (&self->mutex);
  return has_groups;
}

void
kvsql_parallel_get_counts (const KvsqlParallel *self, KvsqlAssemblerCounts *out)
{
  *out = self->undecodable;
  out->samples = (const gchar *const *)self->samples->pdata;
  out->n_samples = self->samples->len;
}

/* ---- filling; the mutex is held */

/* The first part that can be filled now. NULL: there is none, or enough has been read. */
static Part *
find_part (KvsqlParallel *self)
{
  guint n_open = 0;

  for (guint i = self->current; i < self->n_parts; i++)
    {
      Part *part = &self->parts[i];
      gboolean is_wanted_now = i == self->current && g_queue_is_empty (&part->chunks);

      if (part->is_at_end)
        continue;
      if (!is_wanted_now && self->n_bytes >= self->limits.buffer_bytes)
        return NULL;
      if (!part->is_taken && part->scan == NULL && n_open > self->limits.n_workers)
        return NULL;
      if (!part->is_taken)
        return part;
      n_open++;
    }
  return NULL;
}

static gsize
size_of (const KvsqlPartChunk *chunk)
{
  return (chunk->groups == NULL ? 0 : kvsql_partial_aggregate_get_size (chunk->groups))
         + chunk->rows->block_size + kvsql_arena_get_size (chunk->arena)
         + kvsql_arena_get_size (chunk->place_arena) + CHUNK_OVERHEAD;
}

static void
add_chunk (KvsqlParallel *self, Part *part, KvsqlPartChunk *chunk)
{
  self->n_bytes += size_of (chunk);
  g_queue_push_tail (&part->chunks, chunk);
}

/* A scan at its end needs its memory no longer. */
static void
end_part (Part *part)
{
  KvsqlAssemblerCounts counts;

  kvsql_part_scan_get_counts (part->scan, &counts);
  part->n_cells = counts.cells;
  part->n_undecodable = counts.undecodable;
  part->samples = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < counts.n_samples; i++)
    g_ptr_array_add (part->samples, g_strdup (counts.samples[i]));
  g_clear_pointer (&part->scan, kvsql_part_scan_free);
}

/* Unlocks the mutex while it reads. */
static void
fill (KvsqlParallel *self, Part *part, const KvsqlCall *call)
{
  KvsqlChunkShape shape = self->shape;
  gboolean is_first = part == self->parts, is_at_end = TRUE;
  KvsqlPartChunk *chunk = NULL;
  GError *error = NULL;

  part->is_taken = TRUE;
  part->is_aggregating = shape.is_aggregated;
  g_mutex_unlock (&self->mutex);
  if (part->scan == NULL)
    part->scan
        = kvsql_part_scan_new (&self->output, &part->bounds, is_first ? &self->position : NULL);
  if (!kvsql_part_scan_next (part->scan, &shape, call, &chunk, &is_at_end, &error))
    g_assert (error != NULL);
  if (is_at_end)
    end_part (part);
  g_mutex_lock (&self->mutex);
  part->is_taken = FALSE;
  part->is_at_end = is_at_end || error != NULL;
  part->error = error;
  if (chunk != NULL)
    add_chunk (self, part, chunk);
  g_cond_broadcast (&self->changed);
}

/* ---- workers */

/* TRUE: the round is over, and there is more to do. */
static gboolean
run_round (KvsqlParallel *self)
{
  Part *part = NULL;

  for (guint i = 0; i < CHUNKS_PER_ROUND && !self->is_closed; i++)
    {
      KvsqlCall call = { .deadline_us = g_get_monotonic_time () + self->timeout_us,
                         .cancellable = self->cancellable,
                         .usage = &self->usage };

      if (part == NULL || part->is_taken || part->is_at_end
          || self->n_bytes >= self->limits.buffer_bytes)
        part = find_part (self);
      if (part == NULL)
        return FALSE;
      fill (self, part, &call);
    }
  return !self->is_closed && find_part (self) != NULL;
}

static gboolean
work (gpointer data)
{
  KvsqlParallel *self = data;
  gboolean has_more = FALSE;

  g_mutex_lock (&self->mutex);
  if (!self->is_closed)
    {
      KvsqlAccount *before = kvsql_account_enter (self->account);

      self->n_there++;
      has_more = run_round (self);
      self->n_there--;
      kvsql_account_enter (before);
    }
  self->n_submitted -= !has_more;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  return has_more;
}

static void
submit_jobs (KvsqlParallel *self)
{
  while (self->n_submitted < self->limits.n_workers && find_part (self) != NULL)
    {
      self->n_submitted++;
      kvsql_worker_pool_submit (self->limits.workers, work, ref (self), unref);
    }
}

/* ---- the caller */

static void
add_usage (KvsqlParallel *self, const KvsqlCall *call)
{
  gint64 n_calls = __atomic_exchange_n (&self->usage.n_calls, 0, __ATOMIC_RELAXED);
  gint64 n_rows = __atomic_exchange_n (&self->usage.n_rows, 0, __ATOMIC_RELAXED);

  if (call == NULL || call->usage == NULL)
    return;
  kvsql_count_add (&call->usage->n_calls, n_calls);
  kvsql_count_add (&call->usage->n_rows, n_rows);
}

static void
add_undecodable (KvsqlParallel *self, const Part *part)
{
  self->undecodable.cells += part->n_cells;
  self->undecodable.undecodable += part->n_undecodable;
  for (guint i = 0; i < part->samples->len && self->samples->len < KVSQL_MAX_SAMPLES; i++)
    g_ptr_array_add (self->samples, g_strdup (part->samples->pdata[i]));
}

static KvsqlPartChunk *
take_chunk (KvsqlParallel *self, Part *part)
{
  KvsqlPartChunk *chunk = g_queue_pop_head (&part->chunks);

  if (chunk != NULL)
    {
      self->n_bytes -= size_of (chunk);
      kvsql_run_counts_add (self->counts, &chunk->counts);
    }
  return chunk;
}

/* Fills a part if there is one to fill, else waits for the threads that fill parts. */
static void
make_progress (KvsqlParallel *self, const KvsqlCall *call)
{
  Part *part = find_part (self);

  if (part != NULL)
    fill (self, part, call);
  else
    g_cond_wait_until (&self->changed, &self->mutex, g_get_monotonic_time () + LONGEST_WAIT_US);
}

/* The mutex is held. A chunk may have no rows. NULL at the end. */
static gboolean
next_chunk (KvsqlParallel *self, const KvsqlCall *call, KvsqlPartChunk **out_chunk, GError **error)
{
  *out_chunk = NULL;
  while (self->current < self->n_parts)
    {
      Part *part = &self->parts[self->current];

      *out_chunk = take_chunk (self, part);
      submit_jobs (self);
      if (*out_chunk != NULL)
        return TRUE;
      if (part->error != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&part->error));
          return FALSE;
        }
      if (part->is_at_end)
        {
          add_undecodable (self, part);
          self->current++;
          continue;
        }
      if (!kvsql_call_check (call, error))
        return FALSE;
      make_progress (self, call);
    }
  return TRUE;
}

static gint64
timeout_of (const KvsqlCall *call)
{
  gint64 left_us = call == NULL || call->deadline_us == 0
                       ? G_TIME_SPAN_MINUTE
                       : call->deadline_us - g_get_monotonic_time ();

  return MAX (left_us, G_TIME_SPAN_SECOND);
}

/* A chunk without rows and without groups. */
static gboolean
is_empty (const KvsqlPartChunk *chunk)
{
  return chunk->groups == NULL ? chunk->rows->n_rows == 0 : chunk->counts.matched == 0;
}

/* The next chunk that is not empty. */
static gboolean
next_rows (KvsqlParallel *self, const KvsqlCall *call, KvsqlPartChunk **out_chunk, GError **error)
{
  g_autoptr (KvsqlPartChunk) chunk = NULL;

  do
    {
      g_clear_pointer (&chunk, kvsql_part_chunk_free);
      if (!next_chunk (self, call, &chunk, error)
          || !kvsql_run_counts_check (self->counts, self->output.max_scan_rows, error))
        return FALSE;
    }
  while (chunk != NULL && is_empty (chunk));
  *out_chunk = g_steal_pointer (&chunk);
  return TRUE;
}

gboolean
kvsql_parallel_next (KvsqlParallel *self, const KvsqlCall *call, KvsqlPartChunk **out_chunk,
                     GError **error)
{
  gboolean ok;

  g_mutex_lock (&self->mutex);
  self->timeout_us = MAX (self->timeout_us, timeout_of (call));
  ok = next_rows (self, call, out_chunk, error);
  g_mutex_unlock (&self->mutex);
  add_usage (self, call);
  if (!ok)
    g_cancellable_cancel (self->cancellable);
  return ok;
}
