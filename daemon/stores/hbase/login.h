/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * login.h: reads user and password for HTTP Basic authentication, from a file that only its owner
 * can read.
 *
 * Threads: pure functions.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sets *@out_login to USER:PASSWORD. FALSE with KVSQL_ERROR_INVALID, whose text contains nothing of
 * the file's contents. */
gboolean kvsqld_hbase_login_read (const gchar *path, gchar **out_login,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
