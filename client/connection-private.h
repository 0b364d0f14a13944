/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection-private.h: what statements, results and bulks need of their connection.
 */
#pragma once

#include "client/kvsql-connection.h"
#include "client/message.h"

G_BEGIN_DECLS

/* What goes with each request; a copy, so that a setter never meets a call under way. */
typedef struct
{
  guint timeout_ms;
  guint max_rows;
  guint max_bytes;
  gboolean is_read_only;
  gboolean wants_progress;
  gboolean knows_columns; /* of a call, never of a connection */
  gboolean follows;       /* likewise */
} KvsqlRequestOptions;

KvsqlRequestOptions _kvsql_connection_get_options (KvsqlConnection *self);

/**
 * _kvsql_connection_call:
 * @generation: (inout) (optional): in: the line that the call must go over, 0 for any; out: the one
 * it went over
 *
 * Waits for its turn, opens the line if need be, and calls. A call that was certainly not done
 * because the line had died is made once more over a new one. If @generation names a line
 * that is no more, fails with %KVSQL_CLIENT_ERROR_BAD_STATEMENT_ID and sends nothing.
 */
gboolean _kvsql_connection_call (KvsqlConnection *self, const KvsqlCall *call, guint64 *generation,
                                 GCancellable *cancellable, GError **error);

/* A request that was sent, whose answer is read later: when it is finished, or before the line is
 * used for another call but one that follows it. */
typedef struct _KvsqlPending KvsqlPending;

/**
 * _kvsql_connection_begin:
 * @call: answered by an i64, and not repeatable; only used for its name and its arguments
 * @after: (nullable): what was begun last, to be followed without waiting for its answer
 *
 * The first half of a call. Without @after, what was begun before on this connection is answered
 * first. With it, @call has to have KvsqlRequestOptions.follows, and should be small enough to be
 * sent while kvsqld is busy; if @after is answered already, or not the last, nothing is sent.
 *
 * Returns: (transfer full) (nullable): what _kvsql_connection_finish() takes; NULL: nothing was
 * done, without an error only because of @after
 */
KvsqlPending *_kvsql_connection_begin (KvsqlConnection *self, const KvsqlCall *call,
                                       const KvsqlPending *after, GCancellable *cancellable,
                                       GError **error);

/**
 * _kvsql_connection_finish:
 * @out_is_over: FALSE: the wait was cancelled; @pending can be finished again. Else @pending is
 * used up, and only to be freed
 *
 * The second half. The time-out has run since the first, or since the answer before this one.
 */
gboolean _kvsql_connection_finish (KvsqlConnection *self, KvsqlPending *pending, gint64 *out_number,
                                   gboolean *out_is_over, GCancellable *cancellable,
                                   GError **error);

/* Never waits: whoever uses the line next reads the answer. Accepts NULL. */
void _kvsql_pending_free (KvsqlPending *pending);

/* To be given up in kvsqld before the next call. Never blocks, so that finalizers can use them. */
void _kvsql_connection_forget_statement (KvsqlConnection *self, gint64 id, guint64 generation);
void _kvsql_connection_forget_cursor (KvsqlConnection *self, GBytes *cursor);

G_END_DECLS
