/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * peer-name.c: names of users. A connection itself knows only the number: it is accepted in the
 * main loop, which must not wait for the table of users.
 */
#include "config.h"

#include "daemon/net/peer-name.h"

#include <pwd.h>
#include <string.h>

gchar *
kvsqld_user_name (gint64 id)
{
  struct passwd record, *found = NULL;
  gchar buffer[4096];

  if (id < 0 || getpwuid_r ((uid_t)id, &record, buffer, sizeof buffer, &found) != 0 || found == NULL
      || !g_utf8_validate (record.pw_name, -1, NULL))
    return NULL;
  return g_strdup (record.pw_name);
}

gchar *
kvsqld_peer_name (const gchar *peer)
{
  static const gchar prefix[] = "user ";
  g_autofree gchar *name = NULL;
  guint64 id;

  if (g_str_has_prefix (peer, prefix)
      && g_ascii_string_to_unsigned (peer + strlen (prefix), 10, 0, G_MAXUINT32, &id, NULL))
    name = kvsqld_user_name ((gint64)id);
  return name != NULL ? g_strconcat (prefix, name, NULL) : g_strdup (peer);
}
