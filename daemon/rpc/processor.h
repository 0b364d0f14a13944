/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * processor.h: reads calls, passes them to the service, and writes the answers.
 *
 * A subclass of the generated processor. The methods that are frequent or have texts are read
 * without generated code. All others go through the generated code to handler.h.
 */
#pragma once

#include "daemon/service/service.h"
#include "kvsql_rpc_sql.h"

G_BEGIN_DECLS

/**
 * kvsqld_rpc_processor_new:
 * @service: outlives the processor
 *
 * Threads: any number at the same time.
 *
 * Returns: (transfer full): for kvsqld_server_new()
 */
KvsqlRpcSqlProcessor *kvsqld_rpc_processor_new (KvsqldService *service);

G_END_DECLS
