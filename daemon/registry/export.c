/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * export.c: writes the definitions of any registry as a directory for local://.
 */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>

#include "daemon/registry/definitions-file.h"

gboolean
kvsqld_snapshot_export (const KvsqldSnapshot *self, const gchar *directory, GError **error)
{
  g_autofree gchar *path = g_build_filename (directory, "definitions", NULL);
  g_autoptr (GString) text = _kvsqld_definitions_print (self);
  g_autoptr (GError) failure = NULL;

  if (g_mkdir (directory, 0700) != 0)
    return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                            "could not make directory \"%s\": %s", directory, g_strerror (errno));
  if (g_file_set_contents_full (path, text->str, (gssize)text->len, G_FILE_SET_CONTENTS_DURABLE,
                                0600, &failure))
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE, "could not write \"%s\": %s",
                          path, failure->message);
}
