/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * record-streams.c: record = size (4) | bytes. A record may continue in the next block.
 */
#include "config.h"

#include "core/exec/record-streams.h"

#include "core/base/account.h"
#include "core/exec/temporary-file.h"

#include <string.h>

struct _KvsqlStreamFile
{
  KvsqlTemporaryFile *file;
  gsize block_bytes;
  guint32 n_blocks;
  GArray *unused; /* of guint32: released blocks */
  guint64 written;
  KvsqlAccount *account; /* nullable: counts the blocks in memory */
};

KvsqlStreamFile *
kvsql_stream_file_new (const gchar *directory, guint64 max_bytes, gsize block_bytes)
{
  KvsqlStreamFile *self = g_new0 (KvsqlStreamFile, 1);

  self->file = kvsql_temporary_file_new (directory, max_bytes);
  self->block_bytes = block_bytes;
  self->unused = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->account = kvsql_account_ref (kvsql_account_get_current ());
  return self;
}

void
kvsql_stream_file_free (KvsqlStreamFile *self)
{
  if (self == NULL)
    return;
  kvsql_temporary_file_free (self->file);
  g_array_unref (self->unused);
  kvsql_account_unref (self->account);
  g_free (self);
}

guint64
kvsql_stream_file_get_written (const KvsqlStreamFile *self)
{
  return self->written;
}

/* ---- blocks */

static guint8 *
new_buffer (KvsqlStreamFile *self)
{
  kvsql_account_add (self->account, (gssize)self->block_bytes);
  return g_malloc (self->block_bytes);
}

static void
free_buffer (KvsqlStreamFile *self, guint8 *buffer)
{
  if (buffer != NULL)
    kvsql_account_add (self->account, -(gssize)self->block_bytes);
  g_free (buffer);
}

static guint64
offset_of (const KvsqlStreamFile *self, guint32 block)
{
  return (guint64)block * self->block_bytes;
}

static gboolean
choose_block (KvsqlStreamFile *self, guint32 *out, GError **error)
{
  if (self->unused->len > 0)
    {
      *out = g_array_index (self->unused, guint32, self->unused->len - 1);
      g_array_set_size (self->unused, self->unused->len - 1);
      return TRUE;
    }
  if (!kvsql_temporary_file_check_size (self->file, offset_of (self, self->n_blocks + 1), error)
      || !kvsql_temporary_file_open (self->file, error))
    return FALSE;
  *out = self->n_blocks++;
  return TRUE;
}

/* ---- writing */

static gboolean
write_block (KvsqlStream *self, KvsqlStreamFile *file, GError **error)
{
  guint32 block;

  if (!choose_block (file, &block, error)
      || !kvsql_temporary_file_write (file->file, self->buffer, self->filled,
                                      offset_of (file, block), error))
    return FALSE;
  if (self->blocks == NULL)
    self->blocks = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (self->blocks, block);
  file->written += self->filled;
  self->filled = 0;
  return TRUE;
}

static gboolean
append_bytes (KvsqlStream *self, KvsqlStreamFile *file, KvsqlSlice bytes, GError **error)
{
  gsize done = 0;

  if (self->buffer == NULL)
    self->buffer = new_buffer (file);
  while (done < bytes.size)
    {
      gsize n = MIN (bytes.size - done, file->block_bytes - self->filled);

      memcpy (self->buffer + self->filled, bytes.data + done, n);
      self->filled += n;
      done += n;
      if (self->filled == file->block_bytes && !write_block (self, file, error))
        return FALSE;
    }
  self->size += bytes.size;
  return TRUE;
}

gboolean
kvsql_stream_append (KvsqlStream *self, KvsqlStreamFile *file, KvsqlSlice head, KvsqlSlice body,
                     GError **error)
{
  guint32 size = (guint32)(head.size + body.size);

  self->n_records++;
  return append_bytes (self, file, kvsql_slice (&size, sizeof size), error)
         && append_bytes (self, file, head, error) && append_bytes (self, file, body, error);
}

gboolean
kvsql_stream_end (KvsqlStream *self, KvsqlStreamFile *file, GError **error)
{
  if (self->filled > 0 && !write_block (self, file, error))
    return FALSE;
  free_buffer (file, g_steal_pointer (&self->buffer));
  return TRUE;
}

void
kvsql_stream_clear (KvsqlStream *self, KvsqlStreamFile *file)
{
  guint n = self->blocks == NULL ? 0 : self->blocks->len;

  if (n > self->n_consumed)
    g_array_append_vals (file->unused, &g_array_index (self->blocks, guint32, self->n_consumed),
                         n - self->n_consumed);
  if (self->blocks != NULL)
    g_array_unref (self->blocks);
  free_buffer (file, self->buffer);
  *self = (KvsqlStream){ 0 };
}

/* ---- reading */

void
kvsql_stream_reader_init (KvsqlStreamReader *self, KvsqlStreamFile *file, KvsqlStream *stream,
                          gboolean consumes)
{
  g_assert (stream->filled == 0 && stream->n_consumed == 0); /* it has ended, and is complete */
  *self = (KvsqlStreamReader){
    .file = file, .stream = stream, .consumes = consumes, .left = stream->size
  };
  if (stream->size > 0)
    self->buffer = new_buffer (file);
}

void
kvsql_stream_reader_clear (KvsqlStreamReader *self)
{
  if (self->file != NULL)
    free_buffer (self->file, self->buffer);
  *self = (KvsqlStreamReader){ 0 };
}

gboolean
kvsql_stream_reader_is_at_end (const KvsqlStreamReader *self)
{
  return self->at == self->filled && self->left == 0;
}

static gboolean
read_block (KvsqlStreamReader *self, GError **error)
{
  KvsqlStreamFile *file = self->file;
  guint32 block = g_array_index (self->stream->blocks, guint32, self->next_block);

  self->filled = MIN (self->left, file->block_bytes);
  self->at = 0;
  self->left -= self->filled;
  self->next_block++;
  if (!kvsql_temporary_file_read (file->file, self->buffer, self->filled, offset_of (file, block),
                                  error))
    return FALSE;
  if (self->consumes)
    {
      g_array_append_val (file->unused, block);
      self->stream->n_consumed = self->next_block;
    }
  return TRUE;
}

static gboolean
read_bytes (KvsqlStreamReader *self, guint8 *to, gsize size, GError **error)
{
  while (size > 0)
    {
      gsize n;

      if (self->at == self->filled && !read_block (self, error))
        return FALSE;
      n = MIN (size, self->filled - self->at);
      g_assert (n > 0);
      memcpy (to, self->buffer + self->at, n);
      self->at += n;
      to += n;
      size -= n;
    }
  return TRUE;
}

gboolean
kvsql_stream_reader_next (KvsqlStreamReader *self, KvsqlArena *arena, KvsqlSlice *out,
                          GError **error)
{
  guint32 size;
  guint8 *bytes;

  if (!read_bytes (self, (guint8 *)&size, sizeof size, error))
    return FALSE;
  bytes = kvsql_arena_alloc (arena, size);
  *out = kvsql_slice (bytes, size);
  return read_bytes (self, bytes, size, error);
}
