/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * columns.h: reads columns of rows to insert from the wire directly into vectors.
 *
 * A column costs a few allocations of the arena, whatever its number of values.
 */
#pragma once

#include "core/base/arena.h"
#include "core/base/vector.h"
#include "idl/wire/protocol.h"

G_BEGIN_DECLS

/* Columns as they arrived. They are checked later, because the number of rows may come after
 * them. */
typedef struct
{
  struct _KvsqldRpcColumn *columns;
  guint n_columns;
} KvsqldRpcColumns;

/* Reads a list<Column>. A failure is recorded by the protocol and reported at the end of the
 * message. */
void kvsqld_rpc_columns_read (KvsqlProtocol *protocol, KvsqlArena *arena, KvsqldRpcColumns *out);

/**
 * kvsqld_rpc_columns_check:
 * @n_rows: the required length of each column
 * @arena: may be the arena of the read
 * @out: (out caller-allocates): refers to both arenas; not to be freed
 *
 * Returns: FALSE if the columns break a rule of kvsql.thrift
 */
gboolean kvsqld_rpc_columns_check (const KvsqldRpcColumns *self, gint32 n_rows, KvsqlArena *arena,
                                   KvsqlBatch *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
