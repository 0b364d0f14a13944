/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * arguments.h: reads the arguments of methods without generated code.
 *
 * Generated code creates an object for every struct and every parameter, which costs more than a
 * point query itself. It also cannot represent a text with U+0000: the connection would end there.
 */
#pragma once

#include "daemon/service/service.h"
#include "idl/wire/protocol.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLD_RPC_ABSENT,
  KVSQLD_RPC_CLIENT,
  KVSQLD_RPC_SQL,
  KVSQLD_RPC_STATEMENT_ID,
  KVSQLD_RPC_CURSOR,
  KVSQLD_RPC_PARAMETERS,
  KVSQLD_RPC_OPTIONS,
  KVSQLD_RPC_RELATION,
  KVSQLD_RPC_NAMES,
  KVSQLD_RPC_N_ROWS,
  KVSQLD_RPC_ROWS,
  KVSQLD_RPC_N_PARTS,
  KVSQLD_RPC_IS_ANALYZE,
  KVSQLD_RPC_N_ARGUMENTS,
} KvsqldRpcArgument;

#define KVSQLD_RPC_MAX_ARGUMENTS 5

typedef struct
{
  KvsqldRequest request;
  KvsqlSlice client; /* not checked; followed by a NUL byte; .data NULL if absent */
  KvsqlSlice sql;    /* UTF-8 without U+0000, followed by a NUL byte */
  gint64 statement_id;
  KvsqlSlice cursor; /* empty if absent */
  KvsqlValue *parameters;
  guint n_parameters;
  gint32 n_parts;
  gboolean is_analyze;
  const gchar *relation;
  const gchar *const *attributes; /* NULL-terminated; one name for each column of @rows */
  KvsqlBatch rows;
} KvsqldRpcArguments;

/**
 * kvsqld_rpc_arguments_read:
 * @kinds: kinds of the fields 1, 2 …; KVSQLD_RPC_MAX_ARGUMENTS of them
 * @arena: owns what @out refers to
 * @out_refusal: (out): set if the arguments break a rule of kvsql.thrift, for the peer; the message
 * was read to its end nevertheless
 *
 * Reads to the end of the message.
 *
 * Returns: FALSE if the message is malformed
 */
gboolean kvsqld_rpc_arguments_read (KvsqlProtocol *protocol, const KvsqldRpcArgument *kinds,
                                    KvsqlArena *arena, KvsqldRpcArguments *out,
                                    GError **out_refusal, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
