/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-error.h: the errors of libkvsql, and what a program can ask about them.
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

/**
 * KVSQL_CLIENT_ERROR:
 *
 * The domain of the errors of libkvsql. Its codes are those of #KvsqlClientError.
 */
#define KVSQL_CLIENT_ERROR (kvsql_client_error_quark ())

/**
 * KvsqlClientError:
 * @KVSQL_CLIENT_ERROR_INTERNAL: a bug in kvsql
 * @KVSQL_CLIENT_ERROR_SYNTAX: the text is not a statement
 * @KVSQL_CLIENT_ERROR_INVALID: a statement without a valid meaning, or an invalid argument
 * @KVSQL_CLIENT_ERROR_UNKNOWN_NAME: no such relation, schema, attribute or function
 * @KVSQL_CLIENT_ERROR_ALREADY_EXISTS: the name is in use
 * @KVSQL_CLIENT_ERROR_TYPE: a value or an operand of the wrong type
 * @KVSQL_CLIENT_ERROR_VALUE: a value out of range, or one that a layout cannot store
 * @KVSQL_CLIENT_ERROR_DEFINITION: the definition check rejected a relation or schema
 * @KVSQL_CLIENT_ERROR_CONFLICT: another client changed the same thing first
 * @KVSQL_CLIENT_ERROR_STORE: the store returned an error or an invalid answer
 * @KVSQL_CLIENT_ERROR_UNAVAILABLE: kvsqld, its store or its registry cannot be reached; nothing was
 * done
 * @KVSQL_CLIENT_ERROR_DEADLINE: the time was over; a running request may or may not have been
 * executed
 * @KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME: the connection broke; a write may or may not have been
 * executed
 * @KVSQL_CLIENT_ERROR_LIMIT: a configured limit was reached
 * @KVSQL_CLIENT_ERROR_BAD_CURSOR: the rest of a result is no longer available
 * @KVSQL_CLIENT_ERROR_BAD_STATEMENT_ID: a prepared statement is not known on its connection
 * @KVSQL_CLIENT_ERROR_UNSUPPORTED: this kvsqld does not support the request
 * @KVSQL_CLIENT_ERROR_READ_ONLY: a write on a read-only connection
 * @KVSQL_CLIENT_ERROR_PROTOCOL: the two ends do not understand each other
 *
 * The distinctions that a program may have to act on. The numbers are those of ErrorCode in
 * kvsql.thrift; an unknown number from a newer kvsqld becomes @KVSQL_CLIENT_ERROR_INTERNAL.
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
  KVSQL_CLIENT_ERROR_PROTOCOL = 19
} KvsqlClientError;

/**
 * kvsql_client_error_quark:
 *
 * Returns: the domain %KVSQL_CLIENT_ERROR
 */
GQuark kvsql_client_error_quark (void);

/* More facts about an error than its message. Each function accepts errors of every domain and
 * returns "unknown" for those of other domains, so that the caller need not check the domain. A
 * copy of an error keeps the facts. */

/**
 * kvsql_client_error_get_position:
 * @error: an error
 *
 * Returns: the byte offset in the statement to which the message refers, or -1
 */
gint kvsql_client_error_get_position (const GError *error);

/**
 * kvsql_client_error_get_length:
 * @error: an error
 *
 * Returns: the number of bytes from the position to which the message refers; 0 if unknown
 */
gint kvsql_client_error_get_length (const GError *error);

/**
 * kvsql_client_error_get_detail:
 * @error: an error
 *
 * Returns: (transfer none) (nullable): more details, in complete sentences
 */
const gchar *kvsql_client_error_get_detail (const GError *error);

/**
 * kvsql_client_error_get_hint:
 * @error: an error
 *
 * Returns: (transfer none) (nullable): what the user can do about it, in complete sentences
 */
const gchar *kvsql_client_error_get_hint (const GError *error);

/**
 * kvsql_client_error_get_sqlstate:
 * @error: an error
 *
 * Returns: (transfer none) (nullable): the SQLSTATE: five characters, as in the SQL standard and in
 * PostgreSQL
 */
const gchar *kvsql_client_error_get_sqlstate (const GError *error);

/**
 * kvsql_client_error_is_retryable:
 * @error: an error
 *
 * Returns: whether the same request may succeed later, and it is safe to repeat it
 */
gboolean kvsql_client_error_is_retryable (const GError *error);

G_END_DECLS
