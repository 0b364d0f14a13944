/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * detect.h: which of the four formats a peer speaks, from its first bytes.
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
 * @max_message: a frame that announces more is none
 * @out: (out): the format
 *
 * Returns: 0 if the format is known, -1 on error (it is no Thrift), else how many bytes it takes to
 * go on
 */
gint kvsql_wire_format_detect (KvsqlSlice first, guint32 max_message, KvsqlWireFormat *out,
                               GError **error);

const gchar *kvsql_wire_format_get_name (KvsqlWireFormat format);

/**
 * kvsql_protocol_accept:
 * @transport: at the start of a connection, when kvsql_transport_wait() found something
 *
 * Detects the format and sets the transport to it.
 *
 * Returns: (transfer full) (nullable): the protocol that the peer speaks
 */
KvsqlProtocol *kvsql_protocol_accept (KvsqlTransport *transport, KvsqlWireFormat *out,
                                      GError **error);

G_END_DECLS
