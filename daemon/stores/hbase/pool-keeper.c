/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pool-keeper.c: the pool's thread, for work that is due without a caller: probes of failed
 * gateways, and the closing of connections that were unused for long.
 *
 * A Thrift2 server closes a connection from which it has read nothing for 60 s; a request sent at
 * that very moment may or may not be done. So connections are closed here well before.
 */
#include "config.h"

#include "daemon/stores/hbase/pool-private.h"
#include "daemon/stores/hbase/read-probe.h"

/* Removes the connections that were last used before @limit_us. Returns when the next one will be
 * due. Lock held. */
static gint64
take_expired (KvsqldT2Pool *self, gint64 limit_us, GQueue *expired)
{
  gint64 oldest = G_MAXINT64;

  for (guint i = 0; i < self->n_gateways; i++)
    {
      GQueue *idle = &self->gateways[i].idle;
      KvsqldT2Connection *last;

      while ((last = g_queue_peek_tail (idle)) != NULL
             && kvsqld_t2_connection_get_used (last) <= limit_us)
        {
          _kvsqld_t2_pool_forget (&self->gateways[i], last);
          g_queue_push_tail (expired, g_queue_pop_tail (idle));
        }
      if (last != NULL)
        oldest = MIN (oldest, kvsqld_t2_connection_get_used (last) + self->settings.idle_us);
    }
  return oldest;
}

/* Returns the gateway whose probe is due, or -1; lowers *@until_us to the time of the first probe
 * that is not due yet. Lock held. */
static gint
find_probe (KvsqldT2Pool *self, gint64 now_us, gint64 *until_us)
{
  for (guint i = 0; i < self->n_gateways; i++)
    {
      const KvsqldT2Health *health = &self->gateways[i].health;

      if (health->state == KVSQLD_T2_HEALTHY || health->is_probed)
        continue;
      if (health->probe_us <= now_us)
        return (gint)i;
      *until_us = MIN (*until_us, health->probe_us);
    }
  return -1;
}

/* Reads from HBase on @connection, and records the result. Returns the connection; NULL if HBase
 * did not answer, because then it is not kept. The lock is not held. */
static KvsqldT2Connection *
probe_hbase (KvsqldT2Pool *self, KvsqldT2Gateway *gateway, const KvsqlCall *call,
             KvsqldT2Connection *connection)
{
  gint64 begun_us = g_get_monotonic_time ();
  gint64 limit_us
      = begun_us + MIN (self->settings.reply_timeout_us, self->settings.connect_timeout_us);
  g_autoptr (GError) failure = NULL;
  gboolean is_served = kvsqld_t2_read_probe (connection, limit_us, call, &failure);
  gint64 now_us = g_get_monotonic_time ();
  /* The connection was lost, which says nothing about HBase: callers may try this gateway again. */
  gboolean is_lost
      = !is_served && now_us < limit_us && !kvsqld_t2_connection_is_usable (connection);

  g_mutex_lock (&self->lock);
  if (is_served)
    kvsqld_t2_health_pass_read (&gateway->health, now_us);
  else if (!self->is_ended && is_lost)
    kvsqld_t2_health_fail_probe (&gateway->health, begun_us, now_us, g_random_int (), failure);
  else if (!self->is_ended)
    kvsqld_t2_health_fail_read (&gateway->health, now_us, g_random_int (), failure);
  if (!is_served)
    _kvsqld_t2_pool_drop (self, gateway, connection);
  g_mutex_unlock (&self->lock);
  if (is_served)
    return connection;
  kvsqld_t2_connection_free (connection);
  return NULL;
}

/* Lock held; released during the probe. */
static void
probe (KvsqldT2Pool *self, gint index)
{
  KvsqldT2Gateway *gateway = &self->gateways[index];
  gboolean must_read = kvsqld_t2_health_must_read (&gateway->health);
  const KvsqlCall call = { .cancellable = self->ended };
  KvsqldT2Connection *connection;

  gateway->health.is_probed = TRUE;
  gateway->n_busy++;
  g_mutex_unlock (&self->lock);
  connection = _kvsqld_t2_pool_open (self, index, &call, NULL);
  if (connection != NULL && must_read)
    connection = probe_hbase (self, gateway, &call, connection);
  g_mutex_lock (&self->lock);
  gateway->health.is_probed = FALSE;
  if (connection != NULL)
    _kvsqld_t2_pool_keep (self, gateway, connection);
  else
    /* Callers that arrived since the probe failed wait until they may try. */
    _kvsqld_t2_pool_note_change (self);
}

gpointer
_kvsqld_t2_pool_keep_up (gpointer data)
{
  KvsqldT2Pool *self = data;

  g_mutex_lock (&self->lock);
  while (!self->is_ended)
    {
      gint64 now_us = g_get_monotonic_time ();
      GQueue expired = G_QUEUE_INIT;
      gint64 until_us = take_expired (self, now_us - self->settings.idle_us, &expired);
      gint due = find_probe (self, now_us, &until_us);

      if (!g_queue_is_empty (&expired))
        {
          g_mutex_unlock (&self->lock);
          g_queue_clear_full (&expired, (GDestroyNotify)kvsqld_t2_connection_free);
          g_mutex_lock (&self->lock);
        }
      else if (due >= 0)
        probe (self, due);
      else
        {
          self->keeper_until_us = until_us;
          g_cond_wait_until (&self->due, &self->lock, until_us);
          self->keeper_until_us = 0;
        }
    }
  g_mutex_unlock (&self->lock);
  return NULL;
}
