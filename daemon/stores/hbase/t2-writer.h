/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * t2-writer.h: writes Thrift messages for HBase's Thrift2 server, in either protocol.
 *
 * The writer knows Thrift, but not HBase. Lists and structs are written in their order: the caller
 * gives the number of elements, and closes what it has opened.
 *
 * Threads: a writer belongs to one thread. No call fails.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

/* The carrier of messages. */
typedef enum
{
  KVSQLD_T2_SOCKET,
  KVSQLD_T2_HTTP,
  KVSQLD_T2_HTTPS,
} KvsqldT2Carrier;

/* The encoding of messages. Framed ones begin with their length. With HTTP they are neither framed
 * nor compact. */
typedef struct
{
  gboolean is_framed;
  gboolean is_compact;
  KvsqldT2Carrier carrier;
} KvsqldT2Transport;

/* Types; the numbers are those of the binary protocol. */
typedef enum
{
  KVSQLD_T2_STOP = 0,
  KVSQLD_T2_BOOL = 2,
  KVSQLD_T2_BYTE = 3,
  KVSQLD_T2_DOUBLE = 4,
  KVSQLD_T2_I16 = 6,
  KVSQLD_T2_I32 = 8,
  KVSQLD_T2_I64 = 10,
  KVSQLD_T2_STRING = 11,
  KVSQLD_T2_STRUCT = 12,
  KVSQLD_T2_MAP = 13,
  KVSQLD_T2_SET = 14,
  KVSQLD_T2_LIST = 15,
} KvsqldT2Type;

typedef enum
{
  KVSQLD_T2_CALL = 1,
  KVSQLD_T2_REPLY = 2,
  KVSQLD_T2_EXCEPTION = 3,
} KvsqldT2MessageType;

#define KVSQLD_T2_MAX_DEPTH 16

typedef struct
{
  KvsqldT2Transport transport;
  KvsqlBuffer bytes; /* the message; complete after kvsqld_t2_writer_end() */
  guint32 sequence;
  gboolean uses_full_deadline; /* its answer may take all the time that the call has */
  guint depth;
  gint last_field[KVSQLD_T2_MAX_DEPTH]; /* compact: field ids are written as differences */
} KvsqldT2Writer;

void kvsqld_t2_writer_init (KvsqldT2Writer *self, KvsqldT2Transport transport);
void kvsqld_t2_writer_clear (KvsqldT2Writer *self);

/* Begins a new message, and opens its arguments (or result) struct; the end closes that. */
void kvsqld_t2_writer_begin (KvsqldT2Writer *self, KvsqldT2MessageType type, const gchar *method,
                             guint32 sequence);
void kvsqld_t2_writer_end (KvsqldT2Writer *self);

void kvsqld_t2_writer_field (KvsqldT2Writer *self, KvsqldT2Type type, gint id);
void kvsqld_t2_writer_struct_begin (KvsqldT2Writer *self);
void kvsqld_t2_writer_struct_end (KvsqldT2Writer *self);
void kvsqld_t2_writer_list_begin (KvsqldT2Writer *self, KvsqldT2Type element, guint n);

void kvsqld_t2_writer_binary (KvsqldT2Writer *self, KvsqlSlice value);
void kvsqld_t2_writer_i32 (KvsqldT2Writer *self, gint32 value);
void kvsqld_t2_writer_i64 (KvsqldT2Writer *self, gint64 value);

/* A field and its value. */
void kvsqld_t2_writer_binary_field (KvsqldT2Writer *self, gint id, KvsqlSlice value);
void kvsqld_t2_writer_bool_field (KvsqldT2Writer *self, gint id, gboolean value);
void kvsqld_t2_writer_i32_field (KvsqldT2Writer *self, gint id, gint32 value);
void kvsqld_t2_writer_i64_field (KvsqldT2Writer *self, gint id, gint64 value);
void kvsqld_t2_writer_struct_field (KvsqldT2Writer *self, gint id);
void kvsqld_t2_writer_list_field (KvsqldT2Writer *self, gint id, KvsqldT2Type element, guint n);
/* A map with one entry. */
void kvsqld_t2_writer_entry_field (KvsqldT2Writer *self, gint id, KvsqlSlice key, KvsqlSlice value);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqldT2Writer, kvsqld_t2_writer_clear)

G_END_DECLS
