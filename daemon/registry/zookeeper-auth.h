/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * zookeeper-auth.h: the credentials for ZooKeeper.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * kvsqld_zk_auth_read:
 * @query: (nullable): the part after "?" of the registry's URL: auth=digest:user:password, or
 *   auth_file=/path of a file that holds digest:user:password
 * @out: (out) (nullable): "user:password"; %NULL if @query has none
 *
 * Messages never hold the password.
 */
gboolean _kvsqld_zk_auth_read (const gchar *query, gchar **out,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
