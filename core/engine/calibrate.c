/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * calibrate.c: see the header.
 */
#include "config.h"

#include "core/engine/calibrate.h"
#include "core/engine/definitions-private.h"
#include "core/maintain/calibrate.h"

#define LONGEST_US (20 * G_TIME_SPAN_SECOND)

static void
add (KvsqlResultPage *page, const KvsqlStoreCosts *costs, const gchar *what, gdouble cost)
{
  g_autofree gchar *us = g_strdup_printf ("%.3g", cost * costs->unit_us);
  g_autofree gchar *units = g_strdup_printf ("%.3g", cost);

  kvsql_result_page_add_row (page, (const gchar *[]){ what, us, units });
}

static KvsqlResultPage *
make_page (const KvsqlCalibration *calibration)
{
  static const gchar *const names[] = { "operation", "microseconds", "cost" };
  const KvsqlStoreCosts *costs = &calibration->costs;
  KvsqlResultPage *page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));

  add (page, costs, "request", costs->request);
  add (page, costs, "range of a scan", costs->range);
  add (page, costs, "row of a scan", 1);
  add (page, costs, "further cell", costs->cell);
  add (page, costs, "1,000 bytes of a scan", 1000 * costs->byte);
  add (page, costs, "row by key", costs->get);
  add (page, costs, "1,000 bytes by key", 1000 * costs->get_byte);
  add (page, costs, "row written", costs->put);
  add (page, costs, "row deleted", costs->remove);
  kvsql_result_page_note (page,
                          "%u operations were measured %u times; the costs are at most %.0f %% "
                          "wrong, for %s",
                          calibration->n_points, calibration->n_rounds, 100 * calibration->error,
                          calibration->worst);
  return page;
}

KvsqlResultPage *
kvsql_execute_calibrate (const KvsqlExecution *execution, KvsqlStoreCosts *out_costs,
                         GError **error)
{
  gint64 now_us = g_get_monotonic_time ();
  gint64 half_us = (execution->call->deadline_us - now_us) / 2;
  g_auto (KvsqlCalibration) calibration = { 0 };

  if (!kvsql_calibrate (kvsql_execution_get_store (execution), now_us + MIN (half_us, LONGEST_US),
                        execution->call, &calibration, error))
    return NULL;
  *out_costs = calibration.costs;
  return make_page (&calibration);
}

void
kvsql_decision_set_costs (KvsqlDecision *self, const gchar *store, const KvsqlStoreCosts *costs)
{
  g_autofree gchar *text = kvsql_store_costs_print (costs);

  kvsql_decision_add (self, KVSQL_DEFINITION_COSTS, store, TRUE, text);
}
