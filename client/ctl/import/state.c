/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * state.c: see state.h.
 */
#include "config.h"

#include "client/ctl/import/state.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define GROUP_INPUT "input"
#define GROUP_OPTIONS "import"
#define GROUP_DONE "done"
#define HEAD_BYTES 65536

static void
set_number (GKeyFile *file, const gchar *group, const gchar *key, guint64 value)
{
  g_key_file_set_uint64 (file, group, key, value);
}

/* Identifies the input by its size, its modification time, and its first bytes. */
static gboolean
describe_input (GKeyFile *file, int input, GError **error)
{
  g_autofree guchar *head = g_malloc (HEAD_BYTES);
  g_autofree gchar *checksum = NULL;
  struct stat status;
  gssize n = pread (input, head, HEAD_BYTES, 0);

  if (n < 0 || fstat (input, &status) != 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "could not read the input: %s",
                   g_strerror (errno));
      return FALSE;
    }
  checksum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, head, (gsize)n);
  set_number (file, GROUP_INPUT, "size", (guint64)status.st_size);
  set_number (file, GROUP_INPUT, "modified",
              (guint64)status.st_mtim.tv_sec * 1000000000 + (guint64)status.st_mtim.tv_nsec);
  g_key_file_set_string (file, GROUP_INPUT, "head", checksum);
  return TRUE;
}

static gboolean
check_input (const KvsqlctlState *self, GKeyFile *earlier, GError **error)
{
  g_autofree gchar *key = kvsqlctl_state_file_find_change (&self->file, earlier, GROUP_INPUT);

  if (key == NULL)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "the input has changed since its import was interrupted (%s); "
               "--restart begins again, \"%s\" remembers the interrupted one",
               key, self->file.path);
  return FALSE;
}

static gboolean
read_number (GKeyFile *file, const gchar *key, guint64 *out, GError **error)
{
  g_autoptr (GError) cause = NULL;

  *out = g_key_file_get_uint64 (file, GROUP_DONE, key, &cause);
  if (cause == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

static gboolean
read_done (KvsqlctlState *self, GKeyFile *earlier, GError **error)
{
  return check_input (self, earlier, error)
         && kvsqlctl_state_file_check (&self->file, earlier, GROUP_OPTIONS, "import of this input",
                                       error)
         && read_number (earlier, "offset", &self->offset, error)
         && read_number (earlier, "line", &self->line, error)
         && read_number (earlier, "rows", &self->n_rows, error)
         && read_number (earlier, "rejected", &self->n_rejected, error)
         && read_number (earlier, "rejects-size", &self->rejects_size, error);
}

static gboolean
load (KvsqlctlState *self, GKeyFile *earlier, GError **error)
{
  g_autofree gchar *rejects = g_key_file_get_string (earlier, GROUP_DONE, "rejects", NULL);

  if (!read_done (self, earlier, error))
    return FALSE;
  if (g_strcmp0 (rejects, self->rejects) != 0)
    self->rejects_size = 0;
  return TRUE;
}

gboolean
kvsqlctl_state_open (KvsqlctlState *self, const gchar *path, int input, const gchar *rejects,
                     const gchar *const *options, gboolean restart, GError **error)
{
  g_autoptr (GKeyFile) earlier = NULL;
  g_autoptr (GError) cause = NULL;

  *self = (KvsqlctlState){ .rejects = rejects };
  kvsqlctl_state_file_init (&self->file, path);
  if (path == NULL)
    return TRUE;
  if (!describe_input (self->file.file, input, error))
    return FALSE;
  for (guint i = 0; options[i] != NULL; i += 2)
    g_key_file_set_string (self->file.file, GROUP_OPTIONS, options[i], options[i + 1]);
  if (!restart)
    earlier = kvsqlctl_state_file_load (&self->file, &cause);
  if (cause != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&cause));
      return FALSE;
    }
  if (earlier == NULL || load (self, earlier, error))
    return TRUE;
  g_prefix_error (error, "could not go on: ");
  return FALSE;
}

void
kvsqlctl_state_clear (KvsqlctlState *self)
{
  kvsqlctl_state_file_clear (&self->file);
}

gboolean
kvsqlctl_state_save (KvsqlctlState *self, KvsqlctlRejects *rejects, GError **error)
{
  GKeyFile *file = self->file.file;

  if (self->file.path == NULL)
    return TRUE;
  /* Rejected rows must be safe before the state that counts them. */
  if (!kvsqlctl_rejects_sync (rejects, error))
    return FALSE;
  set_number (file, GROUP_DONE, "offset", self->offset);
  set_number (file, GROUP_DONE, "line", self->line);
  set_number (file, GROUP_DONE, "rows", self->n_rows);
  set_number (file, GROUP_DONE, "rejected", self->n_rejected);
  if (self->rejects != NULL)
    g_key_file_set_string (file, GROUP_DONE, "rejects", self->rejects);
  set_number (file, GROUP_DONE, "rejects-size", self->rejects_size);
  if (kvsqlctl_state_file_save (&self->file, error))
    return TRUE;
  g_prefix_error (error, "could not save how far the import is (--state names another file): ");
  return FALSE;
}

gboolean
kvsqlctl_state_save_now_and_then (KvsqlctlState *self, KvsqlctlRejects *rejects, GError **error)
{
  self->rejects_size = rejects->size;
  return !kvsqlctl_state_file_is_due (&self->file) || kvsqlctl_state_save (self, rejects, error);
}

void
kvsqlctl_state_remove (KvsqlctlState *self)
{
  kvsqlctl_state_file_remove (&self->file);
}
