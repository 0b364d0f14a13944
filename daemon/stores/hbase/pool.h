/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pool.h: a bounded number of connections to each of one or several equal Thrift2 gateways.
 *
 * Who needs a connection takes one, makes one request, and gives it back. Of two gateways taken by
 * chance the one with fewer requests under way gets it; health.h says which of them are asked at
 * all. If every one is broken, callers try them again, one at a time for each gateway, and fail
 * once all have been tried in vain since they came. A thread of the pool probes gateways that
 * failed, and closes connections that lay idle for so long that the server would.
 *
 * Threads: all calls are safe from any thread. The pool's lock is a leaf: nothing is
 * called while it is held.
 */
#pragma once

#include "daemon/stores/hbase/connection.h"

G_BEGIN_DECLS

/* On which connection a request is made. A scanner has a number that means something in one process
 * only, and another scanner in the next: whatever a host and port lead to after a restart, or
 * behind a load balancer. So who has a scanner asks on the connection on which it was opened. */
typedef struct
{
  gint gateway;      /* -1: any */
  guint64 serial;    /* of the connection; 0: any */
  gboolean or_older; /* one that was opened before will do: it leads to the same process, unless
                      * there is a balancer between. Enough to close a scanner */
} KvsqldT2Where;

#define KVSQLD_T2_ANYWHERE ((KvsqldT2Where){ -1, 0, FALSE })

/* How a connection comes back. */
typedef enum
{
  KVSQLD_T2_GOOD,      /* a reply was read to its end */
  KVSQLD_T2_UNUSED,    /* no request was made */
  KVSQLD_T2_ABANDONED, /* the caller did not wait for it; the gateway is not to blame */
  KVSQLD_T2_BROKEN,    /* it failed, or was too slow */
} KvsqldT2Condition;

typedef struct _KvsqldT2Pool KvsqldT2Pool;

/* Takes over @endpoints (of KvsqldT2Endpoint*, freed by kvsqld_t2_endpoint_free). */
KvsqldT2Pool *kvsqld_t2_pool_new (GPtrArray *endpoints, const KvsqldT2Settings *settings);
void kvsqld_t2_pool_free (KvsqldT2Pool *self); /* accepts NULL; every connection was given back */

/**
 * kvsqld_t2_pool_take:
 * @where: (inout): which one it must be; then which one it is
 *
 * Returns: (transfer full) (nullable): a connection; NULL with KVSQL_ERROR_UNAVAILABLE, also if
 * that very connection is no more, or _DEADLINE
 */
KvsqldT2Connection *kvsqld_t2_pool_take (KvsqldT2Pool *self, KvsqldT2Where *where,
                                         const KvsqlCall *call, GError **error);
/* That very connection, for a request whose answer is awaited later: nobody else gets it until
 * then, however long that takes. NULL if others may want it: another scanner was opened on it too,
 * half of the gateway's connections are busy, or it is not idle. Waits for nothing. */
KvsqldT2Connection *kvsqld_t2_pool_take_ahead (KvsqldT2Pool *self, const KvsqldT2Where *where);
/* Takes over @connection. @error is what broke it. */
void kvsqld_t2_pool_give (KvsqldT2Pool *self, gint gateway, KvsqldT2Connection *connection,
                          KvsqldT2Condition condition, const GError *error);

/* FALSE until a gateway has answered, where the transport was left to be found out. */
gboolean kvsqld_t2_pool_get_transport (KvsqldT2Pool *self, KvsqldT2Transport *out_transport);
/* Every gateway is broken. */
gboolean kvsqld_t2_pool_is_away (KvsqldT2Pool *self);
guint kvsqld_t2_pool_get_size (const KvsqldT2Pool *self); /* gateways */
/* When an attempt is given up, so that another gateway can still answer in its place: after half of
 * the time that @call has; its deadline where no other is healthy. */
gint64 kvsqld_t2_pool_limit_attempt (KvsqldT2Pool *self, const KvsqlCall *call);
/* Calls @func for what is known of each gateway; see kvsql_store_report(). */
void kvsqld_t2_pool_report (KvsqldT2Pool *self, KvsqlFactFunc func, gpointer data);

KvsqldT2Endpoint *kvsqld_t2_endpoint_new (const gchar *host, guint16 port);
void kvsqld_t2_endpoint_free (KvsqldT2Endpoint *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldT2Pool, kvsqld_t2_pool_free)

G_END_DECLS
