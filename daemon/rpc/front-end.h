/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * front-end.h: Thrift as a front end of the server, and the connection whose request a thread runs.
 *
 * One port serves all four formats of Thrift; the first bytes of a connection determine its format.
 * Any error on a connection closes it, because the start of the next message is unknown.
 *
 * Threads: any.
 */
#pragma once

#include "daemon/connections/connection.h"
#include "daemon/identity/login.h"

G_BEGIN_DECLS

struct _KvsqlRpcSqlProcessor;

/* @processor: see processor.h; many threads use it at the same time. Free the front end after the
 * server. */
KvsqldFrontEnd *kvsqld_rpc_front_end_new (struct _KvsqlRpcSqlProcessor *processor);
void kvsqld_rpc_front_end_free (KvsqldFrontEnd *front_end); /* accepts NULL */

/* The cancellable of the connection whose request this thread runs, which is cancelled when the
 * daemon stops; NULL in other threads. */
GCancellable *kvsqld_rpc_get_current_cancellable (void);

/* The peer of that connection: an address, or "user 1000"; NULL in other threads. */
const gchar *kvsqld_rpc_get_current_peer (void);
/* The session of that connection; NULL also without kvsqld_server_set_activity(). */
KvsqldIdentity *kvsqld_rpc_get_current_identity (void);
/* The log-in that the connection has begun; NULL: none. */
KvsqldLogin **kvsqld_rpc_get_current_login (void);
/* The connection ends after the present answer. */
void kvsqld_rpc_end_current (void);
KvsqldSession *kvsqld_rpc_get_current_session (void);
/* Whether the last noted request of that connection failed; FALSE in other threads. */
gboolean kvsqld_rpc_has_failed (void);
void kvsqld_rpc_note_outcome (gboolean has_failed);

G_END_DECLS
