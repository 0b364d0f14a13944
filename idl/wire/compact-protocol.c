/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * compact-protocol.c: Thrift's compact encoding.
 *
 *   message: 82 | type:3 version:5 | varint sequence id | varint length, name | struct
 *   field: delta:4 type:4 (| zigzag id when delta is 0) | value … 00; a boolean is in its type
 *   list: count:4 type:4 (| varint count when it is 15) | elements
 *
 * Integers are zigzag varints, reals are little-endian.
 */
#include "config.h"

#include "idl/wire/protocol-private.h"

#define PROTOCOL_ID 0x82
#define ENCODING_VERSION 1
#define MAX_VARINT 10

enum
{
  COMPACT_TRUE = 1,
  COMPACT_FALSE = 2,
  COMPACT_BYTE = 3,
  COMPACT_I16 = 4,
  COMPACT_I32 = 5,
  COMPACT_I64 = 6,
  COMPACT_DOUBLE = 7,
  COMPACT_BINARY = 8,
  COMPACT_LIST = 9,
  COMPACT_SET = 10,
  COMPACT_MAP = 11,
  COMPACT_STRUCT = 12,
};

static const guint8 compact_from_thrift[] = {
  [T_BOOL] = COMPACT_TRUE,     [T_BYTE] = COMPACT_BYTE, [T_DOUBLE] = COMPACT_DOUBLE,
  [T_I16] = COMPACT_I16,       [T_I32] = COMPACT_I32,   [T_I64] = COMPACT_I64,
  [T_STRING] = COMPACT_BINARY, [T_MAP] = COMPACT_MAP,   [T_STRUCT] = COMPACT_STRUCT,
  [T_SET] = COMPACT_SET,       [T_LIST] = COMPACT_LIST,
};

/* T_STOP (0): not a type. */
static const guint8 thrift_from_compact[16] = {
  [COMPACT_TRUE] = T_BOOL, [COMPACT_FALSE] = T_BOOL,    [COMPACT_BYTE] = T_BYTE,
  [COMPACT_I16] = T_I16,   [COMPACT_I32] = T_I32,       [COMPACT_I64] = T_I64,
  [COMPACT_LIST] = T_LIST, [COMPACT_DOUBLE] = T_DOUBLE, [COMPACT_BINARY] = T_STRING,
  [COMPACT_SET] = T_SET,   [COMPACT_MAP] = T_MAP,       [COMPACT_STRUCT] = T_STRUCT,
};

G_DEFINE_FINAL_TYPE (KvsqlCompactProtocol, kvsql_compact_protocol, KVSQL_TYPE_PROTOCOL)

/* ---- varints */

static inline gint64
from_zigzag (guint64 n)
{
  return (gint64)(n >> 1 ^ (0 - (n & 1)));
}

static inline guint64
to_zigzag (gint64 n)
{
  return (guint64)n << 1 ^ (guint64)(n >> 63);
}

/* Decodes the varint at @offset from the reading position. Returns the number of its bytes; 0 after
 * a failure. */
static gsize
view_varint (KvsqlProtocol *self, gsize offset, guint64 *out)
{
  guint64 value = 0;

  for (guint i = 0; i < MAX_VARINT; i++)
    {
      const guint8 *at = _kvsql_transport_view (self->transport, offset + i, 1, &self->failure);

      if (at == NULL)
        return 0;
      if (i == MAX_VARINT - 1 && at[0] > 1)
        break;
      value |= (guint64)(at[0] & 0x7f) << (7 * i);
      if (at[0] < 0x80)
        {
          *out = value;
          return i + 1;
        }
    }
  _kvsql_protocol_fail (self, "integer is larger than 64 bits");
  return 0;
}

static gboolean
take_varint (KvsqlProtocol *self, guint64 *out)
{
  gsize size = self->failure == NULL ? view_varint (self, 0, out) : 0;

  self->transport->read_at += size;
  return size > 0;
}

static gboolean
take_integer (KvsqlProtocol *self, ThriftType type, gint64 minimum, gint64 maximum, gint64 *out)
{
  guint64 value;

  if (!_kvsql_protocol_expect (self, type) || !take_varint (self, &value))
    return FALSE;
  *out = from_zigzag (value);
  return (*out >= minimum && *out <= maximum)
         || _kvsql_protocol_fail (self, "integer is out of the range of its type");
}

static gboolean
check_length (KvsqlProtocol *self, guint64 length)
{
  return length <= G_MAXINT32 || _kvsql_protocol_fail (self, "length is out of range");
}

static gboolean
take_length (KvsqlProtocol *self, guint32 *out)
{
  guint64 length;

  if (!take_varint (self, &length) || !check_length (self, length))
    return FALSE;
  *out = (guint32)length;
  return TRUE;
}

static gboolean
put_varint (KvsqlProtocol *self, guint64 value, GError **error)
{
  guint8 bytes[MAX_VARINT];
  guint n = 0;
  guint8 *at;

  while (value >= 0x80)
    {
      bytes[n++] = (guint8)(value | 0x80);
      value >>= 7;
    }
  bytes[n++] = (guint8)value;
  at = _kvsql_protocol_put (self, n, error);
  if (at == NULL)
    return FALSE;
  memcpy (at, bytes, n);
  return TRUE;
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

/* Writers of lists use 1 and 2 (true and false); some old ones use 1 and 0. */
static gint32
read_bool (ThriftProtocol *protocol, gboolean *value, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  const guint8 *at;

  *value = FALSE;
  if (self->pending_bool >= 0)
    {
      *value = self->pending_bool;
      self->pending_bool = -1;
      return 0;
    }
  at = _kvsql_protocol_take_value (self, T_BOOL, 1);
  if (at == NULL || (at[0] > COMPACT_FALSE && !_kvsql_protocol_fail (self, "boolean is %u", at[0])))
    return _kvsql_protocol_failed (self, error);
  *value = at[0] == COMPACT_TRUE;
  return 1;
}

static gint32
read_i16 (ThriftProtocol *protocol, gint16 *value, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  gint64 number = 0;
  gboolean ok = take_integer (self, T_I16, G_MININT16, G_MAXINT16, &number);

  *value = ok ? (gint16)number : 0;
  return ok ? 1 : _kvsql_protocol_failed (self, error);
}

static gint32
read_i32 (ThriftProtocol *protocol, gint32 *value, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  gint64 number = 0;
  gboolean ok = take_integer (self, T_I32, G_MININT32, G_MAXINT32, &number);

  *value = ok ? (gint32)number : 0;
  return ok ? 1 : _kvsql_protocol_failed (self, error);
}

static gint32
read_i64 (ThriftProtocol *protocol, gint64 *value, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);

  *value = 0;
  return take_integer (self, T_I64, G_MININT64, G_MAXINT64, value)
             ? 1
             : _kvsql_protocol_failed (self, error);
}

static gdouble
double_at (const guint8 *at)
{
  guint64 bits;
  gdouble value;

  memcpy (&bits, at, 8);
  bits = GUINT64_FROM_LE (bits);
  memcpy (&value, &bits, 8);
  return value;
}

static gint32
read_double (ThriftProtocol *protocol, gdouble *value, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  const guint8 *at = _kvsql_protocol_take_value (self, T_DOUBLE, 8);

  *value = at != NULL ? double_at (at) : 0;
  return at != NULL ? 8 : _kvsql_protocol_failed (self, error);
}

static gint32
read_string (ThriftProtocol *protocol, gchar **text, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  guint32 size;

  *text = NULL;
  if (_kvsql_protocol_expect (self, T_STRING) && take_length (self, &size)
      && _kvsql_protocol_take_string (self, size, text))
    return (gint32)size;
  return _kvsql_protocol_failed (self, error);
}

static gint32
read_binary (ThriftProtocol *protocol, gpointer *bytes, guint32 *size, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  guint32 length;

  *bytes = NULL;
  *size = 0;
  if (_kvsql_protocol_expect (self, T_STRING) && take_length (self, &length)
      && _kvsql_protocol_take_binary (self, length, bytes, size))
    return (gint32)length;
  return _kvsql_protocol_failed (self, error);
}

static gboolean
take_message_header (KvsqlProtocol *self, gchar **name, ThriftMessageType *type,
                     gint32 *sequence_id)
{
  const guint8 *at;
  guint64 sequence;
  guint32 size;
  guint kind;

  if (!_kvsql_protocol_begin_message (self) || (at = _kvsql_protocol_take (self, 2)) == NULL)
    return FALSE;
  if (at[0] != PROTOCOL_ID || (at[1] & 0x1f) != ENCODING_VERSION)
    return _kvsql_protocol_fail (self, "message does not begin with the compact header");
  kind = at[1] >> 5;
  if (!_kvsql_protocol_check_message_type (self, kind) || !take_varint (self, &sequence)
      || (sequence > G_MAXUINT32
          && !_kvsql_protocol_fail (self, "sequence id is larger than 32 bits"))
      || !take_length (self, &size) || (*name = _kvsql_protocol_take_name (self, size)) == NULL)
    return FALSE;
  *type = kind;
  *sequence_id = (gint32)sequence;
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
    return 4;
  g_clear_pointer (name, g_free);
  g_propagate_error (error, g_error_copy (self->failure));
  return -1;
}

static gboolean
take_field_id (KvsqlProtocol *self, guint delta, gint16 *id)
{
  KvsqlProtocolLevel *level = &self->levels[self->depth];
  gint64 number = 0;

  if (delta > 0)
    number = level->last_field + (gint64)delta;
  else if (!take_integer (self, T_I16, G_MININT16, G_MAXINT16, &number))
    return FALSE;
  if (number > G_MAXINT16)
    return _kvsql_protocol_fail (self, "field id is out of range");
  *id = level->last_field = (gint16)number;
  return _kvsql_protocol_note_field (self, *id);
}

static gint32
read_field_begin (ThriftProtocol *protocol, gchar **name, ThriftType *type, gint16 *id,
                  GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  const guint8 *at = _kvsql_protocol_take (self, 1);
  guint kind;

  *type = T_STOP;
  *id = 0;
  if (at == NULL)
    return _kvsql_protocol_failed (self, error);
  if (at[0] == 0)
    return 1;
  kind = at[0] & 0x0f;
  if ((thrift_from_compact[kind] == T_STOP
       && !_kvsql_protocol_fail (self, "field is of unknown type %u", kind))
      || !take_field_id (self, at[0] >> 4, id))
    return _kvsql_protocol_failed (self, error);
  *type = thrift_from_compact[kind];
  if (*type == T_BOOL)
    self->pending_bool = kind == COMPACT_TRUE;
  return 1;
}

static gboolean
take_list_header (KvsqlProtocol *self, ThriftType kind, ThriftType *element, guint32 *n)
{
  const guint8 *at = _kvsql_protocol_take (self, 1);
  guint32 count;

  if (at == NULL)
    return FALSE;
  *element = thrift_from_compact[at[0] & 0x0f];
  count = at[0] >> 4;
  if (count == 15 && !take_length (self, &count))
    return FALSE;
  if (count != 0 && *element == T_STOP)
    return _kvsql_protocol_fail (self, "list has elements of unknown type");
  if (!_kvsql_protocol_check_count (self, count, *element == T_DOUBLE ? 8 : 1, *element, T_STOP)
      || !_kvsql_protocol_push (self, kind, *element))
    return FALSE;
  *n = count;
  return TRUE;
}

static gint32
read_list_begin (ThriftProtocol *protocol, ThriftType *element, guint32 *n, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);

  *element = T_STOP;
  *n = 0;
  return take_list_header (self, T_LIST, element, n) ? 1 : _kvsql_protocol_failed (self, error);
}

static gint32
read_set_begin (ThriftProtocol *protocol, ThriftType *element, guint32 *n, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);

  *element = T_STOP;
  *n = 0;
  return take_list_header (self, T_SET, element, n) ? 1 : _kvsql_protocol_failed (self, error);
}

static gboolean
take_map_header (KvsqlProtocol *self, ThriftType *key, ThriftType *value, guint32 *n)
{
  const guint8 *at;
  guint32 count;

  if (!take_length (self, &count))
    return FALSE;
  if (count > 0)
    {
      if ((at = _kvsql_protocol_take (self, 1)) == NULL)
        return FALSE;
      *key = thrift_from_compact[at[0] >> 4];
      *value = thrift_from_compact[at[0] & 0x0f];
      if (*key == T_STOP || *value == T_STOP)
        return _kvsql_protocol_fail (self, "map has entries of unknown type");
    }
  if (!_kvsql_protocol_check_count (self, count, 2, *key, *value)
      || !_kvsql_protocol_push (self, T_MAP, T_STOP))
    return FALSE;
  *n = count;
  return TRUE;
}

static gint32
read_map_begin (ThriftProtocol *protocol, ThriftType *key, ThriftType *value, guint32 *n,
                GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);

  *key = *value = T_STOP;
  *n = 0;
  return take_map_header (self, key, value, n) ? 1 : _kvsql_protocol_failed (self, error);
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
      if (at[i] > COMPACT_FALSE)
        return _kvsql_protocol_fail (self, "boolean is %u", at[i]);
      out[i] = at[i] == COMPACT_TRUE;
    }
  return TRUE;
}

static gboolean
read_int64s (KvsqlProtocol *self, gint64 *out, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    {
      guint64 value;

      if (!take_varint (self, &value))
        return FALSE;
      out[i] = from_zigzag (value);
    }
  return self->failure == NULL;
}

static gboolean
read_doubles (KvsqlProtocol *self, gdouble *out, guint32 n)
{
  const guint8 *at = _kvsql_protocol_take (self, (gsize)n * 8);

  if (at == NULL)
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    out[i] = double_at (at + (gsize)i * 8);
  return TRUE;
}

static gboolean
view_length (KvsqlProtocol *self, gsize offset, guint32 *out_length, gsize *out_size)
{
  guint64 length;

  *out_size = view_varint (self, offset, &length);
  if (*out_size == 0 || !check_length (self, length))
    return FALSE;
  *out_length = (guint32)length;
  return TRUE;
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
write_i64 (ThriftProtocol *protocol, const gint64 value, GError **error)
{
  return put_varint (KVSQL_PROTOCOL (protocol), to_zigzag (value), error) ? 1 : -1;
}

static gint32
write_i32 (ThriftProtocol *protocol, const gint32 value, GError **error)
{
  return write_i64 (protocol, value, error);
}

static gint32
write_i16 (ThriftProtocol *protocol, const gint16 value, GError **error)
{
  return write_i64 (protocol, value, error);
}

static void
put_double (guint8 *at, gdouble value)
{
  guint64 bits;

  memcpy (&bits, &value, 8);
  bits = GUINT64_TO_LE (bits);
  memcpy (at, &bits, 8);
}

static gint32
write_double (ThriftProtocol *protocol, const gdouble value, GError **error)
{
  guint8 *at = _kvsql_protocol_put (KVSQL_PROTOCOL (protocol), 8, error);

  if (at == NULL)
    return -1;
  put_double (at, value);
  return 8;
}

static gboolean
put_bytes (KvsqlProtocol *self, gconstpointer bytes, gsize size, GError **error)
{
  guint8 *at;

  if (!put_varint (self, size, error) || (at = _kvsql_protocol_put (self, size, error)) == NULL)
    return FALSE;
  if (size > 0)
    memcpy (at, bytes, size);
  return TRUE;
}

static gint32
write_binary (ThriftProtocol *protocol, const gpointer bytes, const guint32 size, GError **error)
{
  return put_bytes (KVSQL_PROTOCOL (protocol), bytes, size, error) ? (gint32)size : -1;
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
  guint8 *at;

  self->write_depth = 0;
  self->write_last[0] = 0;
  self->write_bool_field = -1;
  if (!_kvsql_transport_begin_write (self->transport, error)
      || (at = _kvsql_protocol_put (self, 2, error)) == NULL)
    return -1;
  at[0] = PROTOCOL_ID;
  at[1] = (guint8)(type << 5 | ENCODING_VERSION);
  if (!put_varint (self, (guint32)sequence_id, error) || write_string (protocol, name, error) < 0)
    return -1;
  return 4;
}

static gint32
write_struct_begin (ThriftProtocol *protocol, const gchar *name, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);

  if (self->write_depth >= KVSQL_PROTOCOL_MAX_DEPTH)
    {
      kvsql_error_set (error, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE,
                       "message would be nested deeper than %d levels", KVSQL_PROTOCOL_MAX_DEPTH);
      return -1;
    }
  self->write_last[++self->write_depth] = 0;
  return 0;
}

static gint32
write_struct_end (ThriftProtocol *protocol, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);

  if (self->write_depth > 0)
    self->write_depth--;
  return 0;
}

static gint32
write_field_header (KvsqlProtocol *self, guint kind, gint16 id, GError **error)
{
  gint delta = id - self->write_last[self->write_depth];
  gboolean is_short = delta > 0 && delta <= 15;
  guint8 *at = _kvsql_protocol_put (self, 1, error);

  if (at == NULL)
    return -1;
  at[0] = (guint8)((is_short ? delta << 4 : 0) | kind);
  self->write_last[self->write_depth] = id;
  return is_short || put_varint (self, to_zigzag (id), error) ? 1 : -1;
}

static gint32
write_field_begin (ThriftProtocol *protocol, const gchar *name, const ThriftType type,
                   const gint16 id, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);

  if (type == T_BOOL)
    {
      self->write_bool_field = id;
      return 0;
    }
  return write_field_header (self, compact_from_thrift[type], id, error);
}

static gint32
write_bool (ThriftProtocol *protocol, const gboolean value, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  guint kind = value ? COMPACT_TRUE : COMPACT_FALSE;
  gint32 field = self->write_bool_field;

  self->write_bool_field = -1;
  if (field >= 0)
    return write_field_header (self, kind, (gint16)field, error);
  return write_byte (protocol, (gint8)kind, error);
}

static gint32
write_field_stop (ThriftProtocol *protocol, GError **error)
{
  return write_byte (protocol, 0, error);
}

static gint32
write_list_begin (ThriftProtocol *protocol, const ThriftType element, const guint32 n,
                  GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  guint8 *at = _kvsql_protocol_put (self, 1, error);

  if (at == NULL)
    return -1;
  at[0] = (guint8)(MIN (n, 15) << 4 | compact_from_thrift[element]);
  return n < 15 || put_varint (self, n, error) ? 1 : -1;
}

static gint32
write_map_begin (ThriftProtocol *protocol, const ThriftType key, const ThriftType value,
                 const guint32 n, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);
  guint8 *at;

  if (!put_varint (self, n, error))
    return -1;
  if (n == 0)
    return 1;
  at = _kvsql_protocol_put (self, 1, error);
  if (at == NULL)
    return -1;
  at[0] = (guint8)(compact_from_thrift[key] << 4 | compact_from_thrift[value]);
  return 2;
}

/* ---- writing columns */

static gboolean
write_bools (KvsqlProtocol *self, const guint8 *values, guint32 n, GError **error)
{
  guint8 *at = _kvsql_protocol_put (self, n, error);

  if (at == NULL)
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    at[i] = values[i] ? COMPACT_TRUE : COMPACT_FALSE;
  return TRUE;
}

static gboolean
write_int64s (KvsqlProtocol *self, const gint64 *values, guint32 n, GError **error)
{
  for (guint32 i = 0; i < n; i++)
    if (!put_varint (self, to_zigzag (values[i]), error))
      return FALSE;
  return TRUE;
}

static gboolean
write_doubles (KvsqlProtocol *self, const gdouble *values, guint32 n, GError **error)
{
  guint8 *at = _kvsql_protocol_put (self, (gsize)n * 8, error);

  if (at == NULL)
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    put_double (at + (gsize)i * 8, values[i]);
  return TRUE;
}

static gboolean
write_slices (KvsqlProtocol *self, const KvsqlSlice *values, guint32 n, GError **error)
{
  for (guint32 i = 0; i < n; i++)
    if (!put_bytes (self, values[i].data, values[i].size, error))
      return FALSE;
  return TRUE;
}

/* ---- object */

static void
kvsql_compact_protocol_init (KvsqlCompactProtocol *self)
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
kvsql_compact_protocol_class_init (KvsqlCompactProtocolClass *klass)
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
  protocol->write_struct_begin = write_struct_begin;
  protocol->write_struct_end = write_struct_end;
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
