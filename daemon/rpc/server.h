/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * server.h: Thrift's side of the daemon: connections, their bounds, and how they end.
 *
 * One port serves all four formats of Thrift; a connection's is taken from its first bytes.
 * A connection has a thread while it lives. Any error on it closes it, as nobody could
 * tell where the next message begins.
 *
 * Threads: the functions below are for the main thread, but for the status and the
 * cancellable, which any thread may ask for.
 */
#pragma once

#include <gio/gio.h>

#include "daemon/service.h"

G_BEGIN_DECLS

typedef struct _KvsqldRpcServer KvsqldRpcServer;
struct _KvsqlRpcSqlProcessor;

/* 0 means the default. */
typedef struct
{
  guint max_connections;          /* default 1,000 */
  guint max_connections_per_peer; /* of one IP address, or one user on UNIX sockets; default 500 */
  guint32 max_message_bytes;      /* default 16 MiB */
  gsize max_bytes_in_flight;      /* of requests and replies, all connections; default 512 MiB */
  gint64 handshake_timeout_ms;    /* until the first request begins; default 10,000 */
  gint64 request_timeout_ms;      /* from a request's first byte to its last; default 30,000 */
  gint64 write_timeout_ms;        /* to send one reply; default 60,000 */
  gint64 idle_timeout_ms;         /* between requests; default 1,800,000 */
  gint spin_us;                   /* of that, awake at most; negative: never. Default 50 */
} KvsqldRpcLimits;

typedef struct
{
  guint n_connections;
  guint n_busy; /* of them, with a request under way */
  guint n_idle; /* of them, without a thread */
  guint64 n_accepted;
  guint64 n_refused; /* for want of room */
  guint64 n_requests;
  guint64 n_dropped; /* connections ended by an error, the peer's or ours */
  guint64 bytes_in;
  guint64 bytes_out;
  gsize bytes_in_flight;
} KvsqldRpcStatus;

/**
 * kvsqld_rpc_server_new:
 * @processor: (transfer none): see processor.h; used by many threads at once
 * @limits: (nullable)
 */
KvsqldRpcServer *kvsqld_rpc_server_new (struct _KvsqlRpcSqlProcessor *processor,
                                        const KvsqldRpcLimits *limits);

/* Accepts NULL. Drains without patience first, if that was not done. */
void kvsqld_rpc_server_free (KvsqldRpcServer *self);

/* Before the start: connections are listed there, and their requests can be killed. Borrowed. */
void kvsqld_rpc_server_set_activity (KvsqldRpcServer *self, KvsqldActivity *activity);

/* For new connections; those that are open keep theirs, but for the bound on all bytes. */
void kvsqld_rpc_server_set_limits (KvsqldRpcServer *self, const KvsqldRpcLimits *limits);

/**
 * kvsqld_rpc_server_listen:
 * @address: see daemon/listen.h
 * @unix_mode: permissions of a UNIX socket; 0 means 0660
 *
 * Binds and listens. Peers wait in the backlog until kvsqld_rpc_server_start().
 */
gboolean kvsqld_rpc_server_listen (KvsqldRpcServer *self, const gchar *address, guint unix_mode,
                                   GError **error);

/* Takes over a listening socket, of systemd's. */
gboolean kvsqld_rpc_server_listen_fd (KvsqldRpcServer *self, gint fd, GError **error);

/* Returns: (transfer full): the bound addresses, with the ports that were taken for 0 */
gchar **kvsqld_rpc_server_get_addresses (KvsqldRpcServer *self);

/* Accepts connections from now on, in the main context that is the thread's default. */
void kvsqld_rpc_server_start (KvsqldRpcServer *self);

/**
 * kvsqld_rpc_server_drain:
 * @patience_ms: how long requests that are under way may take
 *
 * Stops listening, ends the connections that wait for a request at once, and the others when they
 * have answered theirs. When patience is over their cancellables fire. Sources of the main context
 * are dispatched meanwhile.
 *
 * Returns: %FALSE if some connection did not end even then; the server must not be freed
 */
gboolean kvsqld_rpc_server_drain (KvsqldRpcServer *self, gint64 patience_ms);

void kvsqld_rpc_server_get_status (KvsqldRpcServer *self, KvsqldRpcStatus *out);

/* Of the connection whose request this thread answers; NULL in other threads. Fires when the daemon
 * stops. */
GCancellable *kvsqld_rpc_get_current_cancellable (void);

/* Who is at the other end of it: an address, or "user 1000"; NULL in another thread. */
const gchar *kvsqld_rpc_get_current_peer (void);
/* Of the same connection; NULL also without kvsqld_rpc_server_set_activity(). */
KvsqldSession *kvsqld_rpc_get_current_session (void);
/* Whether the last request of the same connection that was noted has failed; FALSE in another
 * thread. */
gboolean kvsqld_rpc_has_failed (void);
void kvsqld_rpc_note_outcome (gboolean has_failed);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldRpcServer, kvsqld_rpc_server_free)

G_END_DECLS
