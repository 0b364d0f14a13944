/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * failure.h: converts an error of the service to the exception SqlError.
 */
#pragma once

#include <thrift/c_glib/thrift.h>

#include "core/base/error.h"
#include "kvsql_rpc_kvsql_types.h"

G_BEGIN_DECLS

/* Errors of other domains than KVSQL_ERROR become INTERNAL. Returns: (transfer full) */
KvsqlRpcSqlError *kvsqld_rpc_failure_new (const GError *cause);

G_END_DECLS
