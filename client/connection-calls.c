/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection-calls.c: the calls hello, closeStatement and closeCursor.
 */
#include "config.h"

#include "client/connection-calls.h"

static const KvsqlMessageField server_info_fields[] = {
  { 1, T_I32, G_STRUCT_OFFSET (KvsqlServerInfo, api_version), TRUE },
  { 2, T_STRING, G_STRUCT_OFFSET (KvsqlServerInfo, version), TRUE },
  { 3, T_STRING, G_STRUCT_OFFSET (KvsqlServerInfo, store), TRUE },
  { 4, T_STRING, G_STRUCT_OFFSET (KvsqlServerInfo, registry), TRUE },
  { 5, T_I64, G_STRUCT_OFFSET (KvsqlServerInfo, epoch), TRUE },
  { 6, T_BOOL, G_STRUCT_OFFSET (KvsqlServerInfo, definitions_writable), TRUE },
  { 7, T_STRING, G_STRUCT_OFFSET (KvsqlServerInfo, message), FALSE },
};

static gboolean
write_hello (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  const gchar *program = g_get_prgname ();

  return _kvsql_message_put_i32 (protocol, 1, KVSQL_API_VERSION, error)
         && _kvsql_message_put_text (
             protocol, 2,
             program != NULL && g_utf8_validate (program, -1, NULL) ? program : "libkvsql", error);
}

static void
server_info_clear (gpointer data)
{
  KvsqlServerInfo *self = data;

  g_free (self->version);
  g_free (self->store);
  g_free (self->registry);
  g_free (self->message);
}

void
_kvsql_server_info_release (KvsqlServerInfo *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, server_info_clear);
}

static gboolean
read_hello (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  KvsqlServerInfo **out = data;

  g_clear_pointer (out, _kvsql_server_info_release);
  *out = g_atomic_rc_box_new0 (KvsqlServerInfo);
  return _kvsql_message_read_struct (protocol, server_info_fields,
                                     G_N_ELEMENTS (server_info_fields), *out, error);
}

KvsqlMessageCall
_kvsql_call_hello (KvsqlServerInfo **out)
{
  return (KvsqlMessageCall){ "hello", TRUE, write_hello, T_STRUCT, read_hello, out };
}

static gboolean
write_statement_id (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  return _kvsql_message_put_i64 (protocol, 1, *(gint64 *)data, error);
}

KvsqlMessageCall
_kvsql_call_close_statement (gint64 *id)
{
  return (KvsqlMessageCall){ "closeStatement", TRUE, write_statement_id, T_VOID, NULL, id };
}

static gboolean
write_cursor (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  return _kvsql_message_put_gbytes (protocol, 1, data, error);
}

KvsqlMessageCall
_kvsql_call_close_cursor (GBytes *cursor)
{
  return (KvsqlMessageCall){ "closeCursor", TRUE, write_cursor, T_VOID, NULL, cursor };
}
