/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * listener.h: the sockets that the daemon listens on.
 *
 * Threads: the main thread only. Errors: KVSQL_ERROR_INVALID for a malformed address,
 * KVSQL_ERROR_UNAVAILABLE if the address cannot be bound.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _KvsqldListener KvsqldListener;

/* @socket: a new connection; the callback takes a reference to keep it. */
typedef void (*KvsqldListenerFunc) (GSocket *socket, gpointer user_data);

/**
 * kvsqld_listener_open:
 * @address: see daemon/net/listen.h. If a host has several addresses, it listens on all of them;
 *   [::] means every address, IPv4 too; port 0 takes a free port.
 * @unix_mode: permissions of a UNIX socket. An existing socket on which no process listens is
 * replaced.
 *
 * Returns: (element-type KvsqldListener) (transfer full): bound and listening, not yet accepting
 */
GPtrArray *kvsqld_listener_open (const gchar *address, guint unix_mode, GError **error);

/* @fd: a listening stream socket, from systemd; owned by the listener, even after an error. */
KvsqldListener *kvsqld_listener_new_from_fd (gint fd, GError **error);

/* Closes the socket, and removes its path if open() made it. Accepts NULL. */
void kvsqld_listener_free (KvsqldListener *self);

/* The bound address, in a form that open() reads. */
const gchar *kvsqld_listener_get_address (KvsqldListener *self);

/* Starts to accept, in the main context that is the thread's default. */
void kvsqld_listener_start (KvsqldListener *self, KvsqldListenerFunc accepted, gpointer user_data);

/* "tcp://127.0.0.1:7300", "unix:///run/kvsql.sock", or "unix:" for a peer without a name. */
gchar *kvsqld_socket_address_to_string (GSocketAddress *address);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldListener, kvsqld_listener_free)

G_END_DECLS
