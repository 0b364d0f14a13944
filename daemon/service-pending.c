/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-pending.c: what the parser reads and the engine does not do yet, so that it is
 * refused where it stands and never ignored.
 */
#include "config.h"

#include "daemon/service-private.h"

gboolean
kvsqld_check_pending (const KvsqlStatement *statement, GError **error)
{
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_EXPLAIN:
      return kvsqld_check_pending (statement->explain.statement, error);
    case KVSQL_STATEMENT_ANALYZE:
      return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, statement->span,
                              "ANALYZE is not supported yet");
    default:
      return TRUE;
    }
}
