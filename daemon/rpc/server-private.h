/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * server-private.h: what a connection shares with its server.
 */
#pragma once

#include <thrift/c_glib/thrift.h>
#include <thrift/c_glib/processor/thrift_dispatch_processor.h>

#include "daemon/rpc/server.h"
#include "daemon/rpc/waiting-room.h"
#include "idl/wire/detect.h"

G_BEGIN_DECLS

/* A connection belongs to its thread; what the lock guards is marked. */
typedef struct
{
  KvsqldRpcServer *server;
  GSocket *socket;
  gchar *peer; /* key of the count of its peer's connections */
  GCancellable *cancellable;
  KvsqldSession *session; /* nullable */
  KvsqldRpcLimits limits; /* as they were when it came */
  KvsqlTransport *transport;
  KvsqlProtocol *protocol; /* NULL until the format is known */
  guint64 bytes_in;        /* already added to the server's totals */
  guint64 bytes_out;
  gboolean has_failed; /* the last request whose answer can be an error that others depend on */
  gboolean is_busy;    /* lock: a request has begun */
  KvsqldGuest guest;   /* for when it is idle; its deadline is 0 while no request is waited for */
} KvsqldRpcConnection;

typedef enum
{
  KVSQLD_RPC_ENDED,
  KVSQLD_RPC_FAILED, /* with an error, which ended it */
  KVSQLD_RPC_IDLE    /* no request for a while; .guest says how long to wait for one */
} KvsqldRpcOutcome;

/* Serves @self until it ends, or is idle. */
KvsqldRpcOutcome _kvsqld_rpc_connection_serve (KvsqldRpcConnection *self, GError **error);

ThriftDispatchProcessor *_kvsqld_rpc_server_get_processor (KvsqldRpcServer *self);
gboolean _kvsqld_rpc_server_knows (KvsqldRpcServer *self, const gchar *method);
KvsqlByteBudget *_kvsqld_rpc_server_get_budget (KvsqldRpcServer *self);

/* The connection waits for a request from now on; FALSE if it shall end instead. */
gboolean _kvsqld_rpc_server_note_waiting (KvsqldRpcServer *self, KvsqldRpcConnection *connection);
/* A request has begun; FALSE if the connection was told to end. */
gboolean _kvsqld_rpc_server_note_busy (KvsqldRpcServer *self, KvsqldRpcConnection *connection);

G_END_DECLS
