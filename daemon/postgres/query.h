/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * query.h: the simple protocol: a text with any number of statements.
 */
#pragma once

#include "daemon/postgres/session.h"

G_BEGIN_DECLS

/* Executes the statements, up to the first error, and writes their results, and ReadyForQuery. */
void kvsqld_pg_query (KvsqldPgSession *session, KvsqlSlice text);

G_END_DECLS
