/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * password-file.c: finds a password in a file such as PostgreSQL's .pgpass.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "client/login.h"

#define DEFAULT_NAME ".kvsqlpass"
#define MAX_BYTES 65536

/* Takes a field of a line, up to a colon. The last field is the rest. */
static gchar *
take_field (const gchar **at, gboolean is_last)
{
  GString *field = g_string_new (NULL);

  for (; **at != '\0' && (is_last || **at != ':'); (*at)++)
    {
      if (**at == '\\' && ((*at)[1] == ':' || (*at)[1] == '\\'))
        (*at)++;
      g_string_append_c (field, **at);
    }
  if (**at == ':')
    (*at)++;
  return g_string_free (field, FALSE);
}

static gboolean
is_for (const gchar *pattern, const gchar *value)
{
  return g_str_equal (pattern, "*") || g_str_equal (pattern, value);
}

static gchar *
match_line (const gchar *line, const gchar *host, const gchar *port, const gchar *user)
{
  g_autofree gchar *for_host = take_field (&line, FALSE);
  g_autofree gchar *for_port = take_field (&line, FALSE);
  g_autofree gchar *for_user = take_field (&line, FALSE);

  if (for_host[0] == '#' || line[0] == '\0' || !is_for (for_host, host) || !is_for (for_port, port)
      || !is_for (for_user, user))
    return NULL;
  return take_field (&line, TRUE);
}

static gchar *
read_file (const gchar *path)
{
  GStatBuf status;
  gchar *text = NULL;

  if (g_stat (path, &status) != 0 || !S_ISREG (status.st_mode) || status.st_size > MAX_BYTES)
    return NULL;
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    {
      g_warning ("password file \"%s\" is not used: other users can read it; chmod 0600", path);
      return NULL;
    }
  return g_file_get_contents (path, &text, NULL, NULL) ? text : NULL;
}

gchar *
_kvsql_password_file_find (const gchar *host, const gchar *port, const gchar *user)
{
  const gchar *named = g_getenv ("KVSQL_PASSFILE");
  g_autofree gchar *path
      = named != NULL ? g_strdup (named) : g_build_filename (g_get_home_dir (), DEFAULT_NAME, NULL);
  g_autofree gchar *text = read_file (path);
  g_auto (GStrv) lines = text != NULL ? g_strsplit (text, "\n", -1) : NULL;
  gchar *password = NULL;

  for (guint i = 0; lines != NULL && lines[i] != NULL && password == NULL; i++)
    password = match_line (g_strchomp (lines[i]), host, port, user);
  if (text != NULL)
    explicit_bzero (text, strlen (text));
  return password;
}
