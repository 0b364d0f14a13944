/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * phoenix-offsets.h: the end of Phoenix's arrays of elements that have no fixed size.
 *
 * Phoenix 5.2.1 (PArrayDataTypeEncoder) writes after the elements, big-endian:
 *
 *   where each element starts, in 2 or 4 bytes
 *   4 bytes: where these offsets start
 *   4 bytes: the number of elements, negative if an offset has 4 bytes
 *   1 byte: the version
 *
 * All places are counted from the start of the array.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

typedef enum
{
  /* of values: an offset of 2 bytes is less by 32767 */
  KVSQL_PHOENIX_ARRAY = 1,
  /* of cells that hold all columns: an offset that is negative has no value */
  KVSQL_PHOENIX_CELL = 3,
} KvsqlPhoenixOffsetsVersion;

typedef struct
{
  KvsqlPhoenixOffsetsVersion version;
  KvsqlSlice elements; /* all bytes before the offsets */
  const guint8 *offsets;
  guint32 n; /* > 0 */
  gboolean is_wide;
} KvsqlPhoenixOffsets;

/* @start: where the array starts in @out. @n: > 0 */
void kvsql_phoenix_offsets_append (KvsqlPhoenixOffsetsVersion version, const gint32 *offsets,
                                   guint n, gsize start, KvsqlBuffer *out);
/* FALSE if @bytes do not end in offsets, or have no elements. The offsets themselves can be any. */
gboolean kvsql_phoenix_offsets_read (KvsqlPhoenixOffsetsVersion version, KvsqlSlice bytes,
                                     KvsqlPhoenixOffsets *out);
/* @i: < @self->n */
gint64 kvsql_phoenix_offsets_get (const KvsqlPhoenixOffsets *self, guint i);
/* Whether Phoenix would write these offsets with as many bytes. */
gboolean kvsql_phoenix_offsets_are_canonical (const KvsqlPhoenixOffsets *self);

G_END_DECLS
