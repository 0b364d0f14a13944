/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * listen.c: parses and prints the addresses that kvsqld listens on.
 */
#include "config.h"

#include "daemon/net/listen.h"

#include <gio/gio.h>
#include <string.h>
#include <sys/un.h>

#include "daemon/net/host-port.h"

#define ADDRESS_HINT                                                                               \
  "Write tcp://127.0.0.1:5797?auth=scram, tcp://[::1]:5797?auth=none, "                            \
  "tcp://0.0.0.0:5797?auth=scram&tls=required or unix:///run/kvsql/kvsqld.sock."

static gboolean
refuse (GError **error, const gchar *text, const gchar *reason)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "bad listening address \"%s\": %s",
                   text, reason);
  return kvsql_error_hint (error, ADDRESS_HINT);
}

static const struct
{
  const gchar *word;
  KvsqldAuth auth;
} auths[] = { { "none", KVSQLD_AUTH_NONE },
              { "peer", KVSQLD_AUTH_PEER },
              { "scram", KVSQLD_AUTH_SCRAM },
              { "cert", KVSQLD_AUTH_CERT } };

gboolean
kvsqld_auth_parse (const gchar *text, KvsqldAuth *out)
{
  for (guint i = 0; i < G_N_ELEMENTS (auths); i++)
    if (g_str_equal (text, auths[i].word))
      {
        *out = auths[i].auth;
        return TRUE;
      }
  return FALSE;
}

/* ---- parameters */

typedef struct
{
  gboolean has_auth, has_tls, allows_insecure;
} Parameters;

static gboolean
parse_tls (KvsqldListenAddress *self, Parameters *parameters, const gchar *text, const gchar *mode,
           GError **error)
{
  static const gchar *const modes[] = { "off", "optional", "required" };

  if (parameters->has_tls)
    return refuse (error, text, "tls is given twice");
  parameters->has_tls = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (g_str_equal (mode, modes[i]))
      {
        self->tls = (KvsqldTlsMode)i;
        return TRUE;
      }
  return refuse (error, text, "tls is required, optional or off");
}

static gboolean
parse_parameter (KvsqldListenAddress *self, Parameters *parameters, const gchar *text,
                 const gchar *word, GError **error)
{
  if (g_str_has_prefix (word, "auth="))
    {
      if (parameters->has_auth)
        return refuse (error, text, "auth is given twice");
      parameters->has_auth = TRUE;
      return kvsqld_auth_parse (word + strlen ("auth="), &self->auth)
             || refuse (error, text, "auth is scram, cert, none, or peer for a UNIX socket");
    }
  if (g_str_has_prefix (word, "tls="))
    return parse_tls (self, parameters, text, word + strlen ("tls="), error);
  if (g_str_has_prefix (word, "client_cert="))
    {
      self->asks_certificate = g_str_equal (word, "client_cert=verify");
      return self->asks_certificate || refuse (error, text, "client_cert is verify");
    }
  parameters->allows_insecure = g_str_equal (word, "allow_insecure=true");
  return parameters->allows_insecure || g_str_equal (word, "allow_insecure=false")
         || refuse (error, text,
                    "its parameters are auth, tls, client_cert and allow_insecure=true");
}

static gboolean
parse_parameters (KvsqldListenAddress *self, Parameters *parameters, const gchar *text,
                  const gchar *query, GError **error)
{
  g_auto (GStrv) words = g_strsplit (query, "&", -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (!parse_parameter (self, parameters, text, words[i], error))
      return FALSE;
  return TRUE;
}

/* Only a literal address, or localhost: names are looked up later, and may change. */
static gboolean
is_loopback (const gchar *host)
{
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (host);

  return g_str_equal (host, "localhost")
         || (address != NULL && g_inet_address_get_is_loopback (address));
}

static gboolean
check_tls (KvsqldListenAddress *self, const gchar *text, GError **error)
{
  const gboolean is_cert = self->auth == KVSQLD_AUTH_CERT;

  self->asks_certificate |= is_cert;
  if (self->path != NULL)
    return (!self->asks_certificate && self->tls == KVSQLD_TLS_OFF)
           || refuse (error, text, "TLS and certificates are for TCP");
  return !self->asks_certificate || self->tls == KVSQLD_TLS_REQUIRED
         || refuse (error, text,
                    is_cert ? "auth=cert needs tls=required"
                            : "client_cert=verify needs tls=required");
}

static gboolean
check_tcp (const KvsqldListenAddress *self, const Parameters *parameters, const gchar *text,
           GError **error)
{
  if (!parameters->has_auth)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "bad listening address \"%s\": a TCP address says how its clients prove who "
                       "they are",
                       text);
      return kvsql_error_hint (
          error, "Add ?auth=scram for roles with passwords, ?auth=cert for those with "
                 "certificates, or ?auth=none if every program that can connect may "
                 "do everything.");
    }
  if (self->auth == KVSQLD_AUTH_PEER)
    return refuse (error, text, "auth=peer is for UNIX sockets");
  if (self->auth != KVSQLD_AUTH_NONE || is_loopback (self->host) || parameters->allows_insecure)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "bad listening address \"%s\": auth=none on an address that other machines "
                   "reach",
                   text);
  return kvsql_error_hint (error, "Use auth=scram. Where the network keeps all others away, add "
                                  "&allow_insecure=true.");
}

/* ---- addresses */

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
  g_auto (GStrv) parts = NULL;
  Parameters parameters = { 0 };
  gboolean is_good;

  g_return_val_if_fail (text != NULL, NULL);

  self->auth = KVSQLD_AUTH_PEER;
  parts = g_strsplit (text, "?", 2);
  if (parts[0] == NULL)
    is_good = refuse (error, text, "it is empty");
  else if (g_str_has_prefix (text, "unix://"))
    is_good = parse_unix (self, parts[0], error);
  else if (g_str_has_prefix (text, "tcp://"))
    is_good = parse_tcp (self, parts[0], error);
  else
    is_good = refuse (error, text, "it begins neither with tcp:// nor with unix://");
  if (is_good && parts[1] != NULL)
    is_good = parse_parameters (self, &parameters, text, parts[1], error);
  self->allows_insecure = parameters.allows_insecure;
  if (is_good && self->host != NULL)
    is_good = check_tcp (self, &parameters, text, error);
  if (is_good)
    is_good = check_tls (self, text, error);
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
