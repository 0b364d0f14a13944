/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * result-builder.c: appends rows of a batch to a page, column by column.
 */
#include "config.h"

#include "core/exec/result-builder.h"

#include "core/base/interrupt.h"

#define LARGEST_BLOCK (1024 * 1024)

static void
make_room (KvsqlBatch *page, guint n_rows)
{
  if (n_rows > page->capacity)
    kvsql_batch_reserve (page, MAX (n_rows, page->capacity * 2));
}

/* Whether the rows are consecutive, as if nothing was filtered out. */
static gboolean
is_one_piece (const guint32 *rows, guint n)
{
  return n > 0 && rows[n - 1] - rows[0] == n - 1;
}

/* Copies the bytes of values one after the other, as many as fit into a block, but one at least.
 * Returns: the number of values */
static guint
copy_block (const KvsqlSlice *from, guint n, KvsqlArena *arena, KvsqlSlice *to, gsize *inout_size)
{
  gsize size = 0;
  guint n_values = 0;
  guint8 *at;

  do
    size += from[n_values++].size;
  while (n_values < n && size + from[n_values].size <= LARGEST_BLOCK);
  at = kvsql_arena_alloc (arena, size);
  for (guint i = 0; i < n_values; i++)
    {
      gsize length = from[i].size;

      kvsql_copy_bytes (at, from[i].data, length);
      to[i] = kvsql_slice (at, length);
      at += length;
    }
  *inout_size += size;
  return n_values;
}

/* A value that many rows share, as that of a subquery, is copied for each of them. So the memory is
 * checked between the blocks. */
static gsize
copy_dense (const KvsqlSlice *from, guint n, KvsqlArena *arena, KvsqlSlice *to)
{
  gsize size = 0;

  for (guint i = 0; i < n;)
    {
      i += copy_block (from + i, n - i, arena, to + i, &size);
      if (!kvsql_interrupt_tick ())
        for (; i < n; i++)
          to[i] = KVSQL_SLICE_EMPTY;
    }
  return size;
}

/* Copies the bytes of a column's values in one block. */
static gsize
copy_slices (const KvsqlVector *from, const guint32 *rows, guint n, KvsqlArena *arena,
             KvsqlSlice *to)
{
  if (!from->has_nulls && is_one_piece (rows, n))
    return copy_dense (from->slices + rows[0], n, arena, to) + 4 * n;
  for (guint i = 0; i < n; i++)
    to[i] = kvsql_vector_is_null (from, rows[i]) ? KVSQL_SLICE_EMPTY : from->slices[rows[i]];
  return copy_dense (to, n, arena, to) + 4 * n;
}

#define COPY(member)                                                                               \
  if (is_one_piece (rows, n))                                                                      \
    memcpy (to->member + at, from->member + rows[0], n * sizeof *from->member);                    \
  else                                                                                             \
    for (guint i = 0; i < n; i++)                                                                  \
    to->member[at + i] = from->member[rows[i]]

/* Appends the rows of one column; returns their size in bytes. */
static gsize
copy_column (const KvsqlVector *from, const guint32 *rows, guint n, KvsqlArena *arena,
             KvsqlVector *to, guint at)
{
  gsize size = 8 * n;

  switch (kvsql_type_get_class (from->type))
    {
    case KVSQL_CLASS_BOOLEAN:
      COPY (booleans);
      break;
    case KVSQL_CLASS_INTEGER:
      COPY (integers);
      break;
    case KVSQL_CLASS_REAL:
      COPY (reals);
      break;
    case KVSQL_CLASS_SLICE:
      size = copy_slices (from, rows, n, arena, to->slices + at);
      break;
    case KVSQL_CLASS_NONE:
      break;
    }
  if (from->has_nulls)
    for (guint i = 0; i < n; i++)
      if (kvsql_vector_is_null (from, rows[i]))
        kvsql_vector_set_null (to, at + i);
  return size;
}

gsize
kvsql_result_builder_append (KvsqlBatch *page, const KvsqlBatch *batch, const guint *columns,
                             const guint32 *rows, guint n, KvsqlArena *arena)
{
  gsize size = 0;

  g_assert (columns != NULL || page->n_columns <= batch->n_columns);
  g_assert (n == 0 || rows[n - 1] < batch->n_rows);
  make_room (page, page->n_rows + n);
  for (guint i = 0; i < page->n_columns; i++)
    size += copy_column (&batch->columns[columns == NULL ? i : columns[i]], rows, n, arena,
                         &page->columns[i], page->n_rows);
  page->n_rows += n;
  return size;
}
