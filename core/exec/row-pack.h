/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-pack.h: rows of a batch as bytes in this machine's own form, and back.
 *
 * For rows that wait somewhere, in memory or in a temporary file, until their turn comes.
 */
#pragma once

#include "core/base/vector.h"

G_BEGIN_DECLS

gsize kvsql_row_pack_get_size (const KvsqlBatch *batch, guint row);
/* @at: room for kvsql_row_pack_get_size() bytes */
void kvsql_row_pack (const KvsqlBatch *batch, guint row, guint8 *at);
/* Into row @row of @batch, whose columns have the types that were packed. Slices point into
 * @bytes. */
void kvsql_row_unpack (const guint8 *bytes, KvsqlBatch *batch, guint row);

G_END_DECLS
