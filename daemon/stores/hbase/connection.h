/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection.h: one TCP connection to one Thrift2 gateway, one request at a time, as they are or in
 * HTTP.
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
#include "daemon/stores/hbase/http.h"
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
  guint candidates;                /* what it may be instead, a bit each: see transport.h */
  const KvsqldT2HttpOptions *http; /* outlives all connections */
  gint64 connect_timeout_us;
  gint64 reply_timeout_us; /* for a whole request, beside the call's deadline */
  gint64 idle_us;          /* so long a connection is kept that nobody uses */
  guint max_connections;   /* to one gateway */
} KvsqldT2Settings;

typedef struct _KvsqldT2Connection KvsqldT2Connection;

/* @endpoint outlives the connection. Fails with KVSQL_ERROR_UNAVAILABLE or _DEADLINE. */
KvsqldT2Connection *kvsqld_t2_connection_open (const KvsqldT2Endpoint *endpoint,
                                               const KvsqldT2Settings *settings,
                                               const KvsqlCall *call, GError **error);
void kvsqld_t2_connection_free (KvsqldT2Connection *self); /* accepts NULL */

typedef enum
{
  KVSQLD_T2_PROBE_PASSED,
  KVSQLD_T2_PROBE_CLOSED, /* the gateway hung up: it may speak another transport */
  KVSQLD_T2_PROBE_HTTP,   /* it speaks HTTP */
  KVSQLD_T2_PROBE_TLS,    /* it speaks TLS */
  KVSQLD_T2_PROBE_FAILED, /* it did not answer in time, or speaks no Thrift */
} KvsqldT2ProbeResult;

/* Asks the gateway for its type: proves that both sides use the same transport. */
KvsqldT2ProbeResult kvsqld_t2_connection_probe (KvsqldT2Connection *self, const KvsqlCall *call,
                                                GError **error);

/* A number that no other connection of the process has. */
guint64 kvsqld_t2_connection_get_serial (const KvsqldT2Connection *self);
/* How many scanners were opened on it and not closed; who has it adds and subtracts. */
guint kvsqld_t2_connection_get_n_scanners (const KvsqldT2Connection *self);
void kvsqld_t2_connection_add_scanners (KvsqldT2Connection *self, gint n);
/* When it last brought an answer, or was opened. */
gint64 kvsqld_t2_connection_get_used (const KvsqldT2Connection *self);
/* FALSE if the gateway has closed it, or sent something unasked, since the last request. */
gboolean kvsqld_t2_connection_is_usable (const KvsqldT2Connection *self);

/**
 * kvsqld_t2_connection_call:
 * @request: the complete message
 * @limit_us: when to give it up, should @call not end earlier
 *
 * Returns: %FALSE if no answer came: KVSQL_ERROR_UNAVAILABLE (nothing was done), _DEADLINE, or
 * for a write that was sent _UNKNOWN_OUTCOME. An exception of the server is an answer: see @reply.
 */
gboolean kvsqld_t2_connection_call (KvsqldT2Connection *self, const KvsqldT2Method *method,
                                    const KvsqldT2Writer *request, gint64 limit_us,
                                    const KvsqlCall *call, KvsqldT2Reply *reply, GError **error);

/* Requests may be sent on it whose answers are awaited later. Not by HTTP: libcurl hands out what
 * has arrived whenever it sends, and there is no place for it yet. */
gboolean kvsqld_t2_connection_can_ask (const KvsqldT2Connection *self);
/* Sends a short request that only reads, and waits for nothing; it must be followed by await().
 * FALSE: the connection is of no more use. */
gboolean kvsqld_t2_connection_ask (KvsqldT2Connection *self, const KvsqldT2Writer *request);
/* The other half of kvsqld_t2_connection_call(), whose arguments and result it has. */
gboolean kvsqld_t2_connection_await (KvsqldT2Connection *self, const KvsqldT2Method *method,
                                     const KvsqldT2Writer *request, gint64 limit_us,
                                     const KvsqlCall *call, KvsqldT2Reply *reply, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldT2Connection, kvsqld_t2_connection_free)

G_END_DECLS
