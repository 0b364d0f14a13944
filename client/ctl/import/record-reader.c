/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * record-reader.c: see record-reader.h.
 */
#include "config.h"

#include "client/ctl/import/record-reader.h"

#include <errno.h>
#include <gio/gio.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define READ_BYTES (1024 * 1024)
#define WAIT_MS 100

void
kvsqlctl_reader_init (KvsqlctlReader *self, int descriptor, const gchar *name,
                      const KvsqlctlFileFormat *file_format, guint64 offset, guint64 line)
{
  *self = (KvsqlctlReader){ .descriptor = descriptor,
                            .name = name,
                            .file_format = *file_format,
                            .offset = offset,
                            .line = line,
                            .buffer = g_byte_array_sized_new (READ_BYTES) };
  kvsqlctl_record_init (&self->record);
}

void
kvsqlctl_reader_clear (KvsqlctlReader *self)
{
  kvsqlctl_record_clear (&self->record);
  g_byte_array_unref (self->buffer);
}

static guint
count_lines (const gchar *bytes, gsize size)
{
  guint n = 0;

  for (const gchar *at = bytes; (at = memchr (at, '\n', size - (gsize)(at - bytes))) != NULL; at++)
    n++;
  return n;
}

void
kvsqlctl_locate (const gchar *bytes, gsize place, guint64 line, guint64 *out_line,
                 guint64 *out_column)
{
  const gchar *start = bytes;

  *out_line = line + count_lines (bytes, place);
  *out_column = 1;
  for (gsize i = 0; i < place; i++)
    if (bytes[i] == '\n')
      start = bytes + i + 1;
  for (; start < bytes + place; start++)
    *out_column += ((guchar)*start & 0xc0) != 0x80;
}

/* Rejects a record without an end, which is too long or truncated by the end of the file. */
static gboolean
reject_length (KvsqlctlReader *self, GError **error)
{
  guint64 line, column;

  kvsqlctl_locate ((const gchar *)self->buffer->data + self->start, self->record.place, self->line,
                   &line, &column);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               "%s:%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT
               ": a row that begins here is longer than %d MB; perhaps a quote is not closed",
               self->name, line, column, KVSQLCTL_MAX_RECORD_BYTES >> 20);
  return FALSE;
}

/* Reads more bytes after the present ones. *@out_got: whether there were any. */
static gboolean
fill (KvsqlctlReader *self, gboolean *out_got, GError **error)
{
  struct pollfd poll_for = { .fd = self->descriptor, .events = POLLIN };
  guint kept = (guint)(self->buffer->len - self->start);
  gssize n;

  *out_got = FALSE;
  if (kept > KVSQLCTL_MAX_RECORD_BYTES)
    return reject_length (self, error);
  if (poll (&poll_for, 1, WAIT_MS) <= 0)
    return TRUE;
  g_byte_array_remove_range (self->buffer, 0, (guint)self->start);
  self->start = 0;
  g_byte_array_set_size (self->buffer, kept + MAX (READ_BYTES, kept));
  n = read (self->descriptor, self->buffer->data + kept, self->buffer->len - kept);
  g_byte_array_set_size (self->buffer, kept + (guint)MAX (n, 0));
  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return TRUE;
  if (n < 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "could not read \"%s\": %s",
                   self->name, g_strerror (errno));
      return FALSE;
    }
  *out_got = TRUE;
  self->is_end = n == 0;
  return TRUE;
}

/* Skips the last record. */
static void
step (KvsqlctlReader *self)
{
  self->start += self->record.size;
  self->offset += self->record.size;
  self->line += self->n_lines;
  self->record.size = self->n_lines = 0;
}

/* Skips the byte order mark that some editors write. */
static void
skip_mark (KvsqlctlReader *self)
{
  static const guint8 mark[] = { 0xef, 0xbb, 0xbf };

  if (self->offset == 0 && self->buffer->len - self->start >= sizeof mark
      && memcmp (self->buffer->data + self->start, mark, sizeof mark) == 0)
    {
      self->start += sizeof mark;
      self->offset += sizeof mark;
    }
}

KvsqlctlRead
kvsqlctl_reader_next (KvsqlctlReader *self, GError **error)
{
  static const KvsqlctlRead reads[] = { [KVSQLCTL_RECORD_WHOLE] = KVSQLCTL_READ_RECORD,
                                        [KVSQLCTL_RECORD_EMPTY] = KVSQLCTL_READ_EMPTY,
                                        [KVSQLCTL_RECORD_BAD] = KVSQLCTL_READ_BAD };

  step (self);
  for (;;)
    {
      KvsqlctlRecordStatus status = KVSQLCTL_RECORD_MORE;
      gsize left;
      gboolean got;

      skip_mark (self);
      left = self->buffer->len - self->start;
      self->bytes = (const gchar *)self->buffer->data + self->start;
      if (left == 0 && self->is_end)
        return KVSQLCTL_READ_END;
      if (left > 0)
        status = kvsqlctl_record_parse (&self->record, &self->file_format, self->bytes, left,
                                        self->is_end);
      if (status != KVSQLCTL_RECORD_MORE)
        {
          self->n_lines = count_lines (self->bytes, self->record.size);
          return reads[status];
        }
      self->record.size = 0;
      if (!fill (self, &got, error))
        return KVSQLCTL_READ_ERROR;
      if (!got)
        return KVSQLCTL_READ_NOTHING;
    }
}
