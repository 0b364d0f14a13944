/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-error.h: the errors of libkvsql, and what a program can ask about them.
 *
 * The errors of a call: each request to kvsqld can fail with %KVSQL_CLIENT_ERROR_UNAVAILABLE,
 * %KVSQL_CLIENT_ERROR_DEADLINE, %KVSQL_CLIENT_ERROR_LIMIT, %KVSQL_CLIENT_ERROR_PROTOCOL,
 * %KVSQL_CLIENT_ERROR_INTERNAL and %G_IO_ERROR_CANCELLED. A request that may write can also fail
 * with %KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME.
 *
 * Retries: repeat a request if kvsql_client_error_is_retryable() returns %TRUE. libkvsql itself
 * repeats a request once, over a new socket, if the socket of the earlier calls was lost, and only
 * if kvsqld has not received the whole request, or if the request cannot write: the next page, a
 * prepare, or a query on a read-only connection. After %KVSQL_CLIENT_ERROR_DEADLINE,
 * %KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME and %G_IO_ERROR_CANCELLED a write may have been executed. A
 * plain INSERT replaces the tuple of its key, so it is safe to repeat it. Before you repeat another
 * write, read the tuples.
 *
 * An error has more than a message. The functions below accept an error of any domain, and %NULL,
 * so the caller need not check the domain. A copy of an error, and an error with a prefix of
 * g_prefix_error(), keeps these values.
 *
 * Threads: an error belongs to the caller. Several threads may read it.
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

/**
 * KVSQL_CLIENT_ERROR:
 *
 * The domain of the errors of libkvsql. Its codes are those of #KvsqlClientError.
 *
 * Since: 0.1
 */
#define KVSQL_CLIENT_ERROR (kvsql_client_error_quark ())

/**
 * KvsqlClientError:
 * @KVSQL_CLIENT_ERROR_INTERNAL: a bug in kvsql. SQLSTATE XX000
 * @KVSQL_CLIENT_ERROR_SYNTAX: the text is not a statement. SQLSTATE 42601
 * @KVSQL_CLIENT_ERROR_INVALID: a statement without a valid meaning, or an invalid argument.
 * SQLSTATE 42000
 * @KVSQL_CLIENT_ERROR_UNKNOWN_NAME: no such relation, schema, attribute or function. SQLSTATE 42704
 * @KVSQL_CLIENT_ERROR_ALREADY_EXISTS: the name is in use. SQLSTATE 42710
 * @KVSQL_CLIENT_ERROR_TYPE: a value or an operand of the wrong type. SQLSTATE 42804
 * @KVSQL_CLIENT_ERROR_VALUE: a value out of range, or one that a layout cannot store. SQLSTATE
 * 22000
 * @KVSQL_CLIENT_ERROR_DEFINITION: the definition check rejected a relation or schema. SQLSTATE
 * 42P17
 * @KVSQL_CLIENT_ERROR_CONFLICT: another client changed the same thing first. Can be retried.
 * SQLSTATE 40001
 * @KVSQL_CLIENT_ERROR_STORE: the store returned an error or an invalid answer. SQLSTATE 58000
 * @KVSQL_CLIENT_ERROR_UNAVAILABLE: kvsqld, its store or its registry cannot be reached; nothing was
 * done. Can be retried. SQLSTATE 08006
 * @KVSQL_CLIENT_ERROR_DEADLINE: the time was over, or the statement was killed. If kvsqld did not
 * answer, a write may or may not have been executed. SQLSTATE 57014
 * @KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME: the connection broke after the request was sent; a write may
 * or may not have been executed. libkvsql does not know whether a statement writes, so a SELECT can
 * also have this error. SQLSTATE 40003
 * @KVSQL_CLIENT_ERROR_LIMIT: a configured limit was reached; the message names it. SQLSTATE 54000
 * @KVSQL_CLIENT_ERROR_BAD_CURSOR: the rest of a result is no longer available: a definition was
 * changed, or the bytes are not a cursor of this registry. SQLSTATE 34000
 * @KVSQL_CLIENT_ERROR_BAD_STATEMENT_ID: a prepared statement is not known on its connection.
 * SQLSTATE 26000
 * @KVSQL_CLIENT_ERROR_UNSUPPORTED: this kvsqld does not support the request. SQLSTATE 0A000
 * @KVSQL_CLIENT_ERROR_READ_ONLY: a write on a read-only connection, or to a kvsqld that only reads.
 * SQLSTATE 25006
 * @KVSQL_CLIENT_ERROR_PROTOCOL: one of the two ends has sent what the protocol does not allow.
 * SQLSTATE 08P01
 * @KVSQL_CLIENT_ERROR_DUPLICATE_KEY: a tuple has the KEY already: of an UPDATE, or of an
 * INSERT into a relation WITH (insert = unique). SQLSTATE 23505
 * @KVSQL_CLIENT_ERROR_NOT_ALLOWED: the role of the connection may not do that. SQLSTATE 42501
 * @KVSQL_CLIENT_ERROR_AUTHENTICATION: the password is wrong, or missing, or the role does not exist
 * any more. SQLSTATE 28P01 or 28000
 *
 * The distinctions that a program may have to act on. The numbers are those of ErrorCode in
 * kvsql.thrift. An unknown number from a newer kvsqld becomes %KVSQL_CLIENT_ERROR_INTERNAL, and
 * keeps its SQLSTATE.
 *
 * Since: 0.1
 */
typedef enum
{
  KVSQL_CLIENT_ERROR_INTERNAL = 1,
  KVSQL_CLIENT_ERROR_SYNTAX = 2,
  KVSQL_CLIENT_ERROR_INVALID = 3,
  KVSQL_CLIENT_ERROR_UNKNOWN_NAME = 4,
  KVSQL_CLIENT_ERROR_ALREADY_EXISTS = 5,
  KVSQL_CLIENT_ERROR_TYPE = 6,
  KVSQL_CLIENT_ERROR_VALUE = 7,
  KVSQL_CLIENT_ERROR_DEFINITION = 8,
  KVSQL_CLIENT_ERROR_CONFLICT = 9,
  KVSQL_CLIENT_ERROR_STORE = 10,
  KVSQL_CLIENT_ERROR_UNAVAILABLE = 11,
  KVSQL_CLIENT_ERROR_DEADLINE = 12,
  KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME = 13,
  KVSQL_CLIENT_ERROR_LIMIT = 14,
  KVSQL_CLIENT_ERROR_BAD_CURSOR = 15,
  KVSQL_CLIENT_ERROR_BAD_STATEMENT_ID = 16,
  KVSQL_CLIENT_ERROR_UNSUPPORTED = 17,
  KVSQL_CLIENT_ERROR_READ_ONLY = 18,
  KVSQL_CLIENT_ERROR_PROTOCOL = 19,
  KVSQL_CLIENT_ERROR_DUPLICATE_KEY = 20,
  KVSQL_CLIENT_ERROR_NOT_ALLOWED = 21,
  KVSQL_CLIENT_ERROR_AUTHENTICATION = 22
} KvsqlClientError;

/**
 * kvsql_client_error_quark:
 *
 * The function of the macro %KVSQL_CLIENT_ERROR.
 *
 * Returns: the domain
 *
 * Since: 0.1
 */
GQuark kvsql_client_error_quark (void);

/**
 * kvsql_client_error_get_position:
 * @error: (nullable): an error
 *
 * Gives the place in the text of the statement to which the message refers.
 *
 * Returns: a byte offset from 0; -1 if the error has no position
 *
 * Since: 0.1
 */
gint kvsql_client_error_get_position (const GError *error);

/**
 * kvsql_client_error_get_length:
 * @error: (nullable): an error
 *
 * Gives the length of the place to which the message refers, see
 * kvsql_client_error_get_position().
 *
 * Returns: a number of bytes; 0 if it is unknown
 *
 * Since: 0.1
 */
gint kvsql_client_error_get_length (const GError *error);

/**
 * kvsql_client_error_get_detail:
 * @error: (nullable): an error
 *
 * Gives more details, in complete sentences. For a write of several tuples that ended early, they
 * can say how many tuples were written.
 *
 * Returns: (transfer none) (nullable): the details, as long as @error exists; %NULL if there are
 * none
 *
 * Since: 0.1
 */
const gchar *kvsql_client_error_get_detail (const GError *error);

/**
 * kvsql_client_error_get_hint:
 * @error: (nullable): an error
 *
 * Says what the user can do about the error, in complete sentences.
 *
 * Returns: (transfer none) (nullable): the hint, as long as @error exists; %NULL if there is none
 *
 * Since: 0.1
 */
const gchar *kvsql_client_error_get_hint (const GError *error);

/**
 * kvsql_client_error_get_sqlstate:
 * @error: (nullable): an error
 *
 * Gives the SQLSTATE: five characters, as in the SQL standard and in PostgreSQL. #KvsqlClientError
 * lists them.
 *
 * Returns: (transfer none) (nullable): the SQLSTATE, as long as @error exists; %NULL for an error
 * of another domain
 *
 * Since: 0.1
 */
const gchar *kvsql_client_error_get_sqlstate (const GError *error);

/**
 * kvsql_client_error_is_retryable:
 * @error: (nullable): an error
 *
 * Says whether the same request may succeed later, and whether it is safe to repeat it. This is
 * the case for %KVSQL_CLIENT_ERROR_UNAVAILABLE and %KVSQL_CLIENT_ERROR_CONFLICT. Wait before you
 * repeat the request.
 *
 * Returns: %TRUE if it can be repeated; %FALSE also for an error of another domain
 *
 * Since: 0.1
 */
gboolean kvsql_client_error_is_retryable (const GError *error);

G_END_DECLS
