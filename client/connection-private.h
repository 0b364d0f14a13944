/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection-private.h: the part of a connection that statements, results and bulks use.
 */
#pragma once

#include "client/kvsql-connection.h"
#include "client/message.h"

G_BEGIN_DECLS

/* Options that are sent with each request. A copy, so that a setter cannot change them during a
 * call. */
typedef struct
{
  guint timeout_ms;
  guint max_rows;
  guint max_bytes;
  gboolean is_read_only;
  gboolean wants_progress;
  gboolean is_verified;
  gboolean knows_columns; /* of one call, never of a connection */
  gboolean follows;       /* of one call, too */
} KvsqlRequestOptions;

KvsqlRequestOptions _kvsql_connection_get_options (KvsqlConnection *self);

/**
 * _kvsql_connection_call:
 * @generation: (inout) (optional): in: the channel that the call must use, 0 for any; out: the
 * channel that it used
 *
 * Waits for its turn, opens a channel if necessary, and calls. If the channel had died and the call
 * was certainly not executed, it is repeated once over a new channel. If the channel of @generation
 * does not exist any more, the call fails with %KVSQL_CLIENT_ERROR_BAD_STATEMENT_ID and sends
 * nothing.
 */
gboolean _kvsql_connection_call (KvsqlConnection *self, const KvsqlMessageCall *call,
                                 guint64 *generation, GCancellable *cancellable,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A request that was sent and whose answer is read later: by _kvsql_connection_finish(), or by the
 * next call that does not follow it. */
typedef struct _KvsqlPending KvsqlPending;

/**
 * _kvsql_connection_begin:
 * @call: must have an i64 as its answer and must not be repeatable; only its name and its arguments
 * are used
 * @after: (nullable): the last request that was begun; @call is sent without waiting for its answer
 *
 * The first half of a call. Without @after, the answers of all requests that were begun before on
 * this connection are read first. With it, @call must have KvsqlRequestOptions.follows, and should
 * be small enough to be sent while kvsqld is busy. If @after is already answered, or is not the
 * last request, nothing is sent.
 *
 * Returns: (transfer full) (nullable): an argument for _kvsql_connection_finish(); %NULL: nothing
 * was sent; if there is no error, because of @after
 */
KvsqlPending *_kvsql_connection_begin (KvsqlConnection *self, const KvsqlMessageCall *call,
                                       const KvsqlPending *after, GCancellable *cancellable,
                                       GError **error);

/**
 * _kvsql_connection_finish:
 * @out_is_over: %FALSE: the wait was cancelled, @pending can be finished again; %TRUE: @pending
 * must be freed
 *
 * The second half. Its timeout starts when the request was sent, or when the answer before it was
 * read.
 */
gboolean _kvsql_connection_finish (KvsqlConnection *self, KvsqlPending *pending, gint64 *out_number,
                                   gboolean *out_is_over, GCancellable *cancellable,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Never waits: the next call on the channel reads the answer. Accepts NULL. */
void _kvsql_pending_free (KvsqlPending *pending);

/* Closes it in kvsqld before the next call. Never blocks, so that finalizers can use it. */
void _kvsql_connection_forget_statement (KvsqlConnection *self, gint64 id, guint64 generation);
void _kvsql_connection_forget_cursor (KvsqlConnection *self, GBytes *cursor);

G_END_DECLS
