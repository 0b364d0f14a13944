/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-error.h: what can go wrong, and what to know about it.
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

/**
 * KVSQL_CLIENT_ERROR:
 *
 * The domain of the errors of libkvsql. Codes are of #KvsqlClientError.
 */
#define KVSQL_CLIENT_ERROR (kvsql_client_error_quark ())

/**
 * KvsqlClientError:
 * @KVSQL_CLIENT_ERROR_INTERNAL: a bug in kvsql
 * @KVSQL_CLIENT_ERROR_SYNTAX: the text is not a statement
 * @KVSQL_CLIENT_ERROR_INVALID: a statement that cannot mean anything, or a bad argument
 * @KVSQL_CLIENT_ERROR_UNKNOWN_NAME: no such relation, schema, attribute or function
 * @KVSQL_CLIENT_ERROR_ALREADY_EXISTS: something of that name exists
 * @KVSQL_CLIENT_ERROR_TYPE: a value or an operand of the wrong type
 * @KVSQL_CLIENT_ERROR_VALUE: a value out of range, or one that a layout cannot hold
 * @KVSQL_CLIENT_ERROR_DEFINITION: the definition check refused a relation or schema
 * @KVSQL_CLIENT_ERROR_CONFLICT: somebody else changed the same thing first
 * @KVSQL_CLIENT_ERROR_STORE: the store refused or answered nonsense
 * @KVSQL_CLIENT_ERROR_UNAVAILABLE: kvsqld, its store or its registry cannot be reached; nothing was
 * done
 * @KVSQL_CLIENT_ERROR_DEADLINE: time ran out; what was under way may or may not have happened
 * @KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME: the connection broke; a write may or may not have happened
 * @KVSQL_CLIENT_ERROR_LIMIT: a configured limit was reached
 * @KVSQL_CLIENT_ERROR_BAD_CURSOR: the rest of a result is no longer available
 * @KVSQL_CLIENT_ERROR_BAD_STATEMENT_ID: a prepared statement is no longer available
 * @KVSQL_CLIENT_ERROR_UNSUPPORTED: this kvsqld does not have that
 * @KVSQL_CLIENT_ERROR_READ_ONLY: a write on a connection that only reads
 * @KVSQL_CLIENT_ERROR_PROTOCOL: the two ends do not understand each other
 *
 * What a caller would branch on. The numbers are those of ErrorCode in kvsql.thrift;
 * an unknown one from a newer kvsqld comes as @KVSQL_CLIENT_ERROR_INTERNAL.
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

GQuark kvsql_client_error_quark (void);

/*
 * The facts beside the message. Each accepts errors of every domain and then says "unknown",
 * so that a caller need not look at the domain first. Copies of an error keep them.
 */

/**
 * kvsql_client_error_get_position:
 * @error: an error
 *
 * Returns: the byte offset in the statement that the message is about, or -1
 */
gint kvsql_client_error_get_position (const GError *error);

/**
 * kvsql_client_error_get_length:
 * @error: an error
 *
 * Returns: how many bytes from the position on the message is about; 0 if unknown
 */
gint kvsql_client_error_get_length (const GError *error);

/**
 * kvsql_client_error_get_detail:
 * @error: an error
 *
 * Returns: (transfer none) (nullable): more about what happened, in whole sentences
 */
const gchar *kvsql_client_error_get_detail (const GError *error);

/**
 * kvsql_client_error_get_hint:
 * @error: an error
 *
 * Returns: (transfer none) (nullable): what to do about it, in whole sentences
 */
const gchar *kvsql_client_error_get_hint (const GError *error);

/**
 * kvsql_client_error_get_sqlstate:
 * @error: an error
 *
 * Returns: (transfer none) (nullable): the five characters of the SQL standard's and PostgreSQL's
 * error codes
 */
const gchar *kvsql_client_error_get_sqlstate (const GError *error);

/**
 * kvsql_client_error_is_retryable:
 * @error: an error
 *
 * Returns: whether the same request may succeed later, and repeating it does no harm
 */
gboolean kvsql_client_error_is_retryable (const GError *error);

G_END_DECLS
