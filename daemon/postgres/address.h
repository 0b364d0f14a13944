/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * address.h: the addresses of postgres_listen.
 */
#pragma once

#include "core/base/error.h"

G_BEGIN_DECLS

/**
 * kvsqld_pg_address_complete:
 * @text: unix:///DIRECTORY, or unix:///DIRECTORY/.s.PGSQL.PORT
 *
 * Clients look for the socket by that name in the directory that they are given as host.
 *
 * Returns: (transfer full): the address with the name of the socket, for daemon/net/listen.h; %NULL
 * with %KVSQL_ERROR_INVALID, and with %KVSQL_ERROR_UNSUPPORTED for TCP
 */
gchar *kvsqld_pg_address_complete (const gchar *text, GError **error);

G_END_DECLS
