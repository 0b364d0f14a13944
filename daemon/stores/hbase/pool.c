/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pool.c: chooses a gateway and gives out connections.
 */
#include "config.h"

#include "daemon/net/host-port.h"
#include "daemon/stores/hbase/pool-private.h"
#include "daemon/stores/hbase/transport.h"

/* If all gateways are broken, the time between two attempts to reach one of them. */
#define RETRY_SPACING_US (G_USEC_PER_SEC / 10)

KvsqldT2Endpoint *
kvsqld_t2_endpoint_new (const gchar *host, guint16 port)
{
  KvsqldT2Endpoint *self = g_new0 (KvsqldT2Endpoint, 1);

  self->host = g_strdup (host);
  self->port = port;
  self->address = kvsqld_host_port_print (host, port);
  return self;
}

void
kvsqld_t2_endpoint_free (KvsqldT2Endpoint *self)
{
  if (self == NULL)
    return;
  g_free (self->host);
  g_free (self->address);
  g_free (self);
}

KvsqldT2Pool *
kvsqld_t2_pool_new (GPtrArray *endpoints, const KvsqldT2Settings *settings)
{
  KvsqldT2Pool *self = g_new0 (KvsqldT2Pool, 1);

  self->settings = *settings;
  self->transport = settings->transport;
  self->candidates = settings->candidates;
  self->n_gateways = endpoints->len;
  self->gateways = g_new0 (KvsqldT2Gateway, endpoints->len);
  for (guint i = 0; i < endpoints->len; i++)
    {
      self->gateways[i].endpoint = g_ptr_array_index (endpoints, i);
      g_queue_init (&self->gateways[i].idle);
      self->gateways[i].live = g_array_new (FALSE, FALSE, sizeof (guint64));
      kvsqld_t2_health_init (&self->gateways[i].health);
    }
  g_ptr_array_set_free_func (endpoints, NULL);
  g_ptr_array_unref (endpoints);
  self->ended = g_cancellable_new ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_cond_init (&self->due);
  /* lives as long as the pool, and waits most of the time */
  self->keeper = g_thread_new ("hbase-pool", _kvsqld_t2_pool_keep_up, self);
  return self;
}

void
kvsqld_t2_pool_free (KvsqldT2Pool *self)
{
  if (self == NULL)
    return;
  g_cancellable_cancel (self->ended);
  g_mutex_lock (&self->lock);
  self->is_ended = TRUE;
  g_cond_signal (&self->due);
  g_mutex_unlock (&self->lock);
  g_thread_join (self->keeper);
  for (guint i = 0; i < self->n_gateways; i++)
    {
      g_queue_clear_full (&self->gateways[i].idle, (GDestroyNotify)kvsqld_t2_connection_free);
      g_array_unref (self->gateways[i].live);
      kvsqld_t2_health_clear (&self->gateways[i].health);
      kvsqld_t2_endpoint_free (self->gateways[i].endpoint);
    }
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_cond_clear (&self->due);
  g_object_unref (self->ended);
  g_free (self->gateways);
  g_free (self);
}

guint
kvsqld_t2_pool_get_size (const KvsqldT2Pool *self)
{
  return self->n_gateways;
}

/* ---- choosing */

typedef enum
{
  CHOICE_MADE,
  CHOICE_TO_COME, /* later; *until_us is when to choose again at the latest */
  CHOICE_NONE,    /* each gateway was tried since the caller arrived, and failed */
} Choice;

static gboolean
has_room (const KvsqldT2Pool *self, const KvsqldT2Gateway *gateway)
{
  return gateway->n_busy < self->settings.max_connections
         && gateway->n_busy
                < kvsqld_t2_health_get_allowance (&gateway->health, g_get_monotonic_time ());
}

/* Power of two choices: of two random gateways, the one with fewer running requests. That is almost
 * as good as the best of all, and many callers do not choose the same one. Lock held. Returns -1 if
 * no gateway in @state has room. */
static gint
choose_in_state (KvsqldT2Pool *self, KvsqldT2State state)
{
  guint32 random = g_random_int ();
  gint chosen = -1;
  guint n = 0, first, second;

  for (guint i = 0; i < self->n_gateways; i++)
    n += self->gateways[i].health.state == state && has_room (self, &self->gateways[i]);
  if (n == 0)
    return -1;
  first = (random & 0xffff) % n;
  second = n > 1 ? (first + 1 + (random >> 16) % (n - 1)) % n : first;
  for (guint i = 0, seen = 0; i < self->n_gateways; i++)
    {
      if (self->gateways[i].health.state != state || !has_room (self, &self->gateways[i]))
        continue;
      if ((seen == first || seen == second)
          && (chosen < 0 || self->gateways[i].n_busy < self->gateways[chosen].n_busy))
        chosen = (gint)i;
      seen++;
    }
  return chosen;
}

/* If no gateway is usable: the broken one whose last attempt was the longest ago, if that is long
 * enough. A stalled one is left to its probe, which waits longer than callers should. Lock held. */
static Choice
choose_broken (KvsqldT2Pool *self, gint64 begun_us, gint *out_gateway, gint64 *until_us)
{
  gint64 now_us = g_get_monotonic_time ();
  gboolean can_retry = FALSE;
  gint oldest = -1;

  for (guint i = 0; i < self->n_gateways; i++)
    {
      const KvsqldT2Health *health = &self->gateways[i].health;

      if (health->state != KVSQLD_T2_FAULTY)
        continue;
      can_retry |= health->tried_us < begun_us;
      if (!health->is_probed && health->tried_us < begun_us
          && (oldest < 0 || health->tried_us < self->gateways[oldest].health.tried_us))
        oldest = (gint)i;
    }
  if (!can_retry)
    return CHOICE_NONE;
  if (oldest < 0)
    return CHOICE_TO_COME;
  if (self->gateways[oldest].health.tried_us + RETRY_SPACING_US > now_us)
    {
      *until_us = MIN (*until_us, self->gateways[oldest].health.tried_us + RETRY_SPACING_US);
      return CHOICE_TO_COME;
    }
  *out_gateway = oldest;
  return CHOICE_MADE;
}

static gboolean
is_usable (const KvsqldT2Gateway *gateway)
{
  return gateway->health.state == KVSQLD_T2_HEALTHY || gateway->health.state == KVSQLD_T2_SUSPECT;
}

/* Lock held. */
static gboolean
is_away (const KvsqldT2Pool *self)
{
  for (guint i = 0; i < self->n_gateways; i++)
    if (is_usable (&self->gateways[i]))
      return FALSE;
  return TRUE;
}

gboolean
kvsqld_t2_pool_is_away (KvsqldT2Pool *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return is_away (self);
}

/* Lock held. */
static Choice
choose (KvsqldT2Pool *self, gint64 begun_us, gint *out_gateway, gint64 *until_us)
{
  if (is_away (self))
    return choose_broken (self, begun_us, out_gateway, until_us);
  *out_gateway = choose_in_state (self, KVSQLD_T2_HEALTHY);
  if (*out_gateway < 0)
    *out_gateway = choose_in_state (self, KVSQLD_T2_SUSPECT);
  if (*out_gateway >= 0)
    return CHOICE_MADE;
  /* A gateway that has just recovered will be allowed more requests soon, whether or not it
   * answers. */
  for (guint i = 0; i < self->n_gateways; i++)
    if (is_usable (&self->gateways[i]) && self->gateways[i].n_busy < self->settings.max_connections)
      *until_us = MIN (*until_us, g_get_monotonic_time () + KVSQLD_T2_ALLOWANCE_STEP_US);
  return CHOICE_TO_COME;
}

static gboolean
has_choice (const KvsqldT2Pool *self)
{
  guint n = 0;

  for (guint i = 0; i < self->n_gateways; i++)
    n += self->gateways[i].health.state == KVSQLD_T2_HEALTHY;
  return n > 1;
}

gint64
kvsqld_t2_pool_limit_attempt (KvsqldT2Pool *self, const KvsqlCall *call)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  gint64 now_us = g_get_monotonic_time ();

  if (call->deadline_us <= now_us || !has_choice (self))
    return call->deadline_us;
  return now_us + (call->deadline_us - now_us) / 2;
}

/* ---- taking and returning connections */

static gboolean
is_over (const KvsqlCall *call)
{
  return g_cancellable_is_cancelled (call->cancellable)
         || (call->deadline_us > 0 && g_get_monotonic_time () >= call->deadline_us);
}

static void
fail_to_wait (KvsqldT2Pool *self, const KvsqlCall *call, GError **error)
{
  guint n = self->n_gateways * self->settings.max_connections;

  if (is_over (call))
    kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE,
                     "gave up waiting for one of %u connections to HBase", n);
  else
    kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                     "all %u connections to HBase stay in use", n);
  kvsql_error_hint (error, "Give the store's URL a larger pool=.");
}

/* Lock held. */
static void
fail_for_stalled (const KvsqldT2Gateway *gateway, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "HBase does not answer: %u requests in a row through the Thrift server at %s "
                   "had no answer; the last failure: %s",
                   gateway->health.n_unanswered, gateway->endpoint->address,
                   gateway->health.last_error->message);
  kvsql_error_hint (error, "The Thrift server itself answers: check HBase's region servers, "
                           "master and ZooKeeper. kvsqld continues as soon as HBase does.");
}

/* Fails with the last error of the gateway that was tried last. Lock held. */
static void
fail_for_all (KvsqldT2Pool *self, GError **error)
{
  const KvsqldT2Gateway *last = &self->gateways[0];
  const gchar *hint;

  for (guint i = 1; i < self->n_gateways; i++)
    if (self->gateways[i].health.tried_us > last->health.tried_us)
      last = &self->gateways[i];
  if (last->health.state == KVSQLD_T2_STALLED)
    {
      fail_for_stalled (last, error);
      return;
    }
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE, "%s",
                   last->health.last_error->message);
  hint = kvsql_error_get_hint (last->health.last_error);
  if (hint != NULL)
    kvsql_error_hint (error, "%s", hint);
}

/* The right to use one connection of a gateway. The gateway counts it as busy. */
typedef struct
{
  gint gateway;
  KvsqldT2Connection *connection; /* nullable: an idle connection */
  gboolean is_probe;              /* of a broken gateway: no other caller may try it now */
} Slot;

/* Returns the last used idle connection, preferably one without an open scanner. NULL: there is
 * none, or all have scanners and one more may be opened. Lock held, and the caller is counted as
 * busy. */
static KvsqldT2Connection *
pop_idle (KvsqldT2Pool *self, KvsqldT2Gateway *gateway)
{
  GList *best = gateway->idle.head;
  KvsqldT2Connection *connection;

  for (GList *i = best; i != NULL && kvsqld_t2_connection_get_n_scanners (best->data) > 0;
       i = i->next)
    if (kvsqld_t2_connection_get_n_scanners (i->data)
        < kvsqld_t2_connection_get_n_scanners (best->data))
      best = i;
  if (best == NULL
      || (kvsqld_t2_connection_get_n_scanners (best->data) > 0
          && gateway->idle.length + gateway->n_busy <= self->settings.max_connections))
    return NULL;
  connection = best->data;
  g_queue_delete_link (&gateway->idle, best);
  return connection;
}

/* Lock held. */
static void
fill_slot (KvsqldT2Pool *self, Slot *slot)
{
  KvsqldT2Gateway *gateway = &self->gateways[slot->gateway];

  gateway->n_busy++;
  slot->connection = pop_idle (self, gateway);
  /* An idle connection from before the gateway broke proves nothing. Only the caller that opens one
   * ends the probe. */
  slot->is_probe = slot->connection == NULL && gateway->health.state == KVSQLD_T2_FAULTY;
  gateway->health.is_probed |= slot->is_probe;
}

/* FALSE: the time is over. Lock held. */
static gboolean
await_change (KvsqldT2Pool *self, gint64 until_us)
{
  gboolean is_woken;

  self->n_waiting++;
  is_woken = g_cond_wait_until (&self->changed, &self->lock, until_us);
  self->n_waiting--;
  return is_woken;
}

static gint64
limit_wait (const KvsqldT2Pool *self, gint64 begun_us, const KvsqlCall *call)
{
  gint64 limit_us = begun_us + self->settings.reply_timeout_us;

  return call->deadline_us > 0 ? MIN (limit_us, call->deadline_us) : limit_us;
}

static gboolean
take_slot (KvsqldT2Pool *self, gint64 begun_us, const KvsqlCall *call, Slot *slot, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  gint64 limit_us = limit_wait (self, begun_us, call);

  while (!is_over (call) && g_get_monotonic_time () < limit_us)
    {
      gint64 until_us = limit_us;
      Choice choice = choose (self, begun_us, &slot->gateway, &until_us);

      if (choice == CHOICE_MADE)
        {
          fill_slot (self, slot);
          return TRUE;
        }
      if (choice == CHOICE_NONE)
        {
          fail_for_all (self, error);
          return FALSE;
        }
      await_change (self, until_us);
    }
  if (is_away (self) && !is_over (call))
    fail_for_all (self, error);
  else
    fail_to_wait (self, call, error);
  return FALSE;
}

static KvsqldT2Connection *
open_in_slot (KvsqldT2Pool *self, const Slot *slot, const KvsqlCall *call, GError **error)
{
  KvsqlCall attempt = *call;
  KvsqldT2Connection *connection;

  attempt.deadline_us = kvsqld_t2_pool_limit_attempt (self, call);
  connection = _kvsqld_t2_pool_open (self, slot->gateway, &attempt, error);
  if (!slot->is_probe)
    return connection;
  g_mutex_lock (&self->lock);
  self->gateways[slot->gateway].health.is_probed = FALSE;
  _kvsqld_t2_pool_note_change (self);
  g_mutex_unlock (&self->lock);
  return connection;
}

static KvsqldT2Connection *
take_any (KvsqldT2Pool *self, const KvsqlCall *call, gint *out_gateway, GError **error)
{
  gint64 begun_us = g_get_monotonic_time ();
  g_autoptr (GError) failure = NULL;
  Slot slot = { 0 };

  while (take_slot (self, begun_us, call, &slot, failure == NULL ? &failure : NULL))
    {
      *out_gateway = slot.gateway;
      if (slot.connection == NULL)
        {
          g_clear_error (&failure);
          slot.connection = open_in_slot (self, &slot, call, &failure);
          if (slot.connection != NULL)
            return slot.connection;
          continue;
        }
      if (kvsqld_t2_connection_is_usable (slot.connection))
        return slot.connection;
      /* Closed while it was idle: the gateway may have been restarted. */
      _kvsqld_t2_pool_release (self, slot.gateway, slot.connection);
    }
  /* The error of a gateway says more than that there is no other one. */
  g_propagate_error (error, g_steal_pointer (&failure));
  return NULL;
}

/* ---- a particular connection */

static gboolean
is_wanted (const KvsqldT2Where *where, guint64 serial)
{
  return serial == where->serial || (where->or_older && serial < where->serial);
}

static GList *
find_idle (KvsqldT2Gateway *gateway, const KvsqldT2Where *where)
{
  for (GList *i = gateway->idle.head; i != NULL; i = i->next)
    if (is_wanted (where, kvsqld_t2_connection_get_serial (i->data)))
      return i;
  return NULL;
}

static gboolean
is_live (const KvsqldT2Gateway *gateway, const KvsqldT2Where *where)
{
  for (guint i = 0; i < gateway->live->len; i++)
    if (is_wanted (where, g_array_index (gateway->live, guint64, i)))
      return TRUE;
  return FALSE;
}

/* Waits while another caller uses it. NULL: it does not exist any more, or the time is over. */
static KvsqldT2Connection *
await_this (KvsqldT2Pool *self, const KvsqldT2Where *where, const KvsqlCall *call)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  gint64 limit_us = limit_wait (self, g_get_monotonic_time (), call);
  KvsqldT2Gateway *gateway = &self->gateways[where->gateway];

  while (!is_over (call) && is_live (gateway, where))
    {
      GList *found = find_idle (gateway, where);

      if (found != NULL)
        {
          KvsqldT2Connection *connection = found->data;

          g_queue_delete_link (&gateway->idle, found);
          gateway->n_busy++;
          return connection;
        }
      if (!await_change (self, limit_us))
        return NULL;
    }
  return NULL;
}

static KvsqldT2Connection *
take_this (KvsqldT2Pool *self, const KvsqldT2Where *where, const KvsqlCall *call, GError **error)
{
  KvsqldT2Connection *connection = await_this (self, where, call);

  if (connection != NULL && kvsqld_t2_connection_is_usable (connection))
    return connection;
  if (connection != NULL)
    _kvsqld_t2_pool_release (self, where->gateway, connection);
  if (is_over (call))
    fail_to_wait (self, call, error);
  else
    kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                     "lost the connection to HBase's Thrift server at %s",
                     self->gateways[where->gateway].endpoint->address);
  return NULL;
}

/* Connections are held for requests ahead of their answers only while more than half are free, so
 * that other callers always get one. */
static gboolean
is_half_free (const KvsqldT2Pool *self, const KvsqldT2Gateway *gateway)
{
  guint allowance = kvsqld_t2_health_get_allowance (&gateway->health, g_get_monotonic_time ());

  return gateway->n_busy < MIN (self->settings.max_connections, allowance) / 2;
}

KvsqldT2Connection *
kvsqld_t2_pool_take_ahead (KvsqldT2Pool *self, const KvsqldT2Where *where)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  KvsqldT2Gateway *gateway = &self->gateways[where->gateway];
  GList *found = is_half_free (self, gateway) ? find_idle (gateway, where) : NULL;
  KvsqldT2Connection *connection;

  if (found == NULL || kvsqld_t2_connection_get_n_scanners (found->data) > 1
      || !kvsqld_t2_connection_can_ask (found->data))
    return NULL;
  connection = found->data;
  g_queue_delete_link (&gateway->idle, found);
  gateway->n_busy++;
  return connection;
}

static void
wake_waiters (GCancellable *cancellable, gpointer data)
{
  KvsqldT2Pool *self = data;

  g_mutex_lock (&self->lock);
  _kvsqld_t2_pool_note_change (self);
  g_mutex_unlock (&self->lock);
}

KvsqldT2Connection *
kvsqld_t2_pool_take (KvsqldT2Pool *self, KvsqldT2Where *where, const KvsqlCall *call,
                     GError **error)
{
  KvsqldT2Connection *connection;
  gulong handler = 0;

  if (call->cancellable != NULL)
    handler = g_cancellable_connect (call->cancellable, G_CALLBACK (wake_waiters), self, NULL);
  connection = where->serial != 0 ? take_this (self, where, call, error)
                                  : take_any (self, call, &where->gateway, error);
  if (handler != 0)
    g_cancellable_disconnect (call->cancellable, handler);
  if (connection != NULL)
    where->serial = kvsqld_t2_connection_get_serial (connection);
  return connection;
}

void
kvsqld_t2_pool_give (KvsqldT2Pool *self, gint gateway, KvsqldT2Connection *connection,
                     KvsqldT2Condition condition, const GError *error)
{
  if (condition == KVSQLD_T2_ABANDONED || condition == KVSQLD_T2_BROKEN)
    {
      if (condition == KVSQLD_T2_BROKEN)
        _kvsqld_t2_pool_note_failure (self, gateway, error);
      _kvsqld_t2_pool_release (self, gateway, connection);
      return;
    }
  if (condition == KVSQLD_T2_UNSERVED)
    _kvsqld_t2_pool_note_unserved (self, gateway, error);
  g_mutex_lock (&self->lock);
  if (condition == KVSQLD_T2_GOOD)
    kvsqld_t2_health_succeed (&self->gateways[gateway].health);
  _kvsqld_t2_pool_keep (self, &self->gateways[gateway], connection);
  g_mutex_unlock (&self->lock);
}
