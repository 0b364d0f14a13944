/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * query.h: the simple protocol: a text with any number of statements.
 */
#pragma once

#include "daemon/postgres/message.h"
#include "daemon/postgres/session.h"

G_BEGIN_DECLS

/* Executes the statements, up to the first error, and writes their results, and ReadyForQuery. A
 * COPY FROM STDIN is executed as its data arrives, and the statements after it then. */
void kvsqld_pg_query (KvsqldPgSession *session, KvsqlSlice text);

/* CopyData, CopyDone or CopyFail of the COPY that is executed, by either protocol. */
void kvsqld_pg_query_copy (KvsqldPgSession *session, KvsqldPgMessage *message);

G_END_DECLS
