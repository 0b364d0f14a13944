/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * zookeeper-auth.c: see zookeeper-auth.h.
 *
 * The library supports digest and SASL; Debian builds it without SASL.
 */
#include "config.h"

#include "daemon/registry/zookeeper-auth.h"

#include <string.h>

#include "core/base/error.h"
#include "core/base/secret-file.h"

#define FORM "Write digest:user:password."

static gboolean
refuse_sasl (GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "SASL is out of reach: the ZooKeeper library was built without it");
  return kvsql_error_hint (error, "Use digest: auth_file=FILE, a file that holds "
                                  "digest:user:password.");
}

/* @place: the source of the text, for messages. */
static gboolean
read_auth (const gchar *text, const gchar *place, gchar **out, GError **error)
{
  const gchar *user, *colon;

  if (g_ascii_strncasecmp (text, "sasl", 4) == 0)
    return refuse_sasl (error);
  user = g_str_has_prefix (text, "digest:") ? text + strlen ("digest:") : NULL;
  colon = user != NULL ? strchr (user, ':') : NULL;
  if (colon == NULL || colon == user || colon[1] == '\0')
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "%s has no user and password", place)
           || kvsql_error_hint (error, FORM);
  *out = g_strdup (user);
  return TRUE;
}

static gboolean
read_auth_file (const gchar *path, gchar **out, GError **error)
{
  g_autofree gchar *text = NULL;
  g_autofree gchar *place = g_strdup_printf ("file \"%s\"", path);

  return kvsql_secret_file_read (path, "the registry's auth_file", &text, error)
         && read_auth (text, place, out, error);
}

static gboolean
read_parameter (const gchar *name, const gchar *value, gchar **out, GError **error)
{
  if (*out == NULL && strcmp (name, "auth") == 0)
    return read_auth (value, "auth in the registry's URL", out, error);
  if (*out == NULL && strcmp (name, "auth_file") == 0)
    return read_auth_file (value, out, error);
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   *out != NULL ? "the registry's URL asks to be known by two users, by \"%s\""
                                : "the registry's URL has an unknown parameter \"%s\"",
                   name);
  return kvsql_error_hint (error, "Parameters are auth_file=FILE and auth=digest:user:password.");
}

gboolean
_kvsqld_zk_auth_read (const gchar *query, gchar **out, GError **error)
{
  g_auto (GStrv) words = g_strsplit (query != NULL ? query : "", "&", -1);
  g_autofree gchar *auth = NULL;

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (words[i], "=", 2);
      g_autofree gchar *value
          = parts[0] != NULL && parts[1] != NULL ? g_uri_unescape_string (parts[1], NULL) : NULL;

      if (value == NULL)
        return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                                "a parameter of the registry's URL has no value")
               || kvsql_error_hint (error, "Parameters are auth_file=FILE and "
                                           "auth=digest:user:password.");
      if (!read_parameter (parts[0], value, &auth, error))
        return FALSE;
    }
  *out = g_steal_pointer (&auth);
  return TRUE;
}
