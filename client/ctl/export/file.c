/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * file.c: see file.h.
 */
#include "config.h"

#include "client/ctl/export/file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART_SUFFIX ".part"
#define GROUP_OPTIONS "export"
#define BUFFER_BYTES (256 * 1024)
#define COPY_BYTES (64 * 1024 * 1024)

static gboolean
set_file_error (const gchar *what, const gchar *path, GError **error)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "could not %s \"%s\": %s", what,
               path, g_strerror (errno));
  return FALSE;
}

gchar *
kvsqlctl_export_file_name_part (const KvsqlctlExportFile *self, guint index)
{
  return g_strdup_printf ("%s-%u", self->part_path, index + 1);
}

static void
forget_parts (KvsqlctlExportFile *self)
{
  for (guint i = 0; i < self->n_parts; i++)
    {
      kvsqlctl_export_place_clear (&self->parts[i].now);
      kvsqlctl_export_place_clear (&self->parts[i].safe);
    }
  g_clear_pointer (&self->parts, g_free);
  self->n_parts = self->head = 0;
  self->head_offset = self->head_rows = 0;
}

/* Number of safe bytes in FILE.part. */
static guint64
safe_size (const KvsqlctlExportFile *self)
{
  const KvsqlctlExportPart *head = self->head < self->n_parts ? &self->parts[self->head] : NULL;

  return self->head_offset + (head != NULL && head->is_inside ? head->safe.size : 0);
}

/* Number of safe rows. */
static guint64
count_safe (const KvsqlctlExportFile *self)
{
  guint64 n_rows = self->head_rows;

  for (guint i = self->head; i < self->n_parts; i++)
    n_rows += self->parts[i].safe.n_rows;
  return n_rows;
}

/* ---- opening */

/* Only one export may write the file. On file systems without locks this is not checked. */
static gboolean
lock_part (KvsqlctlExportFile *self, struct stat *status, GError **error)
{
  struct stat named;
  int descriptor = fileno (self->out);
  gboolean is_locked = flock (descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;

  /* The other export may have renamed the file just now. */
  if (is_locked && fstat (descriptor, status) == 0 && stat (self->part_path, &named) == 0
      && named.st_ino == status->st_ino && named.st_dev == status->st_dev)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY, "another export is writing \"%s\"",
               self->part_path);
  return FALSE;
}

static gboolean
open_file (KvsqlctlExportFile *self, struct stat *status, GError **error)
{
  int descriptor = open (self->part_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

  if (descriptor < 0 || (self->out = fdopen (descriptor, "w")) == NULL)
    return set_file_error ("open", self->part_path, error);
  self->is_kept = TRUE;
  if (!lock_part (self, status, error))
    return FALSE;
  self->is_kept = status->st_size > 0 || g_file_test (self->state.path, G_FILE_TEST_EXISTS);
  return TRUE;
}

/* Whether the files contain everything that the state refers to. */
static gboolean
has_files (const KvsqlctlExportFile *self, const struct stat *status)
{
  if ((guint64)status->st_size < safe_size (self))
    return FALSE;
  for (guint i = self->head; i < self->n_parts; i++)
    {
      const KvsqlctlExportPart *part = &self->parts[i];
      g_autofree gchar *path = kvsqlctl_export_file_name_part (self, i);
      struct stat own;

      if (!part->is_inside && part->safe.size > 0
          && (stat (path, &own) != 0 || (guint64)own.st_size < part->safe.size))
        return FALSE;
    }
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
      || !kvsqlctl_export_state_read (self, earlier, error))
    {
      g_prefix_error (error, "could not go on: ");
      return FALSE;
    }
  self->is_resumed = has_files (self, status);
  if (self->is_resumed)
    {
      self->n_saved = count_safe (self);
      return TRUE;
    }
  fprintf (stderr, "\"%s\" lacks what the interrupted export wrote: starting again\n",
           self->part_path);
  forget_parts (self);
  return TRUE;
}

gboolean
kvsqlctl_export_file_open (KvsqlctlExportFile *self, const gchar *path, const gchar *const *options,
                           gboolean restart, GError **error)
{
  g_autofree gchar *state = NULL;
  struct stat status;

  g_mutex_init (&self->files);
  g_mutex_init (&self->lock);
  self->joined = g_ptr_array_new_with_free_func (g_free);
  self->path = path;
  if (path == NULL)
    {
      self->out = stdout;
      return TRUE;
    }
  self->part_path = g_strconcat (path, PART_SUFFIX, NULL);
  state = g_strconcat (path, KVSQLCTL_EXPORT_STATE_SUFFIX, NULL);
  kvsqlctl_state_file_init (&self->state, state);
  for (guint i = 0; options[i] != NULL; i += 2)
    g_key_file_set_string (self->state.file, GROUP_OPTIONS, options[i], options[i + 1]);
  return open_file (self, &status, error) && (restart || load (self, &status, error));
}

void
kvsqlctl_export_file_set_parts (KvsqlctlExportFile *self, const GPtrArray *cursors)
{
  self->n_parts = MAX (cursors->len, 1);
  self->parts = g_new0 (KvsqlctlExportPart, self->n_parts);
  for (guint i = 0; i < self->n_parts; i++)
    self->parts[i].progress = -1;
  for (guint i = 0; i < cursors->len; i++)
    {
      self->parts[i].now.cursor = g_bytes_ref (cursors->pdata[i]);
      kvsqlctl_export_place_copy (&self->parts[i].safe, &self->parts[i].now);
    }
}

/* Whether a file is that of a part that will be continued. */
static gboolean
is_wanted (const KvsqlctlExportFile *self, const gchar *digits)
{
  guint64 number = 0;

  if (!g_ascii_string_to_unsigned (digits, 10, 1, G_MAXUINT, &number, NULL))
    return TRUE; /* not a file of this export */
  return number > self->head && number <= self->n_parts && !self->parts[number - 1].is_inside
         && self->parts[number - 1].safe.size > 0;
}

static void
remove_strays (const KvsqlctlExportFile *self)
{
  g_autofree gchar *folder = g_path_get_dirname (self->part_path);
  g_autofree gchar *name = g_path_get_basename (self->part_path);
  g_autofree gchar *prefix = g_strconcat (name, "-", NULL);
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  const gchar *each;

  while (files != NULL && (each = g_dir_read_name (files)) != NULL)
    if (g_str_has_prefix (each, prefix) && !is_wanted (self, each + strlen (prefix)))
      {
        g_autofree gchar *path = g_build_filename (folder, each, NULL);

        g_unlink (path);
      }
}

static gboolean
cut_file (FILE *out, guint64 size)
{
  return ftruncate (fileno (out), (off_t)size) == 0 && fseeko (out, (off_t)size, SEEK_SET) == 0;
}

gboolean
kvsqlctl_export_file_begin (KvsqlctlExportFile *self, GError **error)
{
  /* glibc's own buffer is small; stdout needs this one until the program ends. */
  static gchar buffer[BUFFER_BYTES];

  setvbuf (self->out, buffer, _IOFBF, sizeof buffer);
  if (self->path == NULL)
    return TRUE;
  /* Remove the old state: it does not describe the new file. */
  if (!self->is_resumed)
    {
      kvsqlctl_state_file_remove (&self->state);
      self->is_kept = FALSE;
    }
  remove_strays (self);
  return cut_file (self->out, safe_size (self)) || set_file_error ("write", self->part_path, error);
}

/* ---- parts */

/* A failed write drops the buffer, and the next fflush() would succeed. So checks the stream's
 * error, too. */
static gboolean
flush (FILE *out)
{
  return !ferror (out) && fflush (out) == 0;
}

static gboolean
copy_all (int from, int to, off_t to_offset, guint64 size)
{
  g_autofree gchar *bytes = NULL;
  off_t offset = 0;

  while ((guint64)offset < size)
    {
      size_t left = (size_t)MIN (size - (guint64)offset, COPY_BYTES);
      ssize_t n = bytes == NULL ? copy_file_range (from, &offset, to, &to_offset, left, 0) : -1;

      if (n > 0)
        continue;
      /* copy_file_range() does not work on all file systems, nor between all pairs of them. */
      if (bytes == NULL)
        bytes = g_malloc (BUFFER_BYTES);
      n = pread (from, bytes, MIN (left, BUFFER_BYTES), offset);
      if (n <= 0 || pwrite (to, bytes, (size_t)n, to_offset) != n)
        return FALSE;
      offset += n;
      to_offset += n;
    }
  return TRUE;
}

/* Appends the file of the first unfinished part to FILE.part. */
static gboolean
append_part (KvsqlctlExportFile *self, KvsqlctlExportPart *part, GError **error)
{
  gchar *path = kvsqlctl_export_file_name_part (self, self->head);
  gboolean ok;
  int from;

  g_ptr_array_add (self->joined, path);
  if (part->now.size == 0)
    return TRUE;
  from = open (path, O_RDONLY | O_CLOEXEC);
  ok = from >= 0 && flush (self->out)
       && copy_all (from, fileno (self->out), (off_t)self->head_offset, part->now.size)
       && cut_file (self->out, self->head_offset + part->now.size);
  if (!ok)
    set_file_error ("write", self->part_path, error);
  if (from >= 0)
    close (from);
  if (!ok)
    g_ptr_array_remove (self->joined, path); /* the part's own file is still the only copy */
  return ok;
}

/* Advances the head over all parts that are done. */
static gboolean
advance_head (KvsqlctlExportFile *self, GError **error)
{
  while (self->head < self->n_parts && self->parts[self->head].is_closed)
    {
      KvsqlctlExportPart *part = &self->parts[self->head];

      if (!part->is_inside && !append_part (self, part, error))
        return FALSE;
      if (!flush (self->out))
        return set_file_error ("write", self->path != NULL ? self->part_path : "stdout", error);
      g_mutex_lock (&self->lock);
      part->is_inside = TRUE;
      self->head_offset += part->now.size;
      self->head_rows += part->now.n_rows;
      self->head++;
      g_mutex_unlock (&self->lock);
    }
  return TRUE;
}

static void
close_own (KvsqlctlExportPart *part)
{
  fclose (part->out);
  part->out = NULL;
  g_clear_pointer (&part->buffer, g_free);
}

/* If a write fails the file stays open, so that a save notices that it is not safe. */
static gboolean
finish_own (KvsqlctlExportPart *part)
{
  if (!flush (part->out) || fsync (fileno (part->out)) != 0)
    return FALSE;
  close_own (part);
  return TRUE;
}

/* The head has reached the part: from now on it is written into FILE.part. */
static gboolean
move_into_file (KvsqlctlExportFile *self, KvsqlctlExportPart *part, GError **error)
{
  if (part->out != NULL && !finish_own (part))
    return set_file_error ("write", self->part_path, error);
  if (self->path != NULL && !append_part (self, part, error))
    return FALSE;
  g_mutex_lock (&self->lock);
  part->is_inside = TRUE;
  g_mutex_unlock (&self->lock);
  part->out = self->out;
  return TRUE;
}

static gboolean
open_own (KvsqlctlExportFile *self, guint index, GError **error)
{
  KvsqlctlExportPart *part = &self->parts[index];
  g_autofree gchar *path = kvsqlctl_export_file_name_part (self, index);
  int descriptor = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

  if (descriptor < 0 || (part->out = fdopen (descriptor, "w")) == NULL)
    return set_file_error ("open", path, error);
  part->buffer = g_malloc (BUFFER_BYTES);
  setvbuf (part->out, part->buffer, _IOFBF, BUFFER_BYTES);
  return cut_file (part->out, part->now.size) || set_file_error ("write", path, error);
}

gboolean
kvsqlctl_export_file_begin_part (KvsqlctlExportFile *self, guint index, GError **error)
{
  KvsqlctlExportPart *part = &self->parts[index];
  gboolean ok;

  g_mutex_lock (&self->files);
  ok = advance_head (self, error);
  if (ok && part->is_inside)
    part->out = self->out;
  else if (ok)
    ok = self->head == index ? move_into_file (self, part, error) : open_own (self, index, error);
  g_mutex_unlock (&self->files);
  return ok;
}

static guint64
written_of (const KvsqlctlExportFile *self, const KvsqlctlExportPart *part)
{
  guint64 at = (guint64)MAX (ftello (part->out), 0);

  return part->is_inside ? at - MIN (at, self->head_offset) : at;
}

static gboolean
change_files (KvsqlctlExportFile *self, guint index, gboolean is_done, GError **error)
{
  KvsqlctlExportPart *part = &self->parts[index];
  gboolean ok = TRUE;

  g_mutex_lock (&self->files);
  if (is_done && !part->is_inside && !finish_own (part))
    ok = set_file_error ("write", self->part_path, error);
  else if (is_done)
    {
      part->out = NULL;
      part->is_closed = TRUE;
      ok = advance_head (self, error);
    }
  else if (!part->is_inside && self->head == index)
    ok = move_into_file (self, part, error);
  g_mutex_unlock (&self->files);
  return ok;
}

gboolean
kvsqlctl_export_file_end_page (KvsqlctlExportFile *self, guint index, guint64 n_rows,
                               GBytes *cursor, gdouble progress, GError **error)
{
  KvsqlctlExportPart *part = &self->parts[index];
  gboolean must_change;

  if (ferror (part->out))
    return set_file_error ("write", self->path != NULL ? self->part_path : "stdout", error);
  g_mutex_lock (&self->lock);
  part->now.size = written_of (self, part);
  part->now.n_rows = n_rows;
  part->progress = progress;
  g_clear_pointer (&part->now.cursor, g_bytes_unref);
  part->now.cursor = cursor != NULL ? g_bytes_ref (cursor) : NULL;
  part->now.is_done = cursor == NULL; /* a save must see both changes or none */
  must_change = cursor == NULL || (!part->is_inside && self->head == index);
  g_mutex_unlock (&self->lock);
  return !must_change || change_files (self, index, cursor == NULL, error);
}

/* ---- progress */

/* Estimates a part without an estimate from kvsqld: it has as many rows as the others, but is not
 * finished. */
static gdouble
guess_part (const KvsqlctlExportPart *part, gdouble usual_rows)
{
  if (part->progress >= 0)
    return MIN (part->progress, 1);
  return usual_rows > 0 ? MIN ((gdouble)part->now.n_rows / usual_rows, 0.9) : 0;
}

void
kvsqlctl_export_file_get_done (KvsqlctlExportFile *self, guint64 *out_bytes, guint64 *out_rows,
                               gdouble *out_part)
{
  gdouble usual_rows, sum = 0;
  gboolean is_known = self->n_parts > 1;

  g_mutex_lock (&self->lock);
  *out_bytes = self->head_offset;
  *out_rows = self->head_rows;
  usual_rows = self->head > 0 ? (gdouble)self->head_rows / self->head : 0;
  for (guint i = 0; i < self->n_parts; i++)
    {
      const KvsqlctlExportPart *part = &self->parts[i];

      sum += part->now.is_done ? 1 : guess_part (part, usual_rows);
      is_known |= part->progress >= 0;
      if (i < self->head)
        continue;
      *out_bytes += part->now.size;
      *out_rows += part->now.n_rows;
    }
  *out_part = is_known ? sum / self->n_parts : -1;
  g_mutex_unlock (&self->lock);
}

/* ---- saving */

/* After a failed write the part keeps its last safe place. */
static gboolean
make_part_safe (KvsqlctlExportFile *self, guint index, GError **error)
{
  KvsqlctlExportPart *part = &self->parts[index];
  FILE *out = part->is_inside ? self->out : part->out; /* NULL: closed, or not begun */
  KvsqlctlExportPlace place = { 0 };

  g_mutex_lock (&self->lock);
  kvsqlctl_export_place_copy (&place, &part->now);
  g_mutex_unlock (&self->lock);
  if (out != NULL && (!flush (out) || fsync (fileno (out)) != 0))
    {
      kvsqlctl_export_place_clear (&place);
      return set_file_error ("write", self->part_path, error);
    }
  kvsqlctl_export_place_clear (&part->safe);
  part->safe = place;
  return TRUE;
}

static void
remove_joined (KvsqlctlExportFile *self)
{
  for (guint i = 0; i < self->joined->len; i++)
    g_unlink (self->joined->pdata[i]);
  g_ptr_array_set_size (self->joined, 0);
}

static gboolean
save (KvsqlctlExportFile *self, GError **error)
{
  g_autoptr (GError) failure = NULL;

  /* The bytes of joined parts are now only in FILE.part. They were flushed when the part was
   * joined. */
  if (fsync (fileno (self->out)) != 0)
    return set_file_error ("write", self->part_path, error);
  for (guint i = self->head; i < self->n_parts; i++)
    make_part_safe (self, i, failure == NULL ? &failure : NULL);
  kvsqlctl_export_state_write (self);
  if (!kvsqlctl_state_file_save (&self->state, error))
    {
      g_prefix_error (error, "could not save how far the export is: ");
      return FALSE;
    }
  self->is_kept = TRUE;
  self->n_saved = count_safe (self);
  remove_joined (self);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
kvsqlctl_export_file_save (KvsqlctlExportFile *self, GError **error)
{
  gboolean ok;

  if (self->path == NULL)
    return TRUE;
  g_mutex_lock (&self->files);
  ok = save (self, error);
  g_mutex_unlock (&self->files);
  return ok;
}

gboolean
kvsqlctl_export_file_finish (KvsqlctlExportFile *self, GError **error)
{
  gboolean ok = advance_head (self, error);

  if (!ok)
    return FALSE;
  ok = flush (self->out);
  if (self->path == NULL)
    return ok || set_file_error ("write", "stdout", error);
  if (!ok || fsync (fileno (self->out)) != 0)
    return set_file_error ("write", self->part_path, error);
  /* Files of parts are removed after no state refers to them, and before everything is reported as
   * done. */
  if (self->joined->len > 0 && !save (self, error))
    return FALSE;
  self->is_whole = g_rename (self->part_path, self->path) == 0;
  if (!self->is_whole)
    return set_file_error ("write", self->path, error);
  kvsqlctl_state_file_remove (&self->state);
  return TRUE;
}

void
kvsqlctl_export_file_clear (KvsqlctlExportFile *self)
{
  if (self->joined == NULL)
    return;
  for (guint i = 0; i < self->n_parts; i++)
    if (self->parts[i].out != NULL && !self->parts[i].is_inside)
      close_own (&self->parts[i]);
  if (self->part_path != NULL && !self->is_whole && !self->is_kept)
    {
      forget_parts (self);
      if (self->out != NULL)
        remove_strays (self);
      g_unlink (self->part_path);
    }
  forget_parts (self);
  if (self->path != NULL && self->out != NULL)
    fclose (self->out);
  g_clear_pointer (&self->part_path, g_free);
  g_clear_pointer (&self->joined, g_ptr_array_unref);
  kvsqlctl_state_file_clear (&self->state);
  g_mutex_clear (&self->files);
  g_mutex_clear (&self->lock);
}
