/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-key.h: encodes columns of a row as bytes that sort as the row does.
 *
 * memcmp() of two keys gives the order of ORDER BY. GROUP BY and DISTINCT take rows with equal keys
 * for equal: NULL equals NULL, NaN equals NaN, -0 equals 0. No key is a prefix of another with the
 * same parts. The keys of a batch are built column by column, in memory that is reused from batch
 * to batch.
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
  KvsqlAccount *account; /* nullable: counts them */
  gsize *starts;         /* offset of each row's key in @bytes, then the end of the last key */
  gsize *cursors;
  guint capacity; /* rows */
} KvsqlRowKeys;

/* @parts must outlive it. */
void kvsql_row_keys_init (KvsqlRowKeys *self, const KvsqlKeyPart *parts, guint n_parts);
void kvsql_row_keys_clear (KvsqlRowKeys *self);
/* Builds the keys of all rows of @batch, and forgets those of the last batch. */
void kvsql_row_keys_run (KvsqlRowKeys *self, const KvsqlBatch *batch);

static inline KvsqlSlice
kvsql_row_keys_get (const KvsqlRowKeys *self, guint row)
{
  return kvsql_slice (self->bytes + self->starts[row], self->starts[row + 1] - self->starts[row]);
}

G_END_DECLS
