/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pool-connections.c: opens connections of the pool, ends their use, and records failures of
 * gateways.
 */
#include "config.h"

#include "daemon/stores/hbase/pool-private.h"
#include "daemon/stores/hbase/transport.h"

void
_kvsqld_t2_pool_wake_keeper (KvsqldT2Pool *self)
{
  g_cond_signal (&self->due);
}

void
_kvsqld_t2_pool_forget (KvsqldT2Gateway *gateway, const KvsqldT2Connection *connection)
{
  guint64 serial = kvsqld_t2_connection_get_serial (connection);

  for (guint i = 0; i < gateway->live->len; i++)
    if (g_array_index (gateway->live, guint64, i) == serial)
      {
        g_array_remove_index_fast (gateway->live, i);
        return;
      }
}

/* Mostly no caller waits, and a broadcast would be a useless system call. Lock held. */
void
_kvsqld_t2_pool_note_change (KvsqldT2Pool *self)
{
  if (self->n_waiting > 0)
    g_cond_broadcast (&self->changed);
}

void
_kvsqld_t2_pool_keep (KvsqldT2Pool *self, KvsqldT2Gateway *gateway, KvsqldT2Connection *connection)
{
  gateway->n_busy--;
  g_queue_push_head (&gateway->idle, connection);
  /* The keeper sleeps for ever if there is no connection that it will have to close. */
  if (self->keeper_until_us == G_MAXINT64)
    _kvsqld_t2_pool_wake_keeper (self);
  _kvsqld_t2_pool_note_change (self);
}

void
_kvsqld_t2_pool_drop (KvsqldT2Pool *self, KvsqldT2Gateway *gateway,
                      const KvsqldT2Connection *connection)
{
  gateway->n_busy--;
  if (connection != NULL)
    _kvsqld_t2_pool_forget (gateway, connection);
  _kvsqld_t2_pool_note_change (self);
}

void
_kvsqld_t2_pool_release (KvsqldT2Pool *self, gint gateway, KvsqldT2Connection *connection)
{
  g_mutex_lock (&self->lock);
  _kvsqld_t2_pool_drop (self, &self->gateways[gateway], connection);
  g_mutex_unlock (&self->lock);
  kvsqld_t2_connection_free (connection);
}

void
_kvsqld_t2_pool_note_unserved (KvsqldT2Pool *self, gint index, const GError *error)
{
  g_mutex_lock (&self->lock);
  kvsqld_t2_health_fail (&self->gateways[index].health, g_get_monotonic_time (), error);
  _kvsqld_t2_pool_wake_keeper (self);
  g_mutex_unlock (&self->lock);
}

/* @probed_us: when the attempt to reach it began that has failed; 0: a request has failed.
 * Its idle connections are as suspect as the one that failed: each might cost a caller a
 * timeout. */
static void
note_failure (KvsqldT2Pool *self, gint index, gint64 probed_us, const GError *error)
{
  KvsqldT2Gateway *gateway = &self->gateways[index];
  gint64 now_us = g_get_monotonic_time ();
  GQueue suspect;

  g_mutex_lock (&self->lock);
  if (probed_us > 0)
    kvsqld_t2_health_fail_probe (&gateway->health, probed_us, now_us, g_random_int (), error);
  else
    kvsqld_t2_health_fail (&gateway->health, now_us, error);
  suspect = gateway->idle;
  g_queue_init (&gateway->idle);
  for (GList *i = suspect.head; i != NULL; i = i->next)
    _kvsqld_t2_pool_forget (gateway, i->data);
  _kvsqld_t2_pool_wake_keeper (self);
  _kvsqld_t2_pool_note_change (self);
  g_mutex_unlock (&self->lock);
  g_queue_clear_full (&suspect, (GDestroyNotify)kvsqld_t2_connection_free);
}

void
_kvsqld_t2_pool_note_failure (KvsqldT2Pool *self, gint index, const GError *error)
{
  note_failure (self, index, 0, error);
}

/* ---- opening */

/* A caller with little time proves little about the gateway, a cancelled one nothing. */
static void
note_failure_to_open (KvsqldT2Pool *self, gint gateway, gint64 begun_us, const KvsqlCall *call,
                      const GError *error)
{
  if (g_cancellable_is_cancelled (call->cancellable))
    return;
  note_failure (self, gateway,
                g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE) ? 0 : begun_us, error);
}

gboolean
kvsqld_t2_pool_get_transport (KvsqldT2Pool *self, KvsqldT2Transport *out_transport)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  *out_transport = self->transport;
  return self->candidates == kvsqld_t2_transport_bit (self->transport);
}

/* Adds a hint which transport a gateway uses that has closed the connection, if that can be found
 * out. */
static void
hint_transport (const KvsqldT2Endpoint *endpoint, const KvsqldT2Settings *settings,
                const KvsqlCall *call, GError **error)
{
  guint others = KVSQLD_T2_ALL_TRANSPORTS & ~kvsqld_t2_transport_bit (settings->transport);
  KvsqldT2Transport spoken = settings->transport;
  G_GNUC_UNUSED g_autoptr (KvsqldT2Connection) other
      = kvsqld_t2_detect (endpoint, settings, others, call, &spoken, NULL);
  g_autofree gchar *right = kvsqld_t2_transport_print (spoken);
  g_autofree gchar *wrong = kvsqld_t2_transport_print (settings->transport);

  if (strcmp (right, wrong) != 0)
    kvsql_error_hint (
        error,
        "It speaks %s: put that into the store's URL instead of %s, or omit it to have it "
        "detected.",
        right, wrong);
  else if (settings->transport.carrier != KVSQLD_T2_SOCKET)
    kvsql_error_hint (error, "Check %s in the store's URL: the server's transport is unknown.",
                      wrong);
  else
    kvsql_error_hint (error,
                      "Check %s in the store's URL: the server uses framing with -f or "
                      "-threadedselector, compact with -c, else neither.",
                      wrong);
}

static KvsqldT2Connection *
open_in_transport (KvsqldT2Pool *self, gint gateway, const KvsqldT2Settings *settings,
                   const KvsqlCall *call, GError **error)
{
  const KvsqldT2Endpoint *endpoint = self->gateways[gateway].endpoint;
  g_autoptr (KvsqldT2Connection) connection
      = kvsqld_t2_connection_open (endpoint, settings, call, error);
  KvsqldT2ProbeResult result;
  gboolean is_verified, is_known_broken;

  if (connection == NULL)
    return NULL;
  g_mutex_lock (&self->lock);
  is_verified = self->gateways[gateway].health.is_verified;
  is_known_broken = self->gateways[gateway].health.last_error != NULL;
  g_mutex_unlock (&self->lock);
  result
      = is_verified ? KVSQLD_T2_PROBE_PASSED : kvsqld_t2_connection_probe (connection, call, error);
  if (result == KVSQLD_T2_PROBE_PASSED)
    return g_steal_pointer (&connection);
  /* Once is enough: it costs the gateway some connections. */
  if (!is_known_broken && g_error_matches (*error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE)
      && kvsql_error_get_hint (*error) == NULL)
    hint_transport (endpoint, settings, call, error);
  return NULL;
}

static KvsqldT2Connection *
open_in_any_transport (KvsqldT2Pool *self, gint gateway, const KvsqldT2Settings *settings,
                       const KvsqlCall *call, GError **error)
{
  KvsqldT2Transport transport;
  KvsqldT2Connection *connection = kvsqld_t2_detect (self->gateways[gateway].endpoint, settings,
                                                     settings->candidates, call, &transport, error);

  if (connection == NULL)
    return NULL;
  g_mutex_lock (&self->lock);
  self->transport = transport;
  self->candidates = kvsqld_t2_transport_bit (transport);
  g_mutex_unlock (&self->lock);
  return connection;
}

KvsqldT2Connection *
_kvsqld_t2_pool_open (KvsqldT2Pool *self, gint gateway, const KvsqlCall *call, GError **error)
{
  gint64 begun_us = g_get_monotonic_time ();
  KvsqldT2Settings settings = self->settings;
  gboolean is_known = kvsqld_t2_pool_get_transport (self, &settings.transport);
  KvsqldT2Connection *connection;
  GError *failure = NULL;

  connection = is_known ? open_in_transport (self, gateway, &settings, call, &failure)
                        : open_in_any_transport (self, gateway, &settings, call, &failure);
  /* A gateway that keeps no connections open closes this one after its probe. */
  if (connection != NULL && !kvsqld_t2_connection_is_usable (connection))
    {
      kvsqld_t2_connection_free (connection);
      kvsqld_t2_pool_get_transport (self, &settings.transport);
      connection
          = kvsqld_t2_connection_open (self->gateways[gateway].endpoint, &settings, call, &failure);
    }
  if (connection != NULL)
    {
      guint64 serial = kvsqld_t2_connection_get_serial (connection);

      g_mutex_lock (&self->lock);
      g_array_append_val (self->gateways[gateway].live, serial);
      kvsqld_t2_health_pass_probe (&self->gateways[gateway].health, g_get_monotonic_time ());
      _kvsqld_t2_pool_note_change (self);
      g_mutex_unlock (&self->lock);
      return connection;
    }
  note_failure_to_open (self, gateway, begun_us, call, failure);
  _kvsqld_t2_pool_release (self, gateway, NULL);
  g_propagate_error (error, failure);
  return NULL;
}
