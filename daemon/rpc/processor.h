/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * processor.h: calls from their bytes to the service, and answers back.
 *
 * A subclass of the generated processor: the methods that move rows, which come often, are read
 * and written by hand; all others go the generated way, to handler.h.
 */
#pragma once

#include "daemon/service.h"
#include "kvsql_rpc_sql.h"

G_BEGIN_DECLS

/**
 * kvsqld_rpc_processor_new:
 * @service: outlives the processor
 *
 * Threads: many may call it at once.
 *
 * Returns: (transfer full): for kvsqld_rpc_server_new()
 */
KvsqlRpcSqlProcessor *kvsqld_rpc_processor_new (KvsqldService *service);

G_END_DECLS
