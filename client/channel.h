/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * channel.h: one open line to one kvsqld.
 *
 * Threads: one at a time.
 */
#pragma once

#include "client/message.h"
#include "client/uri.h"

G_BEGIN_DECLS

typedef struct
{
  GSocketConnection *stream;
  KvsqlProtocol *protocol;
  gint32 sequence;
  gchar *peer; /* for people */
} KvsqlChannel;

/**
 * _kvsql_channel_open:
 * @host: which of the hosts of @uri
 * @deadline: by g_get_monotonic_time()
 *
 * Returns: (nullable): a line to the first address of the host that answers
 */
KvsqlChannel *_kvsql_channel_open (const KvsqlUri *uri, guint host, gint64 deadline,
                                   GCancellable *cancellable, GError **error);
void _kvsql_channel_free (KvsqlChannel *self); /* accepts NULL */

/* Whether an idle line is of no use any more: the peer has closed it, or talks without being asked.
 */
gboolean _kvsql_channel_is_stale (KvsqlChannel *self);

/* After anything but DONE and REFUSED the line is of no use. */
KvsqlCallOutcome _kvsql_channel_call (KvsqlChannel *self, const KvsqlCall *call, gint64 deadline,
                                      GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlChannel, _kvsql_channel_free)

G_END_DECLS
