/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * startup.h: the packets before the first message: SSLRequest, GSSENCRequest, CancelRequest,
 * StartupMessage.
 */
#pragma once

#include "daemon/connections/connection.h"
#include "daemon/postgres/session.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLD_PG_STARTUP_DONE,
  KVSQLD_PG_STARTUP_CANCEL,    /* a CancelRequest, which has no answer: the connection ends */
  KVSQLD_PG_STARTUP_ENCRYPTED, /* an SSLRequest: TLS was started, and what follows is in it */
  KVSQLD_PG_STARTUP_REFUSED,   /* the client knows why: the connection ends */
  KVSQLD_PG_STARTUP_FAILED,    /* with an error, for the log */
} KvsqldPgStartup;

/* Reads the packets until the StartupMessage, by the deadline of the transport, and sets up
 * @session by it. */
KvsqldPgStartup kvsqld_pg_startup_read (KvsqldPgSession *session, KvsqldConnection *connection,
                                        KvsqldPgCancels *cancels, GError **error);
/* Writes all up to the first ReadyForQuery. @session has its key. */
void kvsqld_pg_startup_answer (KvsqldPgSession *session);

G_END_DECLS
