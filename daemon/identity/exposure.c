/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * exposure.c: see exposure.h.
 */
#include "config.h"

#include "daemon/identity/exposure.h"

#include "daemon/cluster/definitions.h"
#include "daemon/cluster/periodic.h"
#include "daemon/log/log.h"

/* Until it has succeeded, it tries again after each period. */
#define PERIOD_US (5 * G_TIME_SPAN_SECOND)
#define INTERVAL_US (60 * G_TIME_SPAN_MINUTE)
#define MAX_SHOWN 5

struct _KvsqldExposure
{
  KvsqldDefinitions *definitions;
  KvsqldPeriodic *periodic;
  gint64 next_us;
  gchar *logged; /* "": nothing was exposed */
};

static gchar *
describe (const GPtrArray *found)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (found->len, MAX_SHOWN); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (const gchar *)found->pdata[i]);
  if (found->len > MAX_SHOWN)
    g_string_append_printf (text, " and %u more", found->len - MAX_SHOWN);
  return g_string_free (text, FALSE);
}

static void
look (GCancellable *stop, gpointer data)
{
  KvsqldExposure *self = data;
  const KvsqlCall call = { .cancellable = stop };
  g_autoptr (GPtrArray) found = NULL;
  g_autofree gchar *text = NULL;

  if (g_get_monotonic_time () < self->next_us)
    return;
  found = kvsqld_definitions_list_exposed (self->definitions, &call, NULL);
  if (found == NULL) /* the state of the registry is logged elsewhere */
    return;
  self->next_us = g_get_monotonic_time () + INTERVAL_US;
  text = describe (found);
  if (g_str_equal (text, self->logged))
    return;
  if (found->len > 0)
    kvsqld_log (G_LOG_LEVEL_WARNING, NULL,
                "the registry is open to others, who may read or make roles: %s", text);
  else
    kvsqld_log (G_LOG_LEVEL_MESSAGE, NULL, "the registry is not open to others any more");
  g_free (self->logged);
  self->logged = g_steal_pointer (&text);
}

KvsqldExposure *
kvsqld_exposure_new (KvsqldDefinitions *definitions)
{
  KvsqldExposure *self = g_new0 (KvsqldExposure, 1);

  self->definitions = definitions;
  self->logged = g_strdup ("");
  self->periodic = kvsqld_periodic_new ("exposure", PERIOD_US, TRUE, look, self);
  return self;
}

void
kvsqld_exposure_free (KvsqldExposure *self)
{
  if (self == NULL)
    return;
  kvsqld_periodic_free (self->periodic);
  g_free (self->logged);
  g_free (self);
}
