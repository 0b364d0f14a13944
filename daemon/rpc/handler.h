/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * handler.h: the generated handler, answered by the service.
 */
#pragma once

#include "daemon/service.h"

G_BEGIN_DECLS

struct _KvsqlRpcSqlHandler;

/**
 * kvsqld_rpc_handler_new:
 * @service: outlives the handler
 *
 * Translates only. Threads: many may call it at once.
 *
 * Returns: (transfer full): a #GObject, for kvsqld_rpc_server_new()
 */
struct _KvsqlRpcSqlHandler *kvsqld_rpc_handler_new (KvsqldService *service);

G_END_DECLS
