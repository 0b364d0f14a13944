/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * activity.h: who is connected and what runs: for SHOW, KILL and kvsqlctl top.
 *
 * A session runs one statement at a time. Its thread takes the session's own lock twice for a
 * statement, which is free unless somebody looks at that moment; the lock of the whole is for
 * sessions that come, go, or are listed.
 *
 * Threads: a session's statements belong to its thread; everything else may be called by any.
 */
#pragma once

#include "core/base/slice.h"
#include "core/store/store.h"

G_BEGIN_DECLS

typedef struct _KvsqldActivity KvsqldActivity;
typedef struct _KvsqldSession KvsqldSession;

KvsqldActivity *kvsqld_activity_new (void);
void kvsqld_activity_free (KvsqldActivity *self); /* no session may be left */

/**
 * kvsqld_session_new:
 * @peer: where it comes from
 * @connection: (nullable): fires when the peer hangs up or the daemon stops: what runs is then
 * cancelled. A KILL of the session fires it while nothing runs.
 */
KvsqldSession *kvsqld_session_new (KvsqldActivity *activity, const gchar *peer,
                                   GCancellable *connection);
/* Leaves the list; nothing may run. */
void kvsqld_session_end (KvsqldSession *self);
/* By its own words, which are not to be trusted. */
void kvsqld_session_set_client (KvsqldSession *self, const gchar *name);
gint64 kvsqld_session_get_id (const KvsqldSession *self);
/* (transfer full): for people */
gchar *kvsqld_session_describe (KvsqldSession *self);
/* KILL SESSION has ended it. */
gboolean kvsqld_session_is_ended (KvsqldSession *self);

/**
 * kvsqld_session_begin:
 * @sql: (nullable text): borrowed until the statement ends; see kvsqld_session_set_text()
 * @usage: borrowed likewise
 * @deadline_us: when it has to be over
 *
 * Returns: (transfer full): what KILL fires; the statement's id in @out_id
 */
GCancellable *kvsqld_session_begin (KvsqldSession *self, KvsqlSlice sql, const KvsqlUsage *usage,
                                    gint64 deadline_us, gint64 *out_id);
void kvsqld_session_set_text (KvsqldSession *self, KvsqlSlice sql);
/* Returns: (transfer full) (nullable): who has killed the statement */
gchar *kvsqld_session_finish (KvsqldSession *self, gboolean ok);

/* FALSE if there is no such statement, or session. @who: as kvsqld_session_describe(). */
gboolean kvsqld_activity_kill_statement (KvsqldActivity *self, gint64 id, const gchar *who);
gboolean kvsqld_activity_kill_session (KvsqldActivity *self, gint64 id, const gchar *who);

/* A session at a moment, and what it runs. */
typedef struct
{
  gint64 id;
  gchar *peer;
  gchar *client; /* nullable */
  gint64 since_ms;
  gint64 n_statements; /* that have ended */
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
/* Of all statements that run; 0: none does. */
gint64 kvsqld_activity_get_first_deadline (KvsqldActivity *self);
guint kvsqld_activity_count (KvsqldActivity *self, guint *out_n_running);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldSession, kvsqld_session_end)

G_END_DECLS
