/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * metrics-http.c: see the header.
 */
#include "config.h"

#include "daemon/monitor/metrics-http.h"

#include <gio/gio.h>
#include <string.h>

#include "daemon/net/host-port.h"
#include "daemon/net/listen.h"

static KvsqldListenAddress *
parse (const gchar *address, GError **error)
{
  g_autofree gchar *url = g_strconcat ("tcp://", address, strchr (address, '?') != NULL ? "&" : "?",
                                       "auth=none&allow_insecure=true", NULL);
  g_autoptr (KvsqldListenAddress) parsed = kvsqld_listen_address_parse (url, NULL);

  if (parsed == NULL || parsed->tls == KVSQLD_TLS_OPTIONAL || parsed->asks_certificate)
    {
      g_clear_pointer (&parsed, kvsqld_listen_address_free);
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "\"%s\" is no address for metrics", address);
      kvsql_error_hint (error, "Write HOST:PORT, such as 127.0.0.1:9797, and ?tls=required for "
                               "HTTPS.");
    }
  return g_steal_pointer (&parsed);
}

gboolean
kvsqld_metrics_http_check (const gchar *address, GError **error)
{
  g_autoptr (KvsqldListenAddress) parsed = parse (address, error);

  if (parsed != NULL && !kvsqld_metrics_http_is_supported ())
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                       "this kvsqld gives no metrics over HTTP");
      return kvsql_error_hint (error, "Build it with libmicrohttpd, or leave \"listen\" in group "
                                      "[metrics] empty.");
    }
  return parsed != NULL;
}

gboolean
kvsqld_metrics_http_has_tls (const gchar *address)
{
  g_autoptr (KvsqldListenAddress) parsed = parse (address, NULL);

  return parsed != NULL && parsed->tls == KVSQLD_TLS_REQUIRED;
}

#ifdef HAVE_MICROHTTPD

#include <microhttpd.h>
#include <sys/socket.h>

#define MAX_CONNECTIONS 128
/* If there is one more, the oldest one is closed: a request takes milliseconds, and a client that
 * sends half of one, or byte by byte, must not block others. */
#define KEPT_CONNECTIONS 64
#define CONNECTION_BYTES (16 * 1024) /* memory of a request's head */
#define CONNECTION_SECONDS 10
#define PRIORITIES "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"
#define TYPE "text/plain; version=0.0.4; charset=utf-8"

struct _KvsqldMetricsHttp
{
  struct MHD_Daemon *daemon;
  KvsqldMetricsText text;
  gpointer data;
  gchar *url;
  GSocketAddress *address;  /* with the actual port */
  gchar *certificate, *key; /* contents of the files; NULL: no TLS */
  GQueue connections; /* of MHD_Connection, the oldest first; belongs to the server's thread */
};

gboolean
kvsqld_metrics_http_is_supported (void)
{
  return TRUE;
}

static enum MHD_Result
answer (struct MHD_Connection *connection, guint status, gchar *text, const gchar *type)
{
  struct MHD_Response *response
      = MHD_create_response_from_buffer_with_free_callback (strlen (text), text, g_free);
  enum MHD_Result result;

  MHD_add_response_header (response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
  result = MHD_queue_response (connection, status, response);
  MHD_destroy_response (response);
  return result;
}

static enum MHD_Result
on_request (void *user_data, struct MHD_Connection *connection, const char *path,
            const char *method, const char *version, const char *upload, size_t *upload_size,
            void **state)
{
  static gint is_begun;
  KvsqldMetricsHttp *self = user_data;

  /* the first call has the head only; a body is read and dropped */
  if (*state == NULL || *upload_size > 0)
    {
      *state = &is_begun;
      *upload_size = 0;
      return MHD_YES;
    }
  if (strcmp (method, MHD_HTTP_METHOD_GET) != 0 && strcmp (method, MHD_HTTP_METHOD_HEAD) != 0)
    return answer (connection, MHD_HTTP_METHOD_NOT_ALLOWED, g_strdup ("only GET\n"), "text/plain");
  if (strcmp (path, "/metrics") != 0)
    return answer (connection, MHD_HTTP_NOT_FOUND, g_strdup ("see /metrics\n"), "text/plain");
  return answer (connection, MHD_HTTP_OK, self->text (self->data), TYPE);
}

/* The server then finds the connection closed, and frees it. */
static void
end_oldest (KvsqldMetricsHttp *self)
{
  struct MHD_Connection *connection = g_queue_pop_head (&self->connections);
  const union MHD_ConnectionInfo *info
      = MHD_get_connection_info (connection, MHD_CONNECTION_INFO_CONNECTION_FD);

  if (info != NULL)
    shutdown (info->connect_fd, SHUT_RDWR);
}

static void
on_connection (void *user_data, struct MHD_Connection *connection, void **state,
               enum MHD_ConnectionNotificationCode code)
{
  KvsqldMetricsHttp *self = user_data;

  if (code == MHD_CONNECTION_NOTIFY_CLOSED)
    g_queue_remove (&self->connections, connection);
  else
    g_queue_push_tail (&self->connections, connection);
  while (g_queue_get_length (&self->connections) > KEPT_CONNECTIONS)
    end_oldest (self);
}

static GSocketAddress *
resolve (const KvsqldListenAddress *address, GError **error)
{
  g_autoptr (GResolver) resolver = g_resolver_get_default ();
  g_autoptr (GError) reason = NULL;
  GList *found = g_resolver_lookup_by_name (resolver, address->host, NULL, &reason);
  GSocketAddress *result;

  if (found == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "%s", reason->message);
      return NULL;
    }
  result = g_inet_socket_address_new (found->data, address->port);
  g_resolver_free_addresses (found);
  return result;
}

static void
clear_text (gchar **text)
{
  if (*text != NULL)
    explicit_bzero (*text, strlen (*text));
  g_clear_pointer (text, g_free);
}

static gboolean
load (KvsqldMetricsHttp *self, const KvsqldMetricsFiles *files, GError **error)
{
  g_autoptr (GError) reason = NULL;

  clear_text (&self->certificate);
  clear_text (&self->key);
  return (g_file_get_contents (files->certificate, &self->certificate, NULL, &reason)
          && g_file_get_contents (files->key, &self->key, NULL, &reason))
         || kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                             "could not read the certificate of metrics: %s", reason->message);
}

/* NULL with errno set. */
static struct MHD_Daemon *
start (KvsqldMetricsHttp *self)
{
  const struct MHD_OptionItem tls[] = { { MHD_OPTION_HTTPS_MEM_CERT, 0, self->certificate },
                                        { MHD_OPTION_HTTPS_MEM_KEY, 0, self->key },
                                        { MHD_OPTION_HTTPS_PRIORITIES, 0, (gpointer)PRIORITIES },
                                        { MHD_OPTION_END, 0, NULL } };
  const struct MHD_OptionItem *more
      = self->certificate != NULL ? tls : &tls[G_N_ELEMENTS (tls) - 1];
  struct sockaddr_storage native = { 0 };
  guint flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO;

  g_socket_address_to_native (self->address, &native, sizeof native, NULL);
  if (g_socket_address_get_family (self->address) == G_SOCKET_FAMILY_IPV6)
    flags |= MHD_USE_IPv6;
  if (self->certificate != NULL)
    flags |= MHD_USE_TLS;
  return MHD_start_daemon (flags, 0, NULL, NULL, on_request, self, MHD_OPTION_SOCK_ADDR, &native,
                           MHD_OPTION_CONNECTION_LIMIT, (guint)MAX_CONNECTIONS,
                           MHD_OPTION_NOTIFY_CONNECTION, on_connection, self,
                           MHD_OPTION_CONNECTION_TIMEOUT, (guint)CONNECTION_SECONDS,
                           MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
                           MHD_OPTION_ARRAY, more, MHD_OPTION_END);
}

static gboolean
start_or_fail (KvsqldMetricsHttp *self, const gchar *address, GError **error)
{
  self->daemon = start (self);
  return self->daemon != NULL
         || kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                             "could not listen for metrics on \"%s\": %s", address,
                             g_strerror (errno));
}

/* For a renewed server. */
static void
set_port (KvsqldMetricsHttp *self, guint16 port)
{
  GInetAddress *host = g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (self->address));
  GSocketAddress *address = g_inet_socket_address_new (host, port);

  g_object_unref (self->address);
  self->address = address;
}

KvsqldMetricsHttp *
kvsqld_metrics_http_new (const gchar *address, const KvsqldMetricsFiles *files,
                         KvsqldMetricsText text, gpointer data, GError **error)
{
  g_autoptr (KvsqldListenAddress) parsed = parse (address, error);
  g_autoptr (GSocketAddress) resolved = parsed == NULL ? NULL : resolve (parsed, error);
  g_autofree gchar *host_port = NULL;
  KvsqldMetricsHttp *self;
  guint16 port;

  if (resolved == NULL)
    return NULL;
  self = g_new0 (KvsqldMetricsHttp, 1);
  self->text = text;
  self->data = data;
  self->address = g_object_ref (resolved);
  if ((parsed->tls == KVSQLD_TLS_REQUIRED && !load (self, files, error))
      || !start_or_fail (self, address, error))
    {
      kvsqld_metrics_http_free (self);
      return NULL;
    }
  port = MHD_get_daemon_info (self->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
  set_port (self, port);
  host_port = kvsqld_host_port_print (parsed->host, port);
  self->url = g_strdup_printf ("%s://%s/metrics", self->certificate != NULL ? "https" : "http",
                               host_port);
  return self;
}

gboolean
kvsqld_metrics_http_renew (KvsqldMetricsHttp *self, const KvsqldMetricsFiles *files, GError **error)
{
  if (self->certificate == NULL)
    return TRUE;
  if (!load (self, files, error))
    return FALSE;
  if (self->daemon != NULL)
    MHD_stop_daemon (self->daemon);
  g_queue_clear (&self->connections);
  return start_or_fail (self, self->url, error);
}

const gchar *
kvsqld_metrics_http_get_url (const KvsqldMetricsHttp *self)
{
  return self->url;
}

void
kvsqld_metrics_http_free (KvsqldMetricsHttp *self)
{
  if (self == NULL)
    return;
  if (self->daemon != NULL)
    MHD_stop_daemon (self->daemon);
  g_queue_clear (&self->connections);
  clear_text (&self->certificate);
  clear_text (&self->key);
  g_clear_object (&self->address);
  g_free (self->url);
  g_free (self);
}

#else

gboolean
kvsqld_metrics_http_is_supported (void)
{
  return FALSE;
}

KvsqldMetricsHttp *
kvsqld_metrics_http_new (const gchar *address, const KvsqldMetricsFiles *files,
                         KvsqldMetricsText text, gpointer data, GError **error)
{
  kvsqld_metrics_http_check (address, error);
  return NULL;
}

gboolean
kvsqld_metrics_http_renew (KvsqldMetricsHttp *self, const KvsqldMetricsFiles *files, GError **error)
{
  return TRUE;
}

const gchar *
kvsqld_metrics_http_get_url (const KvsqldMetricsHttp *self)
{
  return NULL;
}

void
kvsqld_metrics_http_free (KvsqldMetricsHttp *self)
{
}

#endif
