/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * array.h: PostgreSQL's texts of arrays, {a,"b c",NULL}, and of vectors, 1 2 3.
 *
 * Threads: any.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

/* The elements, in @arena; those that are NULL have no data. Only arrays of one dimension; others
 * give their inner arrays as texts. NULL: the text is none of an array. */
KvsqlSlice *kvsqld_pg_array_read (KvsqlSlice text, KvsqlArena *arena, guint *out_n);
void kvsqld_pg_array_append (GString *out, KvsqlSlice element);
/* In @arena. */
KvsqlSlice kvsqld_pg_array_write (const KvsqlSlice *elements, guint n, KvsqlArena *arena);

/* The binary format of an array whose elements are written as the type @element says: int2, int4,
 * int8, oid, or text. FALSE: an element is no such number, or @text no array. */
gboolean kvsqld_pg_array_to_binary (KvsqlSlice text, guint32 element, KvsqlBuffer *out);
/* The text of the binary format; data NULL: it is none, or of several dimensions. */
KvsqlSlice kvsqld_pg_array_from_binary (KvsqlSlice bytes, KvsqlArena *arena);

G_END_DECLS
