/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backup.c: BACKUP TO 'name': copies the store and the definitions that belong to it into one
 * folder.
 *
 * The two belong together if the definitions were the same before and after the store was copied.
 * If they were not, the copy is repeated. The progress of filling a schema is a definition, too. It
 * may be older than the store, but never newer, so a BACKFILL can resume from it.
 */
#include "config.h"

#include "core/engine/backup.h"

#include <errno.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <sys/stat.h>

#define MOST_ATTEMPTS 20
#define LONGEST_NAME 200
#define OPEN_FOLDERS 16

typedef struct
{
  gchar *folder; /* after success … */
  gchar *part;   /* … and until then */
  gchar *data;
  gchar *registry;
} Places;

static void
places_clear (Places *self)
{
  g_free (self->folder);
  g_free (self->part);
  g_free (self->data);
  g_free (self->registry);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Places, places_clear)

/* A name, not a path, because any client may give it. */
static gboolean
is_name (const gchar *text, gsize size)
{
  if (size == 0 || size > LONGEST_NAME || text[0] == '.')
    return FALSE;
  for (gsize i = 0; i < size; i++)
    if (!g_ascii_isalnum (text[i]) && strchr ("_-.", text[i]) == NULL)
      return FALSE;
  return TRUE;
}

static gboolean
find_places (const KvsqlAstStatement *statement, const gchar *directory, Places *out,
             GError **error)
{
  const KvsqlBackup *backup = &statement->backup;
  KvsqlSlice name = backup->name.bytes;
  g_autofree gchar *text = g_strndup ((const gchar *)name.data, name.size);

  if (directory == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, statement->span,
                       "this kvsqld makes no backups");
      return kvsql_error_hint (error, "Set backup_directory in its configuration, to a folder on "
                                      "the file system of the store.");
    }
  if (!is_name (text, name.size))
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, backup->name_span,
                       "\"%s\" cannot be the name of a backup", text);
      return kvsql_error_hint (error,
                               "It is a name, not a path: ASCII letters, digits, \"_\", \"-\" and "
                               "\".\", which is not the first.");
    }
  out->folder = g_build_filename (directory, text, NULL);
  out->part = g_strconcat (out->folder, ".part", NULL);
  out->data = g_build_filename (out->part, "data", NULL);
  out->registry = g_build_filename (out->part, "registry", NULL);
  return TRUE;
}

static int
remove_entry (const char *path, const struct stat *status, int kind, struct FTW *place)
{
  return g_remove (path);
}

static gboolean
make_part (const Places *places, GError **error)
{
  if (g_file_test (places->folder, G_FILE_TEST_EXISTS))
    {
      kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, KVSQL_SPAN_NONE,
                       "backup \"%s\" is there already", places->folder);
      return kvsql_error_hint (error, "Choose another name, or remove that folder.");
    }
  if (g_mkdir (places->part, 0700) == 0)
    return TRUE;
  if (errno != EEXIST)
    return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                            "could not make directory \"%s\": %s", places->part,
                            g_strerror (errno));
  kvsql_error_set (error, KVSQL_ERROR_CONFLICT, KVSQL_SPAN_NONE, "\"%s\" is there already",
                   places->part);
  return kvsql_error_hint (error, "Another BACKUP is at work there, or was killed: then remove "
                                  "that folder.");
}

/* TRUE with *out_epoch < 0: the definitions have changed in the meantime. */
static gboolean
copy_once (const KvsqlExecution *execution, const Places *places, gint64 *out_epoch, GError **error)
{
  gint64 before, after;

  if (!execution->copy_definitions (places->registry, &before, execution->data, error)
      || !kvsql_store_checkpoint (kvsql_execution_get_store (execution), places->data,
                                  execution->call, error)
      || !execution->copy_definitions (NULL, &after, execution->data, error))
    return FALSE;
  *out_epoch = after == before ? after : -1;
  return TRUE;
}

static void
remove_folder (const gchar *path)
{
  nftw (path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

static gboolean
copy_pair (const KvsqlExecution *execution, const Places *places, gint64 *out_epoch, GError **error)
{
  for (guint i = 0; i < MOST_ATTEMPTS; i++)
    {
      if (!copy_once (execution, places, out_epoch, error))
        return FALSE;
      if (*out_epoch >= 0)
        return TRUE;
      remove_folder (places->data);
      remove_folder (places->registry);
    }
  kvsql_error_set (error, KVSQL_ERROR_CONFLICT, KVSQL_SPAN_NONE,
                   "the definitions changed each time that the store was copied");
  return kvsql_error_hint (error, "Try again when no client changes them.");
}

static gboolean
finish (const Places *places, GError **error)
{
  if (g_rename (places->part, places->folder) == 0)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                          "could not rename \"%s\" to \"%s\": %s", places->part, places->folder,
                          g_strerror (errno));
}

KvsqlResultPage *
kvsql_execute_backup (const KvsqlExecution *execution, const KvsqlAstStatement *statement,
                      const gchar *directory, GError **error)
{
  static const gchar *const names[] = { "folder", "epoch" };
  g_auto (Places) places = { NULL };
  g_autofree gchar *epoch_text = NULL;
  KvsqlResultPage *page;
  gint64 epoch = -1;

  if (!find_places (statement, directory, &places, error) || !make_part (&places, error))
    return NULL;
  if (!copy_pair (execution, &places, &epoch, error) || !finish (&places, error))
    {
      remove_folder (places.part);
      return NULL;
    }
  epoch_text = g_strdup_printf ("%" G_GINT64_FORMAT, epoch);
  page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  kvsql_result_page_add_row (page, (const gchar *[]){ places.folder, epoch_text });
  return page;
}
