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
kvsqld_peer_name (const gchar *peer)
{
  static const gchar prefix[] = "user ";
  struct passwd record, *found = NULL;
  gchar buffer[4096];
  guint64 id;

  if (!g_str_has_prefix (peer, prefix)
      || !g_ascii_string_to_unsigned (peer + strlen (prefix), 10, 0, G_MAXUINT32, &id, NULL)
      || getpwuid_r ((uid_t)id, &record, buffer, sizeof buffer, &found) != 0 || found == NULL
      || !g_utf8_validate (record.pw_name, -1, NULL))
    return g_strdup (peer);
  return g_strconcat (prefix, record.pw_name, NULL);
}
