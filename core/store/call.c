/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * call.c: the checks of deadline, cancellation and memory.
 */
#include "config.h"

#include "core/store/call.h"

gboolean
kvsql_call_check (const KvsqlCall *call, GError **error)
{
  if (call == NULL)
    return TRUE;
  if (call->cancellable != NULL && g_cancellable_is_cancelled (call->cancellable))
    return kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE, "call was cancelled");
  if (call->deadline_us != 0 && g_get_monotonic_time () >= call->deadline_us)
    return kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE, "call ran out of time");
  return call->usage == NULL || kvsql_usage_check_memory (call->usage, error);
}

gboolean
kvsql_call_count_written (const KvsqlCall *call, guint64 n, GError **error)
{
  return call == NULL || kvsql_usage_count_written (call->usage, n, error);
}
