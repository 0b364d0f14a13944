/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * show-activity.h: SHOW SESSIONS, SHOW STATEMENTS and KILL.
 */
#pragma once

#include "core/engine/result-page.h"
#include "core/sql/ast.h"
#include "daemon/session/activity.h"

G_BEGIN_DECLS

KvsqlResultPage *kvsqld_activity_show_sessions (KvsqldActivity *self);
KvsqlResultPage *kvsqld_activity_show_statements (KvsqldActivity *self);
/* @statement: a KILL; @killer: (nullable): the session that sends it */
KvsqlResultPage *kvsqld_activity_run_kill (KvsqldActivity *self, const KvsqlAstStatement *statement,
                                           KvsqldSession *killer, GError **error);

G_END_DECLS
