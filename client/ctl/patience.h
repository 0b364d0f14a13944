/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * patience.h: how long a request that may yet succeed is made again.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

/* How long to try again, and what ends that. */
typedef struct
{
  guint retry_ms;
  const gint *should_stop; /* read atomically */
  GCancellable *cancellable;
} KvsqlctlPatience;

/* The attempts of one request; zeroed before the first. */
typedef struct
{
  gint64 deadline_us;
  guint pause_ms;
} KvsqlctlAttempts;

/* Whether kvsqld, its store or the way to it may be back later. */
gboolean kvsqlctl_may_help_to_wait (const GError *error);
/* After a failed attempt that it may help to repeat: waits, longer each time. FALSE once patience
 * has ended. */
gboolean kvsqlctl_patience_wait (const KvsqlctlPatience *self, KvsqlctlAttempts *attempts);

G_END_DECLS
