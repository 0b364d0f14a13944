/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * page.h: a page of the service as the generated struct Page.
 *
 * Its write() streams the columns from the batch: nothing is allocated for a cell.
 */
#pragma once

#include <thrift/c_glib/thrift.h>

#include "daemon/service.h"
#include "kvsql_rpc_kvsql_types.h"

G_BEGIN_DECLS

/* @page: (transfer full). Returns: (transfer full): to be written only; its own fields are empty */
KvsqlRpcPage *kvsqld_rpc_page_new (KvsqldPage *page);

/* Returns: (transfer full) (element-type KvsqlRpcColumnInfo) */
GPtrArray *kvsqld_rpc_column_infos (const KvsqldColumn *columns, guint n_columns);

G_END_DECLS
