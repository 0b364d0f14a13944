/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * state-file.c: see state-file.h.
 */
#include "config.h"

#include "client/ctl/state-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define INTERVAL_US G_USEC_PER_SEC

void
kvsqlctl_state_file_init (KvsqlctlStateFile *self, const gchar *path)
{
  *self = (KvsqlctlStateFile){ .path = g_strdup (path),
                               .new_path = path != NULL ? g_strconcat (path, ".new", NULL) : NULL,
                               .file = g_key_file_new () };
}

void
kvsqlctl_state_file_clear (KvsqlctlStateFile *self)
{
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->new_path, g_free);
  g_clear_pointer (&self->file, g_key_file_unref);
}

gboolean
kvsqlctl_state_file_describe (GStrvBuilder *builder, Kvsqlctl *ctl,
                              const KvsqlctlFileFormat *file_format, GError **error)
{
  g_autoptr (KvsqlServerInfo) server
      = kvsql_connection_get_server_info (ctl->connection, ctl->cancellable, error);

  if (server == NULL)
    return FALSE;
  g_strv_builder_add_many (builder, "store", kvsql_server_info_get_store (server), "registry",
                           kvsql_server_info_get_registry (server), "format",
                           kvsqlctl_format_get_name (file_format->format), "delimiter",
                           (gchar[]){ file_format->delimiter, '\0' }, "quote",
                           (gchar[]){ file_format->quote, '\0' }, "null", file_format->null,
                           "header", file_format->has_header ? "yes" : "no", NULL);
  return TRUE;
}

GKeyFile *
kvsqlctl_state_file_load (const KvsqlctlStateFile *self, GError **error)
{
  g_autoptr (GKeyFile) earlier = g_key_file_new ();
  g_autoptr (GError) cause = NULL;

  if (g_key_file_load_from_file (earlier, self->path, G_KEY_FILE_NONE, &cause))
    return g_steal_pointer (&earlier);
  if (!g_error_matches (cause, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    g_propagate_prefixed_error (error, g_steal_pointer (&cause),
                                "could not read \"%s\": ", self->path);
  return NULL;
}

gchar *
kvsqlctl_state_file_find_change (const KvsqlctlStateFile *self, GKeyFile *earlier,
                                 const gchar *group)
{
  g_auto (GStrv) keys = g_key_file_get_keys (self->file, group, NULL, NULL);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autofree gchar *now = g_key_file_get_string (self->file, group, keys[i], NULL);
      g_autofree gchar *then = g_key_file_get_string (earlier, group, keys[i], NULL);

      if (g_strcmp0 (now, then) != 0)
        return g_strdup (keys[i]);
    }
  return NULL;
}

gboolean
kvsqlctl_state_file_check (const KvsqlctlStateFile *self, GKeyFile *earlier, const gchar *group,
                           const gchar *what, GError **error)
{
  g_autofree gchar *key = kvsqlctl_state_file_find_change (self, earlier, group);
  g_autofree gchar *now = NULL;
  g_autofree gchar *then = NULL;

  if (key == NULL)
    return TRUE;
  now = g_key_file_get_string (self->file, group, key, NULL);
  then = g_key_file_get_string (earlier, group, key, NULL);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "the interrupted %s had %s \"%s\", this one has \"%s\"; "
               "--restart begins again, \"%s\" remembers the interrupted one",
               what, key, then != NULL ? then : "", now, self->path);
  return FALSE;
}

gboolean
kvsqlctl_state_file_is_due (const KvsqlctlStateFile *self)
{
  return self->path != NULL && g_get_monotonic_time () - self->saved >= INTERVAL_US;
}

/* Opens the new state and locks it, since another process may replace the same state. -1: errno. */
static int
open_new (const KvsqlctlStateFile *self)
{
  for (;;)
    {
      int fd = open (self->new_path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
      struct stat opened, there;

      if (fd < 0 || flock (fd, LOCK_EX) != 0 || fstat (fd, &opened) != 0)
        return fd;
      if (stat (self->new_path, &there) == 0 && there.st_dev == opened.st_dev
          && there.st_ino == opened.st_ino)
        return fd;
      close (fd); /* renamed or removed before it was locked */
    }
}

static gboolean
write_all (int fd, const gchar *text, gsize size)
{
  if (ftruncate (fd, 0) != 0)
    return FALSE;
  for (gsize done = 0; done < size;)
    {
      gssize n = write (fd, text + done, size - done);
      if (n < 0 && errno != EINTR)
        return FALSE;
      done += MAX (n, 0);
    }
  return fsync (fd) == 0;
}

/* Not g_file_set_contents(): its new file has a random name, and stays for ever when the process is
 * killed. */
gboolean
kvsqlctl_state_file_save (KvsqlctlStateFile *self, GError **error)
{
  gsize size;
  g_autofree gchar *text = g_key_file_to_data (self->file, &size, NULL);
  int fd = open_new (self);
  gboolean ok = fd >= 0 && write_all (fd, text, size) && g_rename (self->new_path, self->path) == 0;

  if (!ok)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "could not write \"%s\": %s",
                 self->path, g_strerror (errno));
  if (fd >= 0)
    close (fd);
  self->saved = g_get_monotonic_time ();
  return ok;
}

void
kvsqlctl_state_file_remove (const KvsqlctlStateFile *self)
{
  int fd;

  if (self->path == NULL)
    return;
  g_unlink (self->path);
  fd = open_new (self);
  g_unlink (self->new_path);
  if (fd >= 0)
    close (fd);
}
