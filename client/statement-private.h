/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statement-private.h: what only a prepared statement knows.
 */
#pragma once

#include "client/kvsql-statement.h"

G_BEGIN_DECLS

/* As _kvsql_params_order(), with the parameters of the statement. */
GPtrArray *_kvsql_statement_order (KvsqlStatement *self, const KvsqlParams *params, GError **error);

G_END_DECLS
