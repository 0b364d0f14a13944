/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * show-activity.h: SHOW SESSIONS, SHOW STATEMENTS and KILL.
 */
#pragma once

#include "core/engine/result-page.h"
#include "core/sql/ast.h"
#include "daemon/session/activity.h"

G_BEGIN_DECLS

/* Whether the client may see, and end, a session. @role: (nullable) */
typedef gboolean (*KvsqldSessionIsVisible) (gint64 session, const gchar *role, gpointer data);

KvsqlResultPage *kvsqld_activity_show_sessions (KvsqldActivity *self,
                                                KvsqldSessionIsVisible is_visible, gpointer data);
KvsqlResultPage *kvsqld_activity_show_statements (KvsqldActivity *self,
                                                  KvsqldSessionIsVisible is_visible, gpointer data);
/* @statement: a KILL; @killer: (nullable): the session that sends it. What is not visible does not
 * exist. */
KvsqlResultPage *kvsqld_activity_run_kill (KvsqldActivity *self, const KvsqlAstStatement *statement,
                                           KvsqldSession *killer, KvsqldSessionIsVisible is_visible,
                                           gpointer data, GError **error);

G_END_DECLS
