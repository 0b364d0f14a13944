/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * listen.c: parses and prints the addresses that kvsqld listens on.
 */
#include "config.h"

#include "daemon/net/listen.h"

#include <string.h>
#include <sys/un.h>

#define ADDRESS_HINT                                                                               \
  "Write tcp://127.0.0.1:5797, tcp://[::1]:5797 or unix:///run/kvsql/kvsqld.sock."

static gboolean
refuse (GError **error, const gchar *text, const gchar *reason)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "bad listening address \"%s\": %s",
                   text, reason);
  return kvsql_error_hint (error, ADDRESS_HINT);
}

static gboolean
parse_unix (KvsqldListenAddress *self, const gchar *text, GError **error)
{
  const gchar *path = text + strlen ("unix://");

  if (path[0] != '/')
    return refuse (error, text, "the path of a UNIX socket is absolute");
  if (strlen (path) >= sizeof (((struct sockaddr_un *)NULL)->sun_path))
    return refuse (error, text, "the path of a UNIX socket has at most 107 bytes");
  self->path = g_strdup (path);
  return TRUE;
}

static gboolean
parse_tcp (KvsqldListenAddress *self, const gchar *text, GError **error)
{
  const gchar *host = text + strlen ("tcp://");
  const gchar *colon = strrchr (host, ':');
  const gchar *end = colon;
  guint64 port = 0;

  if (colon == NULL || !g_ascii_string_to_unsigned (colon + 1, 10, 0, G_MAXUINT16, &port, NULL))
    return refuse (error, text, "it does not end in a port from 0 to 65535");
  if (host[0] == '[')
    {
      if (end[-1] != ']')
        return refuse (error, text, "the bracket is not closed");
      host++;
      end--;
    }
  else if (memchr (host, ':', (gsize)(end - host)) != NULL)
    return refuse (error, text, "an IPv6 host needs brackets");
  if (end <= host)
    return refuse (error, text, "the host is missing");

  self->host = g_strndup (host, (gsize)(end - host));
  self->port = (guint16)port;
  return TRUE;
}

KvsqldListenAddress *
kvsqld_listen_address_parse (const gchar *text, GError **error)
{
  g_autoptr (KvsqldListenAddress) self = g_new0 (KvsqldListenAddress, 1);
  gboolean is_good;

  g_return_val_if_fail (text != NULL, NULL);

  if (g_str_has_prefix (text, "unix://"))
    is_good = parse_unix (self, text, error);
  else if (g_str_has_prefix (text, "tcp://"))
    is_good = parse_tcp (self, text, error);
  else
    is_good = refuse (error, text, "it begins neither with tcp:// nor with unix://");
  return is_good ? g_steal_pointer (&self) : NULL;
}

void
kvsqld_listen_address_free (KvsqldListenAddress *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_free (self->host);
  g_free (self);
}

gchar *
kvsqld_listen_address_to_string (const KvsqldListenAddress *self)
{
  if (self->path != NULL)
    return g_strconcat ("unix://", self->path, NULL);
  if (strchr (self->host, ':') != NULL)
    return g_strdup_printf ("tcp://[%s]:%u", self->host, self->port);
  return g_strdup_printf ("tcp://%s:%u", self->host, self->port);
}
