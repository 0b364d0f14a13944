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

/* The two halves of a call, each with its limits. @sequence: what the channel's was when it was
 * sent; answers come in that order. */
KvsqlCallOutcome _kvsql_channel_send (KvsqlChannel *self, const KvsqlCall *call, gint64 deadline,
                                      GCancellable *cancellable, GError **error);
KvsqlCallOutcome _kvsql_channel_receive (KvsqlChannel *self, const KvsqlCall *call, gint32 sequence,
                                         gint64 deadline, GCancellable *cancellable,
                                         GError **error);

/* Waits for the first byte of the answer to what was sent. -1 with @error set for
 * G_IO_ERROR_CANCELLED and KVSQL_CLIENT_ERROR_DEADLINE leaves the line in order; 0: it is closed.
 */
gssize _kvsql_channel_wait (KvsqlChannel *self, gint64 deadline, GCancellable *cancellable,
                            GError **error);

/* Both halves. After anything but DONE and REFUSED the line is of no use. */
KvsqlCallOutcome _kvsql_channel_call (KvsqlChannel *self, const KvsqlCall *call, gint64 deadline,
                                      GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlChannel, _kvsql_channel_free)

G_END_DECLS
