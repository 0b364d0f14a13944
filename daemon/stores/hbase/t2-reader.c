/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * t2-reader.c: Thrift's binary and compact protocols, the reading half.
 *
 * Every length and count is checked against the bytes that the message can still contain before it
 * is used.
 */
#include "config.h"

#include "daemon/stores/hbase/t2-reader.h"

#define FRAME_HEADER_SIZE 4
#define BINARY_VERSION_MASK 0xffff0000u
#define BINARY_VERSION 0x80010000u
#define COMPACT_ID 0x82
#define COMPACT_VERSION 1
#define COMPACT_VERSION_MASK 0x1f
#define COMPACT_TRUE 1
#define COMPACT_LONG_LIST 15
#define MAX_VARINT_BYTES 10

const guint8 _kvsqld_t2_plain_types[16] = {
  0,
  KVSQLD_T2_BOOL,
  KVSQLD_T2_BOOL,
  KVSQLD_T2_BYTE,
  KVSQLD_T2_I16,
  KVSQLD_T2_I32,
  KVSQLD_T2_I64,
  KVSQLD_T2_DOUBLE,
  KVSQLD_T2_STRING,
  KVSQLD_T2_LIST,
  KVSQLD_T2_SET,
  KVSQLD_T2_MAP,
  KVSQLD_T2_STRUCT,
};

void
kvsqld_t2_reader_init (KvsqldT2Reader *self, KvsqldT2Transport transport, KvsqlBuffer *buffer,
                       KvsqldT2Fill fill, gpointer source)
{
  const guint8 *header;
  gsize size;

  *self = (KvsqldT2Reader){
    .transport = transport,
    .buffer = buffer,
    .limit = KVSQLD_T2_MAX_REPLY,
    .fill = fill,
    .source = source,
  };
  buffer->size = 0;
  if (!transport.is_framed)
    return;

  header = kvsqld_t2_reader_take (self, FRAME_HEADER_SIZE);
  if (header == NULL)
    return;
  size = kvsql_get_be32 (header);
  if (size > KVSQLD_T2_MAX_REPLY - FRAME_HEADER_SIZE)
    kvsqld_t2_reader_fail (self, "a frame that is too long");
  else
    {
      self->limit = FRAME_HEADER_SIZE + size;
      self->end = MIN (self->end, self->limit);
    }
}

void
kvsqld_t2_reader_fail (KvsqldT2Reader *self, const gchar *what)
{
  /* Makes the fast paths, which only use bytes before @end, take the slow path. */
  self->end = self->position;
  if (self->failure == NULL)
    kvsql_error_set (&self->failure, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                     "the reply of HBase's Thrift server is damaged: %s at byte %" G_GSIZE_FORMAT,
                     what, self->position);
}

gboolean
kvsqld_t2_reader_refill (KvsqldT2Reader *self, gsize size)
{
  if (self->failure != NULL)
    return FALSE;
  if (size > self->limit - self->position)
    {
      kvsqld_t2_reader_fail (self, "a length beyond the end of the message");
      return FALSE;
    }
  if (!self->fill (self->source, self->buffer, self->position + size, &self->failure))
    {
      self->end = self->position;
      return FALSE;
    }
  self->end = MIN (self->buffer->size, self->limit);
  return TRUE;
}

static inline guint8
read_byte (KvsqldT2Reader *self)
{
  const guint8 *at = kvsqld_t2_reader_take (self, 1);

  return at != NULL ? *at : 0;
}

static guint32
read_be32 (KvsqldT2Reader *self)
{
  const guint8 *at = kvsqld_t2_reader_take (self, 4);

  return at != NULL ? kvsql_get_be32 (at) : 0;
}

static guint64
read_varint_by_bytes (KvsqldT2Reader *self)
{
  guint64 value = 0;

  for (guint i = 0; i < MAX_VARINT_BYTES; i++)
    {
      guint8 byte = read_byte (self);

      value |= (guint64)(byte & 0x7f) << (7 * i);
      if (byte < 0x80)
        return value;
    }
  kvsqld_t2_reader_fail (self, "a number that does not end");
  return 0;
}

static inline guint64
read_varint (KvsqldT2Reader *self)
{
  const guint8 *at;
  guint64 value = 0;

  if (G_UNLIKELY (self->end - self->position < MAX_VARINT_BYTES))
    return read_varint_by_bytes (self);
  at = self->buffer->data + self->position;
  for (guint i = 0; i < MAX_VARINT_BYTES; i++)
    {
      value |= (guint64)(at[i] & 0x7f) << (7 * i);
      if (at[i] < 0x80)
        {
          self->position += i + 1;
          return value;
        }
    }
  return read_varint_by_bytes (self);
}

static gint64
read_zigzag (KvsqldT2Reader *self)
{
  guint64 value = read_varint (self);

  return (gint64)(value >> 1) ^ -(gint64)(value & 1);
}

static gsize
read_size (KvsqldT2Reader *self)
{
  guint64 size = self->transport.is_compact ? read_varint (self) : read_be32 (self);

  /* Each element takes at least one byte. */
  if (G_UNLIKELY (size > self->limit - self->position))
    {
      kvsqld_t2_reader_fail (self, "a length beyond the end of the message");
      return 0;
    }
  return (gsize)size;
}

static KvsqldT2Type
read_compact_type (KvsqldT2Reader *self, guint8 compact_type)
{
  KvsqldT2Type type = _kvsqld_t2_plain_types[compact_type & 15];

  if (type == KVSQLD_T2_STOP)
    kvsqld_t2_reader_fail (self, "an unknown type");
  return type;
}

void
kvsqld_t2_reader_message (KvsqldT2Reader *self, KvsqldT2MessageType *out_type, KvsqlSlice *out_name,
                          guint32 *out_sequence)
{
  if (self->transport.is_compact)
    {
      guint8 id = read_byte (self);
      guint8 version = read_byte (self);

      if (id != COMPACT_ID || (version & COMPACT_VERSION_MASK) != COMPACT_VERSION)
        kvsqld_t2_reader_fail (self, "no message of the compact protocol");
      *out_type = version >> 5;
      *out_sequence = (guint32)read_varint (self);
      *out_name = kvsqld_t2_reader_binary (self);
    }
  else
    {
      guint32 version = read_be32 (self);

      if ((version & BINARY_VERSION_MASK) != BINARY_VERSION)
        kvsqld_t2_reader_fail (self, "no message of the binary protocol");
      *out_type = version & 0xff;
      *out_name = kvsqld_t2_reader_binary (self);
      *out_sequence = read_be32 (self);
    }
}

void
kvsqld_t2_reader_end (KvsqldT2Reader *self)
{
  if (self->failure != NULL)
    return;
  if (self->transport.is_framed && self->position != self->limit)
    kvsqld_t2_reader_fail (self, "a message shorter than its frame");
  else if (self->position != self->buffer->size)
    kvsqld_t2_reader_fail (self, "more bytes than one reply");
}

gboolean
_kvsqld_t2_reader_any_field (KvsqldT2Reader *self, KvsqldT2Field *field)
{
  guint8 header = read_byte (self);

  if (header == KVSQLD_T2_STOP)
    return FALSE;
  if (self->transport.is_compact)
    {
      field->id = header >> 4 != 0 ? field->id + (header >> 4) : (gint16)read_zigzag (self);
      field->compact_bool = (header & 15) == COMPACT_TRUE;
      field->type = read_compact_type (self, header);
    }
  else
    {
      const guint8 *at = kvsqld_t2_reader_take (self, 2);

      field->type = header;
      field->id = at != NULL ? (gint16)(at[0] << 8 | at[1]) : 0;
    }
  return self->failure == NULL;
}

guint
kvsqld_t2_reader_list (KvsqldT2Reader *self, KvsqldT2Type *out_element)
{
  guint8 header = read_byte (self);

  if (!self->transport.is_compact)
    {
      *out_element = header;
      return (guint)read_size (self);
    }
  *out_element = read_compact_type (self, header);
  return header >> 4 == COMPACT_LONG_LIST ? (guint)read_size (self) : header >> 4;
}

KvsqlSlice
kvsqld_t2_reader_binary (KvsqldT2Reader *self)
{
  gsize size = read_size (self);
  gsize offset = self->position;

  if (kvsqld_t2_reader_take (self, size) == NULL)
    return KVSQL_SLICE_EMPTY;
  return kvsql_slice (GSIZE_TO_POINTER (offset), size);
}

gboolean
kvsqld_t2_reader_bool (KvsqldT2Reader *self, const KvsqldT2Field *field)
{
  return self->transport.is_compact ? field->compact_bool : read_byte (self) != 0;
}

guint8
kvsqld_t2_reader_byte (KvsqldT2Reader *self)
{
  return read_byte (self);
}

gint32
kvsqld_t2_reader_i32 (KvsqldT2Reader *self)
{
  return self->transport.is_compact ? (gint32)read_zigzag (self) : (gint32)read_be32 (self);
}

gint64
kvsqld_t2_reader_i64 (KvsqldT2Reader *self)
{
  const guint8 *at;

  if (self->transport.is_compact)
    return read_zigzag (self);
  at = kvsqld_t2_reader_take (self, 8);
  return at != NULL ? (gint64)kvsql_get_be64 (at) : 0;
}

static void skip_value (KvsqldT2Reader *self, KvsqldT2Type type, guint depth);

static void
skip_struct (KvsqldT2Reader *self, guint depth)
{
  KvsqldT2Field field = KVSQLD_T2_FIELD_FIRST;

  while (kvsqld_t2_reader_field (self, &field))
    if (field.type != KVSQLD_T2_BOOL || !self->transport.is_compact)
      skip_value (self, field.type, depth);
}

static void
skip_list (KvsqldT2Reader *self, guint depth)
{
  KvsqldT2Type element;
  guint n = kvsqld_t2_reader_list (self, &element);

  for (guint i = 0; i < n && self->failure == NULL; i++)
    skip_value (self, element, depth);
}

static void
skip_map (KvsqldT2Reader *self, guint depth)
{
  KvsqldT2Type key, value;
  gsize n;

  if (self->transport.is_compact)
    {
      guint8 types;

      n = read_size (self);
      if (n == 0)
        return;
      types = read_byte (self);
      key = read_compact_type (self, types >> 4);
      value = read_compact_type (self, types);
    }
  else
    {
      key = read_byte (self);
      value = read_byte (self);
      n = read_size (self);
    }
  for (gsize i = 0; i < n && self->failure == NULL; i++)
    {
      skip_value (self, key, depth);
      skip_value (self, value, depth);
    }
}

static void
skip_number (KvsqldT2Reader *self, gsize binary_size)
{
  if (self->transport.is_compact)
    read_varint (self);
  else
    kvsqld_t2_reader_take (self, binary_size);
}

static void
skip_value (KvsqldT2Reader *self, KvsqldT2Type type, guint depth)
{
  if (depth == 0)
    {
      kvsqld_t2_reader_fail (self, "too many structs in structs");
      return;
    }
  switch (type)
    {
    case KVSQLD_T2_BOOL:
    case KVSQLD_T2_BYTE:
      read_byte (self);
      break;
    case KVSQLD_T2_I16:
      skip_number (self, 2);
      break;
    case KVSQLD_T2_I32:
      skip_number (self, 4);
      break;
    case KVSQLD_T2_I64:
      skip_number (self, 8);
      break;
    case KVSQLD_T2_DOUBLE:
      kvsqld_t2_reader_take (self, 8);
      break;
    case KVSQLD_T2_STRING:
      kvsqld_t2_reader_binary (self);
      break;
    case KVSQLD_T2_STRUCT:
      skip_struct (self, depth - 1);
      break;
    case KVSQLD_T2_MAP:
      skip_map (self, depth - 1);
      break;
    case KVSQLD_T2_SET:
    case KVSQLD_T2_LIST:
      skip_list (self, depth - 1);
      break;
    case KVSQLD_T2_STOP:
    default:
      kvsqld_t2_reader_fail (self, "an unknown type");
    }
}

void
kvsqld_t2_reader_skip (KvsqldT2Reader *self, const KvsqldT2Field *field)
{
  if (field->type != KVSQLD_T2_BOOL || !self->transport.is_compact)
    skip_value (self, field->type, KVSQLD_T2_MAX_DEPTH);
}

void
kvsqld_t2_reader_skip_element (KvsqldT2Reader *self, KvsqldT2Type type)
{
  skip_value (self, type, KVSQLD_T2_MAX_DEPTH);
}
