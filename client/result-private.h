/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * result-private.h: making a result of its first page.
 */
#pragma once

#include "client/kvsql-result.h"
#include "client/page.h"

G_BEGIN_DECLS

/**
 * _kvsql_result_new:
 * @page: the first page; left empty
 *
 * Returns: (nullable): %NULL with %KVSQL_CLIENT_ERROR_PROTOCOL if the page contradicts itself
 */
KvsqlResult *_kvsql_result_new (KvsqlConnection *connection, KvsqlPage *page, GError **error);

G_END_DECLS
