/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backfill.c: the jobs.
 *
 * A job's workers take turns reading the next chunk of the primary and write side by side what they
 * have read. A chunk is read and written under the newest definitions, and counts as a statement of
 * them. If the schema is defined anew or dropped, the job ends.
 */
#include "config.h"

#include "core/exec/backfill.h"
#include "core/exec/compare.h"
#include "daemon/backfill-private.h"

#define MAX_WORKERS 4
#define STEP_US (60 * G_TIME_SPAN_SECOND)
#define GATHER_BYTES (256 * 1024 * 1024)

typedef struct
{
  gatomicrefcount references;
  gchar *schema; /* folded */
  KvsqlEngine *engine;
  KvsqldDefinitions *definitions;
  GCancellable *cancellable;
  GThread *thread;

  GMutex reading; /* taken while a chunk is read; protects up to @bounds */
  KvsqlArena *arena;
  gboolean has_position;
  KvsqlScanPosition position; /* of the next chunk */
  gboolean is_at_end;
  gboolean has_bounds;
  KvsqlArena *bounds_arena;
  KvsqlRowRange bounds; /* of the primary, when it began */

  GMutex mutex; /* protects all below; a leaf */
  GCond changed;
  gboolean is_running;
  const gchar *phase;
  guint64 n_tuples;
  gdouble share;
  gint64 started_us, ended_us;
  GError *error; /* the first of any worker */
} Job;

struct _KvsqldBackfills
{
  KvsqlEngine *engine;
  KvsqldDefinitions *definitions;
  GMutex mutex;
  GHashTable *jobs; /* schema -> Job; those that have ended too, until the next of that schema */
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
  g_clear_error (&self->error);
  g_mutex_clear (&self->reading);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}

static Job *
job_new (KvsqldBackfills *backfills, const gchar *schema)
{
  Job *self = g_new0 (Job, 1);

  g_atomic_ref_count_init (&self->references);
  self->schema = g_strdup (schema);
  self->engine = backfills->engine;
  self->definitions = backfills->definitions;
  self->cancellable = g_cancellable_new ();
  self->arena = kvsql_arena_new ();
  self->bounds_arena = kvsql_arena_new ();
  g_mutex_init (&self->reading);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->is_running = TRUE;
  self->phase = "waiting until everybody writes to it";
  self->share = -1;
  self->started_us = g_get_monotonic_time ();
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

/* (transfer full) @error: the first one is kept, and ends the others' work. */
static void
fail (Job *self, GError *error)
{
  g_mutex_lock (&self->mutex);
  if (self->error == NULL)
    self->error = g_steal_pointer (&error);
  g_mutex_unlock (&self->mutex);
  g_clear_error (&error);
  g_cancellable_cancel (self->cancellable);
}

static KvsqlCall
new_call (const Job *self)
{
  return (KvsqlCall){ .deadline_us = g_get_monotonic_time () + STEP_US,
                      .cancellable = self->cancellable };
}

/* ---- a worker */

typedef struct
{
  KvsqlCatalog *catalog;
  const KvsqlCatalogEntry *entry;
  const KvsqlSchema *schema;
  KvsqlTupleChunk *chunk;
} Portion;

static gboolean
check_state (const KvsqlSchema *schema, GError **error)
{
  if (schema->options.state == KVSQL_STATE_BUILDING
      || schema->options.state == KVSQL_STATE_REBUILDING)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_CONFLICT, KVSQL_SPAN_NONE,
                          "schema \"%s\" was defined anew, or filled by another, meanwhile",
                          schema->name);
}

static void
measure (Job *self, const Portion *portion)
{
  KvsqlCall call = new_call (self);
  gdouble share;

  if (!self->has_position)
    return;
  if (!self->has_bounds
      && !kvsql_primary_bounds (self->engine, portion->entry, &call, self->bounds_arena,
                                &self->bounds))
    return;
  self->has_bounds = TRUE;
  share = kvsql_row_share (&self->bounds, self->position.row);
  g_mutex_lock (&self->mutex);
  self->share = share;
  g_mutex_unlock (&self->mutex);
}

/* One at a time. FALSE without an error: there is nothing left. */
static gboolean
read_portion (Job *self, Portion *out, GError **error)
{
  KvsqlCall call = new_call (self);

  if (self->is_at_end || !kvsql_call_check (&call, error))
    return FALSE;
  out->schema = kvsqld_backfill_find (out->catalog, self->schema, &out->entry, error);
  if (out->schema == NULL || !check_state (out->schema, error))
    return FALSE;
  out->chunk = kvsql_tuple_chunk_read (self->engine, out->entry,
                                       self->has_position ? &self->position : NULL, GATHER_BYTES,
                                       &call, error);
  if (out->chunk == NULL)
    return FALSE;
  self->is_at_end = !out->chunk->has_next;
  kvsql_arena_reset (self->arena);
  self->has_position = out->chunk->has_next;
  if (self->has_position)
    self->position = kvsql_scan_position_dup (&out->chunk->next, self->arena);
  measure (self, out);
  return TRUE;
}

static gboolean
write_portion (Job *self, const Portion *portion, GError **error)
{
  KvsqlCall call = new_call (self);
  KvsqlComparison comparison = { .engine = self->engine,
                                 .entry = portion->entry,
                                 .schema = portion->schema,
                                 .call = &call,
                                 .mends = TRUE };
  guint64 n = portion->chunk->tuples->len;

  if (portion->schema->options.state == KVSQL_STATE_REBUILDING
          ? !kvsql_compare_tuples (&comparison, portion->chunk, error)
          : !kvsql_backfill_chunk (portion->chunk, self->engine, portion->entry, portion->schema,
                                   &call, &n, error))
    return FALSE;
  g_mutex_lock (&self->mutex);
  self->n_tuples += n;
  g_mutex_unlock (&self->mutex);
  return TRUE;
}

static gpointer
work (gpointer data)
{
  Job *self = data;
  gboolean has_more = TRUE;

  while (has_more)
    {
      Portion portion = { .catalog = kvsqld_definitions_enter (self->definitions) };
      GError *error = NULL;

      g_mutex_lock (&self->reading);
      has_more = read_portion (self, &portion, &error);
      g_mutex_unlock (&self->reading);
      if (has_more)
        has_more = write_portion (self, &portion, &error);
      kvsql_tuple_chunk_free (portion.chunk);
      kvsqld_definitions_leave (self->definitions, portion.catalog);
      if (error != NULL)
        fail (self, error);
    }
  return NULL;
}

static void
fill (Job *self)
{
  GThread *workers[MAX_WORKERS - 1];
  const KvsqlStore *store = kvsql_engine_get_store (self->engine);
  gboolean is_remote = (store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) == 0;
  guint n = is_remote ? MAX_WORKERS - 1 : MIN (g_get_num_processors (), 2) - 1;

  for (guint i = 0; i < n; i++)
    workers[i] = g_thread_new ("backfill", work, self);
  work (self);
  for (guint i = 0; i < n; i++)
    g_thread_join (workers[i]);
}

/* ---- what was there before */

/* TRUE with *out_has_next while there is more. */
static gboolean
sweep_step (Job *self, gboolean *out_has_next, GError **error)
{
  KvsqlCatalog *catalog = kvsqld_definitions_enter (self->definitions);
  KvsqlCall call = new_call (self);
  KvsqlComparison comparison = { .engine = self->engine, .call = &call, .mends = TRUE };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlScanPosition next;
  guint64 n;
  gboolean ok;

  *out_has_next = FALSE;
  comparison.schema = kvsqld_backfill_find (catalog, self->schema, &comparison.entry, error);
  ok = comparison.schema != NULL && check_state (comparison.schema, error);
  if (ok && comparison.schema->options.state == KVSQL_STATE_REBUILDING)
    ok = kvsql_compare_cells (&comparison, self->has_position ? &self->position : NULL, arena,
                              out_has_next, &next, &n, error);
  kvsqld_definitions_leave (self->definitions, catalog);
  if (!ok)
    return FALSE;
  kvsql_arena_reset (self->arena);
  self->has_position = *out_has_next;
  if (*out_has_next)
    self->position = kvsql_scan_position_dup (&next, self->arena);
  return TRUE;
}

/* Removes the entries that the tables held before and that no tuple has. */
static gboolean
sweep (Job *self, GError **error)
{
  gboolean has_next = TRUE;

  self->has_position = FALSE;
  while (has_next)
    if (!sweep_step (self, &has_next, error))
      return FALSE;
  return TRUE;
}

/* ---- the job */

static gboolean
await_everybody (Job *self, GError **error)
{
  KvsqlCall call = new_call (self);
  g_autoptr (KvsqlCatalog) catalog = NULL;

  if (!kvsqld_backfill_begin (self->definitions, self->engine, self->schema, &call, error))
    return FALSE;
  catalog = kvsqld_definitions_get (self->definitions);
  return kvsqld_definitions_await (self->definitions, catalog->epoch, &call, error);
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

static gpointer
run (gpointer data)
{
  Job *self = data;
  GError *error = NULL;

  if (await_everybody (self, &error))
    {
      set_phase (self, "filling");
      fill (self);
      if (!has_failed (self) && sweep (self, &error))
        {
          KvsqlCall call = new_call (self);
          kvsqld_backfill_finish (self->definitions, self->schema, &call, &error);
        }
    }
  if (error != NULL)
    fail (self, error);
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
kvsqld_backfills_new (KvsqlEngine *engine, KvsqldDefinitions *definitions)
{
  KvsqldBackfills *self = g_new0 (KvsqldBackfills, 1);

  self->engine = engine;
  self->definitions = definitions;
  g_mutex_init (&self->mutex);
  self->jobs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, job_unref);
  return self;
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
      g_thread_join (((Job *)job)->thread);
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

void
kvsqld_backfills_start (KvsqldBackfills *self, const gchar *schema)
{
  Job *job;

  g_mutex_lock (&self->mutex);
  job = g_hash_table_lookup (self->jobs, schema);
  if (job == NULL || !is_running (job))
    {
      if (job != NULL)
        g_thread_join (job->thread);
      job = job_new (self, schema);
      g_atomic_ref_count_inc (&job->references);
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
                                .n_tuples = job->n_tuples,
                                .share = job->share,
                                .error = job->error == NULL ? NULL : g_error_copy (job->error) };
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

GPtrArray *
kvsqld_backfills_list (KvsqldBackfills *self)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer name, job;

  g_mutex_lock (&self->mutex);
  g_hash_table_iter_init (&iter, self->jobs);
  while (g_hash_table_iter_next (&iter, &name, &job))
    if (is_running (job))
      g_ptr_array_add (names, g_strdup (name));
  g_mutex_unlock (&self->mutex);
  return names;
}
