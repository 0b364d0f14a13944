/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * execute-command.h: EXECUTE as a statement: the portal of a prepared statement, with the values of
 * its arguments.
 *
 * Threads: that of the connection.
 */
#pragma once

#include "daemon/postgres/portal.h"

G_BEGIN_DECLS

/**
 * kvsqld_pg_portal_of:
 * @statement: any
 *
 * A portal of the statement. That of EXECUTE is one of the prepared statement. Errors of that have
 * no position. (transfer full)
 */
KvsqldPgPortal *kvsqld_pg_portal_of (KvsqldPgStatement *statement, GError **error);

G_END_DECLS
