/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * t2-reader.h: reads one Thrift message as its bytes arrive, in either protocol.
 *
 * The message is received into one buffer; byte strings are borrowed from it, never copied. The
 * buffer may move while it grows. So a slice that a reader returns contains an offset instead of a
 * pointer until the message is complete: see kvsqld_t2_settle().
 *
 * Failure is sticky: after the first one every read returns 0 or nothing, a struct ends, and
 * kvsqld_t2_reader_has_failed() returns TRUE. Loops over counts check it in their condition.
 *
 * Threads: a reader belongs to one thread.
 */
#pragma once

#include "core/base/error.h"
#include "daemon/stores/hbase/t2-writer.h"

G_BEGIN_DECLS

/* The largest accepted reply. */
#define KVSQLD_T2_MAX_REPLY ((gsize)512 << 20)

/* Appends to @buffer until it has at least @size bytes; may append more. FALSE sets @error. */
typedef gboolean (*KvsqldT2Fill) (gpointer source, KvsqlBuffer *buffer, gsize size, GError **error);

typedef struct
{
  KvsqldT2Transport transport;
  KvsqlBuffer *buffer; /* borrowed */
  gsize position;
  gsize end;   /* bytes before this position have arrived and belong to the message */
  gsize limit; /* the message ends here at the latest */
  KvsqldT2Fill fill;
  gpointer source;
  GError *failure;
} KvsqldT2Reader;

typedef struct
{
  KvsqldT2Type type; /* KVSQLD_T2_STOP at the end of the struct */
  gint id;
  gboolean compact_bool; /* in the compact protocol the header contains a boolean's value */
} KvsqldT2Field;

#define KVSQLD_T2_FIELD_FIRST ((KvsqldT2Field){ KVSQLD_T2_STOP, 0, FALSE })

/* Empties @buffer. A frame's header is read at once. */
void kvsqld_t2_reader_init (KvsqldT2Reader *self, KvsqldT2Transport transport, KvsqlBuffer *buffer,
                            KvsqldT2Fill fill, gpointer source);
/* The slow path of taking bytes: waits for them, or fails. */
gboolean kvsqld_t2_reader_refill (KvsqldT2Reader *self, gsize size);
/* Fails because of malformed bytes. */
void kvsqld_t2_reader_fail (KvsqldT2Reader *self, const gchar *what);

static inline gboolean
kvsqld_t2_reader_has_failed (const KvsqldT2Reader *self)
{
  return self->failure != NULL;
}

/* The next @size bytes, valid until the next read; NULL after a failure. */
static inline const guint8 *
kvsqld_t2_reader_take (KvsqldT2Reader *self, gsize size)
{
  const guint8 *at;

  if (G_UNLIKELY (self->end - self->position < size) && !kvsqld_t2_reader_refill (self, size))
    return NULL;
  at = self->buffer->data + self->position;
  self->position += size;
  return at;
}

/* Message header; @out_name is an offset slice. */
void kvsqld_t2_reader_message (KvsqldT2Reader *self, KvsqldT2MessageType *out_type,
                               KvsqlSlice *out_name, guint32 *out_sequence);
/* Fails if bytes follow the message. */
void kvsqld_t2_reader_end (KvsqldT2Reader *self);

/* The compact protocol's types as numbers of the binary protocol; 0: no such type. */
extern const guint8 _kvsqld_t2_plain_types[16];
gboolean _kvsqld_t2_reader_any_field (KvsqldT2Reader *self, KvsqldT2Field *field);

/* Reads the header of a struct's next field; FALSE at its end. @field starts as
 * KVSQLD_T2_FIELD_FIRST. This fast path is for nearly all fields of rows: compact, with a small id
 * difference, and arrived. */
static inline gboolean
kvsqld_t2_reader_field (KvsqldT2Reader *self, KvsqldT2Field *field)
{
  guint8 header;

  if (G_UNLIKELY (self->position >= self->end) || !self->transport.is_compact)
    return _kvsqld_t2_reader_any_field (self, field);
  header = self->buffer->data[self->position];
  if (header >> 4 == 0 || _kvsqld_t2_plain_types[header & 15] <= KVSQLD_T2_BOOL)
    return _kvsqld_t2_reader_any_field (self, field);
  self->position++;
  field->id += header >> 4;
  field->type = _kvsqld_t2_plain_types[header & 15];
  return TRUE;
}
guint kvsqld_t2_reader_list (KvsqldT2Reader *self, KvsqldT2Type *out_element);
KvsqlSlice kvsqld_t2_reader_binary (KvsqldT2Reader *self);
gboolean kvsqld_t2_reader_bool (KvsqldT2Reader *self, const KvsqldT2Field *field);
guint8 kvsqld_t2_reader_byte (KvsqldT2Reader *self);
gint32 kvsqld_t2_reader_i32 (KvsqldT2Reader *self);
gint64 kvsqld_t2_reader_i64 (KvsqldT2Reader *self);
void kvsqld_t2_reader_skip (KvsqldT2Reader *self, const KvsqldT2Field *field);
void kvsqld_t2_reader_skip_element (KvsqldT2Reader *self, KvsqldT2Type type);

/* Converts an offset to a pointer, after the whole message is in @buffer. */
static inline void
kvsqld_t2_settle (KvsqlSlice *slice, const KvsqlBuffer *buffer)
{
  if (slice->size > 0)
    slice->data = buffer->data + GPOINTER_TO_SIZE (slice->data);
  else
    slice->data = (const guint8 *)"";
}

G_END_DECLS
