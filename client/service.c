/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service.c: the methods of the service Sql in kvsql.thrift, as C functions.
 *
 * Each method has a function that writes the fields of its arguments and one that reads its answer.
 * The latter may run twice, if a call is repeated, and clears what it fills.
 */
#include "config.h"

#include "client/service.h"

#include "client/error-private.h"

/* ---- arguments that several methods have */

static gboolean
put_options (KvsqlProtocol *protocol, gint16 id, const KvsqlRequestOptions *options, GError **error)
{
  return _kvsql_message_put_header (protocol, id, T_STRUCT, error)
         && _kvsql_message_put_struct_begin (protocol, error)
         && (options->max_rows == 0
             || _kvsql_message_put_i32 (protocol, 1, (gint32)MIN (options->max_rows, G_MAXINT32),
                                        error))
         && (options->max_bytes == 0
             || _kvsql_message_put_i32 (protocol, 2, (gint32)MIN (options->max_bytes, G_MAXINT32),
                                        error))
         && _kvsql_message_put_i32 (protocol, 3, (gint32)MIN (options->timeout_ms, G_MAXINT32),
                                    error)
         && (!options->is_read_only || _kvsql_message_put_bool (protocol, 4, TRUE, error))
         && (!options->wants_progress || _kvsql_message_put_bool (protocol, 7, TRUE, error))
         && (!options->knows_columns || _kvsql_message_put_bool (protocol, 8, TRUE, error))
         && (!options->follows || _kvsql_message_put_bool (protocol, 9, TRUE, error))
         && (!options->is_verified || _kvsql_message_put_bool (protocol, 10, TRUE, error))
         && _kvsql_message_put_struct_end (protocol, error);
}

static gboolean
put_double (KvsqlProtocol *protocol, gint16 id, gdouble value, GError **error)
{
  return _kvsql_message_put_header (protocol, id, T_DOUBLE, error)
         && thrift_protocol_write_double (THRIFT_PROTOCOL (protocol), value, error) >= 0;
}

static gboolean
put_param_text (KvsqlProtocol *protocol, GBytes *bytes, GError **error)
{
  gsize size;
  const gchar *text = g_bytes_get_data (bytes, &size);

  return _kvsql_message_put_bytes (protocol, 4, kvsql_slice (text, size - 1), error);
}

static gboolean
put_param (KvsqlProtocol *protocol, const KvsqlParam *param, GError **error)
{
  switch (param->kind)
    {
    case KVSQL_PARAM_BOOLEAN:
      return _kvsql_message_put_bool (protocol, 1, param->boolean, error);
    case KVSQL_PARAM_INT64:
      return _kvsql_message_put_i64 (protocol, 2, param->integer, error);
    case KVSQL_PARAM_DOUBLE:
      return put_double (protocol, 3, param->real, error);
    case KVSQL_PARAM_STRING:
      return put_param_text (protocol, param->bytes, error);
    case KVSQL_PARAM_BYTES:
      return _kvsql_message_put_gbytes (protocol, 5, param->bytes, error);
    default:
      return TRUE;
    }
}

static gboolean
put_params (KvsqlProtocol *protocol, gint16 id, GPtrArray *values, GError **error)
{
  guint n = values != NULL ? values->len : 0;

  if (!_kvsql_message_put_list (protocol, id, T_STRUCT, n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!_kvsql_message_put_struct_begin (protocol, error)
        || !put_param (protocol, g_ptr_array_index (values, i), error)
        || !_kvsql_message_put_struct_end (protocol, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_page (KvsqlPage *page, KvsqlProtocol *protocol, GError **error)
{
  _kvsql_page_clear (page);
  return _kvsql_page_read (protocol, page, error);
}

/* ---- query, execute, fetch */

typedef struct
{
  KvsqlRequestOptions options;
  const gchar *sql;
  gint64 statement_id;
  GBytes *cursor;
  GPtrArray *values;
  KvsqlPage *page;
} PageCall;

static gboolean
write_query (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  PageCall *call = data;

  return _kvsql_message_put_text (protocol, 1, call->sql, error)
         && put_params (protocol, 2, call->values, error)
         && put_options (protocol, 3, &call->options, error);
}

static gboolean
write_execute (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  PageCall *call = data;

  return _kvsql_message_put_i64 (protocol, 1, call->statement_id, error)
         && put_params (protocol, 2, call->values, error)
         && put_options (protocol, 3, &call->options, error);
}

static gboolean
write_fetch (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  PageCall *call = data;

  return _kvsql_message_put_gbytes (protocol, 1, call->cursor, error)
         && put_options (protocol, 2, &call->options, error);
}

static gboolean
read_page_call (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  PageCall *call = data;

  return read_page (call->page, protocol, error);
}

gboolean
_kvsql_service_query (KvsqlConnection *connection, const gchar *sql, GPtrArray *values,
                      KvsqlPage *out, GCancellable *cancellable, GError **error)
{
  PageCall data = {
    .options = _kvsql_connection_get_options (connection), .sql = sql, .values = values, .page = out
  };
  KvsqlMessageCall call
      = { "query", data.options.is_read_only, write_query, T_STRUCT, read_page_call, &data };

  return _kvsql_connection_call (connection, &call, NULL, cancellable, error);
}

gboolean
_kvsql_service_execute (KvsqlConnection *connection, gint64 id, guint64 generation,
                        GPtrArray *values, gboolean knows_columns, KvsqlPage *out,
                        GCancellable *cancellable, GError **error)
{
  PageCall data = { .options = _kvsql_connection_get_options (connection),
                    .statement_id = id,
                    .values = values,
                    .page = out };
  /* The connection must not repeat it: the id is invalid on another channel. */
  KvsqlMessageCall call = { "execute", FALSE, write_execute, T_STRUCT, read_page_call, &data };

  data.options.knows_columns = knows_columns;
  return _kvsql_connection_call (connection, &call, &generation, cancellable, error);
}

gboolean
_kvsql_service_fetch (KvsqlConnection *connection, GBytes *cursor, KvsqlPage *out,
                      GCancellable *cancellable, GError **error)
{
  PageCall data
      = { .options = _kvsql_connection_get_options (connection), .cursor = cursor, .page = out };
  KvsqlMessageCall call = { "fetch", TRUE, write_fetch, T_STRUCT, read_page_call, &data };

  return _kvsql_connection_call (connection, &call, NULL, cancellable, error);
}

/* ---- partition */

typedef struct
{
  KvsqlRequestOptions options;
  const gchar *sql;
  GPtrArray *values;
  gint32 n_wanted;
  GPtrArray *cursors; /* GBytes */
} PartitionCall;

static gboolean
write_partition (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  PartitionCall *call = data;

  return _kvsql_message_put_text (protocol, 1, call->sql, error)
         && put_params (protocol, 2, call->values, error)
         && _kvsql_message_put_i32 (protocol, 3, call->n_wanted, error)
         && put_options (protocol, 4, &call->options, error);
}

static gboolean
read_cursors (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  PartitionCall *call = data;
  ThriftType element;
  KvsqlSlice cursor;
  guint32 n;

  g_ptr_array_set_size (call->cursors, 0);
  if (thrift_protocol_read_list_begin (THRIFT_PROTOCOL (protocol), &element, &n, error) < 0)
    return FALSE;
  if (n > 0 && element != T_STRING)
    return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_PROTOCOL, "list is not of cursors");
  for (guint32 i = 0; i < n; i++)
    {
      if (!kvsql_protocol_read_bytes (protocol, &cursor, error))
        return FALSE;
      g_ptr_array_add (call->cursors, g_bytes_new (cursor.data, cursor.size));
    }
  return thrift_protocol_read_list_end (THRIFT_PROTOCOL (protocol), error) >= 0;
}

GPtrArray *
_kvsql_service_partition (KvsqlConnection *connection, const gchar *sql, GPtrArray *values,
                          guint n_wanted, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) cursors = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
  PartitionCall data = { .options = _kvsql_connection_get_options (connection),
                         .sql = sql,
                         .values = values,
                         .n_wanted = (gint32)MIN (n_wanted, G_MAXINT32),
                         .cursors = cursors };
  KvsqlMessageCall call = { "partition", TRUE, write_partition, T_LIST, read_cursors, &data };

  return _kvsql_connection_call (connection, &call, NULL, cancellable, error)
             ? g_steal_pointer (&cursors)
             : NULL;
}

/* ---- prepare */

static const KvsqlMessageField parameter_fields[] = {
  { 1, T_STRING, G_STRUCT_OFFSET (KvsqlParameterInfo, name), FALSE },
  { 2, T_I32, G_STRUCT_OFFSET (KvsqlParameterInfo, type), TRUE },
};

static void
parameter_info_clear (gpointer data)
{
  g_free (((KvsqlParameterInfo *)data)->name);
}

void
_kvsql_statement_info_clear (KvsqlStatementInfo *self)
{
  g_clear_pointer (&self->parameters, g_array_unref);
  g_clear_pointer (&self->columns, g_array_unref);
  self->id = 0;
}

typedef struct
{
  const gchar *sql;
  KvsqlStatementInfo *info;
} PrepareCall;

static gboolean
write_prepare (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  return _kvsql_message_put_text (protocol, 1, ((PrepareCall *)data)->sql, error);
}

static gboolean
read_statement_field (KvsqlProtocol *protocol, KvsqlStatementInfo *info, gint16 id, ThriftType type,
                      GError **error)
{
  if (id == 1 && type == T_I64)
    return thrift_protocol_read_i64 (THRIFT_PROTOCOL (protocol), &info->id, error) >= 0;
  if (id == 2 && type == T_LIST)
    return _kvsql_message_read_structs (protocol, parameter_fields, G_N_ELEMENTS (parameter_fields),
                                        info->parameters, error);
  if (id == 3 && type == T_LIST)
    return _kvsql_column_infos_read (protocol, info->columns, error);
  return _kvsql_message_skip (protocol, type, error);
}

static gboolean
read_prepare (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  KvsqlStatementInfo *info = ((PrepareCall *)data)->info;
  ThriftType type;
  gint16 id;

  _kvsql_statement_info_clear (info);
  info->columns = _kvsql_column_infos_new ();
  info->parameters = g_array_new (FALSE, TRUE, sizeof (KvsqlParameterInfo));
  g_array_set_clear_func (info->parameters, parameter_info_clear);
  if (!_kvsql_message_enter (protocol, error)
      || !_kvsql_message_next_field (protocol, &id, &type, error))
    return FALSE;
  while (type != T_STOP)
    {
      if (!read_statement_field (protocol, info, id, type, error)
          || !_kvsql_message_next_field (protocol, &id, &type, error))
        return FALSE;
    }
  return _kvsql_message_leave (protocol, error);
}

gboolean
_kvsql_service_prepare (KvsqlConnection *connection, const gchar *sql, KvsqlStatementInfo *out,
                        guint64 *out_generation, GCancellable *cancellable, GError **error)
{
  PrepareCall data = { sql, out };
  KvsqlMessageCall call = { "prepare", TRUE, write_prepare, T_STRUCT, read_prepare, &data };

  *out_generation = 0;
  return _kvsql_connection_call (connection, &call, out_generation, cancellable, error);
}

/* ---- explain */

static const KvsqlMessageField plan_fields[] = {
  { 1, T_STRING, G_STRUCT_OFFSET (KvsqlPlanTexts, text), TRUE },
  { 2, T_STRING, G_STRUCT_OFFSET (KvsqlPlanTexts, json), TRUE },
};

typedef struct
{
  KvsqlRequestOptions options;
  const gchar *sql;
  GPtrArray *values;
  gboolean analyze;
  KvsqlPlanTexts *plan;
} ExplainCall;

static gboolean
write_explain (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  ExplainCall *call = data;

  return _kvsql_message_put_text (protocol, 1, call->sql, error)
         && put_params (protocol, 2, call->values, error)
         && _kvsql_message_put_bool (protocol, 3, call->analyze, error)
         && put_options (protocol, 4, &call->options, error);
}

static gboolean
read_explain (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  KvsqlPlanTexts *plan = ((ExplainCall *)data)->plan;

  g_clear_pointer (&plan->text, g_free);
  g_clear_pointer (&plan->json, g_free);
  return _kvsql_message_read_struct (protocol, plan_fields, G_N_ELEMENTS (plan_fields), plan,
                                     error);
}

gboolean
_kvsql_service_explain (KvsqlConnection *connection, const gchar *sql, GPtrArray *values,
                        gboolean analyze, KvsqlPlanTexts *out, GCancellable *cancellable,
                        GError **error)
{
  ExplainCall data = { _kvsql_connection_get_options (connection), sql, values, analyze, out };
  KvsqlMessageCall call = { "explain", !analyze, write_explain, T_STRUCT, read_explain, &data };

  return _kvsql_connection_call (connection, &call, NULL, cancellable, error);
}

/* ---- insertRows */

typedef struct
{
  KvsqlRequestOptions options;
  const gchar *relation;
  const gchar *const *columns;
  gint32 n_rows;
  KvsqlWriteColumns write_columns;
  gpointer columns_data;
  gint64 *written;
} InsertCall;

static gboolean
write_insert_rows (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  InsertCall *call = data;
  guint n = g_strv_length ((gchar **)call->columns);

  if (!_kvsql_message_put_text (protocol, 1, call->relation, error)
      || !_kvsql_message_put_list (protocol, 2, T_STRING, n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!kvsql_protocol_write_bytes (protocol, kvsql_slice_from_text (call->columns[i]), error))
      return FALSE;
  return _kvsql_message_put_i32 (protocol, 3, call->n_rows, error)
         && _kvsql_message_put_header (protocol, 4, T_LIST, error)
         && call->write_columns (protocol, call->columns_data, error)
         && put_options (protocol, 5, &call->options, error);
}

static gboolean
read_insert_rows (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  return thrift_protocol_read_i64 (THRIFT_PROTOCOL (protocol), ((InsertCall *)data)->written, error)
         >= 0;
}

gboolean
_kvsql_service_insert_rows (KvsqlConnection *connection, const gchar *relation,
                            const gchar *const *columns, gint32 n_rows,
                            KvsqlWriteColumns write_columns, gpointer columns_data,
                            gint64 *out_written, GCancellable *cancellable, GError **error)
{
  InsertCall data = { _kvsql_connection_get_options (connection),
                      relation,
                      columns,
                      n_rows,
                      write_columns,
                      columns_data,
                      out_written };
  KvsqlMessageCall call
      = { "insertRows", FALSE, write_insert_rows, T_I64, read_insert_rows, &data };

  return _kvsql_connection_call (connection, &call, NULL, cancellable, error);
}

KvsqlPending *
_kvsql_service_begin_insert_rows (KvsqlConnection *connection, const gchar *relation,
                                  const gchar *const *columns, gint32 n_rows,
                                  KvsqlWriteColumns write_columns, gpointer columns_data,
                                  const KvsqlPending *after, GCancellable *cancellable,
                                  GError **error)
{
  InsertCall data = { .options = _kvsql_connection_get_options (connection),
                      .relation = relation,
                      .columns = columns,
                      .n_rows = n_rows,
                      .write_columns = write_columns,
                      .columns_data = columns_data };
  KvsqlMessageCall call = { .name = "insertRows", .write = write_insert_rows, .data = &data };

  data.options.follows = after != NULL;
  return _kvsql_connection_begin (connection, &call, after, cancellable, error);
}
