/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * login.c: see login.h. The file has the format of the registry's auth_file, with another keyword.
 */
#include "config.h"

#include "daemon/stores/hbase/login.h"

#include <string.h>

#include "core/base/error.h"
#include "core/base/secret-file.h"

#define KIND "basic:"

gboolean
kvsqld_hbase_login_read (const gchar *path, gchar **out_login, GError **error)
{
  g_autofree gchar *text = NULL;

  if (!kvsql_secret_file_read (path, "the store's auth_file", &text, error))
    return FALSE;
  if (!g_str_has_prefix (text, KIND) || strchr (text + strlen (KIND), ':') == NULL
      || strpbrk (text, "\r\n") != NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "the store's auth_file \"%s\" has no user and password", path);
      return kvsql_error_hint (error, "It must contain one line, basic:USER:PASSWORD.");
    }
  *out_login = g_strdup (text + strlen (KIND));
  return TRUE;
}
