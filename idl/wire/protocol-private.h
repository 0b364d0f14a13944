/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * protocol-private.h: what the binary and the compact protocol share.
 *
 * A subclass encodes and decodes. The base class tracks the position in the message and does all
 * checks.
 */
#pragma once

#include "idl/wire/protocol.h"
#include "idl/wire/transport-private.h"

G_BEGIN_DECLS

/* State of a struct or container that is being read. */
typedef struct
{
  guint64 seen;      /* bit i: field i was read; to find repeated fields */
  gint16 last_field; /* the compact encoding stores differences of field ids */
  guint8 element;    /* type of a list's elements; T_STOP: any type */
} KvsqlProtocolLevel;

struct _KvsqlProtocol
{
  ThriftProtocol parent;

  KvsqlTransport *transport; /* the parent object holds the reference */
  gboolean is_deferred;
  GError *failure; /* the first failure */
  guint64 max_memory;

  /* State of the message that is being read. */
  guint64 memory;
  guint depth;
  KvsqlProtocolLevel levels[KVSQL_PROTOCOL_MAX_DEPTH + 1]; /* [0] is the message */
  gint8 pending_bool; /* compact: the boolean that the field's header contained, or -1 */

  /* State of the message that is being written; compact only. */
  guint write_depth;
  gint16 write_last[KVSQL_PROTOCOL_MAX_DEPTH + 1];
  gint32 write_bool_field; /* id of a boolean field whose header is written together with its value,
                              or -1 */
};

typedef struct
{
  ThriftProtocolClass parent;

  gboolean (*write_bools) (KvsqlProtocol *self, const guint8 *values, guint32 n, GError **error);
  gboolean (*write_int64s) (KvsqlProtocol *self, const gint64 *values, guint32 n, GError **error);
  gboolean (*write_doubles) (KvsqlProtocol *self, const gdouble *values, guint32 n, GError **error);
  gboolean (*write_slices) (KvsqlProtocol *self, const KvsqlSlice *values, guint32 n,
                            GError **error);

  /* On error these set @failure. */
  gboolean (*read_bools) (KvsqlProtocol *self, guint8 *out, guint32 n);
  gboolean (*read_int64s) (KvsqlProtocol *self, gint64 *out, guint32 n);
  gboolean (*read_doubles) (KvsqlProtocol *self, gdouble *out, guint32 n);
  /* The length at @offset, and the number of bytes that encode it. */
  gboolean (*view_length) (KvsqlProtocol *self, gsize offset, guint32 *out_length, gsize *out_size);
} KvsqlProtocolClass;

typedef KvsqlProtocol KvsqlBinaryProtocol;
typedef KvsqlProtocolClass KvsqlBinaryProtocolClass;
typedef KvsqlProtocol KvsqlCompactProtocol;
typedef KvsqlProtocolClass KvsqlCompactProtocolClass;

GType kvsql_binary_protocol_get_type (void);
GType kvsql_compact_protocol_get_type (void);

#define KVSQL_PROTOCOL_GET_CLASS(self) ((KvsqlProtocolClass *)((GTypeInstance *)(self))->g_class)

/* Records the failure if it is the first. Returns FALSE. */
gboolean _kvsql_protocol_fail (KvsqlProtocol *self, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
/* The result of a virtual function after a failure: -1 with the error set, or 0 if failures are
 * deferred. */
gint32 _kvsql_protocol_failed (KvsqlProtocol *self, GError **error);

gboolean _kvsql_protocol_begin_message (KvsqlProtocol *self);
gboolean _kvsql_protocol_check_message_type (KvsqlProtocol *self, guint type);
gchar *_kvsql_protocol_take_name (KvsqlProtocol *self, guint32 size);
gboolean _kvsql_protocol_push (KvsqlProtocol *self, ThriftType type, ThriftType element);
void _kvsql_protocol_pop (KvsqlProtocol *self);
gboolean _kvsql_protocol_note_field (KvsqlProtocol *self, gint16 id);
/* @minimum: the smallest number of bytes that an element takes. */
gboolean _kvsql_protocol_check_count (KvsqlProtocol *self, gint64 n, guint minimum, ThriftType a,
                                      ThriftType b);
gboolean _kvsql_protocol_take_string (KvsqlProtocol *self, guint32 size, gchar **out);
gboolean _kvsql_protocol_take_binary (KvsqlProtocol *self, guint32 size, gpointer *out,
                                      guint32 *out_size);
gboolean _kvsql_protocol_wrong_element (KvsqlProtocol *self, ThriftType type);

/* In a list, only elements of the type in its header may be read. */
static inline gboolean
_kvsql_protocol_expect (KvsqlProtocol *self, ThriftType type)
{
  guint8 element = self->levels[self->depth].element;

  return G_LIKELY (element == T_STOP || element == type)
         || _kvsql_protocol_wrong_element (self, type);
}

/* Consumes @size bytes of the message; NULL after a failure. */
static inline const guint8 *
_kvsql_protocol_take (KvsqlProtocol *self, gsize size)
{
  return G_LIKELY (self->failure == NULL)
             ? _kvsql_transport_take (self->transport, size, &self->failure)
             : NULL;
}

static inline const guint8 *
_kvsql_protocol_take_value (KvsqlProtocol *self, ThriftType type, gsize size)
{
  return _kvsql_protocol_expect (self, type) ? _kvsql_protocol_take (self, size) : NULL;
}

static inline guint8 *
_kvsql_protocol_put (KvsqlProtocol *self, gsize size, GError **error)
{
  return _kvsql_transport_put (self->transport, size, error);
}

G_END_DECLS
