/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pool-report.c: facts about each gateway for SHOW STATUS and the metrics.
 */
#include "config.h"

#include "daemon/stores/hbase/pool-private.h"

static void
report_text (KvsqlFact *fact, const gchar *name, const gchar *text, KvsqlFactFunc func,
             gpointer data)
{
  fact->name = name;
  fact->kind = KVSQL_FACT_TEXT;
  fact->text = text;
  func (fact, data);
}

static void
report_number (KvsqlFact *fact, const gchar *name, KvsqlFactKind kind, guint64 number,
               KvsqlFactFunc func, gpointer data)
{
  fact->name = name;
  fact->kind = kind;
  fact->number = (gint64)number;
  func (fact, data);
}

/* @now is a copy, so that no function is called with the lock held. */
static void
report_gateway (const KvsqldT2Gateway *now, KvsqlFactFunc func, gpointer data)
{
  const KvsqldT2Health *health = &now->health;
  KvsqlFact fact = { .group = "gateway", .item = now->endpoint->address };

  report_text (&fact, "state", kvsqld_t2_health_get_name (health), func, data);
  report_number (&fact, "connections in use", KVSQL_FACT_GAUGE, now->n_busy, func, data);
  report_number (&fact, "connections idle", KVSQL_FACT_GAUGE, now->idle.length, func, data);
  report_number (&fact, "requests", KVSQL_FACT_COUNTER, health->n_requests, func, data);
  report_number (&fact, "failures", KVSQL_FACT_COUNTER, health->n_failures, func, data);
  report_number (&fact, "unanswered in a row", KVSQL_FACT_GAUGE, health->n_unanswered, func, data);
  if (health->last_error != NULL)
    report_text (&fact, "last error", health->last_error->message, func, data);
  if (health->state != KVSQLD_T2_HEALTHY)
    report_number (&fact, "milliseconds to next probe", KVSQL_FACT_GAUGE,
                   (guint64)MAX (health->probe_us - g_get_monotonic_time (), 0) / 1000, func, data);
}

void
kvsqld_t2_pool_report (KvsqldT2Pool *self, KvsqlFactFunc func, gpointer data)
{
  for (guint i = 0; i < self->n_gateways; i++)
    {
      g_autoptr (GError) last_error = NULL;
      KvsqldT2Gateway now;

      g_mutex_lock (&self->lock);
      now = self->gateways[i];
      if (now.health.last_error != NULL)
        last_error = now.health.last_error = g_error_copy (now.health.last_error);
      g_mutex_unlock (&self->lock);
      report_gateway (&now, func, data);
    }
}
