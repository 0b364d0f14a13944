/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * channel.h: one open socket connection to one kvsqld.
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
  gchar *peer; /* for messages */
} KvsqlChannel;

/**
 * _kvsql_channel_open:
 * @host: index of a host of @uri
 * @deadline: by g_get_monotonic_time()
 *
 * Returns: (nullable): a channel to the first address of the host that answers
 */
KvsqlChannel *_kvsql_channel_open (const KvsqlUri *uri, guint host, gint64 deadline,
                                   GCancellable *cancellable, GError **error);
void _kvsql_channel_free (KvsqlChannel *self); /* accepts NULL */

/* Whether the peer has answered with an alert of TLS, on a channel without it. */
gboolean _kvsql_channel_has_met_tls (KvsqlChannel *self);
/* Bounds the answers of a peer that is not known yet; 0: as usual. */
void _kvsql_channel_set_max_answer (KvsqlChannel *self, guint32 max_bytes);

/* Whether an idle channel is unusable: the peer has closed it, or has sent bytes without a
 * request. */
gboolean _kvsql_channel_is_stale (KvsqlChannel *self);

/* The two halves of a call, each with its own limits. @sequence: the channel's sequence number when
 * the request was sent; answers arrive in that order. */
KvsqlMessageOutcome _kvsql_channel_send (KvsqlChannel *self, const KvsqlMessageCall *call,
                                         gint64 deadline, GCancellable *cancellable,
                                         GError **error);
KvsqlMessageOutcome _kvsql_channel_receive (KvsqlChannel *self, const KvsqlMessageCall *call,
                                            gint32 sequence, gint64 deadline,
                                            GCancellable *cancellable, GError **error);

/* Waits for the first byte of the next answer. 0: the peer has closed the channel. -1: @error is
 * set; after G_IO_ERROR_CANCELLED and KVSQL_CLIENT_ERROR_DEADLINE the channel is still usable. */
gssize _kvsql_channel_wait (KvsqlChannel *self, gint64 deadline, GCancellable *cancellable,
                            GError **error);

/* Both halves. After any outcome but DONE and REFUSED the channel is unusable. */
KvsqlMessageOutcome _kvsql_channel_call (KvsqlChannel *self, const KvsqlMessageCall *call,
                                         gint64 deadline, GCancellable *cancellable,
                                         GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlChannel, _kvsql_channel_free)

G_END_DECLS
