/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * prepare-command.h: PREPARE as a statement. It shares the prepared statements of the session with
 * the message Parse.
 *
 * Threads: that of the connection.
 */
#pragma once

#include "daemon/postgres/statement.h"

G_BEGIN_DECLS

/* @statement: a PREPARE. Positions of errors are in its text. */
gboolean kvsqld_pg_prepare_command (const KvsqldPgStatement *statement,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
