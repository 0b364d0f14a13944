/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pool.h: a bounded number of connections to one or several equal Thrift2 gateways.
 *
 * Who needs a connection takes one, makes one request, and gives it back. New connections
 * go to the gateways in turn; one that failed is passed over for a moment, and
 * asked to prove its transport before it is trusted again.
 *
 * Threads: all calls are safe from any thread. The pool's lock is a leaf: nothing is
 * called while it is held.
 */
#pragma once

#include "daemon/stores/hbase/connection.h"

G_BEGIN_DECLS

#define KVSQLD_T2_ANY_GATEWAY (-1)

/* How a connection comes back. */
typedef enum
{
  KVSQLD_T2_GOOD,      /* a reply was read to its end */
  KVSQLD_T2_ABANDONED, /* the caller did not wait for it; the gateway is not to blame */
  KVSQLD_T2_BROKEN,    /* it failed, or was too slow */
} KvsqldT2Condition;

typedef struct _KvsqldT2Pool KvsqldT2Pool;

/* Takes over @endpoints (of KvsqldT2Endpoint*, freed by kvsqld_t2_endpoint_free). */
KvsqldT2Pool *kvsqld_t2_pool_new (GPtrArray *endpoints, const KvsqldT2Settings *settings,
                                  guint max_connections);
void kvsqld_t2_pool_free (KvsqldT2Pool *self); /* accepts NULL; every connection was given back */

/**
 * kvsqld_t2_pool_take:
 * @gateway: number of the one it must be, or %KVSQLD_T2_ANY_GATEWAY
 * @out_gateway: (out): number of the one it is
 *
 * Returns: (transfer full) (nullable): a connection; NULL with KVSQL_ERROR_UNAVAILABLE or _DEADLINE
 */
KvsqldT2Connection *kvsqld_t2_pool_take (KvsqldT2Pool *self, gint gateway, const KvsqlCall *call,
                                         gint *out_gateway, GError **error);
/* Takes over @connection. */
void kvsqld_t2_pool_give (KvsqldT2Pool *self, gint gateway, KvsqldT2Connection *connection,
                          KvsqldT2Condition condition);

KvsqldT2Endpoint *kvsqld_t2_endpoint_new (const gchar *host, guint16 port);
void kvsqld_t2_endpoint_free (KvsqldT2Endpoint *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldT2Pool, kvsqld_t2_pool_free)

G_END_DECLS
