/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * encodings.c: makes a protocol of one of the two encodings.
 */
#include "config.h"

#include "idl/wire/protocol-private.h"

/* The memory of the elements of a message, in units of the largest message. */
#define MEMORY_FACTOR 12

KvsqlProtocol *
kvsql_protocol_new (KvsqlTransport *transport, gboolean compact)
{
  KvsqlProtocol *self;

  g_return_val_if_fail (KVSQL_IS_TRANSPORT (transport), NULL);

  self = g_object_new (compact ? kvsql_compact_protocol_get_type ()
                               : kvsql_binary_protocol_get_type (),
                       "transport", transport, NULL);
  self->transport = transport;
  self->max_memory = (guint64)MEMORY_FACTOR * kvsql_transport_get_max_message (transport);
  return self;
}
