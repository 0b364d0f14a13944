/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * t2-writer.c: Thrift's binary and compact protocols, the writing half.
 */
#include "config.h"

#include "daemon/stores/hbase/t2-writer.h"

#define FRAME_HEADER_SIZE 4
#define BINARY_VERSION 0x80010000u
#define COMPACT_ID 0x82
#define COMPACT_VERSION 1
#define COMPACT_TRUE 1
#define COMPACT_FALSE 2
#define COMPACT_SHORT_LIST 15

static const guint8 compact_types[16] = {
  [KVSQLD_T2_BOOL] = 1, [KVSQLD_T2_BYTE] = 3,   [KVSQLD_T2_I16] = 4,     [KVSQLD_T2_I32] = 5,
  [KVSQLD_T2_I64] = 6,  [KVSQLD_T2_DOUBLE] = 7, [KVSQLD_T2_STRING] = 8,  [KVSQLD_T2_LIST] = 9,
  [KVSQLD_T2_SET] = 10, [KVSQLD_T2_MAP] = 11,   [KVSQLD_T2_STRUCT] = 12,
};

void
kvsqld_t2_writer_init (KvsqldT2Writer *self, KvsqldT2Transport transport)
{
  memset (self, 0, sizeof *self);
  self->transport = transport;
}

void
kvsqld_t2_writer_clear (KvsqldT2Writer *self)
{
  kvsql_buffer_clear (&self->bytes);
}

static void
write_be32 (KvsqldT2Writer *self, guint32 value)
{
  kvsql_put_be32 (kvsql_buffer_extend (&self->bytes, 4), value);
}

static void
write_varint (KvsqldT2Writer *self, guint64 value)
{
  while (value > 0x7f)
    {
      kvsql_buffer_append_byte (&self->bytes, (guint8)(value | 0x80));
      value >>= 7;
    }
  kvsql_buffer_append_byte (&self->bytes, (guint8)value);
}

/* Maps small numbers of either sign to small unsigned numbers. */
static guint64
zigzag (gint64 value)
{
  return ((guint64)value << 1) ^ (guint64)(value >> 63);
}

static void
compact_field_header (KvsqldT2Writer *self, guint8 compact_type, gint id)
{
  gint difference = id - self->last_field[self->depth];

  self->last_field[self->depth] = id;
  if (difference > 0 && difference < 16)
    kvsql_buffer_append_byte (&self->bytes, (guint8)(difference << 4 | compact_type));
  else
    {
      kvsql_buffer_append_byte (&self->bytes, compact_type);
      write_varint (self, zigzag (id));
    }
}

void
kvsqld_t2_writer_begin (KvsqldT2Writer *self, KvsqldT2MessageType type, const gchar *method,
                        guint32 sequence)
{
  self->bytes.size = 0;
  self->depth = 0;
  self->last_field[0] = 0;
  self->sequence = sequence;
  if (self->transport.is_framed)
    write_be32 (self, 0);

  if (self->transport.is_compact)
    {
      kvsql_buffer_append_byte (&self->bytes, COMPACT_ID);
      kvsql_buffer_append_byte (&self->bytes, (guint8)(type << 5 | COMPACT_VERSION));
      write_varint (self, sequence);
      kvsqld_t2_writer_binary (self, kvsql_slice_from_text (method));
    }
  else
    {
      write_be32 (self, BINARY_VERSION | type);
      kvsqld_t2_writer_binary (self, kvsql_slice_from_text (method));
      write_be32 (self, sequence);
    }
}

void
kvsqld_t2_writer_end (KvsqldT2Writer *self)
{
  g_assert (self->depth == 0);

  kvsql_buffer_append_byte (&self->bytes, KVSQLD_T2_STOP);
  if (self->transport.is_framed)
    kvsql_put_be32 (self->bytes.data, (guint32)(self->bytes.size - FRAME_HEADER_SIZE));
}

void
kvsqld_t2_writer_field (KvsqldT2Writer *self, KvsqldT2Type type, gint id)
{
  if (self->transport.is_compact)
    compact_field_header (self, compact_types[type], id);
  else
    {
      guint8 *at = kvsql_buffer_extend (&self->bytes, 3);

      at[0] = (guint8)type;
      at[1] = (guint8)(id >> 8);
      at[2] = (guint8)id;
    }
}

void
kvsqld_t2_writer_struct_begin (KvsqldT2Writer *self)
{
  g_assert (self->depth + 1 < KVSQLD_T2_MAX_DEPTH);

  self->last_field[++self->depth] = 0;
}

void
kvsqld_t2_writer_struct_end (KvsqldT2Writer *self)
{
  g_assert (self->depth > 0);

  kvsql_buffer_append_byte (&self->bytes, KVSQLD_T2_STOP);
  self->depth--;
}

void
kvsqld_t2_writer_list_begin (KvsqldT2Writer *self, KvsqldT2Type element, guint n)
{
  if (!self->transport.is_compact)
    {
      kvsql_buffer_append_byte (&self->bytes, (guint8)element);
      write_be32 (self, n);
    }
  else if (n < COMPACT_SHORT_LIST)
    kvsql_buffer_append_byte (&self->bytes, (guint8)(n << 4 | compact_types[element]));
  else
    {
      kvsql_buffer_append_byte (&self->bytes, 0xf0 | compact_types[element]);
      write_varint (self, n);
    }
}

void
kvsqld_t2_writer_binary (KvsqldT2Writer *self, KvsqlSlice value)
{
  if (self->transport.is_compact)
    write_varint (self, value.size);
  else
    write_be32 (self, (guint32)value.size);
  kvsql_buffer_append_slice (&self->bytes, value);
}

void
kvsqld_t2_writer_i32 (KvsqldT2Writer *self, gint32 value)
{
  if (self->transport.is_compact)
    write_varint (self, zigzag (value));
  else
    write_be32 (self, (guint32)value);
}

void
kvsqld_t2_writer_i64 (KvsqldT2Writer *self, gint64 value)
{
  if (self->transport.is_compact)
    write_varint (self, zigzag (value));
  else
    kvsql_put_be64 (kvsql_buffer_extend (&self->bytes, 8), (guint64)value);
}

void
kvsqld_t2_writer_binary_field (KvsqldT2Writer *self, gint id, KvsqlSlice value)
{
  kvsqld_t2_writer_field (self, KVSQLD_T2_STRING, id);
  kvsqld_t2_writer_binary (self, value);
}

void
kvsqld_t2_writer_bool_field (KvsqldT2Writer *self, gint id, gboolean value)
{
  if (self->transport.is_compact)
    {
      compact_field_header (self, value ? COMPACT_TRUE : COMPACT_FALSE, id);
      return;
    }
  kvsqld_t2_writer_field (self, KVSQLD_T2_BOOL, id);
  kvsql_buffer_append_byte (&self->bytes, value ? 1 : 0);
}

void
kvsqld_t2_writer_i32_field (KvsqldT2Writer *self, gint id, gint32 value)
{
  kvsqld_t2_writer_field (self, KVSQLD_T2_I32, id);
  kvsqld_t2_writer_i32 (self, value);
}

void
kvsqld_t2_writer_i64_field (KvsqldT2Writer *self, gint id, gint64 value)
{
  kvsqld_t2_writer_field (self, KVSQLD_T2_I64, id);
  kvsqld_t2_writer_i64 (self, value);
}

void
kvsqld_t2_writer_struct_field (KvsqldT2Writer *self, gint id)
{
  kvsqld_t2_writer_field (self, KVSQLD_T2_STRUCT, id);
  kvsqld_t2_writer_struct_begin (self);
}

void
kvsqld_t2_writer_list_field (KvsqldT2Writer *self, gint id, KvsqldT2Type element, guint n)
{
  kvsqld_t2_writer_field (self, KVSQLD_T2_LIST, id);
  kvsqld_t2_writer_list_begin (self, element, n);
}

void
kvsqld_t2_writer_entry_field (KvsqldT2Writer *self, gint id, KvsqlSlice key, KvsqlSlice value)
{
  kvsqld_t2_writer_field (self, KVSQLD_T2_MAP, id);
  if (self->transport.is_compact)
    {
      write_varint (self, 1);
      kvsql_buffer_append_byte (&self->bytes, (guint8)(compact_types[KVSQLD_T2_STRING] << 4
                                                       | compact_types[KVSQLD_T2_STRING]));
    }
  else
    {
      kvsql_buffer_append_byte (&self->bytes, KVSQLD_T2_STRING);
      kvsql_buffer_append_byte (&self->bytes, KVSQLD_T2_STRING);
      write_be32 (self, 1);
    }
  kvsqld_t2_writer_binary (self, key);
  kvsqld_t2_writer_binary (self, value);
}
