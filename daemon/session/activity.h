/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * activity.h: the sessions and the statements that they run, for SHOW, KILL and kvsqlctl top.
 *
 * A session runs one statement at a time. For each statement its thread takes the session's own
 * lock twice. This lock is free, unless another thread lists the session at that moment. The lock
 * of the list is only for sessions that begin, end, or are listed.
 *
 * Threads: a session's statements belong to its thread; all other functions may be called by any
 * thread.
 */
#pragma once

#include <gio/gio.h>

#include "core/base/slice.h"
#include "daemon/session/role-usage.h"

G_BEGIN_DECLS

typedef struct _KvsqldActivity KvsqldActivity;
typedef struct _KvsqldSession KvsqldSession;

KvsqldActivity *kvsqld_activity_new (void);
void kvsqld_activity_free (KvsqldActivity *self); /* no session may be left */

/* Called by the thread that ends a session, after the session has ended: frees what belongs to the
 * session. To be set before the first session begins. */
typedef void (*KvsqldSessionEnded) (gint64 session_id, gpointer user_data);
void kvsqld_activity_set_ended (KvsqldActivity *self, KvsqldSessionEnded ended, gpointer user_data);

/**
 * kvsqld_session_new:
 * @peer: the client's address
 * @connection: (nullable): fires when the peer hangs up or the daemon stops; the running statement
 *   is then cancelled. A KILL of the session fires it while no statement runs.
 */
KvsqldSession *kvsqld_session_new (KvsqldActivity *activity, const gchar *peer,
                                   GCancellable *connection);
/* Removes the session from the list. No statement may run. */
void kvsqld_session_end (KvsqldSession *self);
/* The name that the client gives itself; it is not verified. */
void kvsqld_session_set_client (KvsqldSession *self, const gchar *name);
/* The role that has logged in. */
void kvsqld_session_set_role (KvsqldSession *self, const gchar *role);
/* It executes a statement that it has the right to. TRUE: it is the first one. Only for the thread
 * of its statements. */
gboolean kvsqld_session_note_use (KvsqldSession *self);
/* The usage that it has joined, and leaves at its end. NULL: none. Only for the thread of its
 * statements. */
void kvsqld_session_set_role_usage (KvsqldSession *self, KvsqldRoleUsage *usage);
KvsqldRoleUsage *kvsqld_session_get_role_usage (const KvsqldSession *self);
gint64 kvsqld_session_get_id (const KvsqldSession *self);
/* (transfer full): as text */
gchar *kvsqld_session_describe (KvsqldSession *self);
gboolean kvsqld_session_is_running (KvsqldSession *self); /* a statement */
/* Whether KILL SESSION has ended it. */
gboolean kvsqld_session_is_ended (KvsqldSession *self);

/**
 * kvsqld_session_begin:
 * @sql: (nullable text): borrowed until the statement ends; see kvsqld_session_set_text()
 * @usage: borrowed until the statement ends
 * @deadline_us: when the statement must have ended
 *
 * Returns: (transfer full): the cancellable that KILL fires; the statement's id in @out_id
 */
GCancellable *kvsqld_session_begin (KvsqldSession *self, KvsqlSlice sql, const KvsqlUsage *usage,
                                    gint64 deadline_us, gint64 *out_id);
void kvsqld_session_set_text (KvsqldSession *self, KvsqlSlice sql);
/* Returns: (transfer full) (nullable): the session that killed the statement */
gchar *kvsqld_session_finish (KvsqldSession *self, gboolean ok);

/* Kills the running statement, if there is one, as its client has asked on another connection. */
void kvsqld_session_cancel (KvsqldSession *self);

/* FALSE if there is no such statement, or session. @who: the killer, as from
 * kvsqld_session_describe(). */
gboolean kvsqld_activity_kill_statement (KvsqldActivity *self, gint64 id, const gchar *who);
gboolean kvsqld_activity_kill_session (KvsqldActivity *self, gint64 id, const gchar *who);

/* A session at one moment, and the statement that it runs. */
typedef struct
{
  gint64 id;
  gchar *peer;
  gchar *client; /* nullable */
  gchar *role;   /* nullable */
  gint64 since_ms;
  gint64 n_statements; /* ended statements */
  gint64 n_errors;
  gint64 statement; /* 0: idle */
  gchar *text;      /* nullable: of the statement, without its constants */
  gint64 elapsed_us;
  gint64 n_store_calls;
  gint64 n_rows_read;
  gint64 n_bytes; /* of memory */
  gboolean is_killed;
} KvsqldSessionInfo;

/* (element-type KvsqldSessionInfo) (transfer full): by id */
GPtrArray *kvsqld_activity_list (KvsqldActivity *self);
/* The earliest deadline of all running statements; 0: none runs. */
gint64 kvsqld_activity_get_first_deadline (KvsqldActivity *self);
guint kvsqld_activity_count (KvsqldActivity *self, guint *out_n_running);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldSession, kvsqld_session_end)

G_END_DECLS
