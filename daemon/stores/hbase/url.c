/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * url.c: one table of keys; whatever isn't in it is an error.
 */
#include "config.h"

#include "daemon/stores/hbase/url.h"

#define SCHEME "hbase://"
#define DEFAULT_PORT 9090
#define DEFAULT_POOL_SIZE 16
#define DEFAULT_TIMEOUT_MS 30000

void
kvsqld_hbase_url_clear (KvsqldHbaseUrl *self)
{
  g_clear_pointer (&self->endpoints, g_ptr_array_unref);
  g_clear_pointer (&self->namespace_name, g_free);
}

static gboolean
parse_boolean (const gchar *text, gboolean *out_value)
{
  *out_value = strcmp (text, "true") == 0;
  return *out_value || strcmp (text, "false") == 0;
}

static gboolean
parse_framed (const gchar *text, KvsqldHbaseUrl *url)
{
  return parse_boolean (text, &url->transport.is_framed);
}

static gboolean
parse_protocol (const gchar *text, KvsqldHbaseUrl *url)
{
  url->transport.is_compact = strcmp (text, "compact") == 0;
  return url->transport.is_compact || strcmp (text, "binary") == 0;
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

static const struct
{
  const gchar *name;
  gboolean (*parse) (const gchar *text, KvsqldHbaseUrl *url);
  const gchar *wanted;
} keys[] = {
  { "framed", parse_framed, "true or false" },
  { "protocol", parse_protocol, "binary or compact" },
  { "namespace", parse_namespace, "letters, digits and underscores" },
  { "pool", parse_pool, "a number from 1 to 1000" },
  { "timeout_ms", parse_timeout, "a number from 1 to 86400000" },
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

/* GNetworkAddress knows names, numbers and [IPv6]:PORT. */
static gboolean
parse_endpoints (const gchar *url, const gchar *authority, GPtrArray *endpoints, GError **error)
{
  g_auto (GStrv) names = g_strsplit (authority, ",", -1);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GSocketConnectable) parsed
          = *names[i] != '\0' ? g_network_address_parse (names[i], DEFAULT_PORT, NULL) : NULL;
      GNetworkAddress *address = (GNetworkAddress *)parsed;

      if (parsed == NULL || *g_network_address_get_hostname (address) == '\0'
          || g_network_address_get_port (address) == 0)
        return kvsql_error_set (
            error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
            "bad address \"%s\" in store URL \"%s\": HOST or HOST:PORT expected", names[i], url);
      g_ptr_array_add (endpoints, kvsqld_t2_endpoint_new (g_network_address_get_hostname (address),
                                                          g_network_address_get_port (address)));
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
    .pool_size = DEFAULT_POOL_SIZE,
    .timeout_us = DEFAULT_TIMEOUT_MS * G_GINT64_CONSTANT (1000),
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
      || (query != NULL && !parse_settings (url, query + 1, &parsed, error)))
    return FALSE;

  *out_url = parsed;
  parsed = (KvsqldHbaseUrl){ 0 };
  return TRUE;
}
