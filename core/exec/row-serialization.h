/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-serialization.h: serializes rows of a batch, in this machine's own format, and reads them
 * back.
 *
 * For rows that are stored in memory or in a temporary file until they are emitted.
 */
#pragma once

#include "core/base/vector.h"

G_BEGIN_DECLS

gsize kvsql_row_get_serialized_size (const KvsqlBatch *batch, guint row);
/* @at: room for kvsql_row_get_serialized_size() bytes */
void kvsql_row_serialize (const KvsqlBatch *batch, guint row, guint8 *at);
/* Reads into row @row of @batch, whose columns have the types of the serialized row. Slices point
 * into @bytes. */
void kvsql_row_deserialize (const guint8 *bytes, KvsqlBatch *batch, guint row);

G_END_DECLS
