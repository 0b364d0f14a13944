/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rows.c: the slow paths of the builder. Functions called per row or cell are inline in rows.h.
 */
#include "config.h"

#include "core/store/rows.h"

/* Small at first, as most reads are of one row. Later large enough for a batch in one chunk. */
#define FIRST_CHUNK (4 * 1024)
#define LARGEST_CHUNK (1024 * 1024)
#define FIRST_ROWS 16

void
kvsql_rows_builder_init (KvsqlRowsBuilder *self, KvsqlArena *arena)
{
  *self = (KvsqlRowsBuilder){ .arena = arena, .chunk_size = FIRST_CHUNK };
}

void
kvsql_rows_builder_clear (KvsqlRowsBuilder *self)
{
  g_free (self->rows.rows);
  g_free (self->rows.cells);
  *self = (KvsqlRowsBuilder){ 0 };
}

void
kvsql_rows_builder_reset (KvsqlRowsBuilder *self)
{
  kvsql_arena_reset (self->arena);
  self->at = NULL;
  self->end = NULL;
  self->n_bytes = 0;
  self->rows.n_rows = 0;
  self->rows.n_cells = 0;
}

guint8 *
kvsql_rows_builder_grow_bytes (KvsqlRowsBuilder *self, gsize size)
{
  guint8 *chunk;

  if (size > LARGEST_CHUNK / 4)
    return kvsql_arena_alloc (self->arena, size);
  if (self->at != NULL)
    self->chunk_size = MIN (self->chunk_size * 4, LARGEST_CHUNK);
  self->chunk_size = MAX (self->chunk_size, size);
  chunk = kvsql_arena_alloc (self->arena, self->chunk_size);
  self->at = chunk + size;
  self->end = chunk + self->chunk_size;
  return chunk;
}

void
kvsql_rows_builder_grow_rows (KvsqlRowsBuilder *self)
{
  self->row_capacity = MAX (self->row_capacity * 2, FIRST_ROWS);
  self->rows.rows = g_renew (KvsqlRow, self->rows.rows, self->row_capacity);
}

void
kvsql_rows_builder_grow_cells (KvsqlRowsBuilder *self)
{
  self->cell_capacity = MAX (self->cell_capacity * 2, FIRST_ROWS);
  self->rows.cells = g_renew (KvsqlCell, self->rows.cells, self->cell_capacity);
}

KvsqlRows
kvsql_rows_builder_finish (KvsqlRowsBuilder *self)
{
  KvsqlRows rows = self->rows;

  rows.rows = kvsql_arena_copy (self->arena, rows.rows, rows.n_rows * sizeof (KvsqlRow));
  rows.cells = kvsql_arena_copy (self->arena, rows.cells, rows.n_cells * sizeof (KvsqlCell));
  return rows;
}
