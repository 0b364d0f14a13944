/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * result-private.h: creates a result from its first page.
 */
#pragma once

#include "client/kvsql-result.h"
#include "client/page.h"

G_BEGIN_DECLS

/**
 * _kvsql_result_new:
 * @page: the first page; left empty
 *
 * Returns: (nullable): %NULL with %KVSQL_CLIENT_ERROR_PROTOCOL if the page is inconsistent
 */
KvsqlResult *_kvsql_result_new (KvsqlConnection *connection, KvsqlPage *page, GError **error);

G_END_DECLS
