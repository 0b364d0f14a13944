/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * url.c: a table of keys; any other key is an error.
 */
#include "config.h"

#include "daemon/stores/hbase/url.h"

#include "daemon/net/host-port.h"
#include "daemon/stores/hbase/transport.h"

#define SCHEME "hbase://"
#define DEFAULT_PORT 9090
#define DEFAULT_POOL_SIZE 16
#define DEFAULT_TIMEOUT_MS 30000
/* A Thrift2 server with threads closes a connection after hbase.thrift.server.socket.read.timeout,
 * 60 s; one with HTTP after 30 s. */
#define DEFAULT_IDLE_S 20
/* hbase.client.pause */
#define DEFAULT_PAUSE_MS 100

void
kvsqld_hbase_url_clear (KvsqldHbaseUrl *self)
{
  g_clear_pointer (&self->endpoints, g_ptr_array_unref);
  kvsqld_t2_http_options_clear (&self->http);
  g_clear_pointer (&self->auth_file, g_free);
  g_clear_pointer (&self->namespace_name, g_free);
}

static guint
bit_of (KvsqldT2Carrier carrier)
{
  return kvsqld_t2_transport_bit ((KvsqldT2Transport){ .carrier = carrier });
}

/* Keeps only the transports with that bit, without it, or both; HTTP has neither. */
static void
restrict_transports (KvsqldHbaseUrl *url, gboolean has_framed, gboolean is_framed,
                     gboolean has_compact, gboolean is_compact)
{
  url->candidates &= KVSQLD_T2_SOCKET_TRANSPORTS;
  for (guint i = 0; i < 4; i++)
    {
      const KvsqldT2Transport transport = { .is_framed = i & 1, .is_compact = i >> 1 };

      if ((has_framed && transport.is_framed != is_framed)
          || (has_compact && transport.is_compact != is_compact))
        url->candidates &= ~kvsqld_t2_transport_bit (transport);
    }
}

static gboolean
parse_framed (const gchar *text, KvsqldHbaseUrl *url)
{
  gboolean is_framed = strcmp (text, "true") == 0;

  if (strcmp (text, "auto") == 0)
    return TRUE;
  restrict_transports (url, TRUE, is_framed, FALSE, FALSE);
  return is_framed || strcmp (text, "false") == 0;
}

static gboolean
parse_protocol (const gchar *text, KvsqldHbaseUrl *url)
{
  gboolean is_compact = strcmp (text, "compact") == 0;

  if (strcmp (text, "auto") == 0)
    return TRUE;
  restrict_transports (url, FALSE, FALSE, TRUE, is_compact);
  return is_compact || strcmp (text, "binary") == 0;
}

static gboolean
parse_transport (const gchar *text, KvsqldHbaseUrl *url)
{
  static const gchar *const names[] = { "socket", "http", "https", "auto" };
  const guint wanted[] = { KVSQLD_T2_SOCKET_TRANSPORTS, bit_of (KVSQLD_T2_HTTP),
                           bit_of (KVSQLD_T2_HTTPS), KVSQLD_T2_ALL_TRANSPORTS };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (text, names[i]) == 0)
      {
        url->is_plain_http = wanted[i] == bit_of (KVSQLD_T2_HTTP);
        url->candidates &= wanted[i];
        return TRUE;
      }
  return FALSE;
}

static gboolean
parse_text (const gchar *text, gchar **out)
{
  g_free (*out);
  *out = g_uri_unescape_string (text, NULL);
  return *out != NULL && **out != '\0';
}

static gboolean
parse_tls_ca (const gchar *text, KvsqldHbaseUrl *url)
{
  url->candidates &= bit_of (KVSQLD_T2_HTTPS);
  return parse_text (text, &url->http.ca_file);
}

static gboolean
parse_tls_cert (const gchar *text, KvsqldHbaseUrl *url)
{
  url->candidates &= bit_of (KVSQLD_T2_HTTPS);
  return parse_text (text, &url->http.cert_file);
}

static gboolean
parse_tls_key (const gchar *text, KvsqldHbaseUrl *url)
{
  url->candidates &= bit_of (KVSQLD_T2_HTTPS);
  return parse_text (text, &url->http.key_file);
}

static gboolean
parse_tls_verify (const gchar *text, KvsqldHbaseUrl *url)
{
  static const gchar *const names[] = { "full", "ca", "none" };

  url->candidates &= bit_of (KVSQLD_T2_HTTPS);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (text, names[i]) == 0)
      {
        url->http.verify = (KvsqldT2Verify)i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
parse_path (const gchar *text, KvsqldHbaseUrl *url)
{
  url->needs_http = TRUE;
  return parse_text (text, &url->http.path) && *url->http.path == '/';
}

static gboolean
parse_auth_file (const gchar *text, KvsqldHbaseUrl *url)
{
  url->needs_http = TRUE;
  return parse_text (text, &url->auth_file);
}

static gboolean
parse_namespace (const gchar *text, KvsqldHbaseUrl *url)
{
  static const gchar allowed[] = G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_";

  g_free (url->namespace_name);
  url->namespace_name = g_strdup (text);
  return *text != '\0' && strspn (text, allowed) == strlen (text);
}

static gboolean
parse_pool (const gchar *text, KvsqldHbaseUrl *url)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, 1, 1000, &number, NULL))
    return FALSE;
  url->pool_size = (guint)number;
  return TRUE;
}

static gboolean
parse_timeout (const gchar *text, KvsqldHbaseUrl *url)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, 1, 86400000, &number, NULL))
    return FALSE;
  url->timeout_us = (gint64)number * 1000;
  return TRUE;
}

static gboolean
parse_idle (const gchar *text, KvsqldHbaseUrl *url)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, 1, 86400, &number, NULL))
    return FALSE;
  url->idle_us = (gint64)number * G_USEC_PER_SEC;
  return TRUE;
}

static gboolean
parse_pause (const gchar *text, KvsqldHbaseUrl *url)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, 0, 60000, &number, NULL))
    return FALSE;
  url->pause_us = (gint64)number * 1000;
  return TRUE;
}

static const struct
{
  const gchar *name;
  gboolean (*parse) (const gchar *text, KvsqldHbaseUrl *url);
  const gchar *wanted;
} keys[] = {
  { "transport", parse_transport, "socket, http, https or auto" },
  { "framed", parse_framed, "true, false or auto" },
  { "protocol", parse_protocol, "binary, compact or auto" },
  { "tls_ca", parse_tls_ca, "a file" },
  { "tls_verify", parse_tls_verify, "full, ca or none" },
  { "tls_cert", parse_tls_cert, "a file" },
  { "tls_key", parse_tls_key, "a file" },
  { "path", parse_path, "a path that begins with a slash" },
  { "auth_file", parse_auth_file, "a file" },
  { "namespace", parse_namespace, "letters, digits and underscores" },
  { "pool", parse_pool, "a number from 1 to 1000" },
  { "timeout_ms", parse_timeout, "a number from 1 to 86400000" },
  { "idle_s", parse_idle, "a number from 1 to 86400" },
  { "pause_ms", parse_pause, "a number from 0 to 60000" },
};

static gboolean
fail_for_key (const gchar *url, const gchar *key, GError **error)
{
  const gchar *names[G_N_ELEMENTS (keys)];
  const gchar *suggestion;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    names[i] = keys[i].name;
  suggestion = kvsql_suggest (key, names, G_N_ELEMENTS (keys));
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "unknown key \"%s\" in store URL \"%s\"", key, url);
  if (suggestion != NULL)
    return kvsql_error_hint (error, "Did you mean \"%s\"?", suggestion);
  return FALSE;
}

static gboolean
parse_setting (const gchar *url, const gchar *setting, KvsqldHbaseUrl *out_url, GError **error)
{
  const gchar *equals = strchr (setting, '=');
  g_autofree gchar *key
      = equals != NULL ? g_strndup (setting, (gsize)(equals - setting)) : g_strdup (setting);

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      if (strcmp (keys[i].name, key) != 0)
        continue;
      if (equals != NULL && keys[i].parse (equals + 1, out_url))
        return TRUE;
      return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                              "bad value of \"%s\" in store URL \"%s\": %s expected", key, url,
                              keys[i].wanted);
    }
  return fail_for_key (url, key, error);
}

static gboolean
parse_settings (const gchar *url, const gchar *query, KvsqldHbaseUrl *out_url, GError **error)
{
  g_auto (GStrv) settings = g_strsplit (query, "&", -1);

  for (guint i = 0; settings[i] != NULL; i++)
    if (*settings[i] != '\0' && !parse_setting (url, settings[i], out_url, error))
      return FALSE;
  return TRUE;
}

/* A path or a login is used only with HTTP, and without TLS only if transport=http was given. */
static gboolean
settle_transports (const gchar *url, KvsqldHbaseUrl *out_url, GError **error)
{
  if (out_url->needs_http)
    out_url->candidates &= bit_of (out_url->is_plain_http ? KVSQLD_T2_HTTP : KVSQLD_T2_HTTPS);
  if (out_url->http.key_file != NULL && out_url->http.cert_file == NULL)
    out_url->candidates = 0;
  if (out_url->candidates != 0)
    {
      out_url->transport = kvsqld_t2_transport_first (out_url->candidates);
      return TRUE;
    }
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "the settings of store URL \"%s\" contradict each other", url);
  return kvsql_error_hint (
      error, "framed and protocol are for transport=socket, tls_… for "
             "transport=https, tls_key with tls_cert, path and auth_file for http or https.");
}

static gboolean
parse_endpoints (const gchar *url, const gchar *authority, GPtrArray *endpoints, GError **error)
{
  g_auto (GStrv) names = g_strsplit (authority, ",", -1);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree gchar *host = NULL;
      guint16 port;
      const gchar *problem = kvsqld_host_port_parse (names[i], 1, DEFAULT_PORT, &host, &port);

      if (problem != NULL)
        {
          kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                           "bad address \"%s\" in store URL \"%s\": %s", names[i], url, problem);
          return kvsql_error_hint (error, "Write HOST, HOST:PORT or [IPv6]:PORT.");
        }
      g_ptr_array_add (endpoints, kvsqld_t2_endpoint_new (host, port));
    }
  if (endpoints->len > 0)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                          "no address in store URL \"%s\"", url);
}

gboolean
kvsqld_hbase_url_parse (const gchar *url, KvsqldHbaseUrl *out_url, GError **error)
{
  g_auto (KvsqldHbaseUrl) parsed = {
    .endpoints = g_ptr_array_new_with_free_func ((GDestroyNotify)kvsqld_t2_endpoint_free),
    .candidates = KVSQLD_T2_ALL_TRANSPORTS,
    .pool_size = DEFAULT_POOL_SIZE,
    .timeout_us = DEFAULT_TIMEOUT_MS * G_GINT64_CONSTANT (1000),
    .idle_us = DEFAULT_IDLE_S * G_USEC_PER_SEC,
    .pause_us = DEFAULT_PAUSE_MS * G_GINT64_CONSTANT (1000),
  };
  g_autofree gchar *authority = NULL;
  const gchar *rest, *query;

  if (!g_str_has_prefix (url, SCHEME))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "store URL \"%s\" does not begin with %s", url, SCHEME);
  rest = url + strlen (SCHEME);
  query = strchr (rest, '?');
  authority = query != NULL ? g_strndup (rest, (gsize)(query - rest)) : g_strdup (rest);
  if (g_str_has_suffix (authority, "/"))
    authority[strlen (authority) - 1] = '\0';
  if (!parse_endpoints (url, authority, parsed.endpoints, error)
      || (query != NULL && !parse_settings (url, query + 1, &parsed, error))
      || !settle_transports (url, &parsed, error))
    return FALSE;

  *out_url = parsed;
  parsed = (KvsqldHbaseUrl){ 0 };
  return TRUE;
}
