/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * reject.c: see reject.h.
 */
#include "config.h"

#include "client/ctl/import/reject.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/ctl/terminal/width.h"

#define RED "\033[1;31m"
#define PLAIN "\033[0m"

static gboolean
set_file_error (const KvsqlctlRejects *self, const gchar *what, GError **error)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "could not %s \"%s\": %s", what,
               self->path, g_strerror (errno));
  return FALSE;
}

/* The file of rejected rows must not be the input. */
static gboolean
check_not_input (const KvsqlctlRejects *self, GError **error)
{
  struct stat input, own;

  if (stat (self->input, &input) != 0 || fstat (self->descriptor, &own) != 0
      || input.st_dev != own.st_dev || input.st_ino != own.st_ino)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "--rejects names the file that is imported");
  return FALSE;
}

gboolean
kvsqlctl_rejects_open (KvsqlctlRejects *self, Kvsqlctl *ctl, const gchar *input, const gchar *path,
                       guint64 size, GBytes *header, GError **error)
{
  *self = (KvsqlctlRejects){ ctl, input, path, -1, size, header };
  if (path == NULL)
    return TRUE;
  self->descriptor = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (self->descriptor < 0)
    return set_file_error (self, "open", error);
  if (!check_not_input (self, error))
    {
      close (self->descriptor);
      self->descriptor = -1;
      return FALSE;
    }
  if (ftruncate (self->descriptor, (off_t)size) != 0
      || lseek (self->descriptor, (off_t)size, SEEK_SET) < 0)
    return set_file_error (self, "write", error);
  return TRUE;
}

void
kvsqlctl_rejects_close (KvsqlctlRejects *self)
{
  if (self->descriptor >= 0)
    {
      close (self->descriptor);
      if (self->size == 0)
        unlink (self->path);
    }
  self->descriptor = -1;
  g_clear_pointer (&self->header, g_bytes_unref);
}

static gboolean
write_all (KvsqlctlRejects *self, const gchar *bytes, gsize size, GError **error)
{
  for (gsize done = 0; done < size;)
    {
      gssize n = write (self->descriptor, bytes + done, size - done);

      if (n < 0 && errno != EINTR)
        return set_file_error (self, "write", error);
      done += (gsize)MAX (n, 0);
    }
  self->size += size;
  return TRUE;
}

static void
report (const KvsqlctlRejects *self, const KvsqlctlRow *row, const gchar *bytes)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean colour = self->ctl->colour_error;
  guint64 line, column;

  kvsqlctl_locate (bytes, MIN (row->problem.place, row->size), row->line, &line, &column);
  kvsqlctl_append_printable (text, row->problem.message, strlen (row->problem.message));
  fprintf (stderr, "%s:%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ": %serror:%s %s\n", self->input,
           line, column, colour ? RED : "", colour ? PLAIN : "", text->str);
  if (row->problem.hint != NULL)
    fprintf (stderr, "hint: %s\n", row->problem.hint);
}

gboolean
kvsqlctl_rejects_add (KvsqlctlRejects *self, const KvsqlctlRow *row, const gchar *bytes,
                      GError **error)
{
  report (self, row, bytes);
  if (self->descriptor < 0)
    return TRUE;
  if (self->size == 0 && self->header != NULL
      && !write_all (self, g_bytes_get_data (self->header, NULL), g_bytes_get_size (self->header),
                     error))
    return FALSE;
  return write_all (self, bytes, row->size, error);
}

gboolean
kvsqlctl_rejects_sync (KvsqlctlRejects *self, GError **error)
{
  return self->descriptor < 0 || fsync (self->descriptor) == 0
         || set_file_error (self, "write", error);
}
