/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-key.h: columns of a row as bytes that sort as the row does.
 *
 * memcmp() of two keys gives the order of ORDER BY, and equal keys are rows that GROUP BY and
 * DISTINCT take for one: NULL equals NULL, NaN equals NaN, -0 equals 0. No key is a prefix of
 * another of the same parts. A batch's keys are built column by column, in memory that is kept from
 * batch to batch.
 */
#pragma once

#include "core/base/vector.h"

G_BEGIN_DECLS

typedef struct
{
  guint column;
  gboolean is_descending;
  gboolean nulls_first;
} KvsqlKeyPart;

typedef struct
{
  const KvsqlKeyPart *parts;
  guint n_parts;
  guint8 *bytes;
  gsize bytes_capacity;
  gsize *starts; /* of each row's key in @bytes, and the end of the last */
  gsize *cursors;
  guint capacity; /* rows */
} KvsqlRowKeys;

/* @parts must outlive it. */
void kvsql_row_keys_init (KvsqlRowKeys *self, const KvsqlKeyPart *parts, guint n_parts);
void kvsql_row_keys_clear (KvsqlRowKeys *self);
/* The keys of all rows of @batch; those of an earlier batch are gone. */
void kvsql_row_keys_run (KvsqlRowKeys *self, const KvsqlBatch *batch);

static inline KvsqlSlice
kvsql_row_keys_get (const KvsqlRowKeys *self, guint row)
{
  return kvsql_slice (self->bytes + self->starts[row], self->starts[row + 1] - self->starts[row]);
}

G_END_DECLS
