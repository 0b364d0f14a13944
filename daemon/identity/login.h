/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * login.h: log-ins by password, of all front ends.
 *
 * A front end passes the two messages of SCRAM-SHA-256 on, and sends the answers. A role that does
 * not exist, may not log in, or has no password that counts is answered as one whose password was
 * wrong: with the same messages, at the same time.
 *
 * Threads: the table may be used by any thread; a log-in belongs to the thread of its connection.
 */
#pragma once

#include <gio/gio.h>

#include "core/base/slice.h"
#include "daemon/identity/identity.h"

G_BEGIN_DECLS

typedef struct _KvsqldDefinitions KvsqldDefinitions; /* daemon/cluster/definitions.h */
typedef struct _KvsqldLogins KvsqldLogins;
typedef struct _KvsqldLogin KvsqldLogin;

/* @definitions: borrowed */
KvsqldLogins *kvsqld_logins_new (KvsqldDefinitions *definitions);
void kvsqld_logins_free (KvsqldLogins *self); /* accepts NULL */
guint64 kvsqld_logins_get_n_failed (KvsqldLogins *self);

/* @user: (nullable): if the client said it before; NULL: its first message says it. @peer: for the
 * count of failures; copied */
KvsqldLogin *kvsqld_login_new (KvsqldLogins *logins, const gchar *peer, const gchar *user);
void kvsqld_login_free (KvsqldLogin *self); /* accepts NULL */

/* Before the first message, where the client may bind the log-in to its connection of TLS. See
 * core/scram/server.h. */
void kvsqld_login_set_binding (KvsqldLogin *self, KvsqlSlice end_point, gboolean is_chosen);

/* The challenge for the client's first message; borrowed. NULL with KVSQL_ERROR_PROTOCOL or
 * KVSQL_ERROR_UNSUPPORTED for a bad message. */
const gchar *kvsqld_login_challenge (KvsqldLogin *self, KvsqlSlice message, GError **error);

/**
 * kvsqld_login_finish:
 * @identity: gets the role
 * @cancellable: (nullable): ends the delay of a failure
 *
 * Returns: (transfer full): the answer to the client's final message. NULL after a delay, with
 * KVSQL_ERROR_AUTHENTICATION, or an error as before
 */
gchar *kvsqld_login_finish (KvsqldLogin *self, KvsqlSlice message, KvsqldIdentity *identity,
                            GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldLogin, kvsqld_login_free)

G_END_DECLS
