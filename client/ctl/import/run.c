/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * run.c: imports the rows of a file into a relation.
 *
 * This thread reads the rows, gives batches to the pool and takes them back in their order. Each
 * returned batch moves the offset up to which everything is done, which the state records.
 */
#include "config.h"

#include "client/ctl/import/run.h"

#include "client/ctl/terminal/interrupt.h"

#define BATCH_BYTES (1024 * 1024)
#define WAIT_MS 100
/* After Ctrl-C running requests may finish in this time. */
#define GRACE_US (3 * G_USEC_PER_SEC)

typedef struct
{
  KvsqlctlImport *import;
  KvsqlctlPool *pool;
  KvsqlctlBatch *batch; /* being filled */
  KvsqlctlField *fields;
  gint64 interrupted_us; /* time of Ctrl-C; 0: none */
} Run;

/* A second Ctrl-C cancels at once. */
static void
notice_interrupt (Run *self)
{
  gboolean is_new = kvsqlctl_interrupt_take ();
  gint64 now;

  if (!is_new && self->interrupted_us == 0)
    return;
  now = g_get_monotonic_time ();
  if (self->interrupted_us == 0)
    self->interrupted_us = now;
  else if (is_new || now - self->interrupted_us > GRACE_US)
    kvsqlctl_pool_cancel (self->pool);
}

/* ---- returned batches */

static gboolean
report_rejects (KvsqlctlImport *self, const KvsqlctlBatch *batch, guint64 *out_n, GError **error)
{
  *out_n = 0;
  for (guint i = 0; i < batch->rows->len; i++)
    {
      const KvsqlctlRow *row = &g_array_index (batch->rows, KvsqlctlRow, i);

      if (row->problem.message == NULL)
        continue;
      kvsqlctl_progress_hide (self->progress);
      if (!kvsqlctl_rejects_add (self->rejects, row, kvsqlctl_batch_get_bytes (batch, row), error))
        return FALSE;
      ++*out_n;
      if (self->options.max_errors >= 0
          && self->state->n_rejected + *out_n > (guint64)self->options.max_errors)
        {
          g_set_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_LIMIT,
                       "%" G_GINT64_FORMAT " wrong row%s, which is more than --max-errors allows",
                       self->options.max_errors + 1, self->options.max_errors == 0 ? "" : "s");
          return FALSE;
        }
    }
  return TRUE;
}

/* Takes the oldest batch, if it is done within @wait_ms. */
static gboolean
take_back (Run *self, guint wait_ms, GError **error)
{
  KvsqlctlImport *import = self->import;
  KvsqlctlState *state = import->state;
  g_autoptr (GError) cause = NULL;
  g_autoptr (KvsqlctlBatch) batch = NULL;
  guint64 n_rejected;

  notice_interrupt (self);
  batch = kvsqlctl_pool_take (self->pool, wait_ms, &cause);
  kvsqlctl_progress_show (import->progress, state->offset, state->n_rows);
  if (cause != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&cause));
      return FALSE;
    }
  if (batch == NULL)
    return TRUE;
  if (!report_rejects (import, batch, &n_rejected, error))
    return FALSE;
  state->offset = batch->end_offset;
  state->line = batch->end_line;
  state->n_rows += batch->n_written;
  state->n_rejected += n_rejected;
  return kvsqlctl_state_save_now_and_then (state, import->rejects, error);
}

static gboolean
take_all_back (Run *self, GError **error)
{
  while (!kvsqlctl_pool_is_empty (self->pool))
    if (!take_back (self, WAIT_MS, error))
      return FALSE;
  return TRUE;
}

/* ---- sending */

static gboolean
give (Run *self, GError **error)
{
  if (self->batch == NULL)
    return TRUE;
  while (!kvsqlctl_pool_has_room (self->pool))
    if (!take_back (self, WAIT_MS, error))
      return FALSE;
  kvsqlctl_pool_give (self->pool, g_steal_pointer (&self->batch));
  return take_back (self, 0, error);
}

static gboolean
is_full (const Run *self)
{
  return self->batch != NULL
         && (self->batch->rows->len >= self->import->options.batch_rows
             || self->batch->bytes->len >= BATCH_BYTES);
}

/* A row waits while its key is in an unfinished batch. */
static gboolean
wait_for_key (Run *self, guint64 key, GError **error)
{
  while (kvsqlctl_pool_has_key (self->pool, key))
    if (!take_back (self, WAIT_MS, error))
      return FALSE;
  return TRUE;
}

static gboolean
add_row (Run *self, KvsqlctlProblem *problem, GError **error)
{
  const KvsqlctlReader *reader = self->import->reader;
  const KvsqlctlField *fields = problem == NULL ? self->fields : NULL;
  guint64 key = 0;

  if (is_full (self)
      || (fields != NULL && self->batch != NULL && !kvsqlctl_batch_fits (self->batch, fields)))
    if (!give (self, error))
      return FALSE;
  /* after the wait: the batch that was given in between may have the key */
  if (fields != NULL)
    {
      key = kvsqlctl_hash_key (self->import->target, &reader->record, reader->bytes, fields);
      if (!wait_for_key (self, key, error))
        return FALSE;
    }
  if (self->batch == NULL)
    self->batch = kvsqlctl_batch_new (self->import->target);
  if (fields != NULL)
    g_array_append_val (self->batch->keys, key);
  kvsqlctl_batch_add (self->batch, reader, fields, problem);
  return TRUE;
}

/* ---- reading */

static gboolean
add_bad (Run *self, GError **error)
{
  const KvsqlctlRecord *record = &self->import->reader->record;
  KvsqlctlProblem problem = { g_strdup (record->problem), g_strdup (record->hint), record->place };

  return add_row (self, &problem, error);
}

static gboolean
add_record (Run *self, GError **error)
{
  KvsqlctlImport *import = self->import;
  const KvsqlctlReader *reader = import->reader;
  KvsqlctlProblem problem = { 0 };

  if (kvsqlctl_target_arrange (import->target, &reader->record, reader->bytes,
                               reader->file_format.format == KVSQLCTL_FORMAT_NDJSON, self->fields,
                               &problem))
    return add_row (self, NULL, error);
  return add_row (self, &problem, error);
}

/* For a relation with one column an empty line is an empty value. */
static gboolean
is_row (const KvsqlctlImport *self)
{
  return self->target->fields->len == 1
         && self->reader->file_format.format != KVSQLCTL_FORMAT_NDJSON
         && self->reader->bytes[0] != '\\';
}

/* One step: reads a row, or waits for one. */
static gboolean
read_next (Run *self, gboolean *out_is_end, GError **error)
{
  switch (kvsqlctl_reader_next (self->import->reader, error))
    {
    case KVSQLCTL_READ_RECORD:
      return add_record (self, error);
    case KVSQLCTL_READ_EMPTY:
      return !is_row (self->import) || add_record (self, error);
    case KVSQLCTL_READ_BAD:
      return add_bad (self, error);
    case KVSQLCTL_READ_NOTHING:
      kvsqlctl_progress_show (self->import->progress, self->import->state->offset,
                              self->import->state->n_rows);
      return kvsqlctl_pool_is_empty (self->pool) ? give (self, error) : take_back (self, 0, error);
    case KVSQLCTL_READ_END:
      *out_is_end = TRUE;
      return give (self, error);
    default:
      return FALSE;
    }
}

static gboolean
read_all (Run *self, GError **error)
{
  gboolean is_end = FALSE, ok = TRUE;

  while (ok && !is_end && self->interrupted_us == 0)
    {
      ok = read_next (self, &is_end, error);
      notice_interrupt (self);
    }
  ok = ok && take_all_back (self, error);
  if (self->interrupted_us == 0 || (ok && is_end))
    return ok;
  g_clear_error (error);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "interrupted");
  return FALSE;
}

gboolean
kvsqlctl_import_run (KvsqlctlImport *self, GError **error)
{
  KvsqlctlPool *pool
      = kvsqlctl_pool_new (self->ctl, self->options.n_jobs, self->options.retry_ms, error);
  Run run = { .import = self, .pool = pool };
  gboolean ok;

  if (pool == NULL)
    return FALSE;
  run.fields = g_new0 (KvsqlctlField, self->target->columns->len);
  ok = read_all (&run, error);
  kvsqlctl_progress_hide (self->progress);
  kvsqlctl_batch_free (run.batch);
  kvsqlctl_pool_free (pool);
  g_free (run.fields);
  return ok;
}
