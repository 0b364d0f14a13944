/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection.h: one peer: the format of its messages, and its requests, one after the other.
 */
#pragma once

#include "daemon/rpc/connection-set.h"
#include "daemon/rpc/idle-poller.h"
#include "idl/wire/protocol.h"

G_BEGIN_DECLS

struct _KvsqlRpcSqlProcessor;

/* A connection belongs to its thread. */
typedef struct
{
  KvsqldConnectionSet *set; /* borrowed, as the processor: they live longer */
  KvsqldConnectionEntry entry;
  struct _KvsqlRpcSqlProcessor *processor;
  gchar *peer;                /* key under which the peer's connections are counted */
  KvsqldRpcLimits limits;     /* those at the time of the accept */
  KvsqlProtocol *protocol;    /* NULL until the format is known */
  gboolean has_failed;        /* outcome of the last request that later ones may follow */
  KvsqldIdleEntry idle_entry; /* for the idle poller; deadline_us is 0 unless the connection waits
                                 for a request */
} KvsqldRpcConnection;

typedef enum
{
  KVSQLD_RPC_ENDED,
  KVSQLD_RPC_FAILED, /* ended by an error */
  KVSQLD_RPC_IDLE /* no request for some time; .idle_entry contains the deadline of the next one */
} KvsqldRpcOutcome;

/* @budget: for the buffers of all connections. Borrowed. */
KvsqldRpcConnection *kvsqld_rpc_connection_new (GSocket *socket, KvsqldConnectionSet *set,
                                                struct _KvsqlRpcSqlProcessor *processor,
                                                const KvsqldRpcLimits *limits,
                                                KvsqlByteBudget *budget);
/* Closes the socket. */
void kvsqld_rpc_connection_free (KvsqldRpcConnection *self);

/* Answers the first request of a refused connection, which ends after that. */
KvsqldRpcOutcome kvsqld_rpc_connection_refuse (KvsqldRpcConnection *self, GError **error);
/* Serves @self until it ends or becomes idle. */
KvsqldRpcOutcome kvsqld_rpc_connection_serve (KvsqldRpcConnection *self, GError **error);

G_END_DECLS
