/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * copy-in.h: COPY FROM STDIN: from the messages with its data to inserted rows.
 *
 * The state is kept in the session between messages, so that a client that sends slowly has no
 * thread. Rows are inserted a thousand at a time, each time as a request of its own: with its time,
 * and the rights of that moment. What is kept in between is bounded: the rows, and a row that has
 * come in part.
 *
 * Threads: that of the connection.
 */
#pragma once

#include "daemon/postgres/message.h"
#include "daemon/postgres/statement.h"

G_BEGIN_DECLS

/* Begins to read: sets session->copy_in, and writes CopyInResponse. @statement: COPY FROM */
gboolean kvsqld_pg_copy_in_begin (KvsqldPgSession *session, KvsqldPgStatement *statement,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqld_pg_copy_in_free (KvsqldPgCopyIn *self); /* accepts NULL */

/**
 * kvsqld_pg_copy_in_message:
 * @message: CopyData, CopyDone or CopyFail
 * @out_is_done: (out): all was inserted, and CommandComplete was written
 *
 * An error has a context as PostgreSQL's ("COPY r, line 3"), and a detail that says how many rows
 * stay. Rows that were written are noted in the transaction block in any case.
 */
gboolean kvsqld_pg_copy_in_message (KvsqldPgCopyIn *self, KvsqldPgMessage *message,
                                    gboolean *out_is_done,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The text of a simple query, of which the statements from @offset on are to be executed after the
 * COPY. The extended protocol has none. */
void kvsqld_pg_copy_in_keep_text (KvsqldPgCopyIn *self, KvsqlSlice text, gsize offset);
/* *out_text: (transfer full). FALSE: there is none */
gboolean kvsqld_pg_copy_in_take_text (KvsqldPgCopyIn *self, gchar **out_text, gsize *out_size,
                                      gsize *out_offset) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
