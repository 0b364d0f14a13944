/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * failure.c: see failure.h.
 */
#include "config.h"

#include "daemon/rpc/failure.h"

/* Codes are sent as numbers. */
#define SAME_CODE(name) G_STATIC_ASSERT ((int)KVSQL_ERROR_##name == KVSQL_RPC_ERROR_CODE_##name)

SAME_CODE (INTERNAL);
SAME_CODE (SYNTAX);
SAME_CODE (INVALID);
SAME_CODE (UNKNOWN_NAME);
SAME_CODE (ALREADY_EXISTS);
SAME_CODE (TYPE);
SAME_CODE (VALUE);
SAME_CODE (DEFINITION);
SAME_CODE (CONFLICT);
SAME_CODE (STORE);
SAME_CODE (UNAVAILABLE);
SAME_CODE (DEADLINE);
SAME_CODE (UNKNOWN_OUTCOME);
SAME_CODE (LIMIT);
SAME_CODE (BAD_CURSOR);
SAME_CODE (BAD_STATEMENT_ID);
SAME_CODE (UNSUPPORTED);
SAME_CODE (READ_ONLY);
SAME_CODE (PROTOCOL);
SAME_CODE (DUPLICATE_KEY);
SAME_CODE (NOT_ALLOWED);
SAME_CODE (AUTHENTICATION);

/* A message may contain bytes of a store, but a peer in another language may require UTF-8. */
static void
set_text (KvsqlRpcSqlError *self, const gchar *property, const gchar *text)
{
  g_autofree gchar *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  if (valid != NULL)
    g_object_set (self, property, valid, NULL);
}

KvsqlRpcSqlError *
kvsqld_rpc_failure_new (const GError *cause)
{
  KvsqlErrorCode code
      = cause->domain == KVSQL_ERROR ? (KvsqlErrorCode)cause->code : KVSQL_ERROR_INTERNAL;
  KvsqlSpan span = kvsql_error_get_span (cause);
  KvsqlRpcSqlError *self = g_object_new (KVSQL_RPC_TYPE_SQL_ERROR, "code", (gint)code, NULL);

  set_text (self, "message", cause->message);
  set_text (self, "sqlstate",
            cause->domain == KVSQL_ERROR ? kvsql_error_get_sqlstate (cause)
                                         : kvsql_error_code_sqlstate (code));
  set_text (self, "detail", kvsql_error_get_detail (cause));
  set_text (self, "hint", kvsql_error_get_hint (cause));
  if (span.offset >= 0)
    g_object_set (self, "position", span.offset, "length", span.length, NULL);
  g_object_set (self, "retryable", kvsql_error_code_is_retryable (code), NULL);
  return self;
}
