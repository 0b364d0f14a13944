/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * columns.h: columns of rows to insert, from their bytes straight into vectors.
 *
 * A column costs a few pieces of the arena, whatever its number of values.
 */
#pragma once

#include "core/base/arena.h"
#include "core/base/vector.h"
#include "idl/wire/protocol.h"

G_BEGIN_DECLS

/* As they came: how many rows there are may come behind them. */
typedef struct
{
  struct _KvsqldRpcColumn *columns;
  guint n_columns;
} KvsqldRpcColumns;

/* Reads a list<Column>. A failure is the protocol's, and reported where the message ends. */
void kvsqld_rpc_columns_read (KvsqlProtocol *protocol, KvsqlArena *arena, KvsqldRpcColumns *out);

/**
 * kvsqld_rpc_columns_check:
 * @n_rows: how long each must be
 * @arena: may be the one that they were read into
 * @out: (out caller-allocates): borrows from both arenas; not to be freed
 *
 * Returns: FALSE if they break a rule of kvsql.thrift
 */
gboolean kvsqld_rpc_columns_check (const KvsqldRpcColumns *self, gint32 n_rows, KvsqlArena *arena,
                                   KvsqlBatch *out, GError **error);

G_END_DECLS
