/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * limits.h: the limits of a server's connections, and their counts.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* 0 means the default. */
typedef struct
{
  guint max_connections; /* default 1,000 */
  guint
      max_connections_per_peer; /* of one IP address, or of one user on UNIX sockets; default 500 */
  guint reserved_connections;   /* in addition, over UNIX sockets; default 16. See admission.h */
  gint64 full_idle_timeout_ms;  /* a connection that is idle this long can lose its place; default
                                   10,000 */
  guint32 max_message_bytes;    /* default 16 MiB */
  gsize
      max_bytes_in_flight; /* buffers of requests and replies of all connections; default 512 MiB */
  gint64 handshake_timeout_ms; /* from the accept to the first request; default 10,000 */
  gint64 request_timeout_ms;   /* from a request's first byte to its last; default 30,000 */
  gint64 write_timeout_ms;     /* to send one reply; default 60,000 */
  gint64 idle_timeout_ms;      /* between requests; default 1,800,000 */
  gint spin_us; /* longest spin in that time; negative: never. Default 50. See idl/wire/spin.h */
} KvsqldConnectionLimits;

typedef struct
{
  guint n_connections;
  guint n_busy; /* of them with a running request */
  guint n_idle; /* of them without a thread */
  guint64 n_accepted;
  guint64 n_refused;   /* because no place was free */
  guint64 n_displaced; /* ended to admit others */
  guint64 n_requests;
  guint64 n_dropped; /* connections that an error has ended, of the peer or of the daemon */
  guint64 bytes_in;
  guint64 bytes_out;
  gsize bytes_in_flight;
} KvsqldConnectionStatus;

G_END_DECLS
