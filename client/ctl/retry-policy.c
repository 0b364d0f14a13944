/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * retry-policy.c: see retry-policy.h.
 */
#include "config.h"

#include "client/ctl/retry-policy.h"

#define MIN_PAUSE_MS 100
#define MAX_PAUSE_MS 3200

gboolean
kvsqlctl_error_is_transient (const GError *error)
{
  return kvsql_client_error_is_retryable (error)
         || g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_DEADLINE)
         || g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME)
         || g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNAVAILABLE);
}

gboolean
kvsqlctl_retry_policy_wait (const KvsqlctlRetryPolicy *self, KvsqlctlBackoff *backoff)
{
  gint64 now = g_get_monotonic_time ();

  if (backoff->pause_ms == 0)
    *backoff = (KvsqlctlBackoff){ now + (gint64)self->retry_ms * 1000, MIN_PAUSE_MS };
  if (now >= backoff->deadline_us || g_atomic_int_get (self->should_stop))
    return FALSE;
  for (guint waited = 0; waited < backoff->pause_ms && !g_atomic_int_get (self->should_stop);
       waited += MIN_PAUSE_MS)
    g_usleep (MIN_PAUSE_MS * 1000);
  backoff->pause_ms = MIN (backoff->pause_ms * 2, MAX_PAUSE_MS);
  return TRUE;
}
