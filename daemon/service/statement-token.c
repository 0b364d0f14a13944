/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statement-token.c: cursor tokens of statements other than SELECT.
 */
#include "config.h"

#include "daemon/service/service-private.h"

GBytes *
kvsqld_seal_statement (KvsqldContext *context, const KvsqlScanPosition *position,
                       KvsqlValue *values, guint n_values)
{
  g_autoptr (GBytes) key
      = kvsqld_definitions_get_secret (context->service->definitions, &context->call);
  KvsqldCursorToken token = { .sql = context->sql, .parameters = values, .n_parameters = n_values };

  if (position != NULL)
    token.position.scan = *position;
  return kvsqld_cursor_token_seal (&token, key);
}
