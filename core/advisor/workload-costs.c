/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * workload-costs.c: COSTS, the costs of the store that a daemon has measured.
 *
 *   COSTS 'request=0 range=31 get=25 …';
 */
#include "config.h"

#include "core/advisor/workload-private.h"

gboolean
kvsql_workload_read_costs (KvsqlWorkloadReader *self, GError **error)
{
  KvsqlSpan span = self->token.span;
  KvsqlSlice text;

  if (self->token.kind != KVSQL_TOKEN_STRING)
    return kvsql_workload_fail (self, "costs as text, in single quotes", error);
  text = kvsql_lexer_get_string (&self->lexer, &self->token, self->workload->arena);
  if (kvsql_store_costs_parse ((const gchar *)text.data, &self->workload->costs, error))
    return kvsql_workload_advance (self, error);
  kvsql_error_move (error, span);
  return kvsql_error_hint (error, "kvsqlctl workload capture writes them, after CALIBRATE.");
}

gdouble
kvsql_workload_get_units (const KvsqlWorkload *self, gdouble seconds)
{
  g_assert (self->costs.unit_us > 0);
  return seconds * G_USEC_PER_SEC / self->costs.unit_us;
}
