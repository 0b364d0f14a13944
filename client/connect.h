/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connect.h: connects to one of several hosts.
 */
#pragma once

#include "client/channel.h"

G_BEGIN_DECLS

/**
 * _kvsql_connect:
 * @host: (inout): index of the host of @uri that is tried first; then of the one that answered
 * @deadline: by g_get_monotonic_time(); each host gets its share of the time that is left
 *
 * Returns: (nullable): a channel to a kvsqld that has answered; %NULL if none did
 */
KvsqlChannel *_kvsql_connect (const KvsqlUri *uri, guint *host, gint64 deadline,
                              GCancellable *cancellable, GError **error);

/* Whether the URI has a user, and neither it nor the password file has the password. */
gboolean _kvsql_connect_needs_password (const KvsqlUri *uri);

G_END_DECLS
