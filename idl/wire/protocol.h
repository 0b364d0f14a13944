/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * protocol.h: Thrift's binary and compact encodings, for generated code and for columns.
 *
 * These replace the protocols of thrift_c_glib, which trust every length in a message. Before any
 * allocation they check: lengths and counts against the bytes left in the message, element types,
 * depth, repeated fields, headers, NUL bytes in strings, and the memory that all elements of the
 * message will need. The reader has to check that text is UTF-8.
 *
 * The virtual functions of ThriftProtocol cost a call for each value. For lists there are bulk
 * functions in addition: one call reads or writes a column of a page.
 *
 * Errors: as in transport.h. After the first failed read every later read fails with the same
 * error, because the start of the next message is unknown. Close the connection.
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

/* The greatest depth of structs and containers, and the longest method name in bytes. */
#define KVSQL_PROTOCOL_MAX_DEPTH 64
#define KVSQL_PROTOCOL_MAX_NAME 128

GType kvsql_protocol_get_type (void);

/**
 * kvsql_protocol_new:
 * @compact: %TRUE for TCompactProtocol, %FALSE for TBinaryProtocol
 *
 * Returns: (transfer full): a protocol that holds a reference to @transport
 */
KvsqlProtocol *kvsql_protocol_new (KvsqlTransport *transport, gboolean compact);

KvsqlTransport *kvsql_protocol_get_transport (KvsqlProtocol *self); /* borrowed */

/* Bounds the (estimated) memory that generated code may use for the elements of one message. The
 * default is twelve times the size of the largest message. */
void kvsql_protocol_set_max_memory (KvsqlProtocol *self, guint64 size);

/**
 * kvsql_protocol_set_deferred:
 *
 * Generated code leaks the element that it is reading if a read fails. If failures are deferred, no
 * read within a message's body fails: after the first error all values read as empty, and
 * read_message_end() reports the error. Use it for generated code, not for bulk reads.
 */
void kvsql_protocol_set_deferred (KvsqlProtocol *self, gboolean deferred);

/* ---- writing columns. Each function writes a whole list with its header, and returns FALSE if the
 * message becomes too large. */

gboolean kvsql_protocol_write_bool_list (KvsqlProtocol *self, const guint8 *values, guint32 n,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_protocol_write_int64_list (KvsqlProtocol *self, const gint64 *values, guint32 n,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_protocol_write_double_list (KvsqlProtocol *self, const gdouble *values, guint32 n,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* list<string> and list<binary> are the same bytes. */
gboolean kvsql_protocol_write_slice_list (KvsqlProtocol *self, const KvsqlSlice *values, guint32 n,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_protocol_write_bytes (KvsqlProtocol *self, KvsqlSlice bytes,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same in several parts: thrift_protocol_write_list_begin() with the total count, then any
 * number of these calls. */
gboolean kvsql_protocol_write_bools (KvsqlProtocol *self, const guint8 *values, guint32 n,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_protocol_write_int64s (KvsqlProtocol *self, const gint64 *values, guint32 n,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_protocol_write_doubles (KvsqlProtocol *self, const gdouble *values, guint32 n,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_protocol_write_slices (KvsqlProtocol *self, const KvsqlSlice *values, guint32 n,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- reading columns */

/**
 * kvsql_protocol_read_list_size:
 * @element: the required type of the elements; an empty list may announce any type
 * @out_n: (out): the number of elements, already checked against the rest of the message
 *
 * Begins a list. The caller allocates room for @out_n elements, then calls the read function of
 * their type with exactly that number, even if it is 0: that function ends the list. At least one
 * byte for each element has arrived at this point, so a peer cannot cause an allocation by a count
 * alone.
 */
gboolean kvsql_protocol_read_list_size (KvsqlProtocol *self, ThriftType element, guint32 *out_n,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

gboolean kvsql_protocol_read_bool_list (KvsqlProtocol *self, guint8 *out, guint32 n,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_protocol_read_int64_list (KvsqlProtocol *self, gint64 *out, guint32 n,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_protocol_read_double_list (KvsqlProtocol *self, gdouble *out, guint32 n,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_protocol_read_slice_list:
 * @out: (out caller-allocates) (array length=n): point into the read buffer of the transport
 *
 * Lifetime of the slices: with frames, or from memory, until kvsql_transport_wait() or
 * read_message_begin() for the next message. Without frames, until the next read of any kind,
 * because the buffer may move. A NUL byte is not an error here, but it is one in
 * thrift_protocol_read_string().
 */
gboolean kvsql_protocol_read_slice_list (KvsqlProtocol *self, KvsqlSlice *out, guint32 n,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_protocol_read_bytes (KvsqlProtocol *self, KvsqlSlice *out,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT; /* same lifetime */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlProtocol, g_object_unref)

G_END_DECLS
