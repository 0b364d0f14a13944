/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read-array.h: arrays of PostgreSQL, which are lists of the engine, as parameters.
 */
#pragma once

#include "daemon/postgres/read-value.h"

G_BEGIN_DECLS

/**
 * kvsqld_pg_read_array:
 * @element: the type of the elements
 * @oid: the same in PostgreSQL
 * @read: reads an element from its binary format
 *
 * Reads the binary format of an array of one dimension, or of none.
 *
 * Errors: also KVSQL_ERROR_PROTOCOL.
 */
gboolean kvsqld_pg_read_array (KvsqlSlice bytes, KvsqlType element, guint32 oid, KvsqldPgRead read,
                               KvsqlArena *arena, KvsqlValue *out,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
