/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parallel.c: a window of parts, filled by whoever has time.
 *
 * Who fills a part has it for himself; between two chunks anybody may take it. A thread never waits
 * for help that has not come yet: it waits for a part that somebody is at work on, and then only if
 * nothing else is to be done.
 */
#include "config.h"

#include "core/exec/parallel.h"

#include "core/base/account.h"

#define CHUNK_ROWS 8192
#define CHUNK_BYTES (1024 * 1024)
/* What a chunk is thought to take beside its rows. */
#define CHUNK_OVERHEAD 4096
/* After so many, a helper lets others have a turn. */
#define CHUNKS_PER_TURN 8
/* KILL comes through a cancellable, which wakes nobody who waits for a condition. */
#define LONGEST_WAIT_US (20 * 1000)

typedef struct
{
  KvsqlScanPart bounds;
  KvsqlPartScan *scan; /* NULL: not begun, or at its end */
  GQueue chunks;       /* KvsqlPartChunk: read, not given */
  gboolean is_taken;   /* somebody is at work on it */
  gboolean is_folding; /* then: into groups */
  gboolean is_at_end;  /* nothing will be added */
  GError *error;       /* why */
  guint64 n_cells;     /* at its end: looked at */
  guint64 n_misfits;   /* of them */
  GPtrArray *samples;  /* of those; nullable */
} Part;

struct _KvsqlParallel
{
  gatomicrefcount refs;
  KvsqlPartOutput output;
  KvsqlParallelLimits limits;
  KvsqlScanPosition position; /* of the first part */
  KvsqlArena *arena;          /* of its bytes, and of the parts' */
  KvsqlUsage usage;           /* of helpers */
  KvsqlAccount *account;
  GCancellable *cancellable; /* of helpers */

  GMutex mutex;
  GCond changed;
  Part *parts;
  guint n_parts;
  guint current; /* whose chunks are given */
  gsize n_bytes; /* of all chunks */
  guint n_asked; /* helpers that will come, or are there */
  guint n_there;
  gboolean is_closed;
  KvsqlChunkShape shape;
  gint64 patience_us; /* for a helper's calls: the most time that who asks has had */

  /* of who asks; nobody else looks */
  KvsqlRunCounts *counts;
  KvsqlAssemblerCounts misfits;
  GPtrArray *samples; /* of them */
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

/* A helper who has not come yet may have the last reference: all else is gone then. */
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
kvsql_parallel_set_folding (KvsqlParallel *self, gboolean is_folding)
{
  g_mutex_lock (&self->mutex);
  self->shape.is_folded = is_folding;
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

      has_groups = (part->is_taken && part->is_folding)
                   || g_queue_find_custom (&part->chunks, NULL, compare_groups) != NULL;
    }
  g_mutex_unlock (&self->mutex);
  return has_groups;
}

void
kvsql_parallel_get_misfits (const KvsqlParallel *self, KvsqlAssemblerCounts *out)
{
  *out = self->misfits;
  out->samples = (const gchar *const *)self->samples->pdata;
  out->n_samples = self->samples->len;
}

/* ---- filling; the mutex is held */

/* The first part that can be filled now; NULL: there is none, or enough has been read. */
static Part *
find_work (KvsqlParallel *self)
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
      if (!part->is_taken && part->scan == NULL && n_open > self->limits.n_helpers)
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
  return (chunk->groups == NULL ? 0 : kvsql_group_fold_get_size (chunk->groups))
         + chunk->rows->block_size + kvsql_arena_get_size (chunk->arena)
         + kvsql_arena_get_size (chunk->place_arena) + CHUNK_OVERHEAD;
}

static void
add_chunk (KvsqlParallel *self, Part *part, KvsqlPartChunk *chunk)
{
  self->n_bytes += size_of (chunk);
  g_queue_push_tail (&part->chunks, chunk);
}

/* A scan at its end holds memory for nothing. */
static void
end_part (Part *part)
{
  KvsqlAssemblerCounts counts;

  kvsql_part_scan_get_counts (part->scan, &counts);
  part->n_cells = counts.cells;
  part->n_misfits = counts.unparsable;
  part->samples = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < counts.n_samples; i++)
    g_ptr_array_add (part->samples, g_strdup (counts.samples[i]));
  g_clear_pointer (&part->scan, kvsql_part_scan_free);
}

/* Lets go of the mutex while it reads. */
static void
fill (KvsqlParallel *self, Part *part, const KvsqlCall *call)
{
  KvsqlChunkShape shape = self->shape;
  gboolean is_first = part == self->parts, is_at_end = TRUE;
  KvsqlPartChunk *chunk = NULL;
  GError *error = NULL;

  part->is_taken = TRUE;
  part->is_folding = shape.is_folded;
  g_mutex_unlock (&self->mutex);
  if (part->scan == NULL)
    part->scan
        = kvsql_part_scan_new (&self->output, &part->bounds, is_first ? &self->position : NULL);
  kvsql_part_scan_next (part->scan, &shape, call, &chunk, &is_at_end, &error);
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

/* ---- helpers */

/* TRUE: the turn is over, and there is more to do. */
static gboolean
take_turn (KvsqlParallel *self)
{
  Part *part = NULL;

  for (guint i = 0; i < CHUNKS_PER_TURN && !self->is_closed; i++)
    {
      KvsqlCall call = { .deadline_us = g_get_monotonic_time () + self->patience_us,
                         .cancellable = self->cancellable,
                         .usage = &self->usage };

      if (part == NULL || part->is_taken || part->is_at_end
          || self->n_bytes >= self->limits.buffer_bytes)
        part = find_work (self);
      if (part == NULL)
        return FALSE;
      fill (self, part, &call);
    }
  return !self->is_closed && find_work (self) != NULL;
}

static gboolean
help (gpointer data)
{
  KvsqlParallel *self = data;
  gboolean has_more = FALSE;

  g_mutex_lock (&self->mutex);
  if (!self->is_closed)
    {
      KvsqlAccount *before = kvsql_account_enter (self->account);

      self->n_there++;
      has_more = take_turn (self);
      self->n_there--;
      kvsql_account_enter (before);
    }
  self->n_asked -= !has_more;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  return has_more;
}

static void
ask_for_help (KvsqlParallel *self)
{
  while (self->n_asked < self->limits.n_helpers && find_work (self) != NULL)
    {
      self->n_asked++;
      kvsql_helpers_ask (self->limits.helpers, help, ref (self), unref);
    }
}

/* ---- who asks */

static void
take_usage (KvsqlParallel *self, const KvsqlCall *call)
{
  gint64 n_calls = __atomic_exchange_n (&self->usage.n_calls, 0, __ATOMIC_RELAXED);
  gint64 n_rows = __atomic_exchange_n (&self->usage.n_rows, 0, __ATOMIC_RELAXED);

  if (call == NULL || call->usage == NULL)
    return;
  kvsql_count_add (&call->usage->n_calls, n_calls);
  kvsql_count_add (&call->usage->n_rows, n_rows);
}

static void
take_misfits (KvsqlParallel *self, const Part *part)
{
  self->misfits.cells += part->n_cells;
  self->misfits.unparsable += part->n_misfits;
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

/* Works where something is to be done; else waits for those who do. */
static void
make_progress (KvsqlParallel *self, const KvsqlCall *call)
{
  Part *part = find_work (self);

  if (part != NULL)
    fill (self, part, call);
  else
    g_cond_wait_until (&self->changed, &self->mutex, g_get_monotonic_time () + LONGEST_WAIT_US);
}

/* With the mutex; a chunk may be without rows, and is NULL at the end. */
static gboolean
next_chunk (KvsqlParallel *self, const KvsqlCall *call, KvsqlPartChunk **out_chunk, GError **error)
{
  *out_chunk = NULL;
  while (self->current < self->n_parts)
    {
      Part *part = &self->parts[self->current];

      *out_chunk = take_chunk (self, part);
      ask_for_help (self);
      if (*out_chunk != NULL)
        return TRUE;
      if (part->error != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&part->error));
          return FALSE;
        }
      if (part->is_at_end)
        {
          take_misfits (self, part);
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
patience_of (const KvsqlCall *call)
{
  gint64 left_us = call == NULL || call->deadline_us == 0
                       ? G_TIME_SPAN_MINUTE
                       : call->deadline_us - g_get_monotonic_time ();

  return MAX (left_us, G_TIME_SPAN_SECOND);
}

/* Groups of no rows are nothing to merge. */
static gboolean
is_empty (const KvsqlPartChunk *chunk)
{
  return chunk->groups == NULL ? chunk->rows->n_rows == 0 : chunk->counts.matched == 0;
}

/* The next that is not empty. */
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
  self->patience_us = MAX (self->patience_us, patience_of (call));
  ok = next_rows (self, call, out_chunk, error);
  g_mutex_unlock (&self->mutex);
  take_usage (self, call);
  if (!ok)
    g_cancellable_cancel (self->cancellable);
  return ok;
}
