/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * login.h: the user and password of HTTP's Basic, from a file that others cannot read.
 *
 * Threads: pure functions.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* *@out_login becomes USER:PASSWORD. FALSE with KVSQL_ERROR_INVALID, which tells nothing of the
 * file's contents. */
gboolean kvsqld_hbase_login_read (const gchar *path, gchar **out_login, GError **error);

G_END_DECLS
