/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * login.h: logs in on a channel, by SCRAM-SHA-256.
 */
#pragma once

#include "client/channel.h"

G_BEGIN_DECLS

/* Two calls, before any other. After a failure the channel is unusable. Errors:
 * KVSQL_CLIENT_ERROR_AUTHENTICATION; KVSQL_CLIENT_ERROR_UNAVAILABLE if the peer does not know the
 * password's verifier, so is not the kvsqld that it should be; those of a call. */
KvsqlMessageOutcome _kvsql_login (KvsqlChannel *channel, const gchar *user, const gchar *password,
                                  gint64 deadline, GCancellable *cancellable, GError **error);

/**
 * _kvsql_password_file_find:
 * @host: as in the URI; a UNIX socket is "localhost"
 *
 * Looks for a password in the file KVSQL_PASSFILE, or ~/.kvsqlpass. Its lines are
 * host:port:user:password, where host, port and user may be *. A backslash makes the next : or
 * backslash part of the text. A file that other users can read is not used.
 *
 * Returns: (transfer full) (nullable): the password
 */
gchar *_kvsql_password_file_find (const gchar *host, const gchar *port, const gchar *user);

G_END_DECLS
