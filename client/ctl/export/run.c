/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * run.c: threads that fetch the parts of a result and write them.
 *
 * Each thread has a connection of its own and takes the first free part, so that the earlier parts
 * finish first. A thread fetches a page while it writes the one before. The calling thread shows
 * the progress of all, and saves the state once a second.
 */
#include "config.h"

#include "client/ctl/export/run.h"

#include "client/ctl/terminal/interrupt.h"
#include "client/ctl/retry-policy.h"
#include "client/ctl/terminal/writer.h"

#define WAIT_US (G_USEC_PER_SEC / 10)

typedef struct
{
  KvsqlctlExport *export;
  KvsqlctlRetryPolicy retry_policy;
  gint should_stop;

  GMutex lock; /* guards the members below */
  GCond changed;
  guint next_part;
  guint n_working;
  GError *failure;
} Run;

typedef struct
{
  Run *run;
  KvsqlConnection *connection;
  KvsqlStatement *statement; /* NULL until it is needed */
  guint part;
} Worker;

static void
stop (Run *run, GError *failure)
{
  g_mutex_lock (&run->lock);
  if (run->failure == NULL)
    run->failure = failure;
  else
    g_error_free (failure);
  g_mutex_unlock (&run->lock);
  g_atomic_int_set (&run->should_stop, TRUE);
  g_cancellable_cancel (run->retry_policy.cancellable);
}

/* ---- fetching */

static gboolean
prepare (Worker *self, GError **error)
{
  if (self->statement == NULL)
    self->statement = kvsql_connection_prepare (self->connection, self->run->export->sql,
                                                self->run->retry_policy.cancellable, error);
  return self->statement != NULL;
}

static KvsqlResult *
begin_with_retries (Worker *self, GBytes *cursor, GError **error)
{
  GCancellable *cancellable = self->run->retry_policy.cancellable;

  if (cursor == NULL)
    return kvsql_connection_query (self->connection, self->run->export->sql, NULL, cancellable,
                                   error);
  return prepare (self, error)
             ? kvsql_statement_resume (self->statement, cursor, cancellable, error)
             : NULL;
}

/* A statement that was run may have written something. It is repeated only if the error says that
 * this is safe. */
static gboolean
may_repeat (Worker *self, gboolean is_fetch, const GError *cause, KvsqlctlBackoff *backoff)
{
  return (is_fetch ? kvsqlctl_error_is_transient (cause) : kvsql_client_error_is_retryable (cause))
         && kvsqlctl_retry_policy_wait (&self->run->retry_policy, backoff);
}

static KvsqlResult *
begin (Worker *self, GBytes *cursor, GError **error)
{
  KvsqlctlBackoff backoff = { 0 };

  for (;;)
    {
      g_autoptr (GError) cause = NULL;
      KvsqlResult *result = begin_with_retries (self, cursor, &cause);

      if (result != NULL || !may_repeat (self, cursor != NULL, cause, &backoff))
        {
          if (result == NULL)
            g_propagate_error (error, g_steal_pointer (&cause));
          return result;
        }
    }
}

static gboolean
next_page (Worker *self, KvsqlResult *result, GError **error)
{
  KvsqlctlBackoff backoff = { 0 };

  for (;;)
    {
      g_autoptr (GError) cause = NULL;

      if (kvsql_result_next_page (result, self->run->retry_policy.cancellable, &cause))
        return TRUE;
      if (!may_repeat (self, TRUE, cause, &backoff))
        {
          g_propagate_error (error, g_steal_pointer (&cause));
          return FALSE;
        }
    }
}

/* ---- rows */

/* Rows that are being written. */
typedef struct
{
  KvsqlResult *result;
  KvsqlctlWriter *writer;
  guint n_columns;
  const gchar **texts;
  GString **hex; /* for BYTES */
} Rows;

/* Bytes are written as in PostgreSQL, \x00ff, which kvsqlctl and other programs can read. */
static const gchar *
text_of (KvsqlResult *result, guint column, GString *hex)
{
  const gchar *text = kvsql_result_get_text (result, column);
  gsize size = text != NULL ? strlen (text) : 0;

  if (kvsql_result_get_column_type (result, column) != KVSQL_COLUMN_TYPE_BYTES || size < 3)
    return text;
  g_string_assign (hex, "\\x");
  g_string_append_len (hex, text + 2, (gssize)size - 3);
  return hex->str;
}

static void
write_page (Rows *self)
{
  for (guint left = kvsql_result_get_n_page_rows (self->result); left > 0; left--)
    {
      if (!kvsql_result_next (self->result, NULL))
        return;
      for (guint i = 0; i < self->n_columns; i++)
        self->texts[i] = text_of (self->result, i, self->hex[i]);
      kvsqlctl_writer_row (self->writer, self->texts);
    }
}

/* Only the first part has a header, and only at its start. */
static KvsqlctlWriter *
begin_rows (Worker *self, KvsqlResult *result)
{
  const KvsqlctlExportPart *part = &self->run->export->file->parts[self->part];
  KvsqlctlFileFormat file_format = *self->run->export->file_format;
  guint n = kvsql_result_get_n_columns (result);
  g_autofree KvsqlctlColumn *columns = g_new0 (KvsqlctlColumn, n);
  KvsqlctlWriter *writer;

  for (guint i = 0; i < n; i++)
    {
      KvsqlColumnType type = kvsql_result_get_column_type (result, i);

      columns[i]
          = (KvsqlctlColumn){ kvsql_result_get_column_name (result, i),
                              type == KVSQL_COLUMN_TYPE_BYTES ? KVSQL_COLUMN_TYPE_STRING : type };
    }
  file_format.has_header = file_format.has_header && self->part == 0 && part->now.size == 0;
  writer = kvsqlctl_writer_begin_file (&file_format, part->out, columns, n);
  writer->n_rows = part->now.n_rows;
  return writer;
}

static gboolean
write_pages (Worker *self, Rows *rows, GError **error)
{
  KvsqlctlExportFile *file = self->run->export->file;

  for (;;)
    {
      GBytes *cursor = kvsql_result_get_cursor (rows->result);

      write_page (rows);
      if (!kvsqlctl_export_file_end_page (file, self->part, rows->writer->n_rows, cursor,
                                          kvsql_result_get_progress (rows->result), error))
        return FALSE;
      if (cursor == NULL)
        return TRUE;
      rows->writer->out = file->parts[self->part].out;
      if (g_cancellable_set_error_if_cancelled (self->run->retry_policy.cancellable, error)
          || !next_page (self, rows->result, error))
        return FALSE;
    }
}

static gboolean
write_rows (Worker *self, KvsqlResult *result, GError **error)
{
  guint n = kvsql_result_get_n_columns (result);
  g_autofree const gchar **texts = g_new0 (const gchar *, n);
  g_autofree GString **hex = g_new0 (GString *, n);
  Rows rows = { result, begin_rows (self, result), n, texts, hex };
  gboolean ok;

  for (guint i = 0; i < n; i++)
    hex[i] = g_string_new (NULL);
  ok = write_pages (self, &rows, error);
  kvsqlctl_writer_end (rows.writer, ok);
  for (guint i = 0; i < n; i++)
    g_string_free (hex[i], TRUE);
  return ok;
}

/* ---- parts */

static void
keep_warnings (Run *run, KvsqlResult *result)
{
  const gchar *const *warnings = kvsql_result_get_warnings (result);

  g_mutex_lock (&run->lock);
  for (guint i = 0; warnings[i] != NULL; i++)
    if (!g_ptr_array_find_with_equal_func (run->export->warnings, warnings[i], g_str_equal, NULL))
      g_ptr_array_add (run->export->warnings, g_strdup (warnings[i]));
  g_mutex_unlock (&run->lock);
}

static gboolean
export_part (Worker *self, GError **error)
{
  KvsqlctlExport *export = self->run->export;
  g_autoptr (KvsqlResult) result = begin (self, export->file->parts[self->part].now.cursor, error);

  if (result == NULL)
    return FALSE;
  if (kvsql_result_get_n_columns (result) == 0)
    {
      export->gives_no_rows = TRUE;
      g_set_error_literal (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_INVALID,
                           "the statement gives no rows");
      return FALSE;
    }
  if (!kvsqlctl_export_file_begin_part (export->file, self->part, error)
      || !write_rows (self, result, error))
    return FALSE;
  keep_warnings (self->run, result);
  return TRUE;
}

/* FALSE: there is no free part. */
static gboolean
take_part (Worker *self)
{
  Run *run = self->run;
  const KvsqlctlExportFile *file = run->export->file;
  gboolean found;

  g_mutex_lock (&run->lock);
  while (run->next_part < file->n_parts && file->parts[run->next_part].now.is_done)
    run->next_part++;
  found = run->next_part < file->n_parts && !g_atomic_int_get (&run->should_stop);
  self->part = run->next_part;
  run->next_part += found;
  g_mutex_unlock (&run->lock);
  return found;
}

static void
work (gpointer data, gpointer unused)
{
  Worker *self = data;
  GError *error = NULL;

  while (take_part (self))
    if (!export_part (self, &error))
      {
        stop (self->run, error);
        break;
      }
  g_mutex_lock (&self->run->lock);
  self->run->n_working--;
  g_cond_broadcast (&self->run->changed);
  g_mutex_unlock (&self->run->lock);
}

/* ---- all of them */

static gboolean
connect (Run *run, Worker *worker, GError **error)
{
  const Kvsqlctl *ctl = run->export->ctl;

  worker->run = run;
  worker->connection = kvsql_connection_new_like (ctl->connection);
  if (worker->connection == NULL)
    return FALSE;
  kvsql_connection_set_timeout (worker->connection, kvsql_connection_get_timeout (ctl->connection));
  kvsql_connection_set_read_only (worker->connection, ctl->is_read_only);
  kvsql_connection_set_verified_reads (worker->connection, ctl->is_verified);
  kvsql_connection_set_progress (worker->connection,
                                 kvsqlctl_progress_is_used (run->export->progress));
  return TRUE;
}

static void
show (const KvsqlctlExport *self)
{
  guint64 n_bytes, n_rows;
  gdouble part;

  kvsqlctl_export_file_get_done (self->file, &n_bytes, &n_rows, &part);
  kvsqlctl_progress_guess_part (self->progress, part);
  kvsqlctl_progress_show (self->progress, n_bytes, n_rows);
}

/* Shows progress and saves until no thread runs any more. */
static void
watch (Run *run)
{
  KvsqlctlExport *export = run->export;
  GError *error = NULL;
  gboolean is_over;

  do
    {
      gint64 until = g_get_monotonic_time () + WAIT_US;

      g_mutex_lock (&run->lock);
      while (run->n_working > 0 && g_cond_wait_until (&run->changed, &run->lock, until))
        ;
      is_over = run->n_working == 0;
      g_mutex_unlock (&run->lock);
      if (kvsqlctl_interrupt_take ())
        stop (run, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "interrupted"));
      show (export);
      if (!is_over && kvsqlctl_state_file_is_due (&export->file->state)
          && !kvsqlctl_export_file_save (export->file, &error))
        stop (run, g_steal_pointer (&error));
    }
  while (!is_over);
}

static guint
count_left (const KvsqlctlExportFile *file)
{
  guint n = 0;

  for (guint i = 0; i < file->n_parts; i++)
    n += !file->parts[i].now.is_done;
  return n;
}

static gboolean
run_workers (Run *run, Worker *workers, guint n, GError **error)
{
  GError *failure = NULL;
  GThreadPool *threads = g_thread_pool_new (work, NULL, (gint)n, TRUE, &failure);

  if (failure == NULL)
    {
      run->n_working = n;
      for (guint i = 0; i < n; i++)
        g_thread_pool_push (threads, &workers[i], NULL);
      watch (run);
    }
  else
    g_propagate_error (error, failure);
  g_thread_pool_free (threads, TRUE, TRUE);
  return failure == NULL;
}

gboolean
kvsqlctl_export_run (KvsqlctlExport *self, GError **error)
{
  guint n = MIN (self->n_jobs, count_left (self->file));
  g_autofree Worker *workers = g_new0 (Worker, n);
  Run run = { .export = self,
              .retry_policy = { self->retry_ms, &run.should_stop, self->ctl->cancellable } };
  gboolean ok = TRUE;

  g_mutex_init (&run.lock);
  g_cond_init (&run.changed);
  show (self);
  for (guint i = 0; i < n && ok; i++)
    ok = connect (&run, &workers[i], error);
  if (ok && n > 0)
    ok = run_workers (&run, workers, n, error);
  for (guint i = 0; i < n; i++)
    {
      g_clear_object (&workers[i].statement);
      g_clear_object (&workers[i].connection);
    }
  g_mutex_clear (&run.lock);
  g_cond_clear (&run.changed);
  if (run.failure == NULL)
    return ok;
  g_propagate_error (error, run.failure);
  return FALSE;
}
