/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * handler.h: the handler for the methods that generated code reads and writes; for the others see
 * processor.h.
 */
#pragma once

#include "daemon/service/service.h"
#include "kvsql_rpc_sql.h"

G_BEGIN_DECLS

/**
 * kvsqld_rpc_handler_new:
 * @service: outlives the handler
 *
 * Only converts arguments and answers. Threads: any number at the same time.
 *
 * Returns: (transfer full): a handler
 */
KvsqlRpcSqlHandler *kvsqld_rpc_handler_new (KvsqldService *service);

G_END_DECLS
