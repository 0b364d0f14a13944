/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connect.c: tries the hosts in turn. A channel counts only after a kvsqld has answered on it.
 */
#include "config.h"

#include "client/connect.h"

#include "client/connection-calls.h"
#include "client/error-private.h"
#include "client/login.h"

#define CONNECT_TIMEOUT_US (10 * G_TIME_SPAN_SECOND)

static gboolean
greet (KvsqlChannel *channel, gint64 deadline, GCancellable *cancellable, GError **error)
{
  KvsqlServerInfo *info = NULL;
  KvsqlMessageCall hello = _kvsql_call_hello (&info);
  KvsqlMessageOutcome outcome = _kvsql_channel_call (channel, &hello, deadline, cancellable, error);

  g_clear_pointer (&info, _kvsql_server_info_release);
  if (outcome == KVSQL_MESSAGE_DONE)
    return TRUE;
  if (error != NULL && (*error)->domain == KVSQL_CLIENT_ERROR && outcome != KVSQL_MESSAGE_REFUSED)
    {
      g_prefix_error (error, "no kvsqld answers at \"%s\": ", channel->peer);
      _kvsql_client_error_recode (*error, KVSQL_CLIENT_ERROR_UNAVAILABLE);
    }
  return FALSE;
}

/* The password of the URI, or that of the password file. (transfer full) (nullable) */
static gchar *
find_password (const KvsqlUri *uri, guint host)
{
  GSocketConnectable *address = g_ptr_array_index (uri->hosts, host);
  g_autofree gchar *port = NULL;

  if (uri->password != NULL)
    return g_strdup (uri->password);
  if (!G_IS_NETWORK_ADDRESS (address))
    return _kvsql_password_file_find ("localhost", "", uri->user);
  port = g_strdup_printf ("%u", g_network_address_get_port (G_NETWORK_ADDRESS (address)));
  return _kvsql_password_file_find (g_network_address_get_hostname (G_NETWORK_ADDRESS (address)),
                                    port, uri->user);
}

gboolean
_kvsql_connect_needs_password (const KvsqlUri *uri)
{
  g_autofree gchar *password = uri->user != NULL ? find_password (uri, 0) : NULL;

  if (password != NULL)
    explicit_bzero (password, strlen (password));
  return uri->user != NULL && password == NULL;
}

/* Without a user in the URI there is nothing to do. */
static gboolean
log_in (KvsqlChannel *channel, const KvsqlUri *uri, guint host, gint64 deadline,
        GCancellable *cancellable, GError **error)
{
  g_autofree gchar *password = uri->user != NULL ? find_password (uri, host) : NULL;
  KvsqlMessageOutcome outcome;

  if (uri->user == NULL)
    return TRUE;
  if (password == NULL)
    {
      _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_AUTHENTICATION,
                               "there is no password for user \"%s\"", uri->user);
      return _kvsql_client_error_hint (error, "It is in the URI, or in the file ~/.kvsqlpass.");
    }
  outcome = _kvsql_login (channel, uri->user, password, deadline, cancellable, error);
  explicit_bzero (password, strlen (password));
  return outcome == KVSQL_MESSAGE_DONE;
}

static void
set_needs_tls (const gchar *peer, GError **error)
{
  _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_UNAVAILABLE,
                           "could not talk to kvsqld at \"%s\": it expects TLS", peer);
  _kvsql_client_error_hint (error, "Write kvsqls:// instead of kvsql://.");
}

static KvsqlChannel *
open_host (const KvsqlUri *uri, guint host, gint64 deadline, GCancellable *cancellable,
           GError **error)
{
  g_autoptr (KvsqlChannel) channel = _kvsql_channel_open (uri, host, deadline, cancellable, error);

  g_autoptr (GError) cause = NULL;

  if (channel == NULL)
    return NULL;
  if (log_in (channel, uri, host, deadline, cancellable, &cause)
      && greet (channel, deadline, cancellable, &cause))
    return g_steal_pointer (&channel);
  if (_kvsql_channel_has_met_tls (channel))
    set_needs_tls (channel->peer, error);
  else
    g_propagate_error (error, g_steal_pointer (&cause));
  return NULL;
}

KvsqlChannel *
_kvsql_connect (const KvsqlUri *uri, guint *host, gint64 deadline, GCancellable *cancellable,
                GError **error)
{
  guint n = uri->hosts->len;
  g_autoptr (GError) first = NULL;

  for (guint i = 0; i < n; i++)
    {
      guint tried = (*host + i) % n;
      gint64 now = g_get_monotonic_time ();
      gint64 share = MIN ((deadline - now) / (n - i), CONNECT_TIMEOUT_US);
      g_autoptr (GError) cause = NULL;
      KvsqlChannel *channel = open_host (uri, tried, now + share, cancellable, &cause);

      if (channel != NULL)
        {
          *host = tried;
          return channel;
        }
      if (first == NULL || cause->domain == G_IO_ERROR)
        {
          g_clear_error (&first);
          first = g_steal_pointer (&cause);
        }
      if (first->domain == G_IO_ERROR)
        break;
    }
  if (n > 1 && first->domain == KVSQL_CLIENT_ERROR)
    g_prefix_error (&first, "none of %u hosts answers; ", n);
  g_propagate_error (error, g_steal_pointer (&first));
  return NULL;
}
