/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-serialization.c: for each column a byte that says whether it is NULL, then 1 or 8 bytes, or a
 * size and bytes.
 */
#include "config.h"

#include "core/exec/row-serialization.h"

gsize
kvsql_row_get_serialized_size (const KvsqlBatch *batch, guint row)
{
  gsize size = batch->n_columns;

  for (guint c = 0; c < batch->n_columns; c++)
    {
      const KvsqlVector *column = &batch->columns[c];
      KvsqlTypeClass class = kvsql_type_get_class (column->type);
      if (class == KVSQL_CLASS_NONE || kvsql_vector_is_null (column, row))
        continue;
      size += class == KVSQL_CLASS_SLICE     ? 4 + column->slices[row].size
              : class == KVSQL_CLASS_BOOLEAN ? 1
                                             : 8;
    }
  return size;
}

static guint8 *
pack_value (const KvsqlVector *column, guint row, guint8 *at)
{
  guint32 size;

  switch (kvsql_type_get_class (column->type))
    {
    case KVSQL_CLASS_BOOLEAN:
      *at = column->booleans[row];
      return at + 1;
    case KVSQL_CLASS_INTEGER:
      memcpy (at, &column->integers[row], 8);
      return at + 8;
    case KVSQL_CLASS_REAL:
      memcpy (at, &column->reals[row], 8);
      return at + 8;
    default:
      size = (guint32)column->slices[row].size;
      memcpy (at, &size, 4);
      if (size > 0)
        memcpy (at + 4, column->slices[row].data, size);
      return at + 4 + size;
    }
}

void
kvsql_row_serialize (const KvsqlBatch *batch, guint row, guint8 *at)
{
  for (guint c = 0; c < batch->n_columns; c++)
    {
      const KvsqlVector *column = &batch->columns[c];
      gboolean has_value = column->type != KVSQL_TYPE_NULL && !kvsql_vector_is_null (column, row);

      *at++ = has_value;
      if (has_value)
        at = pack_value (column, row, at);
    }
}

static const guint8 *
unpack_value (const guint8 *at, KvsqlVector *column, guint row)
{
  guint32 size;

  switch (kvsql_type_get_class (column->type))
    {
    case KVSQL_CLASS_BOOLEAN:
      column->booleans[row] = *at;
      return at + 1;
    case KVSQL_CLASS_INTEGER:
      memcpy (&column->integers[row], at, 8);
      return at + 8;
    case KVSQL_CLASS_REAL:
      memcpy (&column->reals[row], at, 8);
      return at + 8;
    default:
      memcpy (&size, at, 4);
      column->slices[row] = kvsql_slice (at + 4, size);
      return at + 4 + size;
    }
}

void
kvsql_row_deserialize (const guint8 *bytes, KvsqlBatch *batch, guint row)
{
  for (guint c = 0; c < batch->n_columns; c++)
    {
      KvsqlVector *column = &batch->columns[c];

      if (*bytes++)
        bytes = unpack_value (bytes, column, row);
      else if (column->type != KVSQL_TYPE_NULL)
        {
          if (kvsql_type_get_class (column->type) == KVSQL_CLASS_SLICE)
            column->slices[row] = KVSQL_SLICE_EMPTY;
          kvsql_vector_set_null (column, row);
        }
    }
}
