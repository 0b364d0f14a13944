/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write-array.h: lists as arrays of PostgreSQL: {1,NULL,"a b"}, and their binary format.
 */
#pragma once

#include "core/base/vector.h"

G_BEGIN_DECLS

/* Append the list of @row, which is not NULL. */
void kvsqld_pg_write_array_text (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_array_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row);

G_END_DECLS
