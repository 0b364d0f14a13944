/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-statement.c: a prepared statement.
 *
 * The id of a prepared statement in kvsqld belongs to one channel, whose number is `generation`. If
 * that channel is gone, or kvsqld does not know the id any more, the statement is prepared again.
 */
#include "config.h"

#include "client/kvsql.h"

#include "client/error-private.h"
#include "client/result-private.h"
#include "client/service.h"
#include "client/statement-private.h"

struct _KvsqlStatement
{
  GObject parent;

  KvsqlConnection *connection;
  gchar *sql;
  KvsqlStatementInfo info; /* from the first prepare, except the id */

  GMutex lock;          /* guards the members below, and info.id */
  guint64 generation;   /* 0: not prepared */
  gboolean has_changed; /* the columns are different since the first prepare: kvsqld must send them
                           with each result */
};

G_DEFINE_FINAL_TYPE (KvsqlStatement, kvsql_statement, G_TYPE_OBJECT)

static void
kvsql_statement_init (KvsqlStatement *self)
{
  g_mutex_init (&self->lock);
}

static void
kvsql_statement_finalize (GObject *object)
{
  KvsqlStatement *self = KVSQL_STATEMENT (object);

  if (self->generation != 0)
    _kvsql_connection_forget_statement (self->connection, self->info.id, self->generation);
  _kvsql_statement_info_clear (&self->info);
  g_clear_object (&self->connection);
  g_free (self->sql);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (kvsql_statement_parent_class)->finalize (object);
}

static void
kvsql_statement_class_init (KvsqlStatementClass *class)
{
  G_OBJECT_CLASS (class)->finalize = kvsql_statement_finalize;
}

KvsqlStatement *
kvsql_connection_prepare (KvsqlConnection *connection, const gchar *sql, GCancellable *cancellable,
                          GError **error)
{
  g_autoptr (KvsqlStatement) self = NULL;

  g_return_val_if_fail (KVSQL_IS_CONNECTION (connection), NULL);
  g_return_val_if_fail (sql != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  self = g_object_new (KVSQL_TYPE_STATEMENT, NULL);
  self->connection = g_object_ref (connection);
  self->sql = g_strdup (sql);
  if (!_kvsql_service_prepare (connection, sql, &self->info, &self->generation, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

static gboolean
are_same_columns (const GArray *a, const GArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    {
      const KvsqlColumnInfo *x = &g_array_index (a, KvsqlColumnInfo, i);
      const KvsqlColumnInfo *y = &g_array_index (b, KvsqlColumnInfo, i);

      if (x->type != y->type || x->is_nullable != y->is_nullable || strcmp (x->name, y->name) != 0
          || g_strcmp0 (x->relation, y->relation) != 0)
        return FALSE;
    }
  return TRUE;
}

static gboolean
prepare_again (KvsqlStatement *self, GCancellable *cancellable, GError **error)
{
  g_auto (KvsqlStatementInfo) info = { 0 };
  guint64 generation;

  if (!_kvsql_service_prepare (self->connection, self->sql, &info, &generation, cancellable, error))
    return FALSE;
  if (info.parameters->len != self->info.parameters->len)
    return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_CONFLICT,
                                    "the statement has other parameters than when it was prepared");
  g_mutex_lock (&self->lock);
  self->has_changed = self->has_changed || !are_same_columns (self->info.columns, info.columns);
  self->info.id = info.id;
  self->generation = generation;
  g_mutex_unlock (&self->lock);
  return TRUE;
}

static gboolean
execute_once (KvsqlStatement *self, GPtrArray *values, KvsqlPage *page, GCancellable *cancellable,
              GError **error)
{
  guint64 generation;
  gboolean has_changed;
  gint64 id;

  g_mutex_lock (&self->lock);
  id = self->info.id;
  generation = self->generation;
  has_changed = self->has_changed;
  g_mutex_unlock (&self->lock);

  if (!_kvsql_service_execute (self->connection, id, generation, values, !has_changed, page,
                               cancellable, error))
    return FALSE;
  if (page->info == NULL && !has_changed)
    page->info = g_array_ref (self->info.columns);
  return TRUE;
}

static gboolean
execute_page (KvsqlStatement *self, GPtrArray *values, KvsqlPage *page, GCancellable *cancellable,
              GError **error)
{
  g_autoptr (GError) cause = NULL;

  if (execute_once (self, values, page, cancellable, &cause))
    return TRUE;
  if (!g_error_matches (cause, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_BAD_STATEMENT_ID))
    {
      g_propagate_error (error, g_steal_pointer (&cause));
      return FALSE;
    }
  return prepare_again (self, cancellable, error)
         && execute_once (self, values, page, cancellable, error);
}

GPtrArray *
_kvsql_statement_order (KvsqlStatement *self, const KvsqlParams *params, GError **error)
{
  guint n = self->info.parameters->len;
  g_autofree const gchar **names = g_new0 (const gchar *, n);

  for (guint i = 0; i < n; i++)
    names[i] = g_array_index (self->info.parameters, KvsqlParameterInfo, i).name;
  return _kvsql_params_order (params, names, n, error);
}

KvsqlResult *
kvsql_statement_execute (KvsqlStatement *self, KvsqlParams *params, GCancellable *cancellable,
                         GError **error)
{
  g_auto (KvsqlPage) page = KVSQL_PAGE_INIT;
  g_autoptr (GPtrArray) values = NULL;

  g_return_val_if_fail (KVSQL_IS_STATEMENT (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  values = _kvsql_statement_order (self, params, error);
  if (values == NULL || !execute_page (self, values, &page, cancellable, error))
    return NULL;
  return _kvsql_result_new (self->connection, &page, error);
}

static void
execute_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  KvsqlResult *result = kvsql_statement_execute (source, data, cancellable, &error);

  if (result != NULL)
    g_task_return_pointer (task, result, g_object_unref);
  else
    g_task_return_error (task, error);
}

void
kvsql_statement_execute_async (KvsqlStatement *self, KvsqlParams *params, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (KVSQL_IS_STATEMENT (self));
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, kvsql_statement_execute_async);
  if (params != NULL)
    g_task_set_task_data (task, kvsql_params_ref (params), (GDestroyNotify)kvsql_params_unref);
  g_task_run_in_thread (task, execute_in_thread);
}

KvsqlResult *
kvsql_statement_execute_finish (KvsqlStatement *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (KVSQL_IS_STATEMENT (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, kvsql_statement_execute_async), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

KvsqlResult *
kvsql_statement_resume (KvsqlStatement *self, GBytes *cursor, GCancellable *cancellable,
                        GError **error)
{
  g_auto (KvsqlPage) page = KVSQL_PAGE_INIT;

  g_return_val_if_fail (KVSQL_IS_STATEMENT (self), NULL);
  g_return_val_if_fail (cursor != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!_kvsql_service_fetch (self->connection, cursor, &page, cancellable, error))
    return NULL;
  /* Only the first page of a result contains the columns. */
  if (page.info == NULL)
    page.info = g_array_ref (self->info.columns);
  return _kvsql_result_new (self->connection, &page, error);
}

GPtrArray *
kvsql_statement_partition (KvsqlStatement *self, KvsqlParams *params, guint n_parts,
                           GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) values = NULL;

  g_return_val_if_fail (KVSQL_IS_STATEMENT (self), NULL);
  g_return_val_if_fail (n_parts > 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  values = _kvsql_statement_order (self, params, error);
  return values == NULL ? NULL
                        : _kvsql_service_partition (self->connection, self->sql, values, n_parts,
                                                    cancellable, error);
}

/* ---- recognition */

const gchar *
kvsql_statement_get_sql (KvsqlStatement *self)
{
  g_return_val_if_fail (KVSQL_IS_STATEMENT (self), NULL);
  return self->sql;
}

guint
kvsql_statement_get_n_parameters (KvsqlStatement *self)
{
  g_return_val_if_fail (KVSQL_IS_STATEMENT (self), 0);
  return self->info.parameters->len;
}

const gchar *
kvsql_statement_get_parameter_name (KvsqlStatement *self, guint index)
{
  g_return_val_if_fail (KVSQL_IS_STATEMENT (self), NULL);
  g_return_val_if_fail (index < self->info.parameters->len, NULL);
  return g_array_index (self->info.parameters, KvsqlParameterInfo, index).name;
}

KvsqlColumnType
kvsql_statement_get_parameter_type (KvsqlStatement *self, guint index)
{
  g_return_val_if_fail (KVSQL_IS_STATEMENT (self), KVSQL_COLUMN_TYPE_NULL);
  g_return_val_if_fail (index < self->info.parameters->len, KVSQL_COLUMN_TYPE_NULL);
  return (KvsqlColumnType)g_array_index (self->info.parameters, KvsqlParameterInfo, index).type;
}

guint
kvsql_statement_get_n_columns (KvsqlStatement *self)
{
  g_return_val_if_fail (KVSQL_IS_STATEMENT (self), 0);
  return self->info.columns->len;
}

const gchar *
kvsql_statement_get_column_name (KvsqlStatement *self, guint column)
{
  g_return_val_if_fail (KVSQL_IS_STATEMENT (self), NULL);
  g_return_val_if_fail (column < self->info.columns->len, NULL);
  return g_array_index (self->info.columns, KvsqlColumnInfo, column).name;
}

KvsqlColumnType
kvsql_statement_get_column_type (KvsqlStatement *self, guint column)
{
  g_return_val_if_fail (KVSQL_IS_STATEMENT (self), KVSQL_COLUMN_TYPE_NULL);
  g_return_val_if_fail (column < self->info.columns->len, KVSQL_COLUMN_TYPE_NULL);
  return (KvsqlColumnType)g_array_index (self->info.columns, KvsqlColumnInfo, column).type;
}
