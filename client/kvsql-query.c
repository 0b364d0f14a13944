/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-query.c: queries of a connection, and their asynchronous forms.
 *
 * The asynchronous forms run the blocking ones in a thread of GTask's pool: in both forms a call
 * has one deadline and one cancellable.
 */
#include "config.h"

#include "client/kvsql.h"

#include "client/connection-calls.h"
#include "client/error-private.h"
#include "client/result-private.h"
#include "client/service.h"
#include "client/statement-private.h"

/* ---- query */

static GPtrArray *
positional_values (const KvsqlParams *params)
{
  GPtrArray *values = g_ptr_array_new ();

  for (guint i = 0; params != NULL && i < params->values->len; i++)
    g_ptr_array_add (values, &g_array_index (params->values, KvsqlParam, i));
  return values;
}

/* The order of named parameters is known only after the statement is prepared. */
static KvsqlResult *
query_by_name (KvsqlConnection *self, const gchar *sql, KvsqlParams *params,
               GCancellable *cancellable, GError **error)
{
  g_autoptr (KvsqlStatement) statement = kvsql_connection_prepare (self, sql, cancellable, error);

  return statement != NULL ? kvsql_statement_execute (statement, params, cancellable, error) : NULL;
}

KvsqlResult *
kvsql_connection_query (KvsqlConnection *self, const gchar *sql, KvsqlParams *params,
                        GCancellable *cancellable, GError **error)
{
  g_auto (KvsqlPage) page = KVSQL_PAGE_INIT;
  g_autoptr (GPtrArray) values = NULL;

  g_return_val_if_fail (KVSQL_IS_CONNECTION (self), NULL);
  g_return_val_if_fail (sql != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (_kvsql_params_have_names (params))
    return query_by_name (self, sql, params, cancellable, error);
  values = positional_values (params);
  if (!_kvsql_service_query (self, sql, values, &page, cancellable, error))
    return NULL;
  return _kvsql_result_new (self, &page, error);
}

/* ---- explain */

gchar *
kvsql_connection_explain (KvsqlConnection *self, const gchar *sql, KvsqlParams *params,
                          KvsqlExplainFlags flags, GCancellable *cancellable, GError **error)
{
  KvsqlPlanTexts plan = { NULL, NULL };
  g_autoptr (GPtrArray) values = NULL;
  gchar *chosen = NULL;
  gboolean ok;

  g_return_val_if_fail (KVSQL_IS_CONNECTION (self), NULL);
  g_return_val_if_fail (sql != NULL, NULL);
  g_return_val_if_fail ((flags & ~(KVSQL_EXPLAIN_JSON | KVSQL_EXPLAIN_ANALYZE)) == 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (_kvsql_params_have_names (params))
    {
      g_autoptr (KvsqlStatement) statement
          = kvsql_connection_prepare (self, sql, cancellable, error);
      values = statement != NULL ? _kvsql_statement_order (statement, params, error) : NULL;
    }
  else
    values = positional_values (params);
  if (values == NULL)
    return NULL;

  ok = _kvsql_service_explain (self, sql, values, (flags & KVSQL_EXPLAIN_ANALYZE) != 0, &plan,
                               cancellable, error);
  if (ok)
    chosen = (flags & KVSQL_EXPLAIN_JSON) != 0 ? g_steal_pointer (&plan.json)
                                               : g_steal_pointer (&plan.text);
  g_free (plan.text);
  g_free (plan.json);
  return chosen;
}

/* ---- server info */

KvsqlServerInfo *
kvsql_connection_get_server_info (KvsqlConnection *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (KvsqlServerInfo) info = NULL;
  KvsqlMessageCall hello = _kvsql_call_hello (&info);

  g_return_val_if_fail (KVSQL_IS_CONNECTION (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!_kvsql_connection_call (self, &hello, NULL, cancellable, error))
    return NULL;
  return g_steal_pointer (&info);
}

/* ---- asynchronous forms */

typedef struct
{
  gchar *sql;
  KvsqlParams *params;
} QueryTask;

static void
query_task_free (gpointer data)
{
  QueryTask *query = data;

  g_free (query->sql);
  kvsql_params_unref (query->params);
  g_free (query);
}

static GTask *
query_task_new (KvsqlConnection *self, const gchar *sql, KvsqlParams *params,
                GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data,
                gpointer tag)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  QueryTask *query = g_new0 (QueryTask, 1);

  query->sql = g_strdup (sql);
  query->params = params != NULL ? kvsql_params_ref (params) : NULL;
  g_task_set_task_data (task, query, query_task_free);
  g_task_set_source_tag (task, tag);
  return task;
}

static void
return_object (GTask *task, gpointer object, GError *error)
{
  if (object != NULL)
    g_task_return_pointer (task, object, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
open_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (kvsql_connection_open (source, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
kvsql_connection_open_async (KvsqlConnection *self, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (KVSQL_IS_CONNECTION (self));
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, kvsql_connection_open_async);
  g_task_run_in_thread (task, open_in_thread);
}

gboolean
kvsql_connection_open_finish (KvsqlConnection *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (KVSQL_IS_CONNECTION (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, kvsql_connection_open_async), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
query_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  QueryTask *query = data;
  GError *error = NULL;
  KvsqlResult *result
      = kvsql_connection_query (source, query->sql, query->params, cancellable, &error);

  return_object (task, result, error);
}

void
kvsql_connection_query_async (KvsqlConnection *self, const gchar *sql, KvsqlParams *params,
                              GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (KVSQL_IS_CONNECTION (self));
  g_return_if_fail (sql != NULL);
  task = query_task_new (self, sql, params, cancellable, callback, user_data,
                         kvsql_connection_query_async);
  g_task_run_in_thread (task, query_in_thread);
}

KvsqlResult *
kvsql_connection_query_finish (KvsqlConnection *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (KVSQL_IS_CONNECTION (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, kvsql_connection_query_async), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
prepare_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  KvsqlStatement *statement
      = kvsql_connection_prepare (source, ((QueryTask *)data)->sql, cancellable, &error);

  return_object (task, statement, error);
}

void
kvsql_connection_prepare_async (KvsqlConnection *self, const gchar *sql, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (KVSQL_IS_CONNECTION (self));
  g_return_if_fail (sql != NULL);
  task = query_task_new (self, sql, NULL, cancellable, callback, user_data,
                         kvsql_connection_prepare_async);
  g_task_run_in_thread (task, prepare_in_thread);
}

KvsqlStatement *
kvsql_connection_prepare_finish (KvsqlConnection *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (KVSQL_IS_CONNECTION (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, kvsql_connection_prepare_async), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
