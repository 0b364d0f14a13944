/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * vector.c: columns of values.
 */
#include "config.h"

#include "core/base/vector.h"
#include "core/base/memory.h"

static const gsize class_sizes[] = {
  [KVSQL_CLASS_NONE] = 0,
  [KVSQL_CLASS_BOOLEAN] = sizeof (guint8),
  [KVSQL_CLASS_INTEGER] = sizeof (gint64),
  [KVSQL_CLASS_REAL] = sizeof (gdouble),
  [KVSQL_CLASS_SLICE] = sizeof (KvsqlSlice),
};

static gsize
null_bytes (guint n_rows)
{
  return (n_rows + 7) / 8;
}

static gsize
aligned (gsize size)
{
  return (size + 15) & ~(gsize)15;
}

static gsize
value_bytes (KvsqlType type, guint n_rows)
{
  return n_rows * class_sizes[kvsql_type_get_class (type)];
}

/* The size of the block for all columns. */
static gsize
block_bytes (const KvsqlBatch *self, guint capacity)
{
  gsize size = 0;

  for (guint c = 0; c < self->n_columns; c++)
    if (self->columns[c].type != KVSQL_TYPE_NULL)
      size += aligned (null_bytes (capacity))
              + aligned (value_bytes (self->columns[c].type, capacity));
  return size;
}

KvsqlBatch *
kvsql_batch_new (const KvsqlType *types, guint n_columns, guint capacity)
{
  gsize size = sizeof (KvsqlBatch) + n_columns * sizeof (KvsqlVector);
  KvsqlBatch *self;
  guint8 *at;

  g_assert (size >= sizeof (KvsqlBatch)); /* no overflow */
  self = kvsql_malloc0 (size);
  self->account = kvsql_account_ref (kvsql_account_get_current ());
  self->capacity = capacity;
  self->n_columns = n_columns;
  self->columns = (KvsqlVector *)(self + 1);
  for (guint c = 0; c < n_columns; c++)
    self->columns[c].type = types[c];
  self->block_size = block_bytes (self, capacity);
  self->block = at = g_malloc (MAX (self->block_size, 1)); /* not NULL */
  kvsql_account_add (self->account, (gssize)self->block_size);
  for (guint c = 0; c < n_columns; c++)
    {
      KvsqlVector *column = &self->columns[c];
      if (types[c] == KVSQL_TYPE_NULL)
        continue;
      column->nulls = memset (at, 0, null_bytes (capacity));
      at += aligned (null_bytes (capacity));
      column->data = at;
      at += aligned (value_bytes (types[c], capacity));
    }
  return self;
}

void
kvsql_batch_free (KvsqlBatch *self)
{
  if (self == NULL)
    return;
  kvsql_account_add (self->account, -(gssize)self->block_size);
  kvsql_account_unref (self->account);
  g_free (self->block);
  g_free (self);
}

void
kvsql_batch_reserve (KvsqlBatch *self, guint capacity)
{
  gpointer old = self->block;
  guint8 *at;

  g_assert (self->n_rows <= self->capacity);
  if (capacity <= self->capacity)
    return;
  kvsql_account_add (self->account, -(gssize)self->block_size);
  self->block_size = block_bytes (self, capacity);
  self->block = at = g_malloc (self->block_size);
  kvsql_account_add (self->account, (gssize)self->block_size);
  for (guint c = 0; c < self->n_columns; c++)
    {
      KvsqlVector *column = &self->columns[c];
      gsize known = null_bytes (self->capacity);
      if (column->type == KVSQL_TYPE_NULL)
        continue;
      memcpy (at, column->nulls, known);
      memset (at + known, 0, null_bytes (capacity) - known);
      column->nulls = at;
      at += aligned (null_bytes (capacity));
      memcpy (at, column->data, value_bytes (column->type, self->capacity));
      column->data = at;
      at += aligned (value_bytes (column->type, capacity));
    }
  self->capacity = capacity;
  g_free (old);
}

void
kvsql_batch_reset (KvsqlBatch *self)
{
  g_assert (self->n_rows <= self->capacity); /* the writer of the last rows had room for them */
  self->n_rows = 0;
  for (guint c = 0; c < self->n_columns; c++)
    if (self->columns[c].has_nulls)
      {
        memset (self->columns[c].nulls, 0, null_bytes (self->capacity));
        self->columns[c].has_nulls = FALSE;
      }
}

KvsqlValue
kvsql_vector_get (const KvsqlVector *self, guint row)
{
  KvsqlValue value = { .type = self->type };

  if (self->type == KVSQL_TYPE_NULL || kvsql_vector_is_null (self, row))
    return KVSQL_VALUE_NULL;
  switch (kvsql_type_get_class (self->type))
    {
    case KVSQL_CLASS_BOOLEAN:
      value.boolean = self->booleans[row];
      break;
    case KVSQL_CLASS_INTEGER:
      value.integer = self->integers[row];
      break;
    case KVSQL_CLASS_REAL:
      value.real = self->reals[row];
      break;
    default:
      value.bytes = self->slices[row];
      break;
    }
  return value;
}

void
kvsql_vector_set (KvsqlVector *self, guint row, const KvsqlValue *value)
{
  if (kvsql_value_is_null (value))
    {
      kvsql_vector_set_null (self, row);
      return;
    }
  switch (kvsql_type_get_class (self->type))
    {
    case KVSQL_CLASS_BOOLEAN:
      self->booleans[row] = value->boolean != FALSE;
      break;
    case KVSQL_CLASS_INTEGER:
      self->integers[row] = value->integer;
      break;
    case KVSQL_CLASS_REAL:
      self->reals[row] = value->real;
      break;
    default:
      self->slices[row] = value->bytes;
      break;
    }
}

static void
compact_nulls (KvsqlVector *self, const guint32 *selection, guint n_selected)
{
  if (!self->has_nulls)
    return;
  for (guint i = 0; i < n_selected; i++)
    {
      if (kvsql_vector_is_null (self, selection[i]))
        self->nulls[i >> 3] |= 1 << (i & 7);
      else
        kvsql_vector_clear_null (self, i);
    }
}

#define COMPACT(array)                                                                             \
  for (guint i = 0; i < n_selected; i++)                                                           \
  (array)[i] = (array)[selection[i]]

void
kvsql_batch_compact (KvsqlBatch *self, const guint32 *selection, guint n_selected)
{
  /* The selection ascends, so that no row is overwritten before it is read. */
  g_assert (n_selected <= self->n_rows && self->n_rows <= self->capacity);
  g_assert (n_selected == 0 || selection[n_selected - 1] >= n_selected - 1);
  g_assert (n_selected == 0 || selection[n_selected - 1] < self->n_rows);
  for (guint c = 0; c < self->n_columns; c++)
    {
      KvsqlVector *column = &self->columns[c];
      switch (kvsql_type_get_class (column->type))
        {
        case KVSQL_CLASS_NONE:
          continue;
        case KVSQL_CLASS_BOOLEAN:
          COMPACT (column->booleans);
          break;
        case KVSQL_CLASS_INTEGER:
          COMPACT (column->integers);
          break;
        case KVSQL_CLASS_REAL:
          COMPACT (column->reals);
          break;
        case KVSQL_CLASS_SLICE:
          COMPACT (column->slices);
          break;
        }
      compact_nulls (column, selection, n_selected);
    }
  self->n_rows = n_selected;
}
