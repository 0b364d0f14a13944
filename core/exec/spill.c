/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * spill.c: record = size of the key (4) | size of the row (4) | key | row. Reads and writes are
 * buffered.
 */
#include "config.h"

#include "core/exec/spill.h"

#include "core/exec/temporary-file.h"

#define WRITE_BUFFER (256 * 1024)
#define HEAD 8

struct _KvsqlSpill
{
  KvsqlTemporaryFile *file;
  guint64 size;
  guint64 run_start;
  KvsqlBuffer buffer; /* still to be written */
};

struct _KvsqlSpillReader
{
  const KvsqlSpill *spill;
  guint64 offset; /* in the file, of the first byte after the buffer */
  guint64 end;
  guint8 *buffer;
  gsize capacity;
  gsize at;
  gsize filled;
};

KvsqlSpill *
kvsql_spill_new (const gchar *directory, guint64 max_bytes)
{
  KvsqlSpill *self = g_new0 (KvsqlSpill, 1);

  self->file = kvsql_temporary_file_new (directory, max_bytes);
  return self;
}

void
kvsql_spill_free (KvsqlSpill *self)
{
  if (self == NULL)
    return;
  kvsql_temporary_file_free (self->file);
  kvsql_buffer_clear (&self->buffer);
  g_free (self);
}

/* ---- writing */

gboolean
kvsql_spill_begin_run (KvsqlSpill *self, GError **error)
{
  g_assert (self->buffer.size == 0); /* the last run has ended */
  self->run_start = self->size;
  return kvsql_temporary_file_open (self->file, error);
}

static gboolean
flush (KvsqlSpill *self, GError **error)
{
  if (!kvsql_temporary_file_write (self->file, self->buffer.data, self->buffer.size, self->size,
                                   error))
    return FALSE;
  self->size += self->buffer.size;
  self->buffer.size = 0;
  return TRUE;
}

gboolean
kvsql_spill_append (KvsqlSpill *self, KvsqlSlice key, KvsqlSlice row, GError **error)
{
  guint32 head[2] = { (guint32)key.size, (guint32)row.size };

  if (!kvsql_temporary_file_check_size (
          self->file, self->size + self->buffer.size + HEAD + key.size + row.size, error))
    return FALSE;
  kvsql_buffer_append (&self->buffer, head, HEAD);
  kvsql_buffer_append_slice (&self->buffer, key);
  kvsql_buffer_append_slice (&self->buffer, row);
  return self->buffer.size < WRITE_BUFFER || flush (self, error);
}

gboolean
kvsql_spill_end_run (KvsqlSpill *self, KvsqlSpillRun *out, GError **error)
{
  if (!flush (self, error))
    return FALSE;
  *out = (KvsqlSpillRun){ self->run_start, self->size };
  return TRUE;
}

/* ---- reading */

KvsqlSpillReader *
kvsql_spill_reader_new (const KvsqlSpill *self, const KvsqlSpillRun *run, gsize buffer_bytes)
{
  KvsqlSpillReader *reader = g_new0 (KvsqlSpillReader, 1);

  g_assert (run->start <= run->end && run->end <= self->size); /* written, not in the buffer */
  reader->spill = self;
  reader->offset = run->start;
  reader->end = run->end;
  reader->capacity = MAX (buffer_bytes, HEAD);
  reader->buffer = g_malloc (reader->capacity);
  return reader;
}

void
kvsql_spill_reader_free (KvsqlSpillReader *self)
{
  if (self == NULL)
    return;
  g_free (self->buffer);
  g_free (self);
}

/* Makes sure that self->at has @size bytes. The caller knows that they are in the run. */
static gboolean
fill (KvsqlSpillReader *self, gsize size, GError **error)
{
  if (self->filled - self->at >= size)
    return TRUE;
  g_assert (self->at <= self->filled && self->offset <= self->end);
  memmove (self->buffer, self->buffer + self->at, self->filled - self->at);
  self->filled -= self->at;
  self->at = 0;
  if (size > self->capacity)
    {
      self->capacity = size;
      self->buffer = g_realloc (self->buffer, size);
    }
  while (self->filled < size)
    {
      gsize n = MIN (self->capacity - self->filled, self->end - self->offset);

      g_assert (n > 0);
      if (!kvsql_temporary_file_read (self->spill->file, self->buffer + self->filled, n,
                                      self->offset, error))
        return FALSE;
      self->filled += n;
      self->offset += n;
    }
  return TRUE;
}

gboolean
kvsql_spill_reader_next (KvsqlSpillReader *self, KvsqlSlice *out_key, KvsqlSlice *out_row,
                         gboolean *out_any, GError **error)
{
  guint32 head[2];

  *out_any = self->at < self->filled || self->offset < self->end;
  if (!*out_any)
    return TRUE;
  if (!fill (self, HEAD, error))
    return FALSE;
  memcpy (head, self->buffer + self->at, HEAD);
  if (!fill (self, HEAD + (gsize)head[0] + head[1], error))
    return FALSE;
  *out_key = kvsql_slice (self->buffer + self->at + HEAD, head[0]);
  *out_row = kvsql_slice (self->buffer + self->at + HEAD + head[0], head[1]);
  self->at += HEAD + (gsize)head[0] + head[1];
  return TRUE;
}
