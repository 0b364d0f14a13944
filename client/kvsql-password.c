/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-password.c: the verifier of a password.
 */
#include "config.h"

#include "client/error-private.h"
#include "client/kvsql-connection.h"
#include "core/scram/scram.h"

gchar *
kvsql_password_make_verifier (const gchar *password, GError **error)
{
  g_autoptr (GError) cause = NULL;

  g_return_val_if_fail (password != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (kvsql_scram_password_check (password, &cause))
    return kvsql_scram_verifier_new (password);
  _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID, "%s", cause->message);
  if (kvsql_error_get_hint (cause) != NULL)
    _kvsql_client_error_hint (error, "%s", kvsql_error_get_hint (cause));
  return NULL;
}
