/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * listener.c: see listener.h.
 *
 * Does not use GSocketService: when file descriptors run out, that loops and logs a warning each
 * time. Here a failed accept pauses the listener.
 */
#include "config.h"

#include "daemon/connections/listener.h"

#include <errno.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "core/base/error.h"
#include "daemon/net/listen.h"
#include "daemon/log/log-rate.h"
#include "daemon/log/log.h"

#define BACKLOG 4096
#define PAUSE_MS 100
#define ACCEPTED_AT_ONCE 32
#define PORT_TRIES 10

struct _KvsqldListener
{
  GSocket *socket;
  gchar *address;
  gchar *path; /* to be removed at the end; NULL if another process made the socket */
  GSource *source;
  KvsqldListenerFunc accepted;
  gpointer user_data;
  KvsqldLogRate failures;
};

gchar *
kvsqld_socket_address_to_string (GSocketAddress *address)
{
  g_autofree gchar *host = NULL;

  if (G_IS_UNIX_SOCKET_ADDRESS (address))
    {
      const gchar *path = g_unix_socket_address_get_path (G_UNIX_SOCKET_ADDRESS (address));

      return path[0] != '\0' ? g_strdup_printf ("unix://%s", path) : g_strdup ("unix:");
    }
  if (!G_IS_INET_SOCKET_ADDRESS (address))
    return g_strdup ("unknown:");
  host = g_inet_address_to_string (
      g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address)));
  return g_strdup_printf (strchr (host, ':') != NULL ? "tcp://[%s]:%u" : "tcp://%s:%u", host,
                          g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address)));
}

static gboolean
cannot_listen (const gchar *address, const gchar *cause, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                          "could not listen on %s: %s", address, cause);
}

static KvsqldListener *
listener_new (GSocket *socket)
{
  KvsqldListener *self = g_new0 (KvsqldListener, 1);
  g_autoptr (GSocketAddress) local = g_socket_get_local_address (socket, NULL);

  g_socket_set_blocking (socket, FALSE);
  self->socket = g_object_ref (socket);
  self->address = local != NULL ? kvsqld_socket_address_to_string (local) : g_strdup ("unknown:");
  return self;
}

void
kvsqld_listener_free (KvsqldListener *self)
{
  if (self == NULL)
    return;
  if (self->source != NULL)
    {
      g_source_destroy (self->source);
      g_source_unref (self->source);
    }
  g_socket_close (self->socket, NULL);
  g_object_unref (self->socket);
  if (self->path != NULL)
    g_unlink (self->path);
  g_free (self->path);
  g_free (self->address);
  g_free (self);
}

const gchar *
kvsqld_listener_get_address (KvsqldListener *self)
{
  return self->address;
}

/* ---- TCP */

static GSocket *
bind_inet (GSocketAddress *address, GError **error)
{
  g_autoptr (GSocket) socket = g_socket_new (g_socket_address_get_family (address),
                                             G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, error);

  if (socket == NULL)
    return NULL;
  if (g_socket_address_get_family (address) == G_SOCKET_FAMILY_IPV6)
    {
      GInetAddress *host = g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address));

      g_socket_set_option (socket, IPPROTO_IPV6, IPV6_V6ONLY, !g_inet_address_get_is_any (host),
                           NULL);
    }
  g_socket_set_listen_backlog (socket, BACKLOG);
  if (!g_socket_bind (socket, address, TRUE, error) || !g_socket_listen (socket, error))
    return NULL;
  return g_steal_pointer (&socket);
}

static guint16
local_port (GSocket *socket)
{
  g_autoptr (GSocketAddress) address = g_socket_get_local_address (socket, NULL);

  return address != NULL ? g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address)) : 0;
}

static GList *
resolve (const gchar *name, GError **error)
{
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (name);
  g_autoptr (GResolver) resolver = NULL;

  if (address != NULL)
    return g_list_append (NULL, g_steal_pointer (&address));
  resolver = g_resolver_get_default ();
  return g_resolver_lookup_by_name (resolver, name, NULL, error);
}

/* A machine without IPv6 has a localhost, too, and [::] then means every IPv4 address. */
static gboolean
is_about_family (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED)
         || (error->domain == G_IO_ERROR
             && error->code == (gint)g_io_error_from_errno (EADDRNOTAVAIL));
}

static GInetAddress *
ipv4_instead (GInetAddress *host)
{
  return g_inet_address_get_is_any (host) ? g_inet_address_new_any (G_SOCKET_FAMILY_IPV4) : NULL;
}

static GSocket *
bind_host (GInetAddress *host, guint16 port, GError **error)
{
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new (host, port);
  g_autoptr (GInetAddress) other = NULL;
  GError *cause = NULL;
  GSocket *socket = bind_inet (address, &cause);

  if (socket != NULL)
    return socket;
  if (g_inet_address_get_family (host) == G_SOCKET_FAMILY_IPV6 && is_about_family (cause)
      && (other = ipv4_instead (host)) != NULL)
    {
      g_autoptr (GSocketAddress) other_address = g_inet_socket_address_new (other, port);

      g_error_free (cause);
      return bind_inet (other_address, error);
    }
  g_propagate_error (error, cause);
  return NULL;
}

/* All addresses of a host get the same port, also if it is chosen by the kernel. */
static gboolean
bind_all (GList *hosts, guint16 port, GPtrArray *out, GError **error)
{
  for (GList *l = hosts; l != NULL; l = l->next)
    {
      g_autoptr (GError) cause = NULL;
      g_autoptr (GSocket) socket = bind_host (l->data, port, &cause);

      if (socket != NULL)
        {
          port = local_port (socket);
          g_ptr_array_add (out, listener_new (socket));
        }
      else if (!is_about_family (cause) || (l->next == NULL && out->len == 0))
        {
          g_propagate_error (error, g_steal_pointer (&cause));
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
open_tcp (const gchar *text, const KvsqldListenAddress *address, GPtrArray *out, GError **error)
{
  g_autoptr (GError) cause = NULL;
  GList *hosts = resolve (address->host, &cause);

  for (guint i = 0; hosts != NULL && i < PORT_TRIES; i++)
    {
      g_clear_error (&cause);
      g_ptr_array_set_size (out, 0);
      if (bind_all (hosts, address->port, out, &cause) || address->port != 0)
        break;
    }
  g_list_free_full (hosts, g_object_unref);
  return cause == NULL || cannot_listen (text, cause->message, error);
}

/* ---- UNIX sockets */

static gboolean
answers (GSocketAddress *address)
{
  g_autoptr (GSocket) socket
      = g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, NULL);
  g_autoptr (GError) cause = NULL;

  if (socket == NULL)
    return TRUE;
  /* connect() would block if the backlog is full. */
  g_socket_set_blocking (socket, FALSE);
  return g_socket_connect (socket, address, NULL, &cause)
         || !g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED);
}

/* Removes the socket of a process that has ended. */
static gboolean
clear_path (const gchar *path, GSocketAddress *address, const gchar **out_cause)
{
  GStatBuf status;

  if (g_lstat (path, &status) != 0)
    return TRUE;
  if (!S_ISSOCK (status.st_mode))
    *out_cause = "the path exists and is not a socket";
  else if (answers (address))
    *out_cause = "another process listens there";
  else if (g_unlink (path) != 0)
    *out_cause = g_strerror (errno);
  return *out_cause == NULL;
}

/* The mode is set before any client can connect. */
static GSocket *
bind_unix (GSocketAddress *address, const gchar *path, guint mode, GError **error)
{
  g_autoptr (GSocket) socket
      = g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, error);

  if (socket == NULL || !g_socket_bind (socket, address, FALSE, error))
    return NULL;
  g_socket_set_listen_backlog (socket, BACKLOG);
  if (g_chmod (path, (int)mode) != 0)
    {
      g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
      g_unlink (path);
      return NULL;
    }
  return g_socket_listen (socket, error) ? g_steal_pointer (&socket) : NULL;
}

static gboolean
open_unix (const gchar *text, const gchar *path, guint mode, GPtrArray *out, GError **error)
{
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GSocket) socket = NULL;
  g_autoptr (GError) cause = NULL;
  const gchar *obstacle = NULL;
  KvsqldListener *listener;

  if (!clear_path (path, address, &obstacle))
    return cannot_listen (text, obstacle, error);
  socket = bind_unix (address, path, mode, &cause);
  if (socket == NULL)
    return cannot_listen (text, cause->message, error);
  listener = listener_new (socket);
  listener->path = g_strdup (path);
  g_ptr_array_add (out, listener);
  return TRUE;
}

/* ---- both */

GPtrArray *
kvsqld_listener_open (const gchar *address, guint unix_mode, GError **error)
{
  g_autoptr (KvsqldListenAddress) parsed = kvsqld_listen_address_parse (address, error);
  g_autoptr (GPtrArray) listeners
      = g_ptr_array_new_with_free_func ((GDestroyNotify)kvsqld_listener_free);

  if (parsed == NULL
      || !(parsed->path != NULL ? open_unix (address, parsed->path, unix_mode, listeners, error)
                                : open_tcp (address, parsed, listeners, error)))
    return NULL;
  return g_steal_pointer (&listeners);
}

KvsqldListener *
kvsqld_listener_new_from_fd (gint fd, GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autoptr (GSocket) socket = g_socket_new_from_fd (fd, &cause);
  gint is_listening = 0;

  if (socket == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "file descriptor %d is not a socket: %s", fd, cause->message);
      return NULL;
    }
  if (!g_socket_get_option (socket, SOL_SOCKET, SO_ACCEPTCONN, &is_listening, NULL)
      || !is_listening)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "file descriptor %d is not a listening socket", fd);
      return NULL;
    }
  return listener_new (socket);
}

/* ---- accepting */

static gboolean on_ready (GSocket *socket, GIOCondition condition, gpointer user_data);

static void
attach (KvsqldListener *self, GSource *source, GSourceFunc function)
{
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();

  if (self->source != NULL)
    {
      g_source_destroy (self->source);
      g_source_unref (self->source);
    }
  self->source = source;
  g_source_set_callback (source, function, self, NULL);
  g_source_attach (source, context);
}

static gboolean
on_pause_over (gpointer user_data)
{
  KvsqldListener *self = user_data;

  attach (self, g_socket_create_source (self->socket, G_IO_IN, NULL), G_SOURCE_FUNC (on_ready));
  return G_SOURCE_REMOVE;
}

static void
log_failure (KvsqldListener *self, const GError *error)
{
  g_autofree gchar *note = NULL;

  if (kvsqld_log_rate_admit (&self->failures, g_get_monotonic_time (), &note))
    kvsqld_log (G_LOG_LEVEL_MESSAGE, NULL, "could not accept a connection on %s: %s%s",
                self->address, error->message, note);
}

/* After some connections other listeners are served. */
static gboolean
on_ready (GSocket *socket, GIOCondition condition, gpointer user_data)
{
  KvsqldListener *self = user_data;

  for (guint i = 0; i < ACCEPTED_AT_ONCE; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GSocket) connection = g_socket_accept (socket, NULL, &error);

      if (connection != NULL)
        {
          self->accepted (connection, self->user_data);
          continue;
        }
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK)
          || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED))
        return G_SOURCE_CONTINUE;
      log_failure (self, error);
      attach (self, g_timeout_source_new (PAUSE_MS), on_pause_over);
      return G_SOURCE_REMOVE;
    }
  return G_SOURCE_CONTINUE;
}

void
kvsqld_listener_start (KvsqldListener *self, KvsqldListenerFunc accepted, gpointer user_data)
{
  g_return_if_fail (self != NULL && self->source == NULL);

  self->accepted = accepted;
  self->user_data = user_data;
  on_pause_over (self);
}
