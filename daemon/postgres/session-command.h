/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * session-command.h: statements of the session: transaction blocks, settings, and what belongs to
 * the session.
 */
#pragma once

#include "daemon/postgres/session.h"

G_BEGIN_DECLS

/**
 * kvsqld_pg_session_run:
 * @command: not one of the engine
 * @out_tag: (out) (nullable): the tag, if it is another one than that of @command
 *
 * Returns: (transfer full): the result
 */
KvsqlResultPage *kvsqld_pg_session_run (KvsqldPgSession *self, const KvsqldPgCommand *command,
                                        const gchar **out_tag, GError **error);

G_END_DECLS
