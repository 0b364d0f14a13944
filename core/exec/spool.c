/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * spool.c: serialized rows in memory; the rows after them in one run of a temporary file.
 */
#include "config.h"

#include "core/exec/spool.h"

#include "core/base/error.h"
#include "core/exec/row-serialization.h"
#include "core/exec/spill.h"

#define READ_BUFFER_BYTES (256 * 1024)

struct _KvsqlSpool
{
  KvsqlSortLimits limits;
  KvsqlBatch *batch;  /* the rows that pop() returns; it has the columns of the first batch */
  KvsqlArena *arena;  /* of the rows in memory */
  GArray *rows;       /* of KvsqlSlice: serialized, in memory */
  guint n_emitted;    /* of @rows */
  KvsqlSpill *spill;  /* NULL: all rows are in memory */
  KvsqlBuffer packed; /* one serialized row, to be written to the file */
  KvsqlSpillReader *reader;
};

KvsqlSpool *
kvsql_spool_new (const KvsqlSortLimits *limits)
{
  KvsqlSpool *self = g_new0 (KvsqlSpool, 1);

  self->limits = *limits;
  self->arena = kvsql_arena_new ();
  self->rows = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  return self;
}

void
kvsql_spool_free (KvsqlSpool *self)
{
  if (self == NULL)
    return;
  kvsql_spill_reader_free (self->reader);
  kvsql_spill_free (self->spill);
  kvsql_buffer_clear (&self->packed);
  g_array_unref (self->rows);
  kvsql_arena_free (self->arena);
  kvsql_batch_free (self->batch);
  g_free (self);
}

static KvsqlBatch *
new_batch_like (const KvsqlBatch *batch)
{
  g_autofree KvsqlType *types = g_new (KvsqlType, batch->n_columns + 1);

  for (guint c = 0; c < batch->n_columns; c++)
    types[c] = batch->columns[c].type;
  return kvsql_batch_new (types, batch->n_columns, KVSQL_BATCH_ROWS);
}

/* ---- writing */

static gboolean
begin_file (KvsqlSpool *self, GError **error)
{
  if (self->limits.disk_bytes == 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "what is read before it is written needs more than %" G_GSIZE_FORMAT " MiB",
                       self->limits.memory_bytes >> 20);
      return kvsql_error_hint (error, "Write a part at a time, with WHERE, or raise sort_bytes or "
                                      "sort_disk_bytes in the daemon's configuration.");
    }
  self->spill = kvsql_spill_new (self->limits.directory, self->limits.disk_bytes);
  return kvsql_spill_begin_run (self->spill, error);
}

static gboolean
push_to_file (KvsqlSpool *self, const KvsqlBatch *batch, guint row, gsize size, GError **error)
{
  self->packed.size = 0;
  kvsql_row_serialize (batch, row, kvsql_buffer_extend (&self->packed, size));
  return kvsql_spill_append (self->spill, KVSQL_SLICE_EMPTY, kvsql_buffer_slice (&self->packed),
                             error);
}

static gboolean
fits (const KvsqlSpool *self, gsize size)
{
  return kvsql_arena_get_size (self->arena) + self->rows->len * sizeof (KvsqlSlice) + size
         <= self->limits.memory_bytes;
}

static void
push_to_memory (KvsqlSpool *self, const KvsqlBatch *batch, guint row, gsize size)
{
  KvsqlSlice packed = kvsql_slice (kvsql_arena_alloc (self->arena, size), size);

  kvsql_row_serialize (batch, row, (guint8 *)packed.data);
  g_array_append_val (self->rows, packed);
}

gboolean
kvsql_spool_push (KvsqlSpool *self, const KvsqlBatch *batch, GError **error)
{
  g_assert (self->reader == NULL && self->n_emitted == 0); /* the first pop() ends writing */
  if (self->batch == NULL)
    self->batch = new_batch_like (batch);
  g_assert (batch->n_columns == self->batch->n_columns);
  for (guint row = 0; row < batch->n_rows; row++)
    {
      gsize size = kvsql_row_get_serialized_size (batch, row);

      if (self->spill == NULL && fits (self, size))
        push_to_memory (self, batch, row, size);
      else if ((self->spill == NULL && !begin_file (self, error))
               || !push_to_file (self, batch, row, size, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- reading */

static gboolean
begin_reading (KvsqlSpool *self, GError **error)
{
  KvsqlSpillRun run;

  if (!kvsql_spill_end_run (self->spill, &run, error))
    return FALSE;
  self->reader = kvsql_spill_reader_new (self->spill, &run, READ_BUFFER_BYTES);
  return TRUE;
}

/* The next serialized row, valid until the next call; without data at the end. */
static gboolean
next_row (KvsqlSpool *self, KvsqlSlice *out, GError **error)
{
  KvsqlSlice key;
  gboolean any;

  *out = KVSQL_SLICE_EMPTY;
  if (self->n_emitted < self->rows->len)
    {
      *out = g_array_index (self->rows, KvsqlSlice, self->n_emitted++);
      return TRUE;
    }
  if (self->spill == NULL)
    return TRUE;
  return (self->reader != NULL || begin_reading (self, error))
         && kvsql_spill_reader_next (self->reader, &key, out, &any, error);
}

gboolean
kvsql_spool_pop (KvsqlSpool *self, KvsqlArena *arena, const KvsqlBatch **out, GError **error)
{
  KvsqlSlice row;

  *out = NULL;
  if (self->batch == NULL)
    return TRUE;
  kvsql_batch_reset (self->batch);
  while (self->batch->n_rows < KVSQL_BATCH_ROWS)
    {
      if (!next_row (self, &row, error))
        return FALSE;
      if (row.size == 0)
        break;
      row = kvsql_slice_dup (arena, row);
      kvsql_row_deserialize (row.data, self->batch, self->batch->n_rows++);
    }
  if (self->batch->n_rows > 0)
    *out = self->batch;
  return TRUE;
}
