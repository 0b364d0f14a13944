/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * state.c: the progress of an export, as text.
 *
 *   [done]    number of parts, number of those that are complete in FILE.part, and its safe bytes
 *   [part K]  from 1, for each other part: the cursor, and the safe bytes and rows before it
 */
#include "config.h"

#include "client/ctl/export/file.h"

#define GROUP_DONE "done"
#define MAX_PARTS 100000

void
kvsqlctl_export_place_clear (KvsqlctlExportPlace *self)
{
  g_clear_pointer (&self->cursor, g_bytes_unref);
  *self = (KvsqlctlExportPlace){ 0 };
}

void
kvsqlctl_export_place_copy (KvsqlctlExportPlace *self, const KvsqlctlExportPlace *from)
{
  KvsqlctlExportPlace copy = *from;

  if (copy.cursor != NULL)
    g_bytes_ref (copy.cursor);
  kvsqlctl_export_place_clear (self);
  *self = copy;
}

static gchar *
group_of (guint index)
{
  return g_strdup_printf ("part %u", index + 1);
}

/* ---- writing */

static void
write_part (GKeyFile *file, const KvsqlctlExportPart *part, guint index)
{
  g_autofree gchar *group = group_of (index);
  g_autofree gchar *text = NULL;
  gconstpointer bytes;
  gsize size;

  if (part->safe.cursor != NULL)
    {
      bytes = g_bytes_get_data (part->safe.cursor, &size);
      text = g_base64_encode (bytes, size);
      g_key_file_set_string (file, group, "cursor", text);
    }
  g_key_file_set_uint64 (file, group, "size", part->safe.size);
  g_key_file_set_uint64 (file, group, "rows", part->safe.n_rows);
  g_key_file_set_boolean (file, group, "done", part->safe.is_done);
}

static void
remove_group (GKeyFile *file, guint index)
{
  g_autofree gchar *group = group_of (index);

  g_key_file_remove_group (file, group, NULL);
}

void
kvsqlctl_export_state_write (KvsqlctlExportFile *self)
{
  GKeyFile *file = self->state.file;
  guint64 n_rows = self->head_rows;

  for (guint i = self->head; i < self->n_parts; i++)
    n_rows += self->parts[i].safe.n_rows;
  g_key_file_set_uint64 (file, GROUP_DONE, "rows", n_rows);
  g_key_file_set_uint64 (file, GROUP_DONE, "offset", self->head_offset);
  g_key_file_set_uint64 (file, GROUP_DONE, "rows_before", self->head_rows);
  g_key_file_set_uint64 (file, GROUP_DONE, "parts", self->n_parts);
  g_key_file_set_uint64 (file, GROUP_DONE, "whole", self->head);
  g_key_file_set_boolean (file, GROUP_DONE, "inside",
                          self->head < self->n_parts && self->parts[self->head].is_inside);
  for (guint i = 0; i < self->n_parts; i++)
    if (i < self->head)
      remove_group (file, i);
    else
      write_part (file, &self->parts[i], i);
}

/* ---- reading */

static gboolean
read_part (KvsqlctlExportPart *part, GKeyFile *earlier, guint index, GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autofree gchar *group = group_of (index);
  g_autofree gchar *text = g_key_file_get_string (earlier, group, "cursor", NULL);
  gsize size;

  part->now.size = g_key_file_get_uint64 (earlier, group, "size", &cause);
  if (cause == NULL)
    part->now.n_rows = g_key_file_get_uint64 (earlier, group, "rows", &cause);
  if (cause == NULL)
    part->now.is_done = g_key_file_get_boolean (earlier, group, "done", &cause);
  if (cause != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&cause));
      return FALSE;
    }
  if (text != NULL)
    {
      guchar *bytes = g_base64_decode (text, &size);
      part->now.cursor = g_bytes_new_take (bytes, size);
    }
  part->is_closed = part->now.is_done;
  part->progress = -1;
  kvsqlctl_export_place_copy (&part->safe, &part->now);
  return TRUE;
}

static gboolean
read_number (GKeyFile *earlier, const gchar *key, guint64 *out, GError **error)
{
  g_autoptr (GError) cause = NULL;

  *out = g_key_file_get_uint64 (earlier, GROUP_DONE, key, &cause);
  if (cause == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

gboolean
kvsqlctl_export_state_read (KvsqlctlExportFile *self, GKeyFile *earlier, GError **error)
{
  guint64 n_parts, head;

  if (!read_number (earlier, "offset", &self->head_offset, error)
      || !read_number (earlier, "rows_before", &self->head_rows, error)
      || !read_number (earlier, "parts", &n_parts, error)
      || !read_number (earlier, "whole", &head, error))
    return FALSE;
  if (n_parts == 0 || n_parts > MAX_PARTS || head > n_parts)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "\"%s\" is damaged",
                   self->state.path);
      return FALSE;
    }
  self->n_parts = (guint)n_parts;
  self->head = (guint)head;
  self->parts = g_new0 (KvsqlctlExportPart, n_parts);
  for (guint i = 0; i < self->head; i++)
    self->parts[i].now.is_done = self->parts[i].is_closed = self->parts[i].is_inside = TRUE;
  for (guint i = self->head; i < n_parts; i++)
    if (!read_part (&self->parts[i], earlier, i, error))
      return FALSE;
  if (self->head < n_parts)
    self->parts[self->head].is_inside
        = g_key_file_get_boolean (earlier, GROUP_DONE, "inside", NULL);
  return TRUE;
}
