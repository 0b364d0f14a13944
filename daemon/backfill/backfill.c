/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backfill.c: the jobs that fill schemas.
 *
 * The primary is cut into parts. The workers of a job read chunks of several parts side by side,
 * and write them in parallel. A chunk is read and written under the newest definitions, and counts
 * as a statement that uses them. If the schema is defined again or dropped, the job ends.
 *
 * From time to time, and when it ends early, a job stores its progress in the registry: for each
 * part the position before which all chunks are done. The next job of the schema resumes there, in
 * any daemon.
 */
#include "config.h"

#include "core/maintain/backfill.h"
#include "core/maintain/compare.h"
#include "daemon/backfill/backfill-private.h"

#define MAX_WORKERS 4
/* Workers take the parts in their order, and the last parts end at about the same time. */
#define PARTS_PER_WORKER 4
/* Longer row keys would make the stored progress too long. */
#define LONGEST_KEY 2048
#define STEP_US (60 * G_TIME_SPAN_SECOND)
/* Of the job, for writes that may be late: longer than any late_request_s. */
#define LOG_WAIT_US G_TIME_SPAN_DAY
/* For the scans of all workers together. */
#define GATHER_BYTES (256 * 1024 * 1024)

/* Each stored progress makes an epoch, for which every daemon reads the registry. So long jobs
 * store their progress less often, up to a limit. */
#define SHORTEST_NOTE_US G_TIME_SPAN_SECOND
#define LONGEST_NOTE_US (10 * G_TIME_SPAN_SECOND)
#define LAST_NOTE_US (5 * G_TIME_SPAN_SECOND)

typedef struct
{
  gatomicrefcount references;
  gchar *schema; /* folded */
  KvsqlStorage *storage;
  KvsqldDefinitions *definitions;
  KvsqlAccount *account; /* nullable */
  GCancellable *cancellable;
  GThread *thread; /* NULL: it has ended, and was joined */

  /* of the thread; the workers only read them */
  KvsqlArena *arena;
  gboolean has_position;
  KvsqlScanPosition position; /* of the second pass */
  gboolean has_bounds;
  KvsqlArena *bounds_arena;
  KvsqlRowRange bounds; /* of the primary, at the start */

  GMutex mutex; /* protects all members below; a leaf */
  GCond changed;
  GCond released; /* a worker has released a part */
  gboolean is_running;
  const gchar *phase;
  gboolean has_progress; /* the start position is known; @progress.id does not change any more */
  KvsqldBackfillProgress progress; /* the position before which all chunks are done */
  KvsqlArena *progress_arena;
  KvsqldParts *parts; /* of the first pass; NULL: not known yet */
  gboolean has_news;  /* @progress is further than the stored one */
  gboolean is_noting;
  gint64 next_note_us;
  guint64 n_before;           /* put by earlier jobs */
  guint64 n_tuples;           /* put, with @n_before */
  gdouble first_share, share; /* < 0: not known */
  gint64 started_us, ended_us;
  gint64 since_ms;
  GError *error; /* the first error of any worker */
} Job;

struct _KvsqldBackfills
{
  KvsqlStorage *storage;
  KvsqldDefinitions *definitions;
  KvsqlAccount *account; /* nullable */
  GMutex mutex;
  GHashTable
      *jobs; /* schema -> Job; an ended job stays until its schema has another one, or none */
};

static void
job_unref (gpointer data)
{
  Job *self = data;

  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->schema);
  g_object_unref (self->cancellable);
  kvsql_arena_free (self->arena);
  kvsql_arena_free (self->bounds_arena);
  kvsql_arena_free (self->progress_arena);
  kvsqld_parts_free (self->parts);
  g_clear_error (&self->error);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_cond_clear (&self->released);
  g_free (self);
}

static Job *
job_new (KvsqldBackfills *backfills, const gchar *schema)
{
  Job *self = g_new0 (Job, 1);

  g_atomic_ref_count_init (&self->references);
  self->schema = g_strdup (schema);
  self->storage = backfills->storage;
  self->definitions = backfills->definitions;
  self->account = backfills->account;
  self->cancellable = g_cancellable_new ();
  self->arena = kvsql_arena_new ();
  self->bounds_arena = kvsql_arena_new ();
  self->progress_arena = kvsql_arena_new ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  g_cond_init (&self->released);
  self->is_running = TRUE;
  self->phase = "waiting until all daemons write to it";
  self->share = -1;
  self->started_us = g_get_monotonic_time ();
  self->since_ms = g_get_real_time () / 1000;
  return self;
}

static void
set_phase (Job *self, const gchar *phase)
{
  g_mutex_lock (&self->mutex);
  self->phase = phase;
  self->started_us = g_get_monotonic_time ();
  g_mutex_unlock (&self->mutex);
}

/* (transfer full) @error: the first error is kept. No more chunks are read. The other workers write
 * those that they have, because the progress ends before the first chunk that is not done. */
static void
fail (Job *self, GError *error)
{
  g_mutex_lock (&self->mutex);
  if (self->error == NULL)
    self->error = g_steal_pointer (&error);
  g_cond_broadcast (&self->released);
  g_mutex_unlock (&self->mutex);
  g_clear_error (&error);
}

static gboolean
has_failed (Job *self)
{
  gboolean result;

  g_mutex_lock (&self->mutex);
  result = self->error != NULL;
  g_mutex_unlock (&self->mutex);
  return result;
}

static KvsqlCall
new_call (const Job *self)
{
  return (KvsqlCall){ .deadline_us = g_get_monotonic_time () + STEP_US,
                      .cancellable = self->cancellable };
}

/* ---- progress */

/* The mutex is held. */
static void
advance_progress (Job *self)
{
  KvsqldBackfillProgress *progress = &self->progress;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqldPartProgress *parts;
  guint n;

  if (self->parts == NULL || progress->is_sweeping
      || !kvsqld_parts_advance (self->parts, arena, &parts, &n, &progress->n_tuples))
    return;
  /* a primary that was not cut is one part, of which only the position matters */
  progress->position = parts[0].rows.is_part ? (KvsqlScanPosition){ 0 } : parts[0].position;
  progress->parts = parts;
  progress->n_parts = parts[0].rows.is_part ? n : 0;
  kvsql_arena_free (self->progress_arena);
  self->progress_arena = g_steal_pointer (&arena);
  self->has_news = TRUE;
}

/* A copy of the progress to store, if it is time to do so. The caller then calls end_note().
 * (nullable) */
static KvsqldBackfillProgress *
begin_note (Job *self, gboolean is_last, KvsqlArena *arena)
{
  gint64 now = g_get_monotonic_time ();
  KvsqldBackfillProgress *copy = NULL;

  g_mutex_lock (&self->mutex);
  if (self->has_progress && (is_last || (!self->is_noting && now >= self->next_note_us)))
    {
      advance_progress (self);
      if (self->has_news)
        copy = kvsqld_backfill_progress_dup (&self->progress, arena);
    }
  if (copy != NULL)
    {
      self->has_news = FALSE;
      self->is_noting = TRUE;
    }
  g_mutex_unlock (&self->mutex);
  return copy;
}

static void
end_note (Job *self, gboolean is_noted)
{
  gint64 now = g_get_monotonic_time ();

  g_mutex_lock (&self->mutex);
  self->is_noting = FALSE;
  self->has_news = self->has_news || !is_noted;
  self->next_note_us = now + CLAMP (now - self->started_us, SHORTEST_NOTE_US, LONGEST_NOTE_US);
  g_mutex_unlock (&self->mutex);
}

/* Stores the progress if it is time to do so. A registry that is away is no reason to stop: the
 * next attempt is later. */
static void
note (Job *self, gboolean is_last)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqldBackfillProgress *progress = begin_note (self, is_last, arena);
  KvsqlCall call = new_call (self);
  GError *error = NULL;

  if (progress == NULL)
    return;
  if (is_last)
    call = (KvsqlCall){ .deadline_us = g_get_monotonic_time () + LAST_NOTE_US };
  end_note (self, kvsqld_backfill_progress_note (self->definitions, self->schema, progress, &call,
                                                 &error));
  if (g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_CONFLICT)
      || g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_NAME))
    fail (self, g_steal_pointer (&error));
  g_clear_error (&error);
}

/* Finds the start position of the job. */
static gboolean
open_progress (Job *self, GError **error)
{
  KvsqlCall call = new_call (self);
  KvsqldBackfillProgress progress;

  if (!kvsqld_backfill_progress_open (self->definitions, self->schema, &call, self->progress_arena,
                                      &progress, error))
    return FALSE;
  self->has_position = progress.is_sweeping && progress.position.has_row;
  self->position = kvsql_scan_position_dup (&progress.position, self->arena);
  g_mutex_lock (&self->mutex);
  self->progress = progress;
  self->has_progress = TRUE;
  self->first_share = -1;
  self->n_before = self->n_tuples = progress.n_tuples;
  self->next_note_us = g_get_monotonic_time () + SHORTEST_NOTE_US;
  g_mutex_unlock (&self->mutex);
  return TRUE;
}

/* The schema, if it is the one that the job was begun for, and this daemon may write. */
static const KvsqlSchema *
find_schema (Job *self, const KvsqlCatalog *catalog, const KvsqlCatalogEntry **out_entry,
             GError **error)
{
  if (!kvsqld_definitions_may_write (self->definitions, catalog, error)
      || !kvsqld_backfill_progress_check (&self->progress, catalog, self->schema, error))
    return NULL;
  return kvsqld_backfill_find (catalog, self->schema, out_entry, error);
}

/* ---- parts */

static guint
count_workers (const Job *self)
{
  const KvsqlStore *store = kvsql_storage_get_store (self->storage);
  gboolean is_remote = (store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) == 0;

  return is_remote ? MAX_WORKERS : MIN (g_get_num_processors (), 2);
}

/* Cuts what is left of the primary, if it was not cut yet. Bytes are in @arena. */
static gboolean
cut (Job *self, const KvsqlCatalogEntry *entry, KvsqldBackfillProgress *inout, KvsqlArena *arena,
     GError **error)
{
  KvsqlCall call = new_call (self);
  KvsqlScanPart *parts;
  guint n;

  if (inout->n_parts > 0)
    return TRUE;
  if (!kvsql_primary_cut (self->storage, entry, inout->position.has_row ? &inout->position : NULL,
                          count_workers (self) * PARTS_PER_WORKER, &call, arena, &parts, &n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (parts[i].rows.start.size > LONGEST_KEY || parts[i].name.size > LONGEST_KEY)
      return TRUE;
  inout->parts = kvsql_arena_array (arena, KvsqldPartProgress, n);
  inout->n_parts = n;
  for (guint i = 0; i < n; i++)
    inout->parts[i].rows = parts[i];
  if (n > 0)
    inout->parts[0].position = inout->position;
  return TRUE;
}

/* The mutex is held. */
static void
measure (Job *self)
{
  if (!self->has_bounds)
    return;
  self->share = kvsqld_parts_get_share (self->parts, &self->bounds);
  if (self->first_share < 0)
    self->first_share = self->share;
}

static gboolean
open_parts_of (Job *self, const KvsqlCatalog *catalog, GError **error)
{
  KvsqlCall call = new_call (self);
  KvsqldBackfillProgress progress = self->progress;
  const KvsqldPartProgress whole = { .position = progress.position };
  const KvsqlCatalogEntry *entry;

  if (find_schema (self, catalog, &entry, error) == NULL
      || !cut (self, entry, &progress, self->arena, error))
    return FALSE;
  self->has_bounds
      = kvsql_primary_bounds (self->storage, entry, &call, self->bounds_arena, &self->bounds);
  g_mutex_lock (&self->mutex);
  self->parts = progress.n_parts > 0 ? kvsqld_parts_new (progress.parts, progress.n_parts)
                                     : kvsqld_parts_new (&whole, 1);
  measure (self);
  g_mutex_unlock (&self->mutex);
  return TRUE;
}

static gboolean
open_parts (Job *self, GError **error)
{
  KvsqlCatalog *catalog = kvsqld_definitions_enter (self->definitions);
  gboolean ok = open_parts_of (self, catalog, error);

  kvsqld_definitions_leave (self->definitions, catalog);
  return ok;
}

/* Waits while other workers read all parts that are left. NULL: there is nothing left to read, or
 * the job has failed. */
static KvsqldPart *
take_part (Job *self)
{
  KvsqldPart *part = NULL;
  gboolean is_over = FALSE;

  g_mutex_lock (&self->mutex);
  while (part == NULL && !is_over && self->error == NULL)
    {
      part = kvsqld_parts_take (self->parts, &is_over);
      if (part == NULL && !is_over)
        g_cond_wait (&self->released, &self->mutex);
    }
  g_mutex_unlock (&self->mutex);
  return part;
}

static KvsqldMark *
release_part (Job *self, KvsqldPart *part, const KvsqlTupleChunk *chunk)
{
  KvsqldMark *mark = NULL;

  g_mutex_lock (&self->mutex);
  if (chunk != NULL)
    mark = kvsqld_part_release (part, chunk->has_next ? &chunk->next : NULL, chunk->tuples->len);
  else
    kvsqld_part_return (part);
  measure (self);
  g_cond_broadcast (&self->released);
  g_mutex_unlock (&self->mutex);
  return mark;
}

/* ---- a worker */

typedef struct
{
  KvsqlCatalog *catalog;
  const KvsqlCatalogEntry *entry;
  const KvsqlSchema *schema;
  KvsqlTupleChunk *chunk;
  KvsqldPart *part;
  KvsqldMark *mark;
} Portion;

static KvsqlTupleChunk *
read_chunk (Job *self, Portion *portion, GError **error)
{
  KvsqlCall call = new_call (self);

  if (!kvsql_call_check (&call, error))
    return NULL;
  portion->schema = find_schema (self, portion->catalog, &portion->entry, error);
  if (portion->schema == NULL)
    return NULL;
  return kvsql_tuple_chunk_read (
      self->storage, portion->entry, kvsqld_part_get_rows (portion->part),
      kvsqld_part_get_position (portion->part),
      GATHER_BYTES / MIN (count_workers (self), kvsqld_parts_count (self->parts)), &call, error);
}

static gboolean
write_portion (Job *self, const Portion *portion, GError **error)
{
  KvsqlCall call = new_call (self);
  KvsqlComparison comparison = { .storage = self->storage,
                                 .entry = portion->entry,
                                 .schema = portion->schema,
                                 .call = &call,
                                 .repairs = TRUE };
  guint64 n = portion->chunk->tuples->len;

  if (portion->schema->options.state == KVSQL_STATE_REBUILDING
          ? !kvsql_compare_tuples (&comparison, portion->chunk, error)
          : !kvsql_backfill_chunk (portion->chunk, self->storage, portion->entry, portion->schema,
                                   &call, &n, error))
    return FALSE;
  g_mutex_lock (&self->mutex);
  self->n_tuples += n;
  kvsqld_part_end (portion->part, portion->mark);
  g_mutex_unlock (&self->mutex);
  return TRUE;
}

/* One chunk of a part that this worker has taken. */
static gboolean
do_portion (Job *self, KvsqldPart *part, GError **error)
{
  Portion portion = { .catalog = kvsqld_definitions_enter (self->definitions), .part = part };
  gboolean ok;

  portion.chunk = read_chunk (self, &portion, error);
  portion.mark = release_part (self, part, portion.chunk);
  ok = portion.chunk != NULL && write_portion (self, &portion, error);
  kvsql_tuple_chunk_free (portion.chunk);
  kvsqld_definitions_leave (self->definitions, portion.catalog);
  return ok;
}

static void
work (gpointer data, gpointer unused)
{
  Job *self = data;
  KvsqlAccount *before = kvsql_account_enter (self->account);
  GError *error = NULL;
  KvsqldPart *part;

  while (error == NULL && (part = take_part (self)) != NULL)
    if (do_portion (self, part, &error))
      note (self, FALSE);
  if (error != NULL)
    fail (self, error);
  kvsql_account_enter (before);
}

static void
fill (Job *self)
{
  guint n = count_workers (self) - 1;
  GThreadPool *workers = g_thread_pool_new (work, NULL, (gint)n, FALSE, NULL);

  for (guint i = 0; i < n; i++)
    g_thread_pool_push (workers, self, NULL);
  work (self, NULL);
  /* a worker that has not begun would find nothing left to read */
  g_thread_pool_free (workers, TRUE, TRUE);
}

/* ---- older cells */

/* The position of the second pass. */
static void
store_progress (Job *self)
{
  g_mutex_lock (&self->mutex);
  kvsql_arena_reset (self->progress_arena);
  self->progress.is_sweeping = TRUE;
  self->progress.n_parts = 0;
  self->progress.position = (KvsqlScanPosition){ 0 };
  if (self->has_position)
    self->progress.position = kvsql_scan_position_dup (&self->position, self->progress_arena);
  self->progress.n_tuples = self->n_tuples;
  self->has_news = TRUE;
  g_mutex_unlock (&self->mutex);
}

/* TRUE with *out_has_next while there is more. */
static gboolean
sweep_step (Job *self, gboolean *out_has_next, GError **error)
{
  KvsqlCatalog *catalog = kvsqld_definitions_enter (self->definitions);
  KvsqlCall call = new_call (self);
  KvsqlComparison comparison = { .storage = self->storage, .call = &call, .repairs = TRUE };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlScanPosition next;
  guint64 n;
  gboolean ok;

  *out_has_next = FALSE;
  comparison.schema = find_schema (self, catalog, &comparison.entry, error);
  ok = comparison.schema != NULL;
  if (ok && comparison.schema->options.state == KVSQL_STATE_REBUILDING)
    ok = kvsql_compare_cells (&comparison, self->has_position ? &self->position : NULL, arena,
                              out_has_next, &next, &n, error);
  kvsqld_definitions_leave (self->definitions, catalog);
  if (!ok)
    return FALSE;
  kvsql_arena_reset (self->arena);
  self->has_position = *out_has_next;
  if (*out_has_next)
    {
      self->position = kvsql_scan_position_dup (&next, self->arena);
      store_progress (self);
    }
  return TRUE;
}

/* Removes older cells in the tables that belong to no tuple. */
static gboolean
sweep (Job *self, GError **error)
{
  gboolean has_next = TRUE;

  if (!self->progress.is_sweeping)
    {
      self->has_position = FALSE;
      store_progress (self);
    }
  while (has_next && !has_failed (self))
    {
      if (!sweep_step (self, &has_next, error))
        return FALSE;
      note (self, FALSE);
    }
  return TRUE;
}

/* ---- the job */

/* Begins to write the schema. */
static gboolean
begin_writing (Job *self, GError **error)
{
  KvsqlCall call = new_call (self);

  return kvsqld_backfill_begin (self->definitions, self->storage, self->schema, LOG_WAIT_US, &call,
                                error);
}

/* Waits until all daemons write to the schema. It is the one that open_progress() has found, or
 * else reading the first portion fails. */
static gboolean
await_all_daemons (Job *self, GError **error)
{
  KvsqlCall call = new_call (self);
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->definitions);
  const KvsqlCatalogEntry *entry;

  return find_schema (self, catalog, &entry, error) != NULL
         && kvsqld_backfill_await (self->definitions, self->storage, catalog, entry->relation,
                                   LOG_WAIT_US, 0, &call, error);
}

/* An error of fill() is kept in the job. */
static gboolean
fill_and_finish (Job *self, GError **error)
{
  KvsqlCall call;

  if (!begin_writing (self, error) || !open_progress (self, error)
      || !await_all_daemons (self, error))
    return FALSE;
  set_phase (self, "filling");
  if (!self->progress.is_sweeping && !open_parts (self, error))
    return FALSE;
  if (!self->progress.is_sweeping)
    fill (self);
  if (has_failed (self))
    return TRUE;
  if (!sweep (self, error))
    return FALSE;
  if (has_failed (self))
    return TRUE;
  call = new_call (self);
  return kvsqld_backfill_finish (self->definitions, self->schema, &self->progress, &call, error);
}

static gpointer
run (gpointer data)
{
  Job *self = data;
  GError *error = NULL;

  if (!fill_and_finish (self, &error))
    fail (self, error);
  if (has_failed (self))
    note (self, TRUE);
  g_mutex_lock (&self->mutex);
  self->is_running = FALSE;
  self->ended_us = g_get_monotonic_time ();
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  job_unref (self);
  return NULL;
}

/* ---- all jobs */

KvsqldBackfills *
kvsqld_backfills_new (KvsqlStorage *storage, KvsqldDefinitions *definitions, KvsqlAccount *account)
{
  KvsqldBackfills *self = g_new0 (KvsqldBackfills, 1);

  self->storage = storage;
  self->definitions = definitions;
  self->account = account;
  g_mutex_init (&self->mutex);
  self->jobs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, job_unref);
  return self;
}

static void
join (Job *job)
{
  if (job->thread != NULL)
    g_thread_join (g_steal_pointer (&job->thread));
}

void
kvsqld_backfills_free (KvsqldBackfills *self)
{
  GHashTableIter iter;
  gpointer job;

  if (self == NULL)
    return;
  g_hash_table_iter_init (&iter, self->jobs);
  while (g_hash_table_iter_next (&iter, NULL, &job))
    {
      g_cancellable_cancel (((Job *)job)->cancellable);
      join (job);
    }
  g_hash_table_unref (self->jobs);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static gboolean
is_running (Job *job)
{
  gboolean result;

  g_mutex_lock (&job->mutex);
  result = job->is_running;
  g_mutex_unlock (&job->mutex);
  return result;
}

/* Each schema that is defined may have had a job. The mutex is held. */
static void
remove_ended (KvsqldBackfills *self, const KvsqlCatalog *catalog)
{
  const KvsqlCatalogEntry *entry;
  GHashTableIter iter;
  gpointer schema, job;

  g_hash_table_iter_init (&iter, self->jobs);
  while (g_hash_table_iter_next (&iter, &schema, &job))
    {
      if (is_running (job))
        continue;
      join (job);
      if (kvsqld_backfill_find (catalog, schema, &entry, NULL) == NULL)
        g_hash_table_iter_remove (&iter);
    }
}

void
kvsqld_backfills_start (KvsqldBackfills *self, const gchar *schema)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->definitions);
  Job *job;

  g_mutex_lock (&self->mutex);
  remove_ended (self, catalog);
  job = g_hash_table_lookup (self->jobs, schema);
  if (job == NULL || !is_running (job))
    {
      job = job_new (self, schema);
      g_atomic_ref_count_inc (&job->references);
      /* runs for as long as the job, and is joined before the job is started again */
      job->thread = g_thread_new ("backfill", run, job);
      g_hash_table_replace (self->jobs, g_strdup (schema), job);
    }
  g_mutex_unlock (&self->mutex);
}

gboolean
kvsqld_backfills_wait (KvsqldBackfills *self, const gchar *schema, gint64 until_us,
                       KvsqldBackfillState *out)
{
  Job *job;

  g_mutex_lock (&self->mutex);
  job = g_hash_table_lookup (self->jobs, schema);
  if (job != NULL)
    g_atomic_ref_count_inc (&job->references);
  g_mutex_unlock (&self->mutex);
  if (job == NULL)
    return FALSE;
  g_mutex_lock (&job->mutex);
  while (job->is_running && g_cond_wait_until (&job->changed, &job->mutex, until_us))
    ;
  *out = (KvsqldBackfillState){ .is_running = job->is_running,
                                .phase = job->phase,
                                .n_before = job->n_before,
                                .n_tuples = job->n_tuples,
                                .first_share = job->first_share,
                                .share = job->share,
                                .since_ms = job->since_ms };
  if (!job->is_running && job->error != NULL)
    out->error = g_error_copy (job->error);
  out->elapsed_us = (job->is_running ? g_get_monotonic_time () : job->ended_us) - job->started_us;
  g_mutex_unlock (&job->mutex);
  job_unref (job);
  return TRUE;
}

void
kvsqld_backfill_state_clear (KvsqldBackfillState *self)
{
  g_clear_error (&self->error);
}
