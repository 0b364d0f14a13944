/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statement-private.h: functions of a prepared statement for the other files of the library.
 */
#pragma once

#include "client/kvsql-statement.h"

G_BEGIN_DECLS

/* Like _kvsql_params_order(), with the names of the statement's parameters. */
GPtrArray *_kvsql_statement_order (KvsqlStatement *self, const KvsqlParams *params, GError **error);

G_END_DECLS
