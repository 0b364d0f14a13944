/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * protocol-change.c: see the header.
 */
#include "config.h"

#include "daemon/cluster/protocol-change.h"

#include "daemon/cluster/holders.h"

/* The definitions are looked at so often; that makes no request. */
#define PERIOD_US G_USEC_PER_SEC
/* Of a step, waiting for other daemons included. */
#define STEP_US G_USEC_PER_SEC

struct _KvsqldProtocolChange
{
  KvsqldDefinitions *definitions;
  GCancellable *stop;
  GThread *thread;

  GMutex mutex; /* protects what follows; a leaf */
  GCond changed;
  gboolean is_stopping;
  gchar *last_error; /* why the last step was not made; nullable */
};

static gboolean
change (KvsqldProtocolChange *self, const KvsqlCatalog *catalog, gboolean is_announced,
        const KvsqlCall *call, GError **error)
{
  const KvsqldWriteProtocol protocol
      = { .number = KVSQLD_WRITE_PROTOCOL, .is_announced = is_announced };

  return kvsqld_definitions_change_protocol (self->definitions, catalog, &protocol, call, error);
}

/* Waits until no daemon writes by the definitions before the announcement. */
static gboolean
await_others (KvsqldProtocolChange *self, const KvsqlCatalog *catalog, const KvsqlCall *call,
              GError **error)
{
  return kvsqld_definitions_await (self->definitions, catalog->epoch, call, error)
         && kvsqld_holders_check_sessions (kvsqld_definitions_get_registry (self->definitions),
                                           call, error);
}

/* The next step, if there is one. */
static gboolean
make_step (KvsqldProtocolChange *self, const KvsqlCatalog *catalog, GError **error)
{
  const KvsqlCall call
      = { .deadline_us = g_get_monotonic_time () + STEP_US, .cancellable = self->stop };

  if (catalog->write_protocol < KVSQLD_WRITE_PROTOCOL)
    return change (self, catalog, TRUE, &call, error);
  return await_others (self, catalog, &call, error) && change (self, catalog, FALSE, &call, error);
}

static gboolean
has_step (const KvsqlCatalog *catalog)
{
  if (catalog->epoch < 0 || (catalog->epoch == 0 && catalog->write_protocol == 0))
    return FALSE;
  return catalog->write_protocol < KVSQLD_WRITE_PROTOCOL
         || (catalog->write_protocol == KVSQLD_WRITE_PROTOCOL && catalog->is_protocol_announced);
}

static void
set_last_error (KvsqldProtocolChange *self, const GError *error)
{
  g_mutex_lock (&self->mutex);
  g_free (self->last_error);
  self->last_error = error != NULL ? g_strdup (error->message) : NULL;
  g_mutex_unlock (&self->mutex);
}

/* Makes steps as long as they succeed. */
static void
make_steps (KvsqldProtocolChange *self)
{
  g_autoptr (GError) error = NULL;

  while (error == NULL)
    {
      g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->definitions);

      if (!has_step (catalog))
        break;
      if (!make_step (self, catalog, &error))
        g_debug ("write protocol: %s", error->message);
    }
  set_last_error (self, error);
}

/* FALSE: the daemon ends. */
static gboolean
wait_a_while (KvsqldProtocolChange *self)
{
  gint64 until_us = g_get_monotonic_time () + PERIOD_US;
  gboolean goes_on;

  g_mutex_lock (&self->mutex);
  while (!self->is_stopping && g_cond_wait_until (&self->changed, &self->mutex, until_us))
    ;
  goes_on = !self->is_stopping;
  g_mutex_unlock (&self->mutex);
  return goes_on;
}

static gpointer
run (gpointer data)
{
  while (wait_a_while (data))
    make_steps (data);
  return NULL;
}

KvsqldProtocolChange *
kvsqld_protocol_change_new (KvsqldDefinitions *definitions)
{
  KvsqldProtocolChange *self = g_new0 (KvsqldProtocolChange, 1);

  self->definitions = definitions;
  self->stop = g_cancellable_new ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  kvsqld_definitions_set_shared (definitions);
  make_steps (self);
  /* lives as long as the daemon, because the registry may get another number at any time */
  self->thread = g_thread_new ("write-protocol", run, self);
  return self;
}

void
kvsqld_protocol_change_free (KvsqldProtocolChange *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->is_stopping = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_cancellable_cancel (self->stop);
  g_thread_join (self->thread);
  g_object_unref (self->stop);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->mutex);
  g_free (self->last_error);
  g_free (self);
}

gchar *
kvsqld_protocol_change_describe (KvsqldProtocolChange *self)
{
  gchar *result;

  g_mutex_lock (&self->mutex);
  result = g_strdup (self->last_error);
  g_mutex_unlock (&self->mutex);
  return result;
}
