/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rows.h: a builder of batches of rows, for implementations of a store.
 *
 * Bytes are copied into chunks of an arena. The arrays of rows and cells are reused for the next
 * batch. So there is no allocation per row.
 *
 * Threads: a builder belongs to one thread at a time, as its arena does.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlArena *arena; /* borrowed: owns the bytes */
  guint8 *at;        /* free space in the current chunk, up to @end */
  guint8 *end;
  gsize chunk_size;
  gsize n_bytes; /* copied since the last reset */
  KvsqlRows rows;
  guint row_capacity;
  guint cell_capacity;
} KvsqlRowsBuilder;

void kvsql_rows_builder_init (KvsqlRowsBuilder *self, KvsqlArena *arena);
void kvsql_rows_builder_clear (KvsqlRowsBuilder *self);
/* Empties the builder and its arena. */
void kvsql_rows_builder_reset (KvsqlRowsBuilder *self);

/* The slow paths of the inline functions. */
guint8 *kvsql_rows_builder_grow_bytes (KvsqlRowsBuilder *self, gsize size);
void kvsql_rows_builder_grow_rows (KvsqlRowsBuilder *self);
void kvsql_rows_builder_grow_cells (KvsqlRowsBuilder *self);

/* Uninitialised memory that lives until the arena is reset. */
static inline guint8 *
kvsql_rows_builder_alloc (KvsqlRowsBuilder *self, gsize size)
{
  guint8 *at = self->at;

  self->n_bytes += size;
  if (G_UNLIKELY ((gsize)(self->end - at) < size))
    return kvsql_rows_builder_grow_bytes (self, size);
  self->at = at + size;
  return at;
}

static inline KvsqlSlice
kvsql_rows_builder_copy (KvsqlRowsBuilder *self, KvsqlSlice bytes)
{
  guint8 *at = kvsql_rows_builder_alloc (self, bytes.size);

  kvsql_copy_bytes (at, bytes.data, bytes.size);
  return kvsql_slice (at, bytes.size);
}

/* Adds a row without cells. kvsql_rows_builder_add_cell() adds to the last row. @key is not
 * copied. */
static inline void
kvsql_rows_builder_add_row (KvsqlRowsBuilder *self, KvsqlSlice key)
{
  if (G_UNLIKELY (self->rows.n_rows == self->row_capacity))
    kvsql_rows_builder_grow_rows (self);
  self->rows.rows[self->rows.n_rows++] = (KvsqlRow){ key, self->rows.n_cells, 0 };
}

/* Adds a cell to the last row. Its slices are not copied. */
static inline void
kvsql_rows_builder_add_cell (KvsqlRowsBuilder *self, const KvsqlCell *cell)
{
  if (G_UNLIKELY (self->rows.n_cells == self->cell_capacity))
    kvsql_rows_builder_grow_cells (self);
  self->rows.cells[self->rows.n_cells++] = *cell;
  self->rows.rows[self->rows.n_rows - 1].n_cells++;
}

/* Adds a row with one cell, which the caller has to fill in. @key is not copied. */
G_GNUC_WARN_UNUSED_RESULT static inline KvsqlCell *
kvsql_rows_builder_add_row_of_one (KvsqlRowsBuilder *self, KvsqlSlice key)
{
  KvsqlRow *row;

  if (G_UNLIKELY (self->rows.n_rows == self->row_capacity))
    kvsql_rows_builder_grow_rows (self);
  if (G_UNLIKELY (self->rows.n_cells == self->cell_capacity))
    kvsql_rows_builder_grow_cells (self);
  row = &self->rows.rows[self->rows.n_rows++];
  row->key = key;
  row->first_cell = self->rows.n_cells;
  row->n_cells = 1;
  return &self->rows.cells[self->rows.n_cells++];
}

/* A position to roll back to. */
typedef struct
{
  guint8 *at, *end;
  gsize n_bytes;
  guint n_rows, n_cells;
} KvsqlRowsMark;

static inline KvsqlRowsMark
kvsql_rows_builder_get_mark (const KvsqlRowsBuilder *self)
{
  return (KvsqlRowsMark){ self->at, self->end, self->n_bytes, self->rows.n_rows,
                          self->rows.n_cells };
}

/* Removes everything that was added since the mark. Its memory in the current chunk is free again.
 * Its memory in other chunks is freed by the next reset. */
static inline void
kvsql_rows_builder_return_to (KvsqlRowsBuilder *self, const KvsqlRowsMark *mark)
{
  if (self->end == mark->end)
    self->at = mark->at;
  self->n_bytes = mark->n_bytes;
  self->rows.n_rows = mark->n_rows;
  self->rows.n_cells = mark->n_cells;
}

/* The result, with its arrays copied into the arena, too. */
KvsqlRows kvsql_rows_builder_finish (KvsqlRowsBuilder *self);

G_END_DECLS
