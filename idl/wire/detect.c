/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * detect.c: detects which of the four formats a peer uses, by its first bytes.
 */
#include "config.h"

#include "idl/wire/detect.h"

#include "core/base/error.h"

#define BINARY_FIRST 0x80
#define BINARY_SECOND 0x01
#define COMPACT_FIRST 0x82
#define FRAME_HEADER 4

static gint
refuse (GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                   "peer speaks neither the binary nor the compact protocol of Thrift");
  return -1;
}

static gint
detect_in_frame (KvsqlSlice first, guint32 max_message, KvsqlWireFormat *out, GError **error)
{
  guint32 size;

  if (first.size < FRAME_HEADER)
    return FRAME_HEADER;
  size = kvsql_get_be32 (first.data);
  if (size == 0 || size > max_message)
    return refuse (error);
  if (first.size == FRAME_HEADER)
    return FRAME_HEADER + 1;
  if (first.data[FRAME_HEADER] != BINARY_FIRST && first.data[FRAME_HEADER] != COMPACT_FIRST)
    return refuse (error);
  *out = (KvsqlWireFormat){ .framed = TRUE, .compact = first.data[FRAME_HEADER] == COMPACT_FIRST };
  return 0;
}

gint
kvsql_wire_format_detect (KvsqlSlice first, guint32 max_message, KvsqlWireFormat *out,
                          GError **error)
{
  if (first.size == 0)
    return 1;
  if (first.data[0] == COMPACT_FIRST)
    {
      *out = (KvsqlWireFormat){ .compact = TRUE };
      return 0;
    }
  if (first.data[0] != BINARY_FIRST)
    return detect_in_frame (first, max_message, out, error);
  if (first.size == 1)
    return 2;
  if (first.data[1] != BINARY_SECOND)
    return refuse (error);
  *out = (KvsqlWireFormat){ 0 };
  return 0;
}

const gchar *
kvsql_wire_format_get_name (KvsqlWireFormat format)
{
  if (format.framed)
    return format.compact ? "framed compact" : "framed binary";
  return format.compact ? "compact" : "binary";
}

KvsqlProtocol *
kvsql_protocol_accept (KvsqlTransport *transport, KvsqlWireFormat *out, GError **error)
{
  guint32 max_message = kvsql_transport_get_max_message (transport);
  KvsqlWireFormat format = { 0 };
  KvsqlSlice first;
  gint needed = 1;

  while (needed > 0)
    {
      if (!kvsql_transport_peek (transport, (gsize)needed, &first, error))
        return NULL;
      needed = kvsql_wire_format_detect (first, max_message, &format, error);
    }
  if (needed < 0)
    return NULL;
  kvsql_transport_set_framed (transport, format.framed);
  *out = format;
  return kvsql_protocol_new (transport, format.compact);
}
