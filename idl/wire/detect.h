/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * detect.h: detects which of the four formats a peer uses, by its first bytes.
 *
 *   80 01 …           binary
 *   82 …              compact
 *   size:4 80 …       binary in frames
 *   size:4 82 …       compact in frames
 */
#pragma once

#include "idl/wire/protocol.h"

G_BEGIN_DECLS

typedef struct
{
  gboolean framed;
  gboolean compact;
} KvsqlWireFormat;

/**
 * kvsql_wire_format_detect:
 * @first: the first bytes of a connection
 * @max_message: the largest frame; a larger announced size is not taken for a frame header
 * @out: (out): the format
 *
 * Returns: 0 if the format is known, -1 on error (not Thrift), else the number of bytes that are
 * needed to decide
 */
gint kvsql_wire_format_detect (KvsqlSlice first, guint32 max_message, KvsqlWireFormat *out,
                               GError **error);

const gchar *kvsql_wire_format_get_name (KvsqlWireFormat format);

/**
 * kvsql_protocol_accept:
 * @transport: at the start of a connection, after kvsql_transport_wait() found bytes
 *
 * Detects the format and configures the transport for it.
 *
 * Returns: (transfer full) (nullable): a protocol for the peer's encoding
 */
KvsqlProtocol *kvsql_protocol_accept (KvsqlTransport *transport, KvsqlWireFormat *out,
                                      GError **error);

G_END_DECLS
