/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection.h: one Thrift peer: the format of its messages, and its requests, one after the other.
 */
#pragma once

#include "daemon/connections/connection.h"
#include "daemon/identity/login.h"
#include "idl/wire/protocol.h"

G_BEGIN_DECLS

struct _KvsqlRpcSqlProcessor;

/* A connection belongs to its thread. */
typedef struct
{
  KvsqldConnection base;
  struct _KvsqlRpcSqlProcessor *processor; /* borrowed; NULL before the first request */
  KvsqlProtocol *protocol;                 /* NULL until the format is known */
  KvsqldLogin *login;                      /* nullable: begun, and not finished */
  gboolean is_over;                        /* ends after the present answer */
  gboolean has_failed; /* outcome of the last request that later ones may follow */
} KvsqldRpcConnection;

/* See KvsqldFrontEnd. */
KvsqldConnectionOutcome kvsqld_rpc_connection_serve (KvsqldRpcConnection *self, GError **error);
void kvsqld_rpc_connection_refuse (KvsqldRpcConnection *self);
void kvsqld_rpc_connection_end (KvsqldRpcConnection *self);

G_END_DECLS
