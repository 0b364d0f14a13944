/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * protocol.c: what the binary and the compact protocol share: every check of a message.
 */
#include "config.h"

#include "idl/wire/protocol-private.h"

G_DEFINE_ABSTRACT_TYPE (KvsqlProtocol, kvsql_protocol, THRIFT_TYPE_PROTOCOL)

/* ---- failures */

gboolean
_kvsql_protocol_fail (KvsqlProtocol *self, const gchar *format, ...)
{
  g_autofree gchar *message = NULL;
  va_list arguments;

  if (self->failure != NULL)
    return FALSE;
  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return kvsql_error_set (&self->failure, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE, "%s", message);
}

static gboolean
report (KvsqlProtocol *self, GError **error)
{
  if (error != NULL && *error == NULL)
    *error = g_error_copy (self->failure);
  return FALSE;
}

gint32
_kvsql_protocol_failed (KvsqlProtocol *self, GError **error)
{
  if (self->is_deferred)
    return 0;
  report (self, error);
  return -1;
}

gboolean
_kvsql_protocol_wrong_element (KvsqlProtocol *self, ThriftType type)
{
  return _kvsql_protocol_fail (self, "list holds elements of type %u where type %u is declared",
                               self->levels[self->depth].element, type);
}

/* ---- messages */

gboolean
_kvsql_protocol_begin_message (KvsqlProtocol *self)
{
  if (self->failure != NULL)
    return FALSE;
  self->memory = 0;
  self->depth = 0;
  self->levels[0] = (KvsqlProtocolLevel){ 0 };
  self->pending_bool = -1;
  return _kvsql_transport_begin_read (self->transport, &self->failure);
}

gboolean
_kvsql_protocol_check_message_type (KvsqlProtocol *self, guint type)
{
  return (type >= T_CALL && type <= T_ONEWAY)
         || _kvsql_protocol_fail (self, "message is of unknown type %u", type);
}

gchar *
_kvsql_protocol_take_name (KvsqlProtocol *self, guint32 size)
{
  gchar *name = NULL;

  if (size == 0 || size > KVSQL_PROTOCOL_MAX_NAME)
    _kvsql_protocol_fail (self, "method name of %u bytes is out of range", size);
  else if (_kvsql_protocol_take_string (self, size, &name) && !g_utf8_validate (name, size, NULL))
    {
      _kvsql_protocol_fail (self, "method name is not UTF-8");
      g_clear_pointer (&name, g_free);
    }
  return name;
}

static gint32
read_message_end (ThriftProtocol *protocol, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);

  if (self->failure == NULL && _kvsql_transport_end_read (self->transport, &self->failure))
    return 0;
  report (self, error);
  return -1;
}

/* ---- levels */

gboolean
_kvsql_protocol_push (KvsqlProtocol *self, ThriftType type, ThriftType element)
{
  if (self->failure != NULL || !_kvsql_protocol_expect (self, type))
    return FALSE;
  if (self->depth >= KVSQL_PROTOCOL_MAX_DEPTH)
    return _kvsql_protocol_fail (self, "message is nested deeper than %d levels",
                                 KVSQL_PROTOCOL_MAX_DEPTH);
  self->depth++;
  self->levels[self->depth] = (KvsqlProtocolLevel){ .element = (guint8)element };
  return TRUE;
}

/* After a failure the levels do not matter any more; the push of this level may have failed,
 * too. */
void
_kvsql_protocol_pop (KvsqlProtocol *self)
{
  if (self->failure == NULL && self->depth > 0)
    self->depth--;
}

static gint32
read_struct_begin (ThriftProtocol *protocol, gchar **name, GError **error)
{
  KvsqlProtocol *self = KVSQL_PROTOCOL (protocol);

  if (name != NULL)
    *name = NULL;
  return _kvsql_protocol_push (self, T_STRUCT, T_STOP) ? 0 : _kvsql_protocol_failed (self, error);
}

static gint32
read_level_end (ThriftProtocol *protocol, GError **error)
{
  _kvsql_protocol_pop (KVSQL_PROTOCOL (protocol));
  return 0;
}

gboolean
_kvsql_protocol_note_field (KvsqlProtocol *self, gint16 id)
{
  KvsqlProtocolLevel *level = &self->levels[self->depth];

  if (id < 0 || id > 63)
    return TRUE;
  if (level->seen >> id & 1)
    return _kvsql_protocol_fail (self, "field %d is repeated", id);
  level->seen |= G_GUINT64_CONSTANT (1) << id;
  return TRUE;
}

/* ---- sizes */

/* Estimates the memory that generated code allocates for an element. */
static guint
memory_of_element (ThriftType type)
{
  switch (type)
    {
    case T_BOOL:
    case T_BYTE:
    case T_I16:
    case T_I32:
    case T_I64:
    case T_DOUBLE:
      return 8;
    case T_STRING:
      return 48;
    case T_STRUCT:
      return 512;
    case T_MAP:
    case T_SET:
    case T_LIST:
      return 128;
    default:
      return 0;
    }
}

gboolean
_kvsql_protocol_check_count (KvsqlProtocol *self, gint64 n, guint minimum, ThriftType a,
                             ThriftType b)
{
  guint64 memory;

  if (n < 0 || n > G_MAXINT32)
    return _kvsql_protocol_fail (self, "container has an impossible size");
  if ((guint64)n * minimum > _kvsql_transport_left (self->transport))
    return _kvsql_protocol_fail (
        self, "container of %" G_GINT64_FORMAT " elements does not fit into its message", n);
  memory = (guint64)n * (memory_of_element (a) + memory_of_element (b));
  if (memory > self->max_memory - self->memory)
    return _kvsql_protocol_fail (self, "message holds too many elements");
  self->memory += memory;
  return TRUE;
}

gboolean
_kvsql_protocol_take_string (KvsqlProtocol *self, guint32 size, gchar **out)
{
  const guint8 *at = _kvsql_protocol_take (self, size);

  if (at == NULL)
    return FALSE;
  if (memchr (at, 0, size) != NULL)
    return _kvsql_protocol_fail (self, "string holds a NUL byte");
  *out = g_strndup ((const gchar *)at, size);
  return TRUE;
}

gboolean
_kvsql_protocol_take_binary (KvsqlProtocol *self, guint32 size, gpointer *out, guint32 *out_size)
{
  const guint8 *at = _kvsql_protocol_take (self, size);

  if (at == NULL)
    return FALSE;
  *out = g_memdup2 (at, size);
  *out_size = size;
  return TRUE;
}

/* ---- columns */

static gboolean
write_list (KvsqlProtocol *self, ThriftType element, guint32 n, GError **error)
{
  return thrift_protocol_write_list_begin (THRIFT_PROTOCOL (self), element, n, error) >= 0;
}

gboolean
kvsql_protocol_write_bools (KvsqlProtocol *self, const guint8 *values, guint32 n, GError **error)
{
  return KVSQL_PROTOCOL_GET_CLASS (self)->write_bools (self, values, n, error);
}

gboolean
kvsql_protocol_write_int64s (KvsqlProtocol *self, const gint64 *values, guint32 n, GError **error)
{
  return KVSQL_PROTOCOL_GET_CLASS (self)->write_int64s (self, values, n, error);
}

gboolean
kvsql_protocol_write_doubles (KvsqlProtocol *self, const gdouble *values, guint32 n, GError **error)
{
  return KVSQL_PROTOCOL_GET_CLASS (self)->write_doubles (self, values, n, error);
}

gboolean
kvsql_protocol_write_slices (KvsqlProtocol *self, const KvsqlSlice *values, guint32 n,
                             GError **error)
{
  return KVSQL_PROTOCOL_GET_CLASS (self)->write_slices (self, values, n, error);
}

gboolean
kvsql_protocol_write_bool_list (KvsqlProtocol *self, const guint8 *values, guint32 n,
                                GError **error)
{
  return write_list (self, T_BOOL, n, error) && kvsql_protocol_write_bools (self, values, n, error);
}

gboolean
kvsql_protocol_write_int64_list (KvsqlProtocol *self, const gint64 *values, guint32 n,
                                 GError **error)
{
  return write_list (self, T_I64, n, error) && kvsql_protocol_write_int64s (self, values, n, error);
}

gboolean
kvsql_protocol_write_double_list (KvsqlProtocol *self, const gdouble *values, guint32 n,
                                  GError **error)
{
  return write_list (self, T_DOUBLE, n, error)
         && kvsql_protocol_write_doubles (self, values, n, error);
}

gboolean
kvsql_protocol_write_slice_list (KvsqlProtocol *self, const KvsqlSlice *values, guint32 n,
                                 GError **error)
{
  return write_list (self, T_STRING, n, error)
         && kvsql_protocol_write_slices (self, values, n, error);
}

gboolean
kvsql_protocol_write_bytes (KvsqlProtocol *self, KvsqlSlice bytes, GError **error)
{
  return kvsql_protocol_write_slices (self, &bytes, 1, error);
}

gboolean
kvsql_protocol_read_list_size (KvsqlProtocol *self, ThriftType element, guint32 *out_n,
                               GError **error)
{
  ThriftType type = T_STOP;

  *out_n = 0;
  if (thrift_protocol_read_list_begin (THRIFT_PROTOCOL (self), &type, out_n, error) < 0)
    return FALSE;
  if (self->failure == NULL && *out_n > 0)
    _kvsql_protocol_expect (self, element);
  if (self->failure == NULL)
    _kvsql_transport_view (self->transport, 0, *out_n, &self->failure);
  if (self->failure == NULL)
    return TRUE;
  *out_n = 0;
  return report (self, error);
}

/* Leaves the level of the list, whether its elements were read or not. */
static gboolean
end_list (KvsqlProtocol *self, gboolean is_read, GError **error)
{
  _kvsql_protocol_pop (self);
  return is_read || report (self, error);
}

gboolean
kvsql_protocol_read_bool_list (KvsqlProtocol *self, guint8 *out, guint32 n, GError **error)
{
  return end_list (self, KVSQL_PROTOCOL_GET_CLASS (self)->read_bools (self, out, n), error);
}

gboolean
kvsql_protocol_read_int64_list (KvsqlProtocol *self, gint64 *out, guint32 n, GError **error)
{
  return end_list (self, KVSQL_PROTOCOL_GET_CLASS (self)->read_int64s (self, out, n), error);
}

gboolean
kvsql_protocol_read_double_list (KvsqlProtocol *self, gdouble *out, guint32 n, GError **error)
{
  return end_list (self, KVSQL_PROTOCOL_GET_CLASS (self)->read_doubles (self, out, n), error);
}

/* No byte is consumed before all bytes have arrived, because the buffer may move while it fills.
 * Until then a slice holds the offset of its bytes. */
static gboolean
read_slices (KvsqlProtocol *self, KvsqlSlice *out, guint32 n)
{
  gsize offset = 0;
  const guint8 *base;

  for (guint32 i = 0; i < n; i++)
    {
      guint32 length;
      gsize size;

      if (!KVSQL_PROTOCOL_GET_CLASS (self)->view_length (self, offset, &length, &size))
        return FALSE;
      offset += size;
      if (_kvsql_transport_view (self->transport, offset, length, &self->failure) == NULL)
        return FALSE;
      out[i] = kvsql_slice (GSIZE_TO_POINTER (offset), length);
      offset += length;
    }
  base = _kvsql_protocol_take (self, offset);
  if (base == NULL)
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    out[i].data = base + GPOINTER_TO_SIZE (out[i].data);
  return TRUE;
}

gboolean
kvsql_protocol_read_slice_list (KvsqlProtocol *self, KvsqlSlice *out, guint32 n, GError **error)
{
  return end_list (self, self->failure == NULL && read_slices (self, out, n), error);
}

gboolean
kvsql_protocol_read_bytes (KvsqlProtocol *self, KvsqlSlice *out, GError **error)
{
  return (self->failure == NULL && _kvsql_protocol_expect (self, T_STRING)
          && read_slices (self, out, 1))
         || report (self, error);
}

/* ---- object */

static gint32
do_nothing (ThriftProtocol *protocol, GError **error)
{
  return 0;
}

static gint32
write_struct_begin (ThriftProtocol *protocol, const gchar *name, GError **error)
{
  return 0;
}

static void
protocol_finalize (GObject *object)
{
  g_clear_error (&KVSQL_PROTOCOL (object)->failure);
  G_OBJECT_CLASS (kvsql_protocol_parent_class)->finalize (object);
}

static void
kvsql_protocol_init (KvsqlProtocol *self)
{
  self->pending_bool = -1;
  self->write_bool_field = -1;
}

static void
kvsql_protocol_class_init (KvsqlProtocolClass *klass)
{
  ThriftProtocolClass *protocol = THRIFT_PROTOCOL_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = protocol_finalize;
  protocol->read_message_end = read_message_end;
  protocol->read_struct_begin = read_struct_begin;
  protocol->read_struct_end = read_level_end;
  protocol->read_field_end = do_nothing;
  protocol->read_map_end = read_level_end;
  protocol->read_list_end = read_level_end;
  protocol->read_set_end = read_level_end;
  protocol->write_message_end = do_nothing;
  protocol->write_struct_begin = write_struct_begin;
  protocol->write_struct_end = do_nothing;
  protocol->write_field_end = do_nothing;
  protocol->write_map_end = do_nothing;
  protocol->write_list_end = do_nothing;
  protocol->write_set_end = do_nothing;
}

KvsqlTransport *
kvsql_protocol_get_transport (KvsqlProtocol *self)
{
  return self->transport;
}

void
kvsql_protocol_set_max_memory (KvsqlProtocol *self, guint64 size)
{
  self->max_memory = size;
}

void
kvsql_protocol_set_deferred (KvsqlProtocol *self, gboolean deferred)
{
  self->is_deferred = deferred;
}
