/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * transport.h: detects the transport of a gateway.
 *
 * Threads: pure functions, which block like those of connection.h.
 */
#pragma once

#include "daemon/stores/hbase/connection.h"

G_BEGIN_DECLS

/* A set of transports, a bit each. */
#define KVSQLD_T2_ALL_TRANSPORTS 63u
#define KVSQLD_T2_SOCKET_TRANSPORTS 15u

guint kvsqld_t2_transport_bit (KvsqldT2Transport transport);
/* The first of @candidates to try; @candidates is not empty. */
KvsqldT2Transport kvsqld_t2_transport_first (guint candidates);
/* "framed=true&protocol=binary", "transport=https" */
gchar *kvsqld_t2_transport_print (KvsqldT2Transport transport);

/**
 * kvsqld_t2_detect:
 * @candidates: transports to try
 * @out_transport: (inout): the gateway's transport; after a failure possibly the one that it seems
 * to use
 *
 * Returns: (transfer full) (nullable): a connection that was probed; %NULL with
 * KVSQL_ERROR_UNAVAILABLE or _DEADLINE
 */
KvsqldT2Connection *kvsqld_t2_detect (const KvsqldT2Endpoint *endpoint,
                                      const KvsqldT2Settings *settings, guint candidates,
                                      const KvsqlCall *call, KvsqldT2Transport *out_transport,
                                      GError **error);

G_END_DECLS
