/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * wire-fixture.h: the four formats, and messages in memory, for the tests of idl/wire.
 */
#pragma once

#include "core/base/error.h"
#include "idl/wire/detect.h"
#include "idl/wire/thrift-setup.h"

static const KvsqlWireFormat wire_formats[] = {
  { .framed = FALSE, .compact = FALSE },
  { .framed = FALSE, .compact = TRUE },
  { .framed = TRUE, .compact = FALSE },
  { .framed = TRUE, .compact = TRUE },
};

/* A protocol that writes to memory or reads from it. */
static inline ThriftProtocol *
wire_open (const KvsqlWireFormat *format)
{
  g_autoptr (KvsqlTransport) transport
      = kvsql_transport_new_memory (format->framed, KVSQL_TRANSPORT_MAX_MESSAGE);

  return THRIFT_PROTOCOL (kvsql_protocol_new (transport, format->compact));
}

static inline ThriftProtocol *
wire_open_bytes (const KvsqlWireFormat *format, gconstpointer data, gsize size)
{
  ThriftProtocol *protocol = wire_open (format);

  kvsql_transport_set_memory (kvsql_protocol_get_transport (KVSQL_PROTOCOL (protocol)),
                              kvsql_slice (data, size));
  return protocol;
}

/* Flushes, and returns the bytes in a block of exactly their size, so that a sanitizer finds a read
 * past the end. */
static inline guint8 *
wire_flush (ThriftProtocol *protocol, gsize *out_size)
{
  KvsqlTransport *transport = kvsql_protocol_get_transport (KVSQL_PROTOCOL (protocol));
  GError *error = NULL;
  KvsqlSlice bytes;

  g_assert_true (thrift_transport_flush (THRIFT_TRANSPORT (transport), &error));
  g_assert_no_error (error);
  bytes = kvsql_transport_get_memory (transport);
  *out_size = bytes.size;
  return g_memdup2 (bytes.data, bytes.size);
}

static inline void
wire_begin_call (ThriftProtocol *protocol, const gchar *method)
{
  g_assert_cmpint (thrift_protocol_write_message_begin (protocol, method, T_CALL, 7, NULL), >=, 0);
}

static inline void
wire_expect_call (ThriftProtocol *protocol, const gchar *method)
{
  g_autofree gchar *name = NULL;
  GError *error = NULL;
  ThriftMessageType type;
  gint32 sequence_id;

  g_assert_cmpint (
      thrift_protocol_read_message_begin (protocol, &name, &type, &sequence_id, &error), >=, 0);
  g_assert_no_error (error);
  g_assert_cmpstr (name, ==, method);
  g_assert_cmpint (type, ==, T_CALL);
  g_assert_cmpint (sequence_id, ==, 7);
}
