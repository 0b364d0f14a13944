/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * vector.h: a column of values of one type, and a batch of such columns.
 *
 * Operators work on batches. A vector holds its values in an array of its type's class. Nulls are
 * one bit for each row, least significant bit first, as on the wire. Slices point into memory that
 * the producer of the batch keeps until the next batch. No function here allocates per value.
 */
#pragma once

#include "core/base/account.h"
#include "core/base/value.h"

G_BEGIN_DECLS

#define KVSQL_BATCH_ROWS 1024

typedef struct
{
  KvsqlType type;
  gboolean has_nulls; /* FALSE: no bit of @nulls is set */
  guint8 *nulls;      /* (capacity + 7) / 8 bytes, all zero when !has_nulls */
  union
  {
    gpointer data;
    guint8 *booleans; /* 0 or 1 */
    gint64 *integers;
    gdouble *reals;
    KvsqlSlice *slices;
  };
} KvsqlVector;

/* Columns of one length. An unused column has type KVSQL_TYPE_NULL and no data. */
typedef struct
{
  guint n_rows;
  guint capacity;
  guint n_columns;
  KvsqlVector *columns;
  gpointer block; /* the memory of the columns of a batch from kvsql_batch_new() */
  gsize block_size;
  KvsqlAccount *account; /* nullable: counts @block_size */
} KvsqlBatch;

/* @types: one for each column; KVSQL_TYPE_NULL: an unused column. Values are not set, and not
 * NULL. */
KvsqlBatch *kvsql_batch_new (const KvsqlType *types, guint n_columns, guint capacity);
void kvsql_batch_free (KvsqlBatch *self);
/* Makes the capacity at least @capacity rows. Values are kept. */
void kvsql_batch_reserve (KvsqlBatch *self, guint capacity);
/* Sets n_rows to 0 and clears all nulls. */
void kvsql_batch_reset (KvsqlBatch *self);

static inline gboolean
kvsql_vector_is_null (const KvsqlVector *self, guint row)
{
  return self->has_nulls && (self->nulls[row >> 3] >> (row & 7) & 1);
}

static inline void
kvsql_vector_set_null (KvsqlVector *self, guint row)
{
  self->nulls[row >> 3] |= 1 << (row & 7);
  self->has_nulls = TRUE;
}

static inline void
kvsql_vector_clear_null (KvsqlVector *self, guint row)
{
  self->nulls[row >> 3] &= ~(1 << (row & 7));
}

/* Borrowed: bytes live as long as the batch's. */
KvsqlValue kvsql_vector_get (const KvsqlVector *self, guint row);
/* @value is NULL or of the vector's type. */
void kvsql_vector_set (KvsqlVector *self, guint row, const KvsqlValue *value);
/* Keeps the rows whose index is in @selection (ascending), in order. */
void kvsql_batch_compact (KvsqlBatch *self, const guint32 *selection, guint n_selected);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlBatch, kvsql_batch_free)

G_END_DECLS
