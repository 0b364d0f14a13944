/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * address.c: see address.h.
 */
#include "config.h"

#include "daemon/postgres/address.h"

#include <string.h>

#include "daemon/net/listen.h"

#define SOCKET_NAME ".s.PGSQL."
#define DEFAULT_PORT "5433"

static gboolean
check_port (const gchar *text, const gchar *port, GError **error)
{
  guint64 number;

  if (g_ascii_string_to_unsigned (port, 10, 1, G_MAXUINT16, &number, NULL))
    return TRUE;
  kvsql_error_set (
      error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
      "bad listening address \"%s\": a socket of PostgreSQL's protocol is called " SOCKET_NAME
      "PORT",
      text);
  return kvsql_error_hint (error, "Write unix:///run/kvsql for port " DEFAULT_PORT
                                  ", or unix:///run/kvsql/" SOCKET_NAME "5434 for another one.");
}

gchar *
kvsqld_pg_address_complete (const gchar *text, GError **error)
{
  g_autoptr (KvsqldListenAddress) parsed = kvsqld_listen_address_parse (text, error);
  g_autoptr (KvsqldListenAddress) checked = NULL;
  g_autofree gchar *name = NULL, *complete = NULL;

  if (parsed == NULL)
    return NULL;
  if (parsed->path == NULL)
    return g_strdup (text);
  name = g_path_get_basename (parsed->path);
  if (g_str_has_prefix (name, SOCKET_NAME))
    return check_port (text, name + strlen (SOCKET_NAME), error) ? g_strdup (text) : NULL;
  complete = g_strconcat ("unix://", parsed->path, g_str_has_suffix (parsed->path, "/") ? "" : "/",
                          SOCKET_NAME DEFAULT_PORT, strchr (text, '?'), NULL);
  checked = kvsqld_listen_address_parse (complete, error); /* it may be too long now */
  return checked != NULL ? g_steal_pointer (&complete) : NULL;
}
