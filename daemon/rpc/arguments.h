/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * arguments.h: the arguments of the methods that are answered by hand, read by hand.
 *
 * Generated code makes an object of every struct and every parameter, which costs more than a
 * point query itself.
 */
#pragma once

#include "daemon/service.h"
#include "idl/wire/protocol.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLD_RPC_ABSENT,
  KVSQLD_RPC_SQL,
  KVSQLD_RPC_STATEMENT_ID,
  KVSQLD_RPC_CURSOR,
  KVSQLD_RPC_PARAMETERS,
  KVSQLD_RPC_OPTIONS,
  KVSQLD_RPC_RELATION,
  KVSQLD_RPC_NAMES,
  KVSQLD_RPC_N_ROWS,
  KVSQLD_RPC_ROWS,
  KVSQLD_RPC_N_ARGUMENTS,
} KvsqldRpcArgument;

#define KVSQLD_RPC_MAX_ARGUMENTS 5

typedef struct
{
  KvsqldRequest request;
  KvsqlSlice sql; /* UTF-8, with a NUL byte behind it */
  gint64 statement_id;
  KvsqlSlice cursor; /* empty where there was none */
  KvsqlValue *parameters;
  guint n_parameters;
  const gchar *relation;
  const gchar *const *attributes; /* NULL-terminated, one a column of @rows */
  KvsqlBatch rows;
} KvsqldRpcArguments;

/**
 * kvsqld_rpc_arguments_read:
 * @kinds: of the fields 1, 2 …; KVSQLD_RPC_MAX_ARGUMENTS of them
 * @arena: what @out refers to
 * @out_refusal: (out): a rule of kvsql.thrift that the arguments break, for the peer to know; the
 * message was read nonetheless
 *
 * Reads up to the end of the message.
 *
 * Returns: FALSE if the message is broken
 */
gboolean kvsqld_rpc_arguments_read (KvsqlProtocol *protocol, const KvsqldRpcArgument *kinds,
                                    KvsqlArena *arena, KvsqldRpcArguments *out,
                                    GError **out_refusal, GError **error);

G_END_DECLS
