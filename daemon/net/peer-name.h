/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * peer-name.h: the name of a peer, as statements and the log show it.
 *
 * Threads: any but the main one, because the system may ask another machine for its users.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "user root" for "user 0", if that user has a name; else @peer as it is. Free it. */
gchar *kvsqld_peer_name (const gchar *peer);

/* The name of a user of the system; NULL: it has none. Free it. */
gchar *kvsqld_user_name (gint64 id);

G_END_DECLS
