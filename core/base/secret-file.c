/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * secret-file.c: see secret-file.h.
 */
#include "config.h"

#include "core/base/secret-file.h"

#include <glib/gstdio.h>
#include <string.h>

#include "core/base/error.h"

#define MAX_BYTES 4096

static gboolean
check_mode (const gchar *path, GError **error)
{
  GStatBuf status;

  if (g_stat (path, &status) != 0 || (status.st_mode & (S_IROTH | S_IWOTH)) == 0)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "file \"%s\" with a password is readable by others", path);
  return kvsql_error_hint (error, "chmod o= %s", path);
}

gboolean
kvsql_secret_file_read (const gchar *path, const gchar *what, gchar **out_text, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autofree gchar *text = NULL;
  gsize n_bytes;

  if (!check_mode (path, error))
    return FALSE;
  if (!g_file_get_contents (path, &text, &n_bytes, &failure))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "%s cannot be read: %s",
                            what, failure->message);
  if (n_bytes > MAX_BYTES || strlen (text) != n_bytes)
    text[0] = '\0';
  *out_text = g_strchomp (g_steal_pointer (&text));
  return TRUE;
}
