/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * metrics-http.c: see the header.
 */
#include "config.h"

#include "daemon/monitor/metrics-http.h"

#include <gio/gio.h>

#include "daemon/net/listen.h"

static KvsqldListenAddress *
parse (const gchar *address, GError **error)
{
  g_autofree gchar *url = g_strconcat ("tcp://", address, "?auth=none&allow_insecure=true", NULL);
  g_autoptr (KvsqldListenAddress) parsed = kvsqld_listen_address_parse (url, NULL);

  if (parsed == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "\"%s\" is no address for metrics", address);
      kvsql_error_hint (error, "Write HOST:PORT, such as 127.0.0.1:9797.");
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

#ifdef HAVE_MICROHTTPD

#include <microhttpd.h>
#include <string.h>
#include <sys/socket.h>

#define MAX_CONNECTIONS 128
/* If there is one more, the oldest one is closed: a request takes milliseconds, and a client that
 * sends half of one, or byte by byte, must not block others. */
#define KEPT_CONNECTIONS 64
#define CONNECTION_BYTES (16 * 1024) /* memory of a request's head */
#define CONNECTION_SECONDS 10
#define TYPE "text/plain; version=0.0.4; charset=utf-8"

struct _KvsqldMetricsHttp
{
  struct MHD_Daemon *daemon;
  KvsqldMetricsText text;
  gpointer data;
  gchar *url;
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

/* NULL with errno set. */
static struct MHD_Daemon *
start (KvsqldMetricsHttp *self, GSocketAddress *address)
{
  struct sockaddr_storage native = { 0 };
  guint flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO;

  g_socket_address_to_native (address, &native, sizeof native, NULL);
  if (g_socket_address_get_family (address) == G_SOCKET_FAMILY_IPV6)
    flags |= MHD_USE_IPv6;
  return MHD_start_daemon (
      flags, 0, NULL, NULL, on_request, self, MHD_OPTION_SOCK_ADDR, &native,
      MHD_OPTION_CONNECTION_LIMIT, (guint)MAX_CONNECTIONS, MHD_OPTION_NOTIFY_CONNECTION,
      on_connection, self, MHD_OPTION_CONNECTION_TIMEOUT, (guint)CONNECTION_SECONDS,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_END);
}

KvsqldMetricsHttp *
kvsqld_metrics_http_new (const gchar *address, KvsqldMetricsText text, gpointer data,
                         GError **error)
{
  g_autoptr (KvsqldListenAddress) parsed = parse (address, error);
  g_autoptr (GSocketAddress) resolved = parsed == NULL ? NULL : resolve (parsed, error);
  KvsqldMetricsHttp *self;
  guint port;

  if (resolved == NULL)
    return NULL;
  self = g_new0 (KvsqldMetricsHttp, 1);
  self->text = text;
  self->data = data;
  self->daemon = start (self, resolved);
  if (self->daemon == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "could not listen for metrics on \"%s\": %s", address, g_strerror (errno));
      kvsqld_metrics_http_free (self);
      return NULL;
    }
  port = MHD_get_daemon_info (self->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
  self->url = g_strdup_printf (strchr (parsed->host, ':') != NULL ? "http://[%s]:%u/metrics"
                                                                  : "http://%s:%u/metrics",
                               parsed->host, port);
  return self;
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
kvsqld_metrics_http_new (const gchar *address, KvsqldMetricsText text, gpointer data,
                         GError **error)
{
  kvsqld_metrics_http_check (address, error);
  return NULL;
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
