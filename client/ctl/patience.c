/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * patience.c: how long a request that may yet succeed is made again.
 */
#include "config.h"

#include "client/ctl/patience.h"

#define FIRST_PAUSE_MS 100
#define LONGEST_PAUSE_MS 3200

gboolean
kvsqlctl_may_help_to_wait (const GError *error)
{
  return kvsql_client_error_is_retryable (error)
         || g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_DEADLINE)
         || g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME)
         || g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNAVAILABLE);
}

gboolean
kvsqlctl_patience_wait (const KvsqlctlPatience *self, KvsqlctlAttempts *attempts)
{
  gint64 now = g_get_monotonic_time ();

  if (attempts->pause_ms == 0)
    *attempts = (KvsqlctlAttempts){ now + (gint64)self->retry_ms * 1000, FIRST_PAUSE_MS };
  if (now >= attempts->deadline_us || g_atomic_int_get (self->should_stop))
    return FALSE;
  for (guint waited = 0; waited < attempts->pause_ms && !g_atomic_int_get (self->should_stop);
       waited += FIRST_PAUSE_MS)
    g_usleep (FIRST_PAUSE_MS * 1000);
  attempts->pause_ms = MIN (attempts->pause_ms * 2, LONGEST_PAUSE_MS);
  return TRUE;
}
