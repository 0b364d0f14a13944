/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-error.c: the public error domain, and the conversion of other errors to it.
 *
 * The sources of errors are SqlError from kvsqld, the wire's KVSQL_ERROR (same numbers), and the
 * domains of GIO and thrift_c_glib.
 */
#include "config.h"

#include "client/error-private.h"

#include <thrift/c_glib/thrift.h>
#include <thrift/c_glib/protocol/thrift_protocol.h>

#include "core/base/error.h"

G_STATIC_ASSERT ((int)KVSQL_CLIENT_ERROR_INTERNAL == (int)KVSQL_ERROR_INTERNAL);
G_STATIC_ASSERT ((int)KVSQL_CLIENT_ERROR_DEADLINE == (int)KVSQL_ERROR_DEADLINE);
G_STATIC_ASSERT ((int)KVSQL_CLIENT_ERROR_PROTOCOL == (int)KVSQL_ERROR_PROTOCOL);
G_STATIC_ASSERT ((int)KVSQL_CLIENT_ERROR_AUTHENTICATION == (int)KVSQL_ERROR_AUTHENTICATION);

typedef struct
{
  gint position;
  gint length;
  gchar *detail;
  gchar *hint;
  gchar sqlstate[6]; /* empty: that of the code */
  gboolean is_retryable;
} KvsqlClientErrorPrivate;

static void
kvsql_client_error_private_init (KvsqlClientErrorPrivate *self)
{
  self->position = -1;
}

static void
kvsql_client_error_private_copy (const KvsqlClientErrorPrivate *source,
                                 KvsqlClientErrorPrivate *self)
{
  *self = *source;
  self->detail = g_strdup (source->detail);
  self->hint = g_strdup (source->hint);
}

static void
kvsql_client_error_private_clear (KvsqlClientErrorPrivate *self)
{
  g_free (self->detail);
  g_free (self->hint);
}

G_DEFINE_EXTENDED_ERROR (KvsqlClientError, kvsql_client_error)

static KvsqlClientErrorPrivate *
extras (const GError *error)
{
  return error != NULL && error->domain == KVSQL_CLIENT_ERROR
             ? kvsql_client_error_get_private (error)
             : NULL;
}

static KvsqlClientError
known_code (gint32 code)
{
  return code >= KVSQL_CLIENT_ERROR_INTERNAL && code <= KVSQL_CLIENT_ERROR_AUTHENTICATION
             ? (KvsqlClientError)code
             : KVSQL_CLIENT_ERROR_INTERNAL;
}

gint
kvsql_client_error_get_position (const GError *error)
{
  KvsqlClientErrorPrivate *self = extras (error);

  return self != NULL ? self->position : -1;
}

gint
kvsql_client_error_get_length (const GError *error)
{
  KvsqlClientErrorPrivate *self = extras (error);

  return self != NULL ? self->length : 0;
}

const gchar *
kvsql_client_error_get_detail (const GError *error)
{
  KvsqlClientErrorPrivate *self = extras (error);

  return self != NULL ? self->detail : NULL;
}

const gchar *
kvsql_client_error_get_hint (const GError *error)
{
  KvsqlClientErrorPrivate *self = extras (error);

  return self != NULL ? self->hint : NULL;
}

const gchar *
kvsql_client_error_get_sqlstate (const GError *error)
{
  KvsqlClientErrorPrivate *self = extras (error);

  if (self == NULL)
    return NULL;
  return self->sqlstate[0] != '\0' ? self->sqlstate
                                   : kvsql_error_code_sqlstate ((KvsqlErrorCode)error->code);
}

gboolean
kvsql_client_error_is_retryable (const GError *error)
{
  KvsqlClientErrorPrivate *self = extras (error);

  return self != NULL && self->is_retryable;
}

gboolean
_kvsql_client_error_set (GError **error, KvsqlClientError code, const gchar *format, ...)
{
  va_list args;

  if (error == NULL)
    return FALSE;
  va_start (args, format);
  *error = g_error_new_valist (KVSQL_CLIENT_ERROR, code, format, args);
  va_end (args);
  extras (*error)->is_retryable = kvsql_error_code_is_retryable ((KvsqlErrorCode)code);
  return FALSE;
}

gboolean
_kvsql_client_error_hint (GError **error, const gchar *format, ...)
{
  KvsqlClientErrorPrivate *self = error != NULL ? extras (*error) : NULL;
  va_list args;

  if (self == NULL)
    return FALSE;
  g_free (self->hint);
  va_start (args, format);
  self->hint = g_strdup_vprintf (format, args);
  va_end (args);
  return FALSE;
}

void
_kvsql_server_error_clear (KvsqlServerError *self)
{
  g_free (self->message);
  g_free (self->sqlstate);
  g_free (self->detail);
  g_free (self->hint);
  memset (self, 0, sizeof *self);
}

gboolean
_kvsql_client_error_set_from_server (GError **error, KvsqlServerError *source)
{
  KvsqlClientErrorPrivate *self;

  if (error == NULL)
    return FALSE;
  *error = g_error_new_literal (KVSQL_CLIENT_ERROR, known_code (source->code), source->message);
  self = extras (*error);
  self->position = MAX (source->position, -1);
  self->length = MAX (source->length, 0);
  self->detail = g_steal_pointer (&source->detail);
  self->hint = g_steal_pointer (&source->hint);
  if (source->sqlstate != NULL)
    g_strlcpy (self->sqlstate, source->sqlstate, sizeof self->sqlstate);
  self->is_retryable = source->retryable;
  return FALSE;
}

static KvsqlClientError
code_of_foreign (const GError *source)
{
  if (source->domain == KVSQL_ERROR)
    return known_code (source->code);
  if (source->domain == THRIFT_PROTOCOL_ERROR)
    return KVSQL_CLIENT_ERROR_PROTOCOL;
  if (g_error_matches (source, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    return KVSQL_CLIENT_ERROR_DEADLINE;
  if (g_error_matches (source, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT))
    return KVSQL_CLIENT_ERROR_INVALID;
  /* All other errors come from sockets and resolvers: kvsqld cannot be reached. */
  return KVSQL_CLIENT_ERROR_UNAVAILABLE;
}

gboolean
_kvsql_client_error_propagate (GError **error, GError *source)
{
  if (source == NULL)
    return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INTERNAL,
                                    "a call failed without an error");
  if (source->domain == KVSQL_CLIENT_ERROR
      || g_error_matches (source, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, source);
      return FALSE;
    }
  _kvsql_client_error_set (error, code_of_foreign (source), "%s", source->message);
  if (kvsql_error_get_hint (source) != NULL)
    _kvsql_client_error_hint (error, "%s", kvsql_error_get_hint (source));
  g_error_free (source);
  return FALSE;
}

void
_kvsql_client_error_recode (GError *error, KvsqlClientError code)
{
  KvsqlClientErrorPrivate *self = extras (error);

  if (self == NULL)
    return;
  error->code = code;
  self->is_retryable = kvsql_error_code_is_retryable ((KvsqlErrorCode)code);
}
