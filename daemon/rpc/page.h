/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * page.h: writes a page of the service as the struct Page of kvsql.thrift.
 *
 * The columns are written directly from the batch, without an allocation for a cell.
 */
#pragma once

#include "daemon/service/service.h"
#include "idl/wire/protocol.h"

G_BEGIN_DECLS

gboolean kvsqld_rpc_page_write (const KvsqlResultPage *page, KvsqlProtocol *protocol,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Returns: (transfer full) (element-type KvsqlRpcColumnInfo) */
GPtrArray *kvsqld_rpc_column_infos (const KvsqlResultColumn *columns, guint n_columns);

G_END_DECLS
