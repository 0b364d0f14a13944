/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * temporary-file.c: see the header.
 */
#include "config.h"

#include "core/exec/temporary-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

struct _KvsqlTemporaryFile
{
  gchar *directory;
  guint64 max_bytes;
  gint fd; /* -1: not made yet */
};

KvsqlTemporaryFile *
kvsql_temporary_file_new (const gchar *directory, guint64 max_bytes)
{
  KvsqlTemporaryFile *self = g_new0 (KvsqlTemporaryFile, 1);

  self->directory = g_strdup (directory != NULL ? directory : g_get_tmp_dir ());
  self->max_bytes = max_bytes;
  self->fd = -1;
  return self;
}

void
kvsql_temporary_file_free (KvsqlTemporaryFile *self)
{
  if (self == NULL)
    return;
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->directory);
  g_free (self);
}

static gboolean
set_file_error (const KvsqlTemporaryFile *self, const gchar *what, gint code, GError **error)
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
kvsql_temporary_file_open (KvsqlTemporaryFile *self, GError **error)
{
  if (self->fd < 0)
    self->fd = open_unnamed (self->directory);
  return self->fd >= 0 || set_file_error (self, "make", errno, error);
}

gboolean
kvsql_temporary_file_check_size (const KvsqlTemporaryFile *self, guint64 size, GError **error)
{
  if (size <= self->max_bytes)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "the statement needs more than %" G_GUINT64_FORMAT " MiB of temporary files",
                   self->max_bytes >> 20);
  return kvsql_error_hint (error,
                           "Narrow the predicate, ask for fewer columns, add a LIMIT, or raise "
                           "sort_disk_bytes in the daemon's configuration.");
}

gboolean
kvsql_temporary_file_write (KvsqlTemporaryFile *self, gconstpointer data, gsize size,
                            guint64 offset, GError **error)
{
  gsize done = 0;

  while (done < size)
    {
      gssize n
          = pwrite (self->fd, (const guint8 *)data + done, size - done, (off_t)(offset + done));
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return set_file_error (self, "write", n < 0 ? errno : ENOSPC, error);
      done += (gsize)n;
    }
  return TRUE;
}

gboolean
kvsql_temporary_file_read (const KvsqlTemporaryFile *self, gpointer data, gsize size,
                           guint64 offset, GError **error)
{
  gsize done = 0;

  while (done < size)
    {
      gssize n = pread (self->fd, (guint8 *)data + done, size - done, (off_t)(offset + done));
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return set_file_error (self, "read", n < 0 ? errno : EIO, error);
      done += (gsize)n;
    }
  return TRUE;
}
