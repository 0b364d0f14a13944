/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pool.h: a bounded number of connections to each of one or more equivalent Thrift2 gateways.
 *
 * A caller takes a connection, makes one request, and gives the connection back. Of two random
 * gateways the one with fewer running requests is used; health.h defines which gateways are
 * candidates. If all are broken, callers try them again, one at a time for each gateway, and fail
 * after each gateway has failed once since their arrival. If all are stalled or broken, callers do
 * not wait for the stalled ones. A thread of the pool probes failed gateways, and closes
 * connections that were idle for almost as long as the server allows.
 *
 * Threads: all calls are safe from any thread. The pool's lock is a leaf: no function that locks is
 * called while it is held.
 */
#pragma once

#include "daemon/stores/hbase/connection.h"

G_BEGIN_DECLS

/* The connection of a request. A scanner's id is valid in one process only, and may be that of
 * another scanner in the next: a host and port may lead to another process after a restart, or
 * through a load balancer. So a scanner is used only on the connection on which it was opened. */
typedef struct
{
  gint gateway;      /* -1: any */
  guint64 serial;    /* serial number of the connection; 0: any */
  gboolean or_older; /* a connection that was opened earlier is acceptable: it leads to the same
                        process unless there is a load balancer. Enough to close a scanner */
} KvsqldT2Where;

#define KVSQLD_T2_ANYWHERE ((KvsqldT2Where){ -1, 0, FALSE })

/* The condition of a returned connection. */
typedef enum
{
  KVSQLD_T2_GOOD,      /* a reply was read to its end */
  KVSQLD_T2_UNUSED,    /* no request was made */
  KVSQLD_T2_ABANDONED, /* the caller did not wait for the reply; the gateway is not the cause */
  KVSQLD_T2_UNSERVED,  /* the gateway answered that HBase did not */
  KVSQLD_T2_BROKEN,    /* it failed, or was too slow */
} KvsqldT2Condition;

typedef struct _KvsqldT2Pool KvsqldT2Pool;

/* Takes over @endpoints (of KvsqldT2Endpoint*, freed by kvsqld_t2_endpoint_free). */
KvsqldT2Pool *kvsqld_t2_pool_new (GPtrArray *endpoints, const KvsqldT2Settings *settings);
/* All connections must have been released. Accepts NULL. */
void kvsqld_t2_pool_free (KvsqldT2Pool *self);

/**
 * kvsqld_t2_pool_take:
 * @where: (inout): the connection that is required; afterwards the one that was taken
 *
 * Returns: (transfer full) (nullable): a connection; %NULL with KVSQL_ERROR_UNAVAILABLE, also if
 * the required connection does not exist any more, or with _DEADLINE
 */
KvsqldT2Connection *kvsqld_t2_pool_take (KvsqldT2Pool *self, KvsqldT2Where *where,
                                         const KvsqlCall *call, GError **error);
/* Takes the connection of @where for a request whose answer is read later; no other caller gets it
 * until then, however long that takes. Does not wait. NULL: others may need it (another scanner is
 * open on it, or half of the gateway's connections are busy), or it is not idle. */
KvsqldT2Connection *kvsqld_t2_pool_take_ahead (KvsqldT2Pool *self, const KvsqldT2Where *where);
/* Takes over @connection. @error: the reason for UNSERVED or BROKEN. */
void kvsqld_t2_pool_give (KvsqldT2Pool *self, gint gateway, KvsqldT2Connection *connection,
                          KvsqldT2Condition condition, const GError *error);

/* FALSE: the transport was not configured, and no gateway has answered yet. */
gboolean kvsqld_t2_pool_get_transport (KvsqldT2Pool *self, KvsqldT2Transport *out_transport);
/* Whether every gateway is broken or stalled. */
gboolean kvsqld_t2_pool_is_away (KvsqldT2Pool *self);
guint kvsqld_t2_pool_get_size (const KvsqldT2Pool *self); /* gateways */
/* When to give up an attempt, so that another gateway can still answer: after half of the time that
 * @call has; at its deadline if no other gateway is healthy. */
gint64 kvsqld_t2_pool_limit_attempt (KvsqldT2Pool *self, const KvsqlCall *call);
/* Calls @func with the facts of each gateway; see kvsql_store_report(). */
void kvsqld_t2_pool_report (KvsqldT2Pool *self, KvsqlFactFunc func, gpointer data);

KvsqldT2Endpoint *kvsqld_t2_endpoint_new (const gchar *host, guint16 port);
void kvsqld_t2_endpoint_free (KvsqldT2Endpoint *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldT2Pool, kvsqld_t2_pool_free)

G_END_DECLS
