/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * server.h: the RPC server of the daemon: connections, their limits, and their end.
 *
 * One port serves all four formats of Thrift; the first bytes of a connection determine its format.
 * A connection has a thread, except while it is idle (see idle-poller.h). Any error on a connection
 * closes it, because the start of the next message is unknown.
 *
 * Threads: the functions below are for the main thread, except the status and the functions about
 * the current connection, which any thread may call.
 */
#pragma once

#include <gio/gio.h>

#include "daemon/rpc/limits.h"
#include "daemon/service/service.h"

G_BEGIN_DECLS

typedef struct _KvsqldRpcServer KvsqldRpcServer;
struct _KvsqlRpcSqlProcessor;

/**
 * kvsqld_rpc_server_new:
 * @processor: (transfer none): see processor.h; many threads use it at the same time
 * @limits: (nullable): %NULL: the defaults
 */
KvsqldRpcServer *kvsqld_rpc_server_new (struct _KvsqlRpcSqlProcessor *processor,
                                        const KvsqldRpcLimits *limits);

/* Accepts NULL. Drains with no grace period first, if that was not done. */
void kvsqld_rpc_server_free (KvsqldRpcServer *self);

/* Call it before the start. Connections are listed there, and their requests can be killed.
 * Borrowed. */
void kvsqld_rpc_server_set_activity (KvsqldRpcServer *self, KvsqldActivity *activity);

/* For new connections. Open ones keep their limits, except max_bytes_in_flight. */
void kvsqld_rpc_server_set_limits (KvsqldRpcServer *self, const KvsqldRpcLimits *limits);

/**
 * kvsqld_rpc_server_listen:
 * @address: see daemon/net/listen.h
 * @unix_mode: permissions of a UNIX socket; 0 means 0660
 *
 * Binds and listens. Peers wait in the backlog until kvsqld_rpc_server_start().
 */
gboolean kvsqld_rpc_server_listen (KvsqldRpcServer *self, const gchar *address, guint unix_mode,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Takes over a listening socket from systemd. */
gboolean kvsqld_rpc_server_listen_fd (KvsqldRpcServer *self, gint fd,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Returns: (transfer full): the bound addresses, with the actual ports instead of 0 */
gchar **kvsqld_rpc_server_get_addresses (KvsqldRpcServer *self);

/* Starts to accept connections, in the main context that is the thread's default. */
void kvsqld_rpc_server_start (KvsqldRpcServer *self);

/**
 * kvsqld_rpc_server_drain:
 * @grace_ms: the time that running requests have to finish
 *
 * Stops listening. Ends idle connections at once, and the others after they have answered their
 * requests. After the grace period the cancellables of the remaining requests are cancelled.
 * Sources of the main context are dispatched in the meantime.
 *
 * Returns: %FALSE if a connection did not end even then; the server must then not be freed
 */
gboolean kvsqld_rpc_server_drain (KvsqldRpcServer *self, gint64 grace_ms);

void kvsqld_rpc_server_get_status (KvsqldRpcServer *self, KvsqldRpcStatus *out);

/* The cancellable of the connection whose request this thread runs, which is cancelled when the
 * daemon stops; NULL in other threads. */
GCancellable *kvsqld_rpc_get_current_cancellable (void);

/* The peer of that connection: an address, or "user 1000"; NULL in other threads. */
const gchar *kvsqld_rpc_get_current_peer (void);
/* The session of that connection; NULL also without kvsqld_rpc_server_set_activity(). */
KvsqldSession *kvsqld_rpc_get_current_session (void);
/* Whether the last noted request of that connection failed; FALSE in other threads. */
gboolean kvsqld_rpc_has_failed (void);
void kvsqld_rpc_note_outcome (gboolean has_failed);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldRpcServer, kvsqld_rpc_server_free)

G_END_DECLS
