/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * error-private.h: constructors of errors of the public domain.
 */
#pragma once

#include "client/kvsql-error.h"

G_BEGIN_DECLS

/* An error as kvsqld sends it: SqlError of kvsql.thrift. */
typedef struct
{
  gint32 code;
  gchar *message;
  gchar *sqlstate;
  gint32 position;
  gint32 length;
  gchar *detail;
  gchar *hint;
  gboolean retryable;
} KvsqlServerError;

void _kvsql_server_error_clear (KvsqlServerError *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlServerError, _kvsql_server_error_clear)

/* Returns FALSE, so that a caller can `return` it. */
gboolean _kvsql_client_error_set (GError **error, KvsqlClientError code, const gchar *format, ...)
    G_GNUC_PRINTF (3, 4);
gboolean _kvsql_client_error_hint (GError **error, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
/* Takes the texts of @source. */
gboolean _kvsql_client_error_set_from_server (GError **error, KvsqlServerError *source);

/* Converts an error of the wire or of GIO to the public domain. G_IO_ERROR_CANCELLED stays as it
 * is. Takes @source. */
gboolean _kvsql_client_error_propagate (GError **error, GError *source);
/* Changes the code, for a caller that knows more about the failure. */
void _kvsql_client_error_recode (GError *error, KvsqlClientError code);

G_END_DECLS
