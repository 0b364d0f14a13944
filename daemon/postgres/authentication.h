/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * authentication.h: the messages between StartupMessage and AuthenticationOk: SCRAM-SHA-256, or
 * nothing if the system says who the client is.
 */
#pragma once

#include "daemon/postgres/startup.h"

G_BEGIN_DECLS

/* KVSQLD_PG_STARTUP_REFUSED: the client was told why, or will be by the next flush. The time is
 * that of the transport's deadline. */
KvsqldPgStartup kvsqld_pg_authenticate (KvsqldPgSession *session, GError **error);

G_END_DECLS
