/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * whole-file.c: see the header.
 */
#include "config.h"

#include "daemon/registry/whole-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

gboolean
_kvsqld_file_fail (GError **error, KvsqlErrorCode code, const gchar *what, const gchar *path)
{
  return kvsql_error_set (error, code, KVSQL_SPAN_NONE, "could not %s \"%s\": %s", what, path,
                          g_strerror (errno));
}

void
_kvsqld_descriptor_clear (KvsqldDescriptor *fd)
{
  if (*fd >= 0)
    close (*fd);
}

GString *
_kvsqld_file_read_descriptor (gint fd, const gchar *path, GError **error)
{
  g_autoptr (GString) bytes = g_string_new (NULL);
  gchar buffer[64 * 1024];

  while (TRUE)
    {
      ssize_t n = read (fd, buffer, sizeof buffer);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          _kvsqld_file_fail (error, KVSQL_ERROR_UNAVAILABLE, "read", path);
          return NULL;
        }
      if (n == 0)
        return g_steal_pointer (&bytes);
      g_string_append_len (bytes, buffer, n);
      if (bytes->len > KVSQLD_FILE_MAX_BYTES)
        {
          kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                           "file \"%s\" is larger than %d MiB", path, KVSQLD_FILE_MAX_BYTES >> 20);
          return NULL;
        }
    }
}

GString *
_kvsqld_file_read (const gchar *path, gboolean *out_exists, GError **error)
{
  g_auto (KvsqldDescriptor) fd = open (path, O_RDONLY | O_CLOEXEC);

  *out_exists = fd >= 0 || errno != ENOENT;
  if (fd < 0)
    {
      _kvsqld_file_fail (error, KVSQL_ERROR_UNAVAILABLE, "open", path);
      return NULL;
    }
  return _kvsqld_file_read_descriptor (fd, path, error);
}

/* ---- replacing ---- */

static gboolean
write_all (gint fd, const gchar *bytes, gsize n_bytes)
{
  while (n_bytes > 0)
    {
      ssize_t n = write (fd, bytes, n_bytes);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      bytes += n;
      n_bytes -= (gsize)n;
    }
  return TRUE;
}

static gboolean
write_new_file (const gchar *path, const gchar *bytes, gsize n_bytes, gint mode)
{
  g_auto (KvsqldDescriptor) fd = -1;

  if (unlink (path) != 0 && errno != ENOENT) /* left by a killed writer */
    return FALSE;
  fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  return fd >= 0 && write_all (fd, bytes, n_bytes) && fsync (fd) == 0;
}

static gboolean
sync_directory (const gchar *path)
{
  g_auto (KvsqldDescriptor) fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  return fd >= 0 && fsync (fd) == 0;
}

gboolean
_kvsqld_file_replace (const gchar *path, const gchar *bytes, gsize n_bytes, gint mode,
                      GError **error)
{
  g_autofree gchar *directory = g_path_get_dirname (path);
  g_autofree gchar *temporary = g_strconcat (path, ".new", NULL);

  if (!write_new_file (temporary, bytes, n_bytes, mode) || rename (temporary, path) != 0)
    {
      _kvsqld_file_fail (error, KVSQL_ERROR_UNAVAILABLE, "write", temporary);
      kvsql_error_hint (error, "Nothing was changed.");
      unlink (temporary);
      return FALSE;
    }
  if (!sync_directory (directory))
    return _kvsqld_file_fail (error, KVSQL_ERROR_UNKNOWN_OUTCOME, "bring to disk", path);
  return TRUE;
}
