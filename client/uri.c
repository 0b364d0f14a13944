/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * uri.c: parses the URI of a kvsqld.
 *
 *   kvsql://[user[:password]@]host[:port][,host[:port]…][/][?option=value[&…]]
 *   kvsqls://…                                  with TLS: ca, cert, key and verify, too
 *   kvsql+unix:[//]/path[?option=value[&…]]
 *
 * Both have the option user=NAME, too.
 *
 * tcp:// and unix: are accepted too, so that the value of kvsqld's --listen can be pasted.
 *
 * GUri does not support lists of hosts, so the list is split here and GIO parses the items.
 */
#include "config.h"

#include "client/uri.h"

#include <gio/gunixsocketaddress.h>
#include <string.h>

#include "client/error-private.h"
#include "idl/wire/spin.h"

/* The first scheme is the one in messages. */
static const gchar *const tcp_schemes[] = { "kvsql://", "tcp://", "kvsqls://", NULL };
static const gchar *const tls_schemes[] = { "kvsqls://", NULL };
static const gchar *const unix_schemes[] = { "kvsql+unix:", "unix:", NULL };
#define MAX_SOCKET_PATH 107

/* Returns the part after the scheme; NULL: the text has none of these schemes. */
static const gchar *
skip_scheme (const gchar *text, const gchar *const *schemes)
{
  for (guint i = 0; schemes[i] != NULL; i++)
    if (g_ascii_strncasecmp (text, schemes[i], strlen (schemes[i])) == 0)
      return text + strlen (schemes[i]);
  return NULL;
}

void
_kvsql_uri_free (KvsqlUri *self)
{
  if (self == NULL)
    return;
  if (self->password != NULL)
    explicit_bzero (self->password, strlen (self->password));
  explicit_bzero (self->uri, strlen (self->uri));
  g_free (self->uri);
  g_free (self->shown);
  g_free (self->user);
  g_free (self->ca);
  g_free (self->certificate);
  g_free (self->key);
  g_free (self->password);
  g_ptr_array_unref (self->hosts);
  g_ptr_array_unref (self->names);
  g_free (self);
}

static void
add_host (KvsqlUri *self, gpointer connectable, gchar *name)
{
  g_ptr_array_add (self->hosts, connectable);
  g_ptr_array_add (self->names, name);
}

/* "host", "host:port", "[::1]:port" */
static gboolean
parse_host (KvsqlUri *self, const gchar *text, GError **error)
{
  g_autoptr (GError) cause = NULL;
  GSocketConnectable *address = NULL;

  if (*text != '\0' && strpbrk (text, "/@ \t\\") == NULL)
    address = g_network_address_parse (text, KVSQL_DEFAULT_PORT, &cause);
  if (address == NULL || g_network_address_get_port (G_NETWORK_ADDRESS (address)) == 0
      || *g_network_address_get_hostname (G_NETWORK_ADDRESS (address)) == '\0')
    {
      g_clear_object (&address);
      _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID, "bad host \"%s\" in URI \"%s\"",
                               text, self->shown);
      return _kvsql_client_error_hint (error, "Write host, host:port, or [IPv6 address]:port.");
    }
  add_host (self, address, g_strdup (text));
  return TRUE;
}

static gboolean
parse_hosts (KvsqlUri *self, gchar *text, GError **error)
{
  g_auto (GStrv) hosts = NULL;
  gsize size = strlen (text);

  if (size > 0 && text[size - 1] == '/')
    text[size - 1] = '\0';
  hosts = g_strsplit (text, ",", -1);
  if (hosts[0] == NULL)
    return parse_host (self, "", error);
  for (guint i = 0; hosts[i] != NULL; i++)
    if (!parse_host (self, hosts[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
parse_path (KvsqlUri *self, const gchar *text, GError **error)
{
  g_autofree gchar *path = NULL;

  if (g_str_has_prefix (text, "//"))
    text += 2;
  path = g_uri_unescape_string (*text == '\0' ? KVSQL_DEFAULT_SOCKET : text, NULL);
  if (path == NULL || !g_path_is_absolute (path))
    {
      _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID, "bad socket path in URI \"%s\"",
                               self->shown);
      return _kvsql_client_error_hint (error, "Write kvsql+unix:///path/of/the/socket.");
    }
  if (strlen (path) > MAX_SOCKET_PATH)
    return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID,
                                    "socket path \"%s\" is longer than %d bytes", path,
                                    MAX_SOCKET_PATH);
  add_host (self, g_unix_socket_address_new (path), g_strdup (path));
  return TRUE;
}

static gboolean
parse_spin (KvsqlUri *self, const gchar *value)
{
  guint64 limit_us;
  gboolean ok = g_ascii_string_to_unsigned (value, 10, 0, KVSQL_SPIN_MAX_US, &limit_us, NULL);

  if (ok)
    self->spin_us = (guint)limit_us;
  return ok;
}

static gboolean
set_user (KvsqlUri *self, const gchar *escaped, GError **error)
{
  g_free (self->user);
  self->user = g_uri_unescape_string (escaped, NULL);
  return (self->user != NULL && self->user[0] != '\0')
         || _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID, "bad user in URI \"%s\"",
                                     self->shown);
}

/* "user" or "user:password", with %XX for what has a meaning in a URI. */
static gboolean
parse_user (KvsqlUri *self, gchar *text, GError **error)
{
  gchar *colon = strchr (text, ':');

  if (colon != NULL)
    {
      *colon++ = '\0';
      self->password = g_uri_unescape_string (colon, NULL);
      if (self->password == NULL)
        {
          _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID, "bad password in URI \"%s\"",
                                   self->shown);
          return _kvsql_client_error_hint (error, "Write %% in a password as %%25.");
        }
    }
  return set_user (self, text, error);
}

/* The text without what is between the colon of a user and "@". (transfer full) */
static gchar *
hide_password (const gchar *text)
{
  const gchar *start = strstr (text, "://"), *colon, *at;

  if (start == NULL)
    return g_strdup (text);
  at = strrchr (start, '@');
  colon = strchr (start + strlen ("://"), ':');
  return at != NULL && colon != NULL && colon < at
             ? g_strdup_printf ("%.*s:***%s", (gint)(colon - text), text, at)
             : g_strdup (text);
}

/* ca, cert, key and verify. */
static gboolean
set_tls_option (KvsqlUri *self, const gchar *name, const gchar *value, gboolean *out_is_known)
{
  static const gchar *const levels[] = { "full", "ca", "none" };
  gchar **file = strcmp (name, "ca") == 0     ? &self->ca
                 : strcmp (name, "cert") == 0 ? &self->certificate
                 : strcmp (name, "key") == 0  ? &self->key
                                              : NULL;

  *out_is_known = file != NULL || strcmp (name, "verify") == 0;
  if (file != NULL)
    {
      g_free (*file);
      *file = g_uri_unescape_string (value, NULL);
      return *file != NULL && **file != '\0';
    }
  if (*out_is_known)
    self->says_verify = TRUE;
  for (guint i = 0; *out_is_known && i < G_N_ELEMENTS (levels); i++)
    if (strcmp (value, levels[i]) == 0)
      {
        self->verify = (KvsqlTlsVerify)i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
refuse_option (const KvsqlUri *self, const gchar *name, const gchar *value, GError **error)
{
  return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID,
                                  "bad option \"%s=%s\" in URI \"%s\"", name, value, self->shown);
}

static gboolean
set_option (KvsqlUri *self, const gchar *name, const gchar *value, GError **error)
{
  gboolean is_of_tls;

  if (set_tls_option (self, name, value, &is_of_tls))
    return TRUE;
  if (is_of_tls)
    {
      refuse_option (self, name, value, error);
      return _kvsql_client_error_hint (error,
                                       "There are ca=FILE, cert=FILE, key=FILE, verify=full, "
                                       "verify=ca and verify=none.");
    }
  if (strcmp (name, "protocol") == 0 && strcmp (value, "compact") == 0)
    self->is_compact = TRUE;
  else if (strcmp (name, "protocol") == 0 && strcmp (value, "binary") == 0)
    self->is_compact = FALSE;
  else if (strcmp (name, "framed") == 0 && strcmp (value, "true") == 0)
    self->is_framed = TRUE;
  else if (strcmp (name, "framed") == 0 && strcmp (value, "false") == 0)
    self->is_framed = FALSE;
  /* of kvsqld's --listen */
  else if (strcmp (name, "auth") == 0 || strcmp (name, "allow_insecure") == 0
           || strcmp (name, "client_cert") == 0)
    return TRUE;
  else if (strcmp (name, "tls") == 0)
    self->has_tls |= strcmp (value, "required") == 0;
  else if (strcmp (name, "user") == 0)
    return set_user (self, value, error);
  else if (strcmp (name, "spin_us") != 0 || !parse_spin (self, value))
    {
      refuse_option (self, name, value, error);
      return _kvsql_client_error_hint (error,
                                       "There are protocol=binary, protocol=compact, framed=true, "
                                       "framed=false, spin_us=0 to 1000, and user=NAME.");
    }
  return TRUE;
}

static gboolean
parse_options (KvsqlUri *self, const gchar *text, GError **error)
{
  g_auto (GStrv) options = g_strsplit (text, "&", -1);

  for (guint i = 0; options[i] != NULL; i++)
    {
      gchar *equals = strchr (options[i], '=');

      if (equals != NULL)
        *equals = '\0';
      if (!set_option (self, options[i], equals != NULL ? equals + 1 : "", error))
        return FALSE;
    }
  return TRUE;
}

/* What is said of TLS is meant: it is not ignored where there is none. */
static gboolean
check_tls (const KvsqlUri *self, GError **error)
{
  const gboolean speaks_of_it
      = self->says_verify || self->ca != NULL || self->certificate != NULL || self->key != NULL;

  if (!self->has_tls && speaks_of_it)
    {
      _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID,
                               "URI \"%s\" has options of TLS, but no TLS", self->shown);
      return _kvsql_client_error_hint (error, "With TLS it begins with kvsqls://.");
    }
  if (self->key != NULL && self->certificate == NULL)
    return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID,
                                    "URI \"%s\" has a key without a certificate", self->shown);
  return TRUE;
}

/* An "@" after the "?" may be of a password with a "?", whose rest must not become an option, and
 * be shown. */
static gboolean
check_at_signs (const KvsqlUri *self, const gchar *options, GError **error)
{
  if (options == NULL || strchr (options, '@') == NULL)
    return TRUE;
  _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID,
                           "URI \"%s\" has an \"@\" after a \"?\"", self->shown);
  return _kvsql_client_error_hint (error, "Write ? in a password as %%3F, and @ in an option as "
                                          "%%40.");
}

KvsqlUri *
_kvsql_uri_parse (const gchar *text, GError **error)
{
  g_autoptr (KvsqlUri) self = g_new0 (KvsqlUri, 1);
  g_autofree gchar *rest = NULL;
  gchar *options, *at;
  const gchar *path = skip_scheme (text, unix_schemes);
  const gchar *hosts = skip_scheme (text, tcp_schemes);

  self->uri = g_strdup (text);
  self->shown = hide_password (text);
  self->hosts = g_ptr_array_new_with_free_func (g_object_unref);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->is_framed = TRUE;
  self->spin_us = KVSQL_SPIN_DEFAULT_US;
  self->has_tls = skip_scheme (text, tls_schemes) != NULL;
  if (path == NULL && hosts == NULL)
    {
      _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID, "bad URI \"%s\"", self->shown);
      _kvsql_client_error_hint (error, "A URI is kvsql://host:port, kvsqls://host:port or "
                                       "kvsql+unix:///path.");
      return NULL;
    }

  rest = g_strdup (path != NULL ? path : hosts);
  options = strchr (rest, '?');
  if (options != NULL)
    *options++ = '\0';
  if (path == NULL && !check_at_signs (self, options, error))
    return NULL;
  if (options != NULL && !parse_options (self, options, error))
    return NULL;
  if (path != NULL)
    self->has_tls = FALSE;
  if (!check_tls (self, error))
    return NULL;
  at = path == NULL ? strrchr (rest, '@') : NULL;
  if (at != NULL)
    {
      *at++ = '\0';
      if (!parse_user (self, rest, error))
        return NULL;
    }
  if (path != NULL ? !parse_path (self, rest, error)
                   : !parse_hosts (self, at != NULL ? at : rest, error))
    return NULL;
  return g_steal_pointer (&self);
}
