/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection.h: one TCP connection to one Thrift2 gateway, one request at a time.
 *
 * A connection on which anything went wrong is never used again: a late reply would pass
 * for the answer to the next request. Errors name host and port, and say whether the
 * request may have been done: it can't have been before its last byte was sent.
 *
 * Threads: a connection belongs to one thread at a time. Calls block until their deadline,
 * or the connection's own time limit, or cancellation.
 */
#pragma once

#include "core/store/store.h"
#include "daemon/stores/hbase/t2-reply.h"
#include "daemon/stores/hbase/t2-requests.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *host;
  guint16 port;
  gchar *address; /* HOST:PORT, for messages */
} KvsqldT2Endpoint;

typedef struct
{
  KvsqldT2Transport transport;
  gint64 connect_timeout_us;
  gint64 reply_timeout_us; /* for a whole request, beside the call's deadline */
} KvsqldT2Settings;

typedef struct _KvsqldT2Connection KvsqldT2Connection;

/* @endpoint outlives the connection. Fails with KVSQL_ERROR_UNAVAILABLE or _DEADLINE. */
KvsqldT2Connection *kvsqld_t2_connection_open (const KvsqldT2Endpoint *endpoint,
                                               const KvsqldT2Settings *settings,
                                               const KvsqlCall *call, GError **error);
void kvsqld_t2_connection_free (KvsqldT2Connection *self); /* accepts NULL */

/* Asks the gateway for its type: proves, with a hint if not, that both sides use the same
 * transport. */
gboolean kvsqld_t2_connection_probe (KvsqldT2Connection *self, const KvsqlCall *call,
                                     GError **error);

/* FALSE if the gateway has closed it, or sent something unasked, since the last request. */
gboolean kvsqld_t2_connection_is_usable (const KvsqldT2Connection *self);

/**
 * kvsqld_t2_connection_call:
 * @request: the complete message
 *
 * Returns: %FALSE if no answer came: KVSQL_ERROR_UNAVAILABLE (nothing was done), _DEADLINE, or
 * for a write that was sent _UNKNOWN_OUTCOME. An exception of the server is an answer: see @reply.
 */
gboolean kvsqld_t2_connection_call (KvsqldT2Connection *self, const KvsqldT2Method *method,
                                    const KvsqldT2Writer *request, const KvsqlCall *call,
                                    KvsqldT2Reply *reply, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldT2Connection, kvsqld_t2_connection_free)

G_END_DECLS
