/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * message.h: one message of the client, and the reader of its fields.
 *
 * A field that is not there reads as zero, and the message is marked: kvsqld_pg_message_check()
 * reports it at the end. Texts and bytes are borrowed from the transport, until the message is
 * skipped.
 *
 * Threads: that of the connection.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/slice.h"
#include "idl/wire/transport.h"

G_BEGIN_DECLS

typedef struct
{
  gchar type;
  gsize size; /* of the whole message */
  const guint8 *at;
  const guint8 *end;
  gboolean is_bad;
} KvsqldPgMessage;

/* Whether a whole message has arrived, or one that is an error. */
gboolean kvsqld_pg_message_has_arrived (KvsqlTransport *transport);

/**
 * kvsqld_pg_message_read:
 * @max_bytes: of the largest message
 *
 * Waits until the message has arrived. It stays in the buffer of @transport until the caller skips
 * its .size. Errors: KVSQL_ERROR_PROTOCOL for a bad length, KVSQL_ERROR_LIMIT for one above
 * @max_bytes, which is not read; those of the transport.
 */
gboolean kvsqld_pg_message_read (KvsqlTransport *transport, gsize max_bytes, KvsqldPgMessage *out,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

guint16 kvsqld_pg_get_int16 (KvsqldPgMessage *self);
guint32 kvsqld_pg_get_int32 (KvsqldPgMessage *self);
gchar kvsqld_pg_get_byte (KvsqldPgMessage *self);
const gchar *kvsqld_pg_get_text (KvsqldPgMessage *self); /* "" if it is not there */
KvsqlSlice kvsqld_pg_get_bytes (KvsqldPgMessage *self, gsize size);

/* FALSE with KVSQL_ERROR_PROTOCOL if a field was missing or if bytes are left. */
gboolean kvsqld_pg_message_check (const KvsqldPgMessage *self,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
