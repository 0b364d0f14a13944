/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * server.h: the server of the daemon: connections of all front ends, their limits, and their end.
 *
 * A connection has a thread, except while it is idle (see idle-poller.h).
 *
 * Threads: the functions below are for the main thread, except the status, which any thread may ask
 * for.
 */
#pragma once

#include <gio/gio.h>

#include "daemon/connections/connection.h"

G_BEGIN_DECLS

typedef struct _KvsqldServer KvsqldServer;

/* @limits: (nullable): %NULL: the defaults */
KvsqldServer *kvsqld_server_new (const KvsqldConnectionLimits *limits);

/* Accepts NULL. Drains with no grace period first, if that was not done. */
void kvsqld_server_free (KvsqldServer *self);

/* Call it before the start. Connections are listed there, and their requests can be killed.
 * Borrowed. */
void kvsqld_server_set_activity (KvsqldServer *self, KvsqldActivity *activity);

/* For new connections. Open ones keep their limits, except max_bytes_in_flight. */
void kvsqld_server_set_limits (KvsqldServer *self, const KvsqldConnectionLimits *limits);

/* For new connections: the certificate of listeners with TLS. (transfer full) */
void kvsqld_server_set_encryption (KvsqldServer *self, KvsqldEncryption *encryption);

/**
 * kvsqld_server_listen:
 * @front_end: serves the connections; outlives the server
 * @address: see daemon/net/listen.h
 * @unix_mode: permissions of a UNIX socket; 0 means 0660
 *
 * Binds and listens. Peers wait in the backlog until kvsqld_server_start().
 */
gboolean kvsqld_server_listen (KvsqldServer *self, KvsqldFrontEnd *front_end, const gchar *address,
                               guint unix_mode, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Takes over a listening socket from systemd. @auth: "scram", "cert", "none", or "", which is
 * enough for a UNIX socket. @tls: of one of TCP. */
gboolean kvsqld_server_listen_fd (KvsqldServer *self, KvsqldFrontEnd *front_end, gint fd,
                                  const gchar *auth, KvsqldTlsMode tls,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Returns: (transfer full): the bound addresses, with the actual ports instead of 0 */
gchar **kvsqld_server_get_addresses (KvsqldServer *self);

/* Starts to accept connections, in the main context that is the thread's default. */
void kvsqld_server_start (KvsqldServer *self);

/**
 * kvsqld_server_drain:
 * @grace_ms: the time that running requests have to finish
 *
 * Stops listening. Ends idle connections at once, and the others after they have answered their
 * requests. After the grace period the cancellables of the remaining requests are cancelled.
 * Sources of the main context are dispatched in the meantime.
 *
 * Returns: %FALSE if a connection did not end even then; the server must then not be freed
 */
gboolean kvsqld_server_drain (KvsqldServer *self, gint64 grace_ms);

void kvsqld_server_get_status (KvsqldServer *self, KvsqldConnectionStatus *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldServer, kvsqld_server_free)

G_END_DECLS
