/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * retry-policy.h: for how long a failed request is repeated, and the pauses in between.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

typedef struct
{
  guint retry_ms;          /* for how long a request is repeated */
  const gint *should_stop; /* read atomically; not 0: no more attempts */
  GCancellable *cancellable;
} KvsqlctlRetryPolicy;

/* State of one request; zeroed before its first attempt. */
typedef struct
{
  gint64 deadline_us; /* of the last attempt, by g_get_monotonic_time() */
  guint pause_ms;     /* before the next attempt */
} KvsqlctlBackoff;

/* Whether the same request may succeed later: kvsqld, its store or the network may come back. */
gboolean kvsqlctl_error_is_transient (const GError *error);
/* Call it after an attempt that failed with a transient error. Sleeps for the pause, which doubles
 * with each call. FALSE: no more attempts. */
gboolean kvsqlctl_retry_policy_wait (const KvsqlctlRetryPolicy *self, KvsqlctlBackoff *backoff);

G_END_DECLS
