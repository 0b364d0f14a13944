/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * vector.h: a column of values of one type, and a batch of such columns.
 *
 * The unit of work of every operator. A vector holds its values in the array of
 * its type's class; nulls are one bit a row, least significant first, as on the
 * wire. Slices point into memory that the producer of the batch keeps until the
 * next batch. No call here allocates per value.
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

/* Columns of one length. A column nobody asked for has type KVSQL_TYPE_NULL and no data. */
typedef struct
{
  guint n_rows;
  guint capacity;
  guint n_columns;
  KvsqlVector *columns;
  gpointer block; /* what the columns of a batch made by kvsql_batch_new() lie in */
  gsize block_size;
  KvsqlAccount *account; /* nullable: of such a batch */
} KvsqlBatch;

/* @types: one per column; KVSQL_TYPE_NULL leaves the column out. No value is set, and none NULL. */
KvsqlBatch *kvsql_batch_new (const KvsqlType *types, guint n_columns, guint capacity);
void kvsql_batch_free (KvsqlBatch *self);
/* Room for @capacity rows at least; what is there stays. */
void kvsql_batch_reserve (KvsqlBatch *self, guint capacity);
/* n_rows = 0 and no nulls. */
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
/* Keeps the rows whose index stands in @selection (ascending), in order. */
void kvsql_batch_compact (KvsqlBatch *self, const guint32 *selection, guint n_selected);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlBatch, kvsql_batch_free)

G_END_DECLS
