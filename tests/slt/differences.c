/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * differences.c: see the header.
 */
#include "config.h"

#include "tests/slt/differences.h"

#include <string.h>

typedef struct
{
  gchar *name;
  gchar **files;
  GRegex *sql;
  GRegex *error;  /* nullable */
  guint from, to; /* lines */
} Difference;

struct _SltDifferences
{
  GPtrArray *list;
};

static void
difference_free (gpointer data)
{
  Difference *self = data;

  g_free (self->name);
  g_strfreev (self->files);
  g_clear_pointer (&self->sql, g_regex_unref);
  g_clear_pointer (&self->error, g_regex_unref);
  g_free (self);
}

void
slt_differences_free (SltDifferences *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->list);
  g_free (self);
}

/* NULL without @error: the key is absent. Backslashes belong to the regular expression. */
static GRegex *
read_regex (GKeyFile *file, const gchar *group, const gchar *key, GError **error)
{
  g_autofree gchar *text = g_key_file_get_value (file, group, key, NULL);

  return text == NULL ? NULL : g_regex_new (text, G_REGEX_CASELESS | G_REGEX_DOTALL, 0, error);
}

static gboolean
read_difference (SltDifferences *self, GKeyFile *file, const gchar *group, GError **error)
{
  Difference *difference = g_new0 (Difference, 1);
  g_autofree gchar *reason = g_key_file_get_string (file, group, "reason", error);
  g_autofree gchar *has_sql = NULL;

  g_ptr_array_add (self->list, difference);
  difference->name = g_strdup (group);
  if (reason == NULL)
    return FALSE;
  difference->files = g_key_file_get_string_list (file, group, "files", NULL, error);
  has_sql = g_key_file_get_value (file, group, "sql", difference->files != NULL ? error : NULL);
  if (difference->files == NULL || has_sql == NULL)
    return FALSE;
  difference->sql = read_regex (file, group, "sql", error);
  if (difference->sql == NULL)
    return FALSE;
  difference->error = read_regex (file, group, "error", error);
  difference->from = (guint)MAX (0, g_key_file_get_integer (file, group, "from", NULL));
  difference->to = (guint)MAX (0, g_key_file_get_integer (file, group, "to", NULL));
  return error == NULL || *error == NULL;
}

SltDifferences *
slt_differences_load (const gchar *path, GError **error)
{
  g_autoptr (SltDifferences) self = g_new0 (SltDifferences, 1);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) groups = NULL;
  g_autoptr (GError) failure = NULL;

  self->list = g_ptr_array_new_with_free_func (difference_free);
  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, error))
    return NULL;
  groups = g_key_file_get_groups (file, NULL);
  for (guint i = 0; groups[i] != NULL; i++)
    if (!read_difference (self, file, groups[i], &failure))
      {
        g_propagate_prefixed_error (error, g_steal_pointer (&failure), "%s: [%s]: ", path,
                                    groups[i]);
        return NULL;
      }
  return g_steal_pointer (&self);
}

static gboolean
is_of (const Difference *self, const gchar *file)
{
  for (guint i = 0; self->files[i] != NULL; i++)
    if (g_pattern_match_simple (self->files[i], file))
      return TRUE;
  return FALSE;
}

const gchar *
slt_differences_find (const SltDifferences *self, const gchar *file, guint line, const gchar *sql,
                      const gchar *message)
{
  for (guint i = 0; self != NULL && i < self->list->len; i++)
    {
      const Difference *difference = self->list->pdata[i];
      if ((difference->error != NULL) == (message != NULL) && is_of (difference, file)
          && line >= difference->from && (difference->to == 0 || line <= difference->to)
          && g_regex_match (difference->sql, sql, 0, NULL)
          && (message == NULL || g_regex_match (difference->error, message, 0, NULL)))
        return difference->name;
    }
  return NULL;
}
