/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pool-keeper.c: the thread that does what is due although nobody asks for a connection: probes of
 * gateways that failed, and the end of connections that nobody has used for long.
 *
 * A Thrift2 server closes a connection from which it has read nothing for 60 s; a request written
 * at that very moment may or may not be done. So they are closed here well before.
 */
#include "config.h"

#include "daemon/stores/hbase/pool-private.h"

/* Takes out the connections that were used last before @limit_us; returns when the next one will
 * have been idle for too long. Lock held. */
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

/* The gateway whose probe is due, or -1; *@until_us is brought forward to the first probe that is
 * not due yet. Lock held. */
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

/* Lock held; given up meanwhile. */
static void
probe (KvsqldT2Pool *self, gint index)
{
  KvsqldT2Gateway *gateway = &self->gateways[index];
  const KvsqlCall call = { .cancellable = self->ended };
  KvsqldT2Connection *connection;

  gateway->health.is_probed = TRUE;
  gateway->n_busy++;
  g_mutex_unlock (&self->lock);
  connection = _kvsqld_t2_pool_open (self, index, &call, NULL);
  g_mutex_lock (&self->lock);
  gateway->health.is_probed = FALSE;
  if (connection != NULL)
    _kvsqld_t2_pool_keep (self, gateway, connection);
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
