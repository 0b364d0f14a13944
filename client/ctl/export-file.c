/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * export-file.c: what an export writes, and up to where it is safe.
 */
#include "config.h"

#include "client/ctl/export-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART_SUFFIX ".part"
#define GROUP_OPTIONS "export"
#define GROUP_DONE "done"
#define BUFFER_BYTES (256 * 1024)

static gboolean
refuse (const gchar *what, const gchar *path, GError **error)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "could not %s \"%s\": %s", what,
               path, g_strerror (errno));
  return FALSE;
}

/* ---- opening */

/* One at a time. Where there are no locks, nobody looks. */
static gboolean
lock_part (KvsqlctlExportFile *self, struct stat *status, GError **error)
{
  struct stat named;
  int descriptor = fileno (self->out);
  gboolean is_locked = flock (descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;

  /* The other may have given the file its name just now. */
  if (is_locked && fstat (descriptor, status) == 0 && stat (self->part, &named) == 0
      && named.st_ino == status->st_ino && named.st_dev == status->st_dev)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY, "another export is writing \"%s\"", self->part);
  return FALSE;
}

static gboolean
open_part (KvsqlctlExportFile *self, struct stat *status, GError **error)
{
  int descriptor = open (self->part, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

  if (descriptor < 0 || (self->out = fdopen (descriptor, "w")) == NULL)
    return refuse ("open", self->part, error);
  self->is_kept = TRUE;
  if (!lock_part (self, status, error))
    return FALSE;
  self->is_kept = status->st_size > 0;
  return TRUE;
}

static gboolean
read_done (KvsqlctlExportFile *self, GKeyFile *earlier, GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autofree gchar *text = NULL;
  g_autofree guchar *bytes = NULL;
  gsize size;

  self->offset = g_key_file_get_uint64 (earlier, GROUP_DONE, "offset", &cause);
  if (cause == NULL)
    self->n_rows = g_key_file_get_uint64 (earlier, GROUP_DONE, "rows", &cause);
  if (cause == NULL)
    text = g_key_file_get_string (earlier, GROUP_DONE, "cursor", &cause);
  if (cause != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&cause));
      return FALSE;
    }
  bytes = g_base64_decode (text, &size);
  self->cursor = g_bytes_new_take (g_steal_pointer (&bytes), size);
  self->n_saved = self->n_rows;
  return TRUE;
}

static gboolean
load (KvsqlctlExportFile *self, const struct stat *status, GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autoptr (GKeyFile) earlier = kvsqlctl_state_file_load (&self->state, &cause);

  if (cause != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&cause));
      return FALSE;
    }
  if (earlier == NULL)
    return TRUE;
  if (!kvsqlctl_state_file_check (&self->state, earlier, GROUP_OPTIONS, "export into this file",
                                  error)
      || !read_done (self, earlier, error))
    {
      g_prefix_error (error, "could not go on: ");
      return FALSE;
    }
  if ((guint64)status->st_size >= self->offset)
    return TRUE;
  fprintf (stderr, "\"%s\" lacks what the interrupted export wrote: beginning again\n", self->part);
  g_clear_pointer (&self->cursor, g_bytes_unref);
  self->offset = self->n_rows = self->n_saved = 0;
  return TRUE;
}

gboolean
kvsqlctl_export_file_open (KvsqlctlExportFile *self, const gchar *path, const gchar *const *options,
                           gboolean restart, GError **error)
{
  g_autofree gchar *state = NULL;
  struct stat status;

  self->path = path;
  if (path == NULL)
    {
      self->out = stdout;
      return TRUE;
    }
  self->part = g_strconcat (path, PART_SUFFIX, NULL);
  state = g_strconcat (path, KVSQLCTL_EXPORT_STATE_SUFFIX, NULL);
  kvsqlctl_state_file_init (&self->state, state);
  for (guint i = 0; options[i] != NULL; i += 2)
    g_key_file_set_string (self->state.file, GROUP_OPTIONS, options[i], options[i + 1]);
  return open_part (self, &status, error) && (restart || load (self, &status, error));
}

gboolean
kvsqlctl_export_file_begin (KvsqlctlExportFile *self, GError **error)
{
  /* Without a buffer of ours glibc takes a small one; stdout needs it until the program ends. */
  static gchar buffer[BUFFER_BYTES];

  setvbuf (self->out, buffer, _IOFBF, sizeof buffer);
  if (self->path == NULL)
    return TRUE;
  /* An old state must not speak of a new file. */
  if (self->cursor == NULL)
    {
      kvsqlctl_state_file_remove (&self->state);
      self->is_kept = FALSE;
    }
  return (ftruncate (fileno (self->out), (off_t)self->offset) == 0
          && fseeko (self->out, (off_t)self->offset, SEEK_SET) == 0)
         || refuse ("write", self->part, error);
}

/* ---- what is done */

gboolean
kvsqlctl_export_file_save (KvsqlctlExportFile *self, GError **error)
{
  GKeyFile *file = self->state.file;
  g_autofree gchar *text = NULL;
  gconstpointer bytes;
  gsize size;

  if (self->path == NULL || self->cursor == NULL)
    return TRUE;
  if (ferror (self->out) || fflush (self->out) != 0 || fsync (fileno (self->out)) != 0)
    return refuse ("write", self->part, error);
  bytes = g_bytes_get_data (self->cursor, &size);
  text = g_base64_encode (bytes, size);
  g_key_file_set_uint64 (file, GROUP_DONE, "offset", self->offset);
  g_key_file_set_uint64 (file, GROUP_DONE, "rows", self->n_rows);
  g_key_file_set_string (file, GROUP_DONE, "cursor", text);
  if (!kvsqlctl_state_file_save (&self->state, error))
    {
      g_prefix_error (error, "could not save how far the export is: ");
      return FALSE;
    }
  self->is_kept = TRUE;
  self->n_saved = self->n_rows;
  return TRUE;
}

gboolean
kvsqlctl_export_file_end_page (KvsqlctlExportFile *self, guint64 n_rows, GBytes *cursor,
                               GError **error)
{
  if (ferror (self->out))
    return refuse ("write", self->path != NULL ? self->part : "stdout", error);
  self->offset = (guint64)MAX (ftello (self->out), 0);
  self->n_rows = n_rows;
  g_clear_pointer (&self->cursor, g_bytes_unref);
  self->cursor = cursor != NULL ? g_bytes_ref (cursor) : NULL;
  return !kvsqlctl_state_file_is_due (&self->state) || kvsqlctl_export_file_save (self, error);
}

gboolean
kvsqlctl_export_file_finish (KvsqlctlExportFile *self, GError **error)
{
  gboolean ok = fflush (self->out) == 0;

  if (self->path == NULL)
    return ok || refuse ("write", "stdout", error);
  if (!ok || fsync (fileno (self->out)) != 0)
    return refuse ("write", self->part, error);
  self->is_whole = g_rename (self->part, self->path) == 0;
  if (!self->is_whole)
    return refuse ("write", self->path, error);
  kvsqlctl_state_file_remove (&self->state);
  return TRUE;
}

void
kvsqlctl_export_file_clear (KvsqlctlExportFile *self)
{
  if (self->part != NULL && !self->is_whole && !self->is_kept)
    g_unlink (self->part);
  if (self->path != NULL && self->out != NULL)
    fclose (self->out);
  g_clear_pointer (&self->part, g_free);
  g_clear_pointer (&self->cursor, g_bytes_unref);
  kvsqlctl_state_file_clear (&self->state);
}
