/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection.h: one TCP connection to one Thrift2 gateway, one request at a time, directly or in
 * HTTP.
 *
 * A connection on which any error occurred is never used again: a late reply could be taken for the
 * answer to the next request. Errors name host and port, and distinguish whether the request may
 * have been done: not before its last byte was sent.
 *
 * Threads: a connection belongs to one thread at a time. Calls block until their deadline, the
 * connection's own time limit, or cancellation.
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
  guint candidates;                /* the possible transports, a bit each: see transport.h */
  const KvsqldT2HttpOptions *http; /* outlives all connections */
  gint64 connect_timeout_us;
  gint64 reply_timeout_us; /* for a whole request, in addition to the call's deadline */
  gint64 idle_us;          /* how long an unused connection is kept */
  guint max_connections;   /* to one gateway */
} KvsqldT2Settings;

typedef struct _KvsqldT2Connection KvsqldT2Connection;

/* @endpoint must outlive the connection. Fails with KVSQL_ERROR_UNAVAILABLE or _DEADLINE. */
KvsqldT2Connection *kvsqld_t2_connection_open (const KvsqldT2Endpoint *endpoint,
                                               const KvsqldT2Settings *settings,
                                               const KvsqlCall *call, GError **error);
void kvsqld_t2_connection_free (KvsqldT2Connection *self); /* accepts NULL */

typedef enum
{
  KVSQLD_T2_PROBE_PASSED,
  KVSQLD_T2_PROBE_CLOSED, /* the gateway closed the connection: it may use another transport */
  KVSQLD_T2_PROBE_HTTP,   /* it uses HTTP */
  KVSQLD_T2_PROBE_TLS,    /* it uses TLS */
  KVSQLD_T2_PROBE_FAILED, /* it did not answer in time, or does not use Thrift */
} KvsqldT2ProbeResult;

/* Asks the gateway for its type, which proves that both sides use the same transport. */
KvsqldT2ProbeResult kvsqld_t2_connection_probe (KvsqldT2Connection *self, const KvsqlCall *call,
                                                GError **error);

/* A number that is unique in the process. */
guint64 kvsqld_t2_connection_get_serial (const KvsqldT2Connection *self);
KvsqldT2Transport kvsqld_t2_connection_get_transport (const KvsqldT2Connection *self);
/* The number of open scanners on it; the user of the connection adds and subtracts. */
guint kvsqld_t2_connection_get_n_scanners (const KvsqldT2Connection *self);
void kvsqld_t2_connection_add_scanners (KvsqldT2Connection *self, gint n);
/* Time of the last answer, or of the opening. */
gint64 kvsqld_t2_connection_get_used (const KvsqldT2Connection *self);
/* FALSE: since the last request, the gateway has closed it or sent unexpected bytes. */
gboolean kvsqld_t2_connection_is_usable (const KvsqldT2Connection *self);

/**
 * kvsqld_t2_connection_call:
 * @request: the complete message
 * @limit_us: when to give up, if @call does not end earlier
 *
 * Returns: %FALSE if no answer arrived: KVSQL_ERROR_UNAVAILABLE (nothing was done), _DEADLINE, or,
 * for a write that was sent, _UNKNOWN_OUTCOME. An exception of the server is an answer: see @reply.
 */
gboolean kvsqld_t2_connection_call (KvsqldT2Connection *self, const KvsqldT2Method *method,
                                    const KvsqldT2Writer *request, gint64 limit_us,
                                    const KvsqlCall *call, KvsqldT2Reply *reply,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether kvsqld_t2_connection_ask() may be used. Not with HTTP: libcurl delivers received bytes
 * whenever it sends, and there is no buffer for them yet. */
gboolean kvsqld_t2_connection_can_ask (const KvsqldT2Connection *self);
/* Sends a short request that only reads, and does not wait; the caller must then call await().
 * FALSE: the connection is unusable. */
gboolean kvsqld_t2_connection_ask (KvsqldT2Connection *self, const KvsqldT2Writer *request);
/* The second half of kvsqld_t2_connection_call(), with the same arguments and result. */
gboolean kvsqld_t2_connection_await (KvsqldT2Connection *self, const KvsqldT2Method *method,
                                     const KvsqldT2Writer *request, gint64 limit_us,
                                     const KvsqlCall *call, KvsqldT2Reply *reply,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldT2Connection, kvsqld_t2_connection_free)

G_END_DECLS
