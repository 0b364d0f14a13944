/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * server-private.h: what a connection and its server share.
 */
#pragma once

#include <thrift/c_glib/thrift.h>
#include <thrift/c_glib/processor/thrift_dispatch_processor.h>

#include "daemon/rpc/admission.h"
#include "daemon/rpc/server.h"
#include "daemon/rpc/idle-poller.h"
#include "idl/wire/detect.h"

G_BEGIN_DECLS

/* A connection belongs to its thread, except for the members that are marked with "lock". */
typedef struct
{
  KvsqldRpcServer *server;
  GSocket *socket;
  gchar *peer;              /* key under which the peer's connections are counted */
  KvsqldPlace place;        /* lock */
  const gchar *refused_for; /* the setting that leaves no place for it; NULL: it was admitted */
  GCancellable *cancellable;
  KvsqldSession *session; /* nullable */
  KvsqldRpcLimits limits; /* those at the time of the accept */
  KvsqlTransport *transport;
  KvsqlProtocol *protocol; /* NULL until the format is known */
  guint64 bytes_in;        /* included in the server's totals already */
  guint64 bytes_out;
  gboolean has_failed;        /* outcome of the last request that later ones may follow */
  gboolean is_busy;           /* lock: a request is running */
  KvsqldIdleEntry idle_entry; /* for the idle poller; deadline_us is 0 unless the connection waits
                                 for a request */
} KvsqldRpcConnection;

typedef enum
{
  KVSQLD_RPC_ENDED,
  KVSQLD_RPC_FAILED, /* ended by an error */
  KVSQLD_RPC_IDLE /* no request for some time; .idle_entry contains the deadline of the next one */
} KvsqldRpcOutcome;

/* Answers the first request of a refused connection, which ends after that. */
KvsqldRpcOutcome _kvsqld_rpc_connection_refuse (KvsqldRpcConnection *self, GError **error);
/* Serves @self until it ends or becomes idle. */
KvsqldRpcOutcome _kvsqld_rpc_connection_serve (KvsqldRpcConnection *self, GError **error);

ThriftDispatchProcessor *_kvsqld_rpc_server_get_processor (KvsqldRpcServer *self);
gboolean _kvsqld_rpc_server_knows (KvsqldRpcServer *self, const gchar *method);

/* The connection waits for a request from now on. FALSE: it must end instead. */
gboolean _kvsqld_rpc_server_note_waiting (KvsqldRpcServer *self, KvsqldRpcConnection *connection);
/* A request has begun. FALSE: the connection must end. */
gboolean _kvsqld_rpc_server_note_busy (KvsqldRpcServer *self, KvsqldRpcConnection *connection);

G_END_DECLS
