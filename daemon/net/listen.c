/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * listen.c: parses and prints the addresses that kvsqld listens on.
 */
#include "config.h"

#include "daemon/net/listen.h"

#include <string.h>
#include <sys/un.h>

#include "daemon/net/host-port.h"

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
  const gchar *problem = kvsqld_host_port_parse (text + strlen ("tcp://"), 0, KVSQLD_PORT_REQUIRED,
                                                 &self->host, &self->port);

  return problem == NULL || refuse (error, text, problem);
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
  g_autofree gchar *host_port = NULL;

  if (self->path != NULL)
    return g_strconcat ("unix://", self->path, NULL);
  host_port = kvsqld_host_port_print (self->host, self->port);
  return g_strconcat ("tcp://", host_port, NULL);
}
