/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-bulk.c: many tuples at once, column by column.
 *
 * Rows that are sent, but not acknowledged yet, are in a "sending", not in the rows that the caller
 * fills. If the request fails, they are put back before the rows that were appended later.
 */
#include "config.h"

#include "client/kvsql.h"

#include "client/bulk-rows.h"
#include "client/error-private.h"
#include "client/text.h"

/* One request that kvsqld executes, and the next one, already sent. */
#define MAX_SENDINGS 2

/* Rows whose last request has no answer yet. */
typedef struct
{
  KvsqlPending *pending;
  KvsqlBulkRows rows;
} Sending;

struct _KvsqlBulk
{
  GObject parent;

  KvsqlBulkTarget target;
  KvsqlBulkRows rows;
  /* oldest first; the unused ones keep their allocated memory */
  Sending sendings[MAX_SENDINGS];
  guint n_sendings;
  gint64 n_written; /* since the last successful insert */
};

G_DEFINE_FINAL_TYPE (KvsqlBulk, kvsql_bulk, G_TYPE_OBJECT)

static void
kvsql_bulk_init (KvsqlBulk *self)
{
}

static void
kvsql_bulk_finalize (GObject *object)
{
  KvsqlBulk *self = KVSQL_BULK (object);

  for (guint i = 0; i < MAX_SENDINGS; i++)
    {
      _kvsql_pending_free (self->sendings[i].pending);
      _kvsql_bulk_rows_clear (&self->sendings[i].rows);
    }
  _kvsql_bulk_rows_clear (&self->rows);
  g_free (self->target.relation);
  g_strfreev (self->target.names);
  g_clear_object (&self->target.connection);
  G_OBJECT_CLASS (kvsql_bulk_parent_class)->finalize (object);
}

static void
kvsql_bulk_class_init (KvsqlBulkClass *class)
{
  G_OBJECT_CLASS (class)->finalize = kvsql_bulk_finalize;
}

KvsqlBulk *
kvsql_bulk_new (KvsqlConnection *connection, const gchar *relation, const gchar *const *columns)
{
  KvsqlBulk *self;

  g_return_val_if_fail (KVSQL_IS_CONNECTION (connection), NULL);
  g_return_val_if_fail (relation != NULL, NULL);
  g_return_val_if_fail (columns != NULL && columns[0] != NULL, NULL);

  self = g_object_new (KVSQL_TYPE_BULK, NULL);
  self->target.connection = g_object_ref (connection);
  self->target.relation = g_strdup (relation);
  self->target.names = g_strdupv ((gchar **)columns);
  _kvsql_bulk_rows_init (&self->rows, g_strv_length (self->target.names));
  for (guint i = 0; i < MAX_SENDINGS; i++)
    _kvsql_bulk_rows_init (&self->sendings[i].rows, self->rows.n_columns);
  return self;
}

void
kvsql_bulk_clear (KvsqlBulk *self)
{
  g_return_if_fail (KVSQL_IS_BULK (self));
  for (guint i = 0; i < MAX_SENDINGS; i++)
    {
      g_clear_pointer (&self->sendings[i].pending, _kvsql_pending_free);
      _kvsql_bulk_rows_empty (&self->sendings[i].rows);
    }
  self->n_sendings = 0;
  _kvsql_bulk_rows_empty (&self->rows);
}

gsize
kvsql_bulk_get_n_rows (KvsqlBulk *self)
{
  gsize n_rows;

  g_return_val_if_fail (KVSQL_IS_BULK (self), 0);
  n_rows = _kvsql_bulk_rows_count (&self->rows);
  for (guint i = 0; i < self->n_sendings; i++)
    n_rows += _kvsql_bulk_rows_count (&self->sendings[i].rows);
  return n_rows;
}

/* ---- filling */

static KvsqlBulkColumn *
column_at (KvsqlBulk *self, guint column)
{
  g_return_val_if_fail (KVSQL_IS_BULK (self), NULL);
  g_return_val_if_fail (column < self->rows.n_columns, NULL);
  return &self->rows.columns[column];
}

static void
append_fixed (KvsqlBulk *self, guint column, KvsqlCellKind kind, gconstpointer values, gsize n)
{
  KvsqlBulkColumn *at = column_at (self, column);

  if (at != NULL)
    _kvsql_bulk_column_append_fixed (at, kind, values, n);
}

static void
append_variable (KvsqlBulk *self, guint column, KvsqlCellKind kind, gconstpointer bytes, gsize size)
{
  KvsqlBulkColumn *at = column_at (self, column);

  if (at != NULL)
    _kvsql_bulk_column_append_variable (at, kind, bytes, size);
}

void
kvsql_bulk_append_null (KvsqlBulk *self, guint column)
{
  KvsqlBulkColumn *at = column_at (self, column);

  if (at != NULL)
    _kvsql_bulk_column_append_null (at);
}

void
kvsql_bulk_append_boolean (KvsqlBulk *self, guint column, gboolean value)
{
  guint8 byte = value != FALSE;

  append_fixed (self, column, KVSQL_CELLS_BOOLEAN, &byte, 1);
}

void
kvsql_bulk_append_int64 (KvsqlBulk *self, guint column, gint64 value)
{
  append_fixed (self, column, KVSQL_CELLS_INT64, &value, 1);
}

void
kvsql_bulk_append_double (KvsqlBulk *self, guint column, gdouble value)
{
  append_fixed (self, column, KVSQL_CELLS_DOUBLE, &value, 1);
}

void
kvsql_bulk_append_int64s (KvsqlBulk *self, guint column, const gint64 *values, gsize n_values)
{
  g_return_if_fail (values != NULL || n_values == 0);
  append_fixed (self, column, KVSQL_CELLS_INT64, values, n_values);
}

void
kvsql_bulk_append_doubles (KvsqlBulk *self, guint column, const gdouble *values, gsize n_values)
{
  g_return_if_fail (values != NULL || n_values == 0);
  append_fixed (self, column, KVSQL_CELLS_DOUBLE, values, n_values);
}

void
kvsql_bulk_append_string (KvsqlBulk *self, guint column, const gchar *value)
{
  g_return_if_fail (value != NULL);
  append_variable (self, column, KVSQL_CELLS_TEXT, value, strlen (value));
}

void
kvsql_bulk_append_bytes (KvsqlBulk *self, guint column, gconstpointer value, gsize size)
{
  g_return_if_fail (value != NULL || size == 0);
  append_variable (self, column, KVSQL_CELLS_BYTES, value, size);
}

static gboolean
append_text_bytes (KvsqlBulk *self, guint column, const gchar *text, gsize size)
{
  g_autofree gchar *copy = g_strndup (text, size);
  g_autoptr (GByteArray) bytes = _kvsql_text_parse_bytes (copy);

  if (bytes != NULL)
    kvsql_bulk_append_bytes (self, column, bytes->data, bytes->len);
  return bytes != NULL;
}

static gboolean
append_text (KvsqlBulk *self, guint column, KvsqlColumnType type, const gchar *text, gsize size)
{
  gboolean is_true;
  gint64 integer;
  gdouble real;

  switch (type)
    {
    case KVSQL_COLUMN_TYPE_BOOLEAN:
      if (!_kvsql_text_parse_boolean (text, size, &is_true))
        return FALSE;
      kvsql_bulk_append_boolean (self, column, is_true);
      return TRUE;
    case KVSQL_COLUMN_TYPE_INT:
    case KVSQL_COLUMN_TYPE_BIGINT:
      if (!_kvsql_text_parse_int64 (text, size, &integer))
        return FALSE;
      kvsql_bulk_append_int64 (self, column, integer);
      return TRUE;
    case KVSQL_COLUMN_TYPE_FLOAT:
    case KVSQL_COLUMN_TYPE_DOUBLE:
      if (!_kvsql_text_parse_double (text, size, &real))
        return FALSE;
      kvsql_bulk_append_double (self, column, real);
      return TRUE;
    case KVSQL_COLUMN_TYPE_BYTES:
      return append_text_bytes (self, column, text, size);
    default:
      append_variable (self, column, KVSQL_CELLS_TEXT, text, size);
      return TRUE;
    }
}

gboolean
kvsql_bulk_append_text (KvsqlBulk *self, guint column, KvsqlColumnType type, const gchar *text,
                        gsize size, GError **error)
{
  g_return_val_if_fail (KVSQL_IS_BULK (self), FALSE);
  g_return_val_if_fail (column < self->rows.n_columns, FALSE);
  g_return_val_if_fail (text != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!g_utf8_validate_len (text, size, NULL))
    return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_VALUE,
                                    memchr (text, '\0', size) != NULL ? "text with a NUL byte"
                                                                      : "text that is not UTF-8");
  if (append_text (self, column, type, text, size))
    return TRUE;
  return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_VALUE, "\"%.*s\" is not a value of %s",
                                  (gint)MIN (size, 200), text, kvsql_column_type_get_name (type));
}

/* ---- sending */

static void
swap_rows (KvsqlBulkRows *a, KvsqlBulkRows *b)
{
  KvsqlBulkRows rows = *a;

  *a = *b;
  *b = rows;
}

/* Puts rows without an acknowledgement back before those that were appended later. Later
 * requests carry `follows`: if the first one failed, the server skipped them, and if its outcome is
 * unknown, so is theirs. */
static void
put_back (KvsqlBulk *self)
{
  for (; self->n_sendings > 0; self->n_sendings--)
    {
      Sending *last = &self->sendings[self->n_sendings - 1];

      for (guint i = 0; i < last->rows.n_columns; i++)
        _kvsql_bulk_column_join (&last->rows.columns[i], &self->rows.columns[i]);
      swap_rows (&last->rows, &self->rows);
      _kvsql_bulk_rows_empty (&last->rows);
      g_clear_pointer (&last->pending, _kvsql_pending_free);
    }
}

/* Waits until the oldest request is acknowledged, or has failed and all rows are put back. */
static gboolean
finish_oldest (KvsqlBulk *self, GCancellable *cancellable, GError **error)
{
  Sending oldest = self->sendings[0];
  gint64 written = 0;
  gboolean ok, is_over;

  ok = _kvsql_connection_finish (self->target.connection, oldest.pending, &written, &is_over,
                                 cancellable, error);
  if (!is_over)
    return FALSE;
  self->n_written += written;
  if (!ok)
    {
      put_back (self);
      return FALSE;
    }
  g_clear_pointer (&oldest.pending, _kvsql_pending_free);
  _kvsql_bulk_rows_drop (&oldest.rows, _kvsql_bulk_rows_count (&oldest.rows));
  self->n_sendings--;
  memmove (self->sendings, self->sendings + 1, sizeof oldest * (MAX_SENDINGS - 1));
  self->sendings[MAX_SENDINGS - 1] = oldest;
  return TRUE;
}

/* Waits until only @n_left requests are without an answer. */
static gboolean
finish_sendings (KvsqlBulk *self, guint n_left, GCancellable *cancellable, GError **error)
{
  while (self->n_sendings > n_left)
    if (!finish_oldest (self, cancellable, error))
      return FALSE;
  return TRUE;
}

/* Sends the rows as a request that follows the last one. Sets *out_pending to NULL if that is not
 * possible. */
static gboolean
begin_following (KvsqlBulk *self, KvsqlPending **out_pending, GError **error)
{
  g_autoptr (GError) cause = NULL;
  gint64 written;

  *out_pending = _kvsql_bulk_rows_begin (&self->rows, &self->target,
                                         self->sendings[self->n_sendings - 1].pending, &written,
                                         NULL, &cause);
  if (cause == NULL)
    return TRUE;
  /* the channel is lost together with the missing answers, whose error matters more */
  if (finish_sendings (self, 0, NULL, error))
    g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

/* Sends the rows; there is at least one. */
static gboolean
begin_sending (KvsqlBulk *self, GCancellable *cancellable, GError **error)
{
  KvsqlPending *pending = NULL;
  Sending *sending;

  if (self->n_sendings > 0 && _kvsql_bulk_rows_are_few (&self->rows)
      && !begin_following (self, &pending, error))
    return FALSE;
  if (pending == NULL)
    {
      gint64 written;

      if (!finish_sendings (self, 0, cancellable, error))
        return FALSE;
      pending
          = _kvsql_bulk_rows_begin (&self->rows, &self->target, NULL, &written, cancellable, error);
      self->n_written += written;
    }
  if (pending == NULL)
    return FALSE;
  sending = &self->sendings[self->n_sendings++];
  sending->pending = pending;
  swap_rows (&self->rows, &sending->rows);
  return TRUE;
}

gboolean
kvsql_bulk_send (KvsqlBulk *self, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (KVSQL_IS_BULK (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!_kvsql_bulk_rows_check (&self->rows, self->target.names, error))
    return FALSE;
  if (_kvsql_bulk_rows_count (&self->rows) == 0)
    return finish_sendings (self, 0, cancellable, error);
  return finish_sendings (self, MAX_SENDINGS - 1, cancellable, error)
         && begin_sending (self, cancellable, error)
         && finish_sendings (self, 1, cancellable, error);
}

gint64
kvsql_bulk_insert (KvsqlBulk *self, GCancellable *cancellable, GError **error)
{
  gint64 n_written;
  gboolean ok;

  g_return_val_if_fail (KVSQL_IS_BULK (self), -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  if (!_kvsql_bulk_rows_check (&self->rows, self->target.names, error)
      || !finish_sendings (self, 0, cancellable, error))
    return -1;
  ok = _kvsql_bulk_rows_insert (&self->rows, &self->target, &n_written, cancellable, error);
  self->n_written += n_written;
  if (!ok)
    return -1;
  n_written = self->n_written;
  self->n_written = 0;
  return n_written;
}

static void
insert_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  gint64 written = kvsql_bulk_insert (source, cancellable, &error);

  if (written < 0)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_memdup2 (&written, sizeof written), g_free);
}

void
kvsql_bulk_insert_async (KvsqlBulk *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (KVSQL_IS_BULK (self));
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, kvsql_bulk_insert_async);
  g_task_run_in_thread (task, insert_in_thread);
}

gint64
kvsql_bulk_insert_finish (KvsqlBulk *self, GAsyncResult *result, GError **error)
{
  g_autofree gint64 *written = NULL;

  g_return_val_if_fail (KVSQL_IS_BULK (self), -1);
  g_return_val_if_fail (g_task_is_valid (result, self), -1);
  g_return_val_if_fail (g_async_result_is_tagged (result, kvsql_bulk_insert_async), -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  written = g_task_propagate_pointer (G_TASK (result), error);
  return written != NULL ? *written : -1;
}
