/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * spill.c: record = size of the key (4) | size of the row (4) | key | row. Reads and writes are
 * buffered.
 */
#include "config.h"

#include "core/exec/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define WRITE_BUFFER (256 * 1024)
#define HEAD 8

struct _KvsqlSpill
{
  gchar *directory;
  guint64 max_bytes;
  gint fd; /* -1: not made yet */
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

  self->directory = g_strdup (directory != NULL ? directory : g_get_tmp_dir ());
  self->max_bytes = max_bytes;
  self->fd = -1;
  return self;
}

void
kvsql_spill_free (KvsqlSpill *self)
{
  if (self == NULL)
    return;
  if (self->fd >= 0)
    close (self->fd);
  kvsql_buffer_clear (&self->buffer);
  g_free (self->directory);
  g_free (self);
}

/* ---- writing */

static gboolean
set_file_error (const KvsqlSpill *self, const gchar *what, gint code, GError **error)
{
  gboolean is_full = code == ENOSPC || code == EDQUOT || code == EFBIG;

  kvsql_error_set (error, is_full ? KVSQL_ERROR_LIMIT : KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE,
                   "cannot %s a temporary file in \"%s\": %s", what, self->directory,
                   g_strerror (code));
  return kvsql_error_hint (error,
                           "What is more than sort_bytes needs room there; sort_directory in the "
                           "daemon's configuration names another place.");
}

static gint
open_unnamed (const gchar *directory)
{
  g_autofree gchar *path = NULL;
  gint fd = -1;

#ifdef O_TMPFILE
  fd = open (directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0)
    return fd;
#endif
  path = g_build_filename (directory, "kvsql-sort-XXXXXX", NULL);
  fd = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0)
    g_unlink (path);
  return fd;
}

gboolean
kvsql_spill_begin_run (KvsqlSpill *self, GError **error)
{
  g_assert (self->buffer.size == 0); /* the last run has ended */
  if (self->fd < 0)
    self->fd = open_unnamed (self->directory);
  if (self->fd < 0)
    return set_file_error (self, "make", errno, error);
  self->run_start = self->size;
  return TRUE;
}

static gboolean
flush (KvsqlSpill *self, GError **error)
{
  gsize done = 0;

  while (done < self->buffer.size)
    {
      gssize n = pwrite (self->fd, self->buffer.data + done, self->buffer.size - done,
                         (off_t)(self->size + done));
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return set_file_error (self, "write", n < 0 ? errno : ENOSPC, error);
      done += (gsize)n;
    }
  self->size += self->buffer.size;
  self->buffer.size = 0;
  return TRUE;
}

gboolean
kvsql_spill_append (KvsqlSpill *self, KvsqlSlice key, KvsqlSlice row, GError **error)
{
  guint32 head[2] = { (guint32)key.size, (guint32)row.size };

  if (self->size + self->buffer.size + HEAD + key.size + row.size > self->max_bytes)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "the statement needs more than %" G_GUINT64_FORMAT " MiB of temporary files",
                       self->max_bytes >> 20);
      return kvsql_error_hint (error,
                               "Narrow the predicate, ask for fewer columns, add a LIMIT, or raise "
                               "sort_disk_bytes in the daemon's configuration.");
    }
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
      gsize wanted = MIN (self->capacity - self->filled, self->end - self->offset);
      gssize n = pread (self->spill->fd, self->buffer + self->filled, wanted, (off_t)self->offset);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return set_file_error (self->spill, "read", n < 0 ? errno : EIO, error);
      self->filled += (gsize)n;
      self->offset += (guint64)n;
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
