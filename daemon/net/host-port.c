/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * host-port.c: see host-port.h.
 */
#include "config.h"

#include "daemon/net/host-port.h"

#include <string.h>

/* A host with one of these would be part of a URL that was split at a wrong place. */
static gboolean
has_other_characters (const gchar *host)
{
  for (; *host != '\0'; host++)
    if (g_ascii_iscntrl (*host) || strchr (" /@?#\\[]", *host) != NULL)
      return TRUE;
  return FALSE;
}

/* The end of the host in @text, and in *out_port the text of the port, NULL if there is none. */
static const gchar *
split (const gchar *text, const gchar **out_end, const gchar **out_port)
{
  const gchar *colon = strrchr (text, ':'), *close = strrchr (text, ']');

  if (colon != NULL && close != NULL && colon < close)
    colon = NULL;
  *out_end = colon != NULL ? colon : text + strlen (text);
  *out_port = colon != NULL ? colon + 1 : NULL;
  if (text[0] == '[')
    return *out_end > text + 1 && (*out_end)[-1] == ']' ? NULL : "the bracket is not closed";
  if (memchr (text, ':', (gsize)(*out_end - text)) != NULL)
    return "an IPv6 host needs brackets";
  return NULL;
}

const gchar *
kvsqld_host_port_parse (const gchar *text, guint least_port, gint default_port, gchar **out_host,
                        guint16 *out_port)
{
  g_autofree gchar *host = NULL;
  const gchar *end, *port_text, *problem = split (text, &end, &port_text);
  guint64 port = default_port >= 0 ? (guint64)default_port : 0;
  gsize skipped = text[0] == '[';

  if (port_text != NULL
          ? !g_ascii_string_to_unsigned (port_text, 10, least_port, G_MAXUINT16, &port, NULL)
          : default_port == KVSQLD_PORT_REQUIRED)
    return least_port == 0 ? "it does not end in a port from 0 to 65535"
                           : "it does not end in a port from 1 to 65535";
  if (problem != NULL)
    return problem;
  if ((gsize)(end - text) <= 2 * skipped)
    return "the host is missing";
  host = g_strndup (text + skipped, (gsize)(end - text) - 2 * skipped);
  if (has_other_characters (host))
    return "the host has a character that no host has";

  *out_host = g_steal_pointer (&host);
  *out_port = (guint16)port;
  return NULL;
}

gchar *
kvsqld_host_port_print (const gchar *host, guint16 port)
{
  return g_strdup_printf (strchr (host, ':') != NULL ? "[%s]:%u" : "%s:%u", host, port);
}
