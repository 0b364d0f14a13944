/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * binary-protocol.c: Thrift's binary encoding, strict headers only.
 *
 *   message: 80 01 00 type | i32 length, name | i32 sequence id | struct
 *   field: type | i16 id | value … 00       list: element type | i32 count | elements
 *
 * Numbers are big-endian.
 */
#include "config.h"

#include "idl/wire/protocol-private.h"

#define VERSION_1 0x80010000u

G_DEFINE_FINAL_TYPE (KvsqlBinaryProtocol, kvsql_binary_protocol, KVSQL_TYPE_PROTOCOL)

/* The smallest number of bytes that a value of the type takes; 0: not a type. */
static guint
minimum_size (ThriftType type)
{
  switch (type)
    {
    case T_BOOL:
    case T_BYTE:
    case T_STRUCT:
      return 1;
    case T_I16:
      return 2;
    case T_I32:
    case T_STRING:
      return 4;
    case T_SET:
    case T_LIST:
      return 5;
    case T_MAP:
      return 6;
    case T_I64:
    case T_DOUBLE:
      return 8;
    default:
      return 0;
    }
}

/* ---- reading */

static gint32
read_byte (ThriftProtocol *protocol, gint8 *value, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  const guint8 *at = _kvsql_protocol_take_value (self, T_BYTE, 1);

  *value = at != NULL ? (gint8)at[0] : 0;
  return at != NULL ? 1 : _kvsql_protocol_failed (self, error);
}

static gint32
read_bool (ThriftProtocol *protocol, gboolean *value, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  const guint8 *at = _kvsql_protocol_take_value (self, T_BOOL, 1);

  *value = FALSE;
  if (at == NULL || (at[0] > 1 && !_kvsql_protocol_fail (self, "boolean is %u", at[0])))
    return _kvsql_protocol_failed (self, error);
  *value = at[0] == 1;
  return 1;
}

static gint32
read_i16 (ThriftProtocol *protocol, gint16 *value, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  const guint8 *at = _kvsql_protocol_take_value (self, T_I16, 2);

  *value = at != NULL ? (gint16)(at[0] << 8 | at[1]) : 0;
  return at != NULL ? 2 : _kvsql_protocol_failed (self, error);
}

static gint32
read_i32 (ThriftProtocol *protocol, gint32 *value, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  const guint8 *at = _kvsql_protocol_take_value (self, T_I32, 4);

  *value = at != NULL ? (gint32)kvsql_get_be32 (at) : 0;
  return at != NULL ? 4 : _kvsql_protocol_failed (self, error);
}

static gint32
read_i64 (ThriftProtocol *protocol, gint64 *value, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  const guint8 *at = _kvsql_protocol_take_value (self, T_I64, 8);

  *value = at != NULL ? (gint64)kvsql_get_be64 (at) : 0;
  return at != NULL ? 8 : _kvsql_protocol_failed (self, error);
}

static gdouble
double_from_bits (guint64 bits)
{
  gdouble value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

static gint32
read_double (ThriftProtocol *protocol, gdouble *value, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  const guint8 *at = _kvsql_protocol_take_value (self, T_DOUBLE, 8);

  *value = at != NULL ? double_from_bits (kvsql_get_be64 (at)) : 0;
  return at != NULL ? 8 : _kvsql_protocol_failed (self, error);
}

static gboolean
take_length (KvsqlProtocol *self, guint32 *out)
{
  const guint8 *at = _kvsql_protocol_take_value (self, T_STRING, 4);

  if (at == NULL)
    return FALSE;
  *out = kvsql_get_be32 (at);
  return *out <= G_MAXINT32 || _kvsql_protocol_fail (self, "string has a negative length");
}

static gint32
read_string (ThriftProtocol *protocol, gchar **text, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  guint32 size;

  *text = NULL;
  if (take_length (self, &size) && _kvsql_protocol_take_string (self, size, text))
    return (gint32)MIN (size, G_MAXINT32 - 4) + 4;
  return _kvsql_protocol_failed (self, error);
}

static gint32
read_binary (ThriftProtocol *protocol, gpointer *bytes, guint32 *size, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  guint32 length;

  *bytes = NULL;
  *size = 0;
  if (take_length (self, &length) && _kvsql_protocol_take_binary (self, length, bytes, size))
    return (gint32)MIN (length, G_MAXINT32 - 4) + 4;
  return _kvsql_protocol_failed (self, error);
}

static gboolean
take_message_header (KvsqlProtocol *self, gchar **name, ThriftMessageType *type,
                     gint32 *sequence_id)
{
  const guint8 *at;
  guint32 version, size;

  if (!_kvsql_protocol_begin_message (self) || (at = _kvsql_protocol_take (self, 4)) == NULL)
    return FALSE;
  version = kvsql_get_be32 (at);
  if ((version & 0xffffff00u) != VERSION_1)
    return _kvsql_protocol_fail (self, "message does not begin with the strict binary header");
  if (!_kvsql_protocol_check_message_type (self, version & 0xff) || !take_length (self, &size)
      || (*name = _kvsql_protocol_take_name (self, size)) == NULL
      || (at = _kvsql_protocol_take (self, 4)) == NULL)
    return FALSE;
  *type = version & 0xff;
  *sequence_id = (gint32)kvsql_get_be32 (at);
  return TRUE;
}

/* Fails at once even if failures are deferred: no message has begun yet. */
static gint32
read_message_begin (ThriftProtocol *protocol, gchar **name, ThriftMessageType *type,
                    gint32 *sequence_id, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);

  *name = NULL;
  *type = 0;
  *sequence_id = 0;
  if (take_message_header (self, name, type, sequence_id))
    return 12;
  g_clear_pointer (name, g_free);
  g_propagate_error (error, g_error_copy (self->failure));
  return -1;
}

static gint32
read_field_begin (ThriftProtocol *protocol, gchar **name, ThriftType *type, gint16 *id,
                  GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  const guint8 *at = _kvsql_protocol_take (self, 1);

  *type = T_STOP;
  *id = 0;
  if (at == NULL)
    return _kvsql_protocol_failed (self, error);
  if (at[0] == T_STOP)
    return 1;
  *type = at[0];
  if ((minimum_size (*type) == 0
       && !_kvsql_protocol_fail (self, "field is of unknown type %u", *type))
      || (at = _kvsql_protocol_take (self, 2)) == NULL
      || !_kvsql_protocol_note_field (self, (gint16)(at[0] << 8 | at[1])))
    {
      *type = T_STOP;
      return _kvsql_protocol_failed (self, error);
    }
  *id = (gint16)(at[0] << 8 | at[1]);
  return 3;
}

static gboolean
take_list_header (KvsqlProtocol *self, ThriftType kind, ThriftType *element, guint32 *n)
{
  const guint8 *at = _kvsql_protocol_take (self, 5);
  gint32 count;

  if (at == NULL)
    return FALSE;
  *element = at[0];
  count = (gint32)kvsql_get_be32 (at + 1);
  if (count != 0 && minimum_size (*element) == 0)
    return _kvsql_protocol_fail (self, "list has elements of unknown type %u", *element);
  if (!_kvsql_protocol_check_count (self, count, minimum_size (*element), *element, T_STOP)
      || !_kvsql_protocol_push (self, kind, *element))
    return FALSE;
  *n = (guint32)count;
  return TRUE;
}

static gint32
read_list_begin (ThriftProtocol *protocol, ThriftType *element, guint32 *n, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);

  *element = T_STOP;
  *n = 0;
  return take_list_header (self, T_LIST, element, n) ? 5 : _kvsql_protocol_failed (self, error);
}

static gint32
read_set_begin (ThriftProtocol *protocol, ThriftType *element, guint32 *n, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);

  *element = T_STOP;
  *n = 0;
  return take_list_header (self, T_SET, element, n) ? 5 : _kvsql_protocol_failed (self, error);
}

static gboolean
take_map_header (KvsqlProtocol *self, ThriftType *key, ThriftType *value, guint32 *n)
{
  const guint8 *at = _kvsql_protocol_take (self, 6);
  gint32 count;
  guint sizes[2];

  if (at == NULL)
    return FALSE;
  *key = at[0];
  *value = at[1];
  count = (gint32)kvsql_get_be32 (at + 2);
  sizes[0] = minimum_size (*key);
  sizes[1] = minimum_size (*value);
  if (count != 0 && (sizes[0] == 0 || sizes[1] == 0))
    return _kvsql_protocol_fail (self, "map has entries of unknown type");
  if (!_kvsql_protocol_check_count (self, count, sizes[0] + sizes[1], *key, *value)
      || !_kvsql_protocol_push (self, T_MAP, T_STOP))
    return FALSE;
  *n = (guint32)count;
  return TRUE;
}

static gint32
read_map_begin (ThriftProtocol *protocol, ThriftType *key, ThriftType *value, guint32 *n,
                GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);

  *key = *value = T_STOP;
  *n = 0;
  return take_map_header (self, key, value, n) ? 6 : _kvsql_protocol_failed (self, error);
}

/* ---- reading columns */

static gboolean
read_bools (KvsqlProtocol *self, guint8 *out, guint32 n)
{
  const guint8 *at = _kvsql_protocol_take (self, n);

  if (at == NULL)
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    {
      if (at[i] > 1)
        return _kvsql_protocol_fail (self, "boolean is %u", at[i]);
      out[i] = at[i];
    }
  return TRUE;
}

static gboolean
read_int64s (KvsqlProtocol *self, gint64 *out, guint32 n)
{
  const guint8 *at = _kvsql_protocol_take (self, (gsize)n * 8);

  if (at == NULL)
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    out[i] = (gint64)kvsql_get_be64 (at + (gsize)i * 8);
  return TRUE;
}

static gboolean
read_doubles (KvsqlProtocol *self, gdouble *out, guint32 n)
{
  const guint8 *at = _kvsql_protocol_take (self, (gsize)n * 8);

  if (at == NULL)
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    out[i] = double_from_bits (kvsql_get_be64 (at + (gsize)i * 8));
  return TRUE;
}

static gboolean
view_length (KvsqlProtocol *self, gsize offset, guint32 *out_length, gsize *out_size)
{
  const guint8 *at = _kvsql_transport_view (self->transport, offset, 4, &self->failure);

  if (at == NULL)
    return FALSE;
  *out_length = kvsql_get_be32 (at);
  *out_size = 4;
  return *out_length <= G_MAXINT32 || _kvsql_protocol_fail (self, "string has a negative length");
}

/* ---- writing */

static gint32
write_byte (ThriftProtocol *protocol, const gint8 value, GError **error)
{
  guint8 *at = _kvsql_protocol_put (KVSQL_PROTOCOL (protocol), 1, error);

  if (at == NULL)
    return -1;
  at[0] = (guint8)value;
  return 1;
}

static gint32
write_bool (ThriftProtocol *protocol, const gboolean value, GError **error)
{
  return write_byte (protocol, value ? 1 : 0, error);
}

static gint32
write_i16 (ThriftProtocol *protocol, const gint16 value, GError **error)
{
  guint8 *at = _kvsql_protocol_put (KVSQL_PROTOCOL (protocol), 2, error);

  if (at == NULL)
    return -1;
  at[0] = (guint8)((guint16)value >> 8);
  at[1] = (guint8)value;
  return 2;
}

static gint32
write_i32 (ThriftProtocol *protocol, const gint32 value, GError **error)
{
  guint8 *at = _kvsql_protocol_put (KVSQL_PROTOCOL (protocol), 4, error);

  if (at == NULL)
    return -1;
  kvsql_put_be32 (at, (guint32)value);
  return 4;
}

static gint32
write_i64 (ThriftProtocol *protocol, const gint64 value, GError **error)
{
  guint8 *at = _kvsql_protocol_put (KVSQL_PROTOCOL (protocol), 8, error);

  if (at == NULL)
    return -1;
  kvsql_put_be64 (at, (guint64)value);
  return 8;
}

static guint64
double_bits (gdouble value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static gint32
write_double (ThriftProtocol *protocol, const gdouble value, GError **error)
{
  return write_i64 (protocol, (gint64)double_bits (value), error);
}

static gint32
write_binary (ThriftProtocol *protocol, const gpointer bytes, const guint32 size, GError **error)
{
  guint8 *at = _kvsql_protocol_put (KVSQL_PROTOCOL (protocol), 4 + (gsize)size, error);

  if (at == NULL)
    return -1;
  kvsql_put_be32 (at, size);
  if (size > 0)
    memcpy (at + 4, bytes, size);
  return 4 + (gint32)size;
}

static gint32
write_string (ThriftProtocol *protocol, const gchar *text, GError **error)
{
  return write_binary (protocol, (gpointer)text, text != NULL ? (guint32)strlen (text) : 0, error);
}

static gint32
write_message_begin (ThriftProtocol *protocol, const gchar *name, const ThriftMessageType type,
                     const gint32 sequence_id, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);

  if (!_kvsql_transport_begin_write (self->transport, error)
      || write_i32 (protocol, (gint32)(VERSION_1 | type), error) < 0
      || write_string (protocol, name, error) < 0 || write_i32 (protocol, sequence_id, error) < 0)
    return -1;
  return 12;
}

static gint32
write_field_begin (ThriftProtocol *protocol, const gchar *name, const ThriftType type,
                   const gint16 id, GError **error)
{
  guint8 *at = _kvsql_protocol_put (KVSQL_PROTOCOL (protocol), 3, error);

  if (at == NULL)
    return -1;
  at[0] = (guint8)type;
  at[1] = (guint8)((guint16)id >> 8);
  at[2] = (guint8)id;
  return 3;
}

static gint32
write_field_stop (ThriftProtocol *protocol, GError **error)
{
  return write_byte (protocol, T_STOP, error);
}

static gint32
write_list_begin (ThriftProtocol *protocol, const ThriftType element, const guint32 n,
                  GError **error)
{
  guint8 *at = _kvsql_protocol_put (KVSQL_PROTOCOL (protocol), 5, error);

  if (at == NULL)
    return -1;
  at[0] = (guint8)element;
  kvsql_put_be32 (at + 1, n);
  return 5;
}

static gint32
write_map_begin (ThriftProtocol *protocol, const ThriftType key, const ThriftType value,
                 const guint32 n, GError **error)
{
  guint8 *at = _kvsql_protocol_put (KVSQL_PROTOCOL (protocol), 6, error);

  if (at == NULL)
    return -1;
  at[0] = (guint8)key;
  at[1] = (guint8)value;
  kvsql_put_be32 (at + 2, n);
  return 6;
}

/* ---- writing columns */

static gboolean
write_bools (KvsqlProtocol *self, const guint8 *values, guint32 n, GError **error)
{
  guint8 *at = _kvsql_protocol_put (self, n, error);

  if (at == NULL)
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    at[i] = values[i] != 0;
  return TRUE;
}

static gboolean
write_int64s (KvsqlProtocol *self, const gint64 *values, guint32 n, GError **error)
{
  guint8 *at = _kvsql_protocol_put (self, (gsize)n * 8, error);

  if (at == NULL)
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    kvsql_put_be64 (at + (gsize)i * 8, (guint64)values[i]);
  return TRUE;
}

static gboolean
write_doubles (KvsqlProtocol *self, const gdouble *values, guint32 n, GError **error)
{
  guint8 *at = _kvsql_protocol_put (self, (gsize)n * 8, error);

  if (at == NULL)
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    kvsql_put_be64 (at + (gsize)i * 8, double_bits (values[i]));
  return TRUE;
}

static gboolean
write_slices (KvsqlProtocol *self, const KvsqlSlice *values, guint32 n, GError **error)
{
  for (guint32 i = 0; i < n; i++)
    {
      gsize size = MIN (values[i].size, G_MAXINT32); /* a larger size exceeds every limit anyway */
      guint8 *at = _kvsql_protocol_put (self, 4 + size, error);

      if (at == NULL)
        return FALSE;
      kvsql_put_be32 (at, (guint32)size);
      kvsql_copy_bytes (at + 4, values[i].data, size);
    }
  return TRUE;
}

/* ---- object */

static void
kvsql_binary_protocol_init (KvsqlBinaryProtocol *self)
{
}

static void
set_columns (KvsqlProtocolClass *klass)
{
  klass->write_bools = write_bools;
  klass->write_int64s = write_int64s;
  klass->write_doubles = write_doubles;
  klass->write_slices = write_slices;
  klass->read_bools = read_bools;
  klass->read_int64s = read_int64s;
  klass->read_doubles = read_doubles;
  klass->view_length = view_length;
}

static void
kvsql_binary_protocol_class_init (KvsqlBinaryProtocolClass *klass)
{
  ThriftProtocolClass *protocol = THRIFT_PROTOCOL_CLASS (klass);

  set_columns (klass);
  protocol->read_message_begin = read_message_begin;
  protocol->read_field_begin = read_field_begin;
  protocol->read_list_begin = read_list_begin;
  protocol->read_set_begin = read_set_begin;
  protocol->read_map_begin = read_map_begin;
  protocol->read_bool = read_bool;
  protocol->read_byte = read_byte;
  protocol->read_i16 = read_i16;
  protocol->read_i32 = read_i32;
  protocol->read_i64 = read_i64;
  protocol->read_double = read_double;
  protocol->read_string = read_string;
  protocol->read_binary = read_binary;
  protocol->write_message_begin = write_message_begin;
  protocol->write_field_begin = write_field_begin;
  protocol->write_field_stop = write_field_stop;
  protocol->write_list_begin = write_list_begin;
  protocol->write_set_begin = write_list_begin;
  protocol->write_map_begin = write_map_begin;
  protocol->write_bool = write_bool;
  protocol->write_byte = write_byte;
  protocol->write_i16 = write_i16;
  protocol->write_i32 = write_i32;
  protocol->write_i64 = write_i64;
  protocol->write_double = write_double;
  protocol->write_string = write_string;
  protocol->write_binary = write_binary;
}
