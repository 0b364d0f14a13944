/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read-probe.h: checks by a small read whether HBase answers through a gateway.
 *
 * Threads: as in connection.h; blocks until its limit.
 */
#pragma once

#include "daemon/stores/hbase/connection.h"

G_BEGIN_DECLS

/* Writes the request, a call of kvsqld_t2_get. Any answer, an exception too, proves that HBase has
 * answered, except those that kvsqld_hbase_check_served() recognizes. */
void kvsqld_t2_write_read_probe (KvsqldT2Writer *writer);

/**
 * kvsqld_t2_read_probe:
 *
 * Returns: %FALSE if HBase did not answer, or the gateway reported that: KVSQL_ERROR_UNAVAILABLE or
 * _DEADLINE
 */
gboolean kvsqld_t2_read_probe (KvsqldT2Connection *connection, gint64 limit_us,
                               const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
