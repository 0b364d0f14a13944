/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * message.c: reads and writes the parts of messages: fields and structs.
 */
#include "config.h"

#include "client/message.h"

#include "client/error-private.h"

/* ---- reading */

gboolean
_kvsql_message_next_field (KvsqlProtocol *protocol, gint16 *out_id, ThriftType *out_type,
                           GError **error)
{
  g_autofree gchar *name = NULL;

  *out_type = T_STOP;
  *out_id = 0;
  return thrift_protocol_read_field_begin (THRIFT_PROTOCOL (protocol), &name, out_type, out_id,
                                           error)
         >= 0;
}

gboolean
_kvsql_message_skip (KvsqlProtocol *protocol, ThriftType type, GError **error)
{
  return thrift_protocol_skip (THRIFT_PROTOCOL (protocol), type, error) >= 0;
}

gboolean
_kvsql_message_enter (KvsqlProtocol *protocol, GError **error)
{
  g_autofree gchar *name = NULL;

  return thrift_protocol_read_struct_begin (THRIFT_PROTOCOL (protocol), &name, error) >= 0;
}

gboolean
_kvsql_message_leave (KvsqlProtocol *protocol, GError **error)
{
  return thrift_protocol_read_struct_end (THRIFT_PROTOCOL (protocol), error) >= 0;
}

static gboolean
read_text (KvsqlProtocol *protocol, gchar **out, GError **error)
{
  g_autofree gchar *text = NULL;

  if (thrift_protocol_read_string (THRIFT_PROTOCOL (protocol), &text, error) < 0)
    return FALSE;
  if (text == NULL || !g_utf8_validate (text, -1, NULL))
    return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_PROTOCOL, "text is not UTF-8");
  g_free (*out);
  *out = g_steal_pointer (&text);
  return TRUE;
}

static gboolean
read_value (KvsqlProtocol *protocol, ThriftType type, gpointer out, GError **error)
{
  ThriftProtocol *thrift = THRIFT_PROTOCOL (protocol);

  switch (type)
    {
    case T_BOOL:
      return thrift_protocol_read_bool (thrift, out, error) >= 0;
    case T_I32:
      return thrift_protocol_read_i32 (thrift, out, error) >= 0;
    case T_I64:
      return thrift_protocol_read_i64 (thrift, out, error) >= 0;
    case T_STRING:
      return read_text (protocol, out, error);
    default:
      return _kvsql_message_skip (protocol, type, error);
    }
}

static const KvsqlMessageField *
find_field (const KvsqlMessageField *fields, guint n_fields, gint16 id)
{
  for (guint i = 0; i < n_fields; i++)
    if (fields[i].id == id)
      return &fields[i];
  return NULL;
}

static gboolean
check_required (const KvsqlMessageField *fields, guint n_fields, guint64 seen, GError **error)
{
  for (guint i = 0; i < n_fields; i++)
    if (fields[i].is_required && (seen & G_GUINT64_CONSTANT (1) << fields[i].id) == 0)
      return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_PROTOCOL,
                                      "kvsqld left out the required field %d", fields[i].id);
  return TRUE;
}

gboolean
_kvsql_message_read_struct (KvsqlProtocol *protocol, const KvsqlMessageField *fields,
                            guint n_fields, gpointer out, GError **error)
{
  guint64 seen = 0;
  ThriftType type;
  gint16 id;

  if (!_kvsql_message_enter (protocol, error)
      || !_kvsql_message_next_field (protocol, &id, &type, error))
    return FALSE;
  while (type != T_STOP)
    {
      const KvsqlMessageField *field = find_field (fields, n_fields, id);

      if (field != NULL && field->type == type)
        {
          seen |= G_GUINT64_CONSTANT (1) << id;
          if (!read_value (protocol, type, (gchar *)out + field->offset, error))
            return FALSE;
        }
      else if (!_kvsql_message_skip (protocol, type, error))
        return FALSE;
      if (!_kvsql_message_next_field (protocol, &id, &type, error))
        return FALSE;
    }
  return _kvsql_message_leave (protocol, error) && check_required (fields, n_fields, seen, error);
}

gboolean
_kvsql_message_read_structs (KvsqlProtocol *protocol, const KvsqlMessageField *fields,
                             guint n_fields, GArray *out, GError **error)
{
  guint element_size = g_array_get_element_size (out);
  ThriftType element;
  guint32 n;

  if (thrift_protocol_read_list_begin (THRIFT_PROTOCOL (protocol), &element, &n, error) < 0)
    return FALSE;
  if (n > 0 && element != T_STRUCT)
    return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_PROTOCOL, "list is not of structs");
  for (guint32 i = 0; i < n; i++)
    {
      guint at = out->len;

      g_array_set_size (out, at + 1);
      if (!_kvsql_message_read_struct (protocol, fields, n_fields,
                                       out->data + (gsize)at * element_size, error))
        return FALSE;
    }
  return thrift_protocol_read_list_end (THRIFT_PROTOCOL (protocol), error) >= 0;
}

/* ---- writing */

gboolean
_kvsql_message_put_header (KvsqlProtocol *protocol, gint16 id, ThriftType type, GError **error)
{
  return thrift_protocol_write_field_begin (THRIFT_PROTOCOL (protocol), "", type, id, error) >= 0;
}

gboolean
_kvsql_message_put_i32 (KvsqlProtocol *protocol, gint16 id, gint32 value, GError **error)
{
  return _kvsql_message_put_header (protocol, id, T_I32, error)
         && thrift_protocol_write_i32 (THRIFT_PROTOCOL (protocol), value, error) >= 0;
}

gboolean
_kvsql_message_put_i64 (KvsqlProtocol *protocol, gint16 id, gint64 value, GError **error)
{
  return _kvsql_message_put_header (protocol, id, T_I64, error)
         && thrift_protocol_write_i64 (THRIFT_PROTOCOL (protocol), value, error) >= 0;
}

gboolean
_kvsql_message_put_bool (KvsqlProtocol *protocol, gint16 id, gboolean value, GError **error)
{
  return _kvsql_message_put_header (protocol, id, T_BOOL, error)
         && thrift_protocol_write_bool (THRIFT_PROTOCOL (protocol), value, error) >= 0;
}

gboolean
_kvsql_message_put_bytes (KvsqlProtocol *protocol, gint16 id, KvsqlSlice value, GError **error)
{
  return _kvsql_message_put_header (protocol, id, T_STRING, error)
         && kvsql_protocol_write_bytes (protocol, value, error);
}

gboolean
_kvsql_message_put_gbytes (KvsqlProtocol *protocol, gint16 id, GBytes *bytes, GError **error)
{
  gsize size;
  gconstpointer at = g_bytes_get_data (bytes, &size);

  return _kvsql_message_put_bytes (protocol, id, kvsql_slice (at, size), error);
}

gboolean
_kvsql_message_put_text (KvsqlProtocol *protocol, gint16 id, const gchar *value, GError **error)
{
  return _kvsql_message_put_bytes (protocol, id, kvsql_slice_from_text (value), error);
}

gboolean
_kvsql_message_put_list (KvsqlProtocol *protocol, gint16 id, ThriftType element, gsize n,
                         GError **error)
{
  return _kvsql_message_put_header (protocol, id, T_LIST, error)
         && thrift_protocol_write_list_begin (THRIFT_PROTOCOL (protocol), element, (guint32)n,
                                              error)
                >= 0;
}

gboolean
_kvsql_message_put_struct_begin (KvsqlProtocol *protocol, GError **error)
{
  return thrift_protocol_write_struct_begin (THRIFT_PROTOCOL (protocol), "", error) >= 0;
}

gboolean
_kvsql_message_put_struct_end (KvsqlProtocol *protocol, GError **error)
{
  return thrift_protocol_write_field_stop (THRIFT_PROTOCOL (protocol), error) >= 0
         && thrift_protocol_write_struct_end (THRIFT_PROTOCOL (protocol), error) >= 0;
}
