/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * state-file.c: a small file that says how far a transfer is.
 */
#include "config.h"

#include "client/ctl/state-file.h"

#include <glib/gstdio.h>

#define INTERVAL_US G_USEC_PER_SEC

void
kvsqlctl_state_file_init (KvsqlctlStateFile *self, const gchar *path)
{
  *self = (KvsqlctlStateFile){ .path = g_strdup (path), .file = g_key_file_new () };
}

void
kvsqlctl_state_file_clear (KvsqlctlStateFile *self)
{
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->file, g_key_file_unref);
}

gboolean
kvsqlctl_state_file_describe (GStrvBuilder *builder, Kvsqlctl *ctl, const KvsqlctlDialect *dialect,
                              GError **error)
{
  g_autoptr (KvsqlServerInfo) server
      = kvsql_connection_get_server_info (ctl->connection, ctl->cancellable, error);

  if (server == NULL)
    return FALSE;
  g_strv_builder_add_many (builder, "store", kvsql_server_info_get_store (server), "registry",
                           kvsql_server_info_get_registry (server), "format",
                           kvsqlctl_format_get_name (dialect->format), "delimiter",
                           (gchar[]){ dialect->delimiter, '\0' }, "quote",
                           (gchar[]){ dialect->quote, '\0' }, "null", dialect->null, "header",
                           dialect->has_header ? "yes" : "no", NULL);
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

gboolean
kvsqlctl_state_file_save (KvsqlctlStateFile *self, GError **error)
{
  gsize size;
  g_autofree gchar *text = g_key_file_to_data (self->file, &size, NULL);

  self->saved = g_get_monotonic_time ();
  return g_file_set_contents_full (self->path, text, (gssize)size,
                                   G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                   0666, error);
}

void
kvsqlctl_state_file_remove (const KvsqlctlStateFile *self)
{
  if (self->path != NULL)
    g_unlink (self->path);
}
