/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pool.c: idle connections, a bound on all of them, and what is known of each gateway.
 */
#include "config.h"

#include "daemon/stores/hbase/pool.h"

/* Doubles with each failure in a row, this many times at most. */
#define BACK_OFF_US (G_USEC_PER_SEC / 2)
#define MAX_DOUBLINGS 6

typedef struct
{
  KvsqldT2Endpoint *endpoint;
  GQueue idle;          /* of KvsqldT2Connection*, last used first */
  gint64 back_off_us;   /* until then others are asked first */
  guint n_failures;     /* in a row */
  gboolean is_verified; /* it has answered in our transport since it last failed */
} Gateway;

struct _KvsqldT2Pool
{
  KvsqldT2Settings settings;
  guint max_connections;
  guint n_gateways;

  GMutex lock; /* guards what follows and all of the gateways but their endpoints */
  GCond changed;
  guint n_connections; /* idle, in use, or being opened */
  guint next_gateway;
  Gateway *gateways;
};

KvsqldT2Endpoint *
kvsqld_t2_endpoint_new (const gchar *host, guint16 port)
{
  KvsqldT2Endpoint *self = g_new0 (KvsqldT2Endpoint, 1);

  self->host = g_strdup (host);
  self->port = port;
  self->address = g_strdup_printf (strchr (host, ':') != NULL ? "[%s]:%u" : "%s:%u", host, port);
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
kvsqld_t2_pool_new (GPtrArray *endpoints, const KvsqldT2Settings *settings, guint max_connections)
{
  KvsqldT2Pool *self = g_new0 (KvsqldT2Pool, 1);

  self->settings = *settings;
  self->max_connections = max_connections;
  self->n_gateways = endpoints->len;
  self->gateways = g_new0 (Gateway, endpoints->len);
  for (guint i = 0; i < endpoints->len; i++)
    {
      self->gateways[i].endpoint = g_ptr_array_index (endpoints, i);
      g_queue_init (&self->gateways[i].idle);
    }
  g_ptr_array_set_free_func (endpoints, NULL);
  g_ptr_array_unref (endpoints);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  return self;
}

void
kvsqld_t2_pool_free (KvsqldT2Pool *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_gateways; i++)
    {
      g_queue_clear_full (&self->gateways[i].idle, (GDestroyNotify)kvsqld_t2_connection_free);
      kvsqld_t2_endpoint_free (self->gateways[i].endpoint);
    }
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self->gateways);
  g_free (self);
}

/* ---- slots: the right to have one connection more */

typedef enum
{
  SLOT_IDLE,     /* a connection came with it */
  SLOT_NEW,      /* one must be opened */
  SLOT_GIVEN_UP, /* the caller's time is over */
} Slot;

/* An idle connection of that gateway, or of any. Lock held. */
static KvsqldT2Connection *
pop_idle (KvsqldT2Pool *self, gint wanted, gint *out_gateway)
{
  for (guint i = 0; i < self->n_gateways; i++)
    {
      gint index = (gint)((self->next_gateway + i) % self->n_gateways);

      if ((wanted != KVSQLD_T2_ANY_GATEWAY && wanted != index)
          || g_queue_is_empty (&self->gateways[index].idle))
        continue;
      *out_gateway = index;
      return g_queue_pop_head (&self->gateways[index].idle);
    }
  return NULL;
}

static void
wake_waiters (GCancellable *cancellable, gpointer data)
{
  KvsqldT2Pool *self = data;

  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static gboolean
is_over (const KvsqlCall *call)
{
  return g_cancellable_is_cancelled (call->cancellable)
         || (call->deadline_us > 0 && g_get_monotonic_time () >= call->deadline_us);
}

/* @out_surplus: an idle connection to close, whose slot was taken over. */
static Slot
take_slot (KvsqldT2Pool *self, gint wanted, const KvsqlCall *call, gint *out_gateway,
           KvsqldT2Connection **out_connection, KvsqldT2Connection **out_surplus)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  gint64 limit_us = g_get_monotonic_time () + self->settings.reply_timeout_us;
  gint ignored;

  if (call->deadline_us > 0)
    limit_us = MIN (limit_us, call->deadline_us);
  while (!is_over (call))
    {
      *out_connection = pop_idle (self, wanted, out_gateway);
      if (*out_connection != NULL)
        return SLOT_IDLE;
      if (self->n_connections < self->max_connections)
        {
          self->n_connections++;
          return SLOT_NEW;
        }
      *out_surplus = pop_idle (self, KVSQLD_T2_ANY_GATEWAY, &ignored);
      if (*out_surplus != NULL)
        return SLOT_NEW;
      if (!g_cond_wait_until (&self->changed, &self->lock, limit_us))
        return SLOT_GIVEN_UP;
    }
  return SLOT_GIVEN_UP;
}

static void
release_slot (KvsqldT2Pool *self)
{
  g_mutex_lock (&self->lock);
  self->n_connections--;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* ---- opening */

static void
note_success (KvsqldT2Pool *self, gint index)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  Gateway *gateway = &self->gateways[index];

  gateway->is_verified = TRUE;
  gateway->n_failures = 0;
  gateway->back_off_us = 0;
}

/* Its idle connections are as suspect as the one that failed: they would each cost somebody a
 * timeout. */
static void
note_failure (KvsqldT2Pool *self, gint index)
{
  Gateway *gateway = &self->gateways[index];
  GQueue suspect;

  g_mutex_lock (&self->lock);
  gateway->is_verified = FALSE;
  gateway->back_off_us
      = g_get_monotonic_time () + (BACK_OFF_US << MIN (gateway->n_failures, MAX_DOUBLINGS));
  gateway->n_failures++;
  suspect = gateway->idle;
  g_queue_init (&gateway->idle);
  self->n_connections -= suspect.length;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  g_queue_clear_full (&suspect, (GDestroyNotify)kvsqld_t2_connection_free);
}

static KvsqldT2Connection *
open_one (KvsqldT2Pool *self, gint gateway, const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqldT2Connection) connection = NULL;
  gboolean is_verified;

  g_mutex_lock (&self->lock);
  is_verified = self->gateways[gateway].is_verified;
  g_mutex_unlock (&self->lock);

  connection
      = kvsqld_t2_connection_open (self->gateways[gateway].endpoint, &self->settings, call, error);
  if (connection != NULL && (is_verified || kvsqld_t2_connection_probe (connection, call, error)))
    {
      note_success (self, gateway);
      return g_steal_pointer (&connection);
    }
  if (!g_cancellable_is_cancelled (call->cancellable))
    note_failure (self, gateway);
  return NULL;
}

/* The gateways in the order in which to try them: in turn, those that failed just now last. */
static void
order_gateways (KvsqldT2Pool *self, gint *order)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  gint64 now = g_get_monotonic_time ();
  guint first = self->next_gateway++ % self->n_gateways;
  guint n = 0;

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < self->n_gateways; i++)
      {
        guint index = (first + i) % self->n_gateways;

        if ((self->gateways[index].back_off_us > now) == (pass == 1))
          order[n++] = (gint)index;
      }
}

static KvsqldT2Connection *
open_any (KvsqldT2Pool *self, const KvsqlCall *call, gint *out_gateway, GError **error)
{
  g_autofree gint *order = g_new (gint, self->n_gateways);

  order_gateways (self, order);
  for (guint i = 0; i < self->n_gateways; i++)
    {
      g_autoptr (GError) failure = NULL;
      KvsqldT2Connection *connection = open_one (self, order[i], call, &failure);

      if (connection != NULL)
        {
          *out_gateway = order[i];
          return connection;
        }
      if (i + 1 == self->n_gateways || is_over (call))
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return NULL;
        }
    }
  return NULL;
}

static KvsqldT2Connection *
open_in_slot (KvsqldT2Pool *self, gint wanted, const KvsqlCall *call, gint *out_gateway,
              GError **error)
{
  KvsqldT2Connection *connection;

  if (wanted == KVSQLD_T2_ANY_GATEWAY)
    connection = open_any (self, call, out_gateway, error);
  else
    {
      connection = open_one (self, wanted, call, error);
      *out_gateway = wanted;
    }
  if (connection == NULL)
    release_slot (self);
  return connection;
}

static void
fail_to_wait (KvsqldT2Pool *self, const KvsqlCall *call, GError **error)
{
  if (is_over (call))
    kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE,
                     "gave up waiting for one of %u connections to HBase", self->max_connections);
  else
    kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                     "all %u connections to HBase stay in use", self->max_connections);
  kvsql_error_hint (error, "Give the store's URL a larger pool=.");
}

static KvsqldT2Connection *
take (KvsqldT2Pool *self, gint wanted, const KvsqlCall *call, gint *out_gateway, GError **error)
{
  for (;;)
    {
      KvsqldT2Connection *connection = NULL;
      g_autoptr (KvsqldT2Connection) surplus = NULL;

      switch (take_slot (self, wanted, call, out_gateway, &connection, &surplus))
        {
        case SLOT_GIVEN_UP:
          fail_to_wait (self, call, error);
          return NULL;
        case SLOT_NEW:
          return open_in_slot (self, wanted, call, out_gateway, error);
        case SLOT_IDLE:
          if (kvsqld_t2_connection_is_usable (connection))
            return connection;
          /* Closed while it lay idle: perhaps the gateway was restarted. */
          kvsqld_t2_connection_free (connection);
          release_slot (self);
          break;
        }
    }
}

KvsqldT2Connection *
kvsqld_t2_pool_take (KvsqldT2Pool *self, gint gateway, const KvsqlCall *call, gint *out_gateway,
                     GError **error)
{
  KvsqldT2Connection *connection;
  gulong handler = 0;

  if (call->cancellable != NULL)
    handler = g_cancellable_connect (call->cancellable, G_CALLBACK (wake_waiters), self, NULL);
  connection = take (self, gateway, call, out_gateway, error);
  if (handler != 0)
    g_cancellable_disconnect (call->cancellable, handler);
  return connection;
}

void
kvsqld_t2_pool_give (KvsqldT2Pool *self, gint gateway, KvsqldT2Connection *connection,
                     KvsqldT2Condition condition)
{
  if (condition != KVSQLD_T2_GOOD)
    {
      kvsqld_t2_connection_free (connection);
      if (condition == KVSQLD_T2_BROKEN)
        note_failure (self, gateway);
      release_slot (self);
      return;
    }
  g_mutex_lock (&self->lock);
  g_queue_push_head (&self->gateways[gateway].idle, connection);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}
