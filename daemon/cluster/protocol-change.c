/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * protocol-change.c: see the header.
 */
#include "config.h"

#include "daemon/cluster/protocol-change.h"

#include "daemon/cluster/holders.h"
#include "daemon/cluster/periodic.h"

/* The definitions are looked at so often; that makes no request. */
#define PERIOD_US G_USEC_PER_SEC
/* Of a step, waiting for other daemons included. */
#define STEP_US G_USEC_PER_SEC

struct _KvsqldProtocolChange
{
  KvsqldDefinitions *definitions;
  KvsqldPeriodic *steps;

  GMutex mutex;      /* protects what follows; a leaf */
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
         && kvsqld_holders_check_epoch (kvsqld_definitions_get_registry (self->definitions),
                                        catalog->epoch, call, error);
}

/* The next step, if there is one. */
static gboolean
make_step (KvsqldProtocolChange *self, const KvsqlCatalog *catalog, GCancellable *stop,
           GError **error)
{
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + STEP_US, .cancellable = stop };

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

/* Makes steps as long as they succeed. @stop: nullable */
static void
make_steps (GCancellable *stop, gpointer data)
{
  KvsqldProtocolChange *self = data;
  g_autoptr (GError) error = NULL;

  while (error == NULL)
    {
      g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->definitions);

      if (!has_step (catalog))
        break;
      if (!make_step (self, catalog, stop, &error))
        g_debug ("write protocol: %s", error->message);
    }
  set_last_error (self, error);
}

KvsqldProtocolChange *
kvsqld_protocol_change_new (KvsqldDefinitions *definitions)
{
  KvsqldProtocolChange *self = g_new0 (KvsqldProtocolChange, 1);

  self->definitions = definitions;
  g_mutex_init (&self->mutex);
  kvsqld_definitions_set_shared (definitions);
  make_steps (NULL, self);
  /* the registry may get another number at any time */
  self->steps = kvsqld_periodic_new ("write-protocol", PERIOD_US, FALSE, make_steps, self);
  return self;
}

void
kvsqld_protocol_change_free (KvsqldProtocolChange *self)
{
  if (self == NULL)
    return;
  kvsqld_periodic_free (self->steps);
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
