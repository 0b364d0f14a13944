/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * handler.h: the generated handler, answered by the service; but for the methods of processor.h.
 */
#pragma once

#include "daemon/service.h"
#include "kvsql_rpc_sql.h"

G_BEGIN_DECLS

/**
 * kvsqld_rpc_handler_new:
 * @service: outlives the handler
 *
 * Translates only. Threads: many may call it at once.
 *
 * Returns: (transfer full)
 */
KvsqlRpcSqlHandler *kvsqld_rpc_handler_new (KvsqldService *service);

G_END_DECLS
