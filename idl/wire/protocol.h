/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * protocol.h: Thrift's binary and compact encodings, for generated code and for columns.
 *
 * Used instead of the protocols of thrift_c_glib, which trust every length. Ours check
 * everything before they allocate: lengths and counts against what the message still
 * holds, element types, depth, repeated fields, headers, NUL bytes in strings, and the memory
 * that all elements of a message will need. That text is UTF-8 is for the reader to check.
 *
 * Beside the virtual functions of ThriftProtocol, which cost a call for each value, there are
 * bulk functions for lists: a column of a page is one call.
 *
 * Errors: as transport.h. A protocol that has failed to read once fails for good, with the same
 * error: there is no telling where the next message would begin. Close the connection.
 *
 * Threads: one thread at a time.
 */
#pragma once

#include <thrift/c_glib/protocol/thrift_protocol.h>

#include "idl/wire/transport.h"

G_BEGIN_DECLS

#define KVSQL_TYPE_PROTOCOL (kvsql_protocol_get_type ())
#define KVSQL_PROTOCOL(object)                                                                     \
  (G_TYPE_CHECK_INSTANCE_CAST ((object), KVSQL_TYPE_PROTOCOL, KvsqlProtocol))
#define KVSQL_IS_PROTOCOL(object) (G_TYPE_CHECK_INSTANCE_TYPE ((object), KVSQL_TYPE_PROTOCOL))

typedef struct _KvsqlProtocol KvsqlProtocol;

/* Depth of structs and containers, and bytes of a method's name. */
#define KVSQL_PROTOCOL_MAX_DEPTH 64
#define KVSQL_PROTOCOL_MAX_NAME 128

GType kvsql_protocol_get_type (void);

/**
 * kvsql_protocol_new:
 * @compact: TCompactProtocol rather than TBinaryProtocol
 *
 * Returns: (transfer full): a protocol that holds a reference to @transport
 */
KvsqlProtocol *kvsql_protocol_new (KvsqlTransport *transport, gboolean compact);

KvsqlTransport *kvsql_protocol_get_transport (KvsqlProtocol *self); /* borrowed */

/* An estimate of the memory that generated code may use for the elements of one message.
 * The default is twelve times the largest message. */
void kvsql_protocol_set_max_memory (KvsqlProtocol *self, guint64 size);

/**
 * kvsql_protocol_set_deferred:
 *
 * Generated code leaks the element that it is reading when a read fails. Deferred, no read of a
 * message's body fails: after the first error everything reads as empty, and
 * read_message_end() reports it. For generated code; read bulk without.
 */
void kvsql_protocol_set_deferred (KvsqlProtocol *self, gboolean deferred);

/* ---- writing columns. Each writes a whole list, header included, and returns FALSE if the message
 * gets too large. */

gboolean kvsql_protocol_write_bool_list (KvsqlProtocol *self, const guint8 *values, guint32 n,
                                         GError **error);
gboolean kvsql_protocol_write_int64_list (KvsqlProtocol *self, const gint64 *values, guint32 n,
                                          GError **error);
gboolean kvsql_protocol_write_double_list (KvsqlProtocol *self, const gdouble *values, guint32 n,
                                           GError **error);
/* list<string> and list<binary> are the same bytes. */
gboolean kvsql_protocol_write_slice_list (KvsqlProtocol *self, const KvsqlSlice *values, guint32 n,
                                          GError **error);
gboolean kvsql_protocol_write_bytes (KvsqlProtocol *self, KvsqlSlice bytes, GError **error);

/* The same in pieces: thrift_protocol_write_list_begin() with the whole count, then any number of
 * these. */
gboolean kvsql_protocol_write_bools (KvsqlProtocol *self, const guint8 *values, guint32 n,
                                     GError **error);
gboolean kvsql_protocol_write_int64s (KvsqlProtocol *self, const gint64 *values, guint32 n,
                                      GError **error);
gboolean kvsql_protocol_write_doubles (KvsqlProtocol *self, const gdouble *values, guint32 n,
                                       GError **error);
gboolean kvsql_protocol_write_slices (KvsqlProtocol *self, const KvsqlSlice *values, guint32 n,
                                      GError **error);

/* ---- reading columns */

/**
 * kvsql_protocol_read_list_size:
 * @element: what the elements must be; a list without elements may claim anything
 * @out_n: (out): their number, already checked against the rest of the message
 *
 * Begins a list. The caller makes room for @out_n elements, calls the function of their type
 * with exactly that number, and goes on: that function ends the list, even with @n 0. A byte for
 * each element has arrived by now, so that a peer who only announces them gets no room.
 */
gboolean kvsql_protocol_read_list_size (KvsqlProtocol *self, ThriftType element, guint32 *out_n,
                                        GError **error);

gboolean kvsql_protocol_read_bool_list (KvsqlProtocol *self, guint8 *out, guint32 n,
                                        GError **error);
gboolean kvsql_protocol_read_int64_list (KvsqlProtocol *self, gint64 *out, guint32 n,
                                         GError **error);
gboolean kvsql_protocol_read_double_list (KvsqlProtocol *self, gdouble *out, guint32 n,
                                          GError **error);

/**
 * kvsql_protocol_read_slice_list:
 * @out: (out caller-allocates) (array length=n): point into the read buffer of the transport
 *
 * How long the slices live: with frames, or from memory, until kvsql_transport_wait() or
 * read_message_begin() for the next message. Without frames, until the next read of any kind,
 * as the buffer may move. A NUL byte is no error here.
 */
gboolean kvsql_protocol_read_slice_list (KvsqlProtocol *self, KvsqlSlice *out, guint32 n,
                                         GError **error);
gboolean kvsql_protocol_read_bytes (KvsqlProtocol *self, KvsqlSlice *out,
                                    GError **error); /* lives as long */
/* The same two, where a NUL byte is an error, as it is for thrift_protocol_read_string(). */
gboolean kvsql_protocol_read_text_list (KvsqlProtocol *self, KvsqlSlice *out, guint32 n,
                                        GError **error);
gboolean kvsql_protocol_read_text (KvsqlProtocol *self, KvsqlSlice *out, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlProtocol, g_object_unref)

G_END_DECLS
