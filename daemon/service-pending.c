/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-pending.c: what the parser reads and the engine does not do yet, so that it is
 * refused where it stands and never ignored.
 */
#include "config.h"

#include "daemon/service-private.h"

static gboolean
refuse (KvsqlSpan span, const gchar *what, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, span, "%s not supported yet", what);
}

static gboolean
check_insert (const KvsqlInsert *insert, KvsqlSpan span, GError **error)
{
  if (insert->select != NULL)
    return refuse (span, "INSERT … SELECT is", error);
  if (insert->on_conflict != KVSQL_CONFLICT_REPLACE)
    return refuse (span, "ON CONFLICT is", error);
  if (insert->using_timestamp != NULL)
    return refuse (insert->using_timestamp->span, "USING TIMESTAMP is", error);
  if (insert->n_returning > 0)
    return refuse (insert->returning[0].span, "RETURNING is", error);
  for (guint i = 0; i < insert->n_rows; i++)
    for (guint j = 0; j < insert->n_values; j++)
      if (insert->rows[i][j] == NULL)
        return refuse (span, "DEFAULT in VALUES is", error);
  return TRUE;
}

static gboolean
check_delete (const KvsqlDelete *statement, GError **error)
{
  if (statement->using_timestamp != NULL)
    return refuse (statement->using_timestamp->span, "USING TIMESTAMP is", error);
  if (statement->n_returning > 0)
    return refuse (statement->returning[0].span, "RETURNING is", error);
  return TRUE;
}

gboolean
kvsqld_check_pending (const KvsqlStatement *statement, GError **error)
{
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_INSERT:
      return check_insert (&statement->insert, statement->span, error);
    case KVSQL_STATEMENT_DELETE:
      return check_delete (&statement->delete_, error);
    case KVSQL_STATEMENT_EXPLAIN:
      return kvsqld_check_pending (statement->explain.statement, error);
    case KVSQL_STATEMENT_UPDATE:
      return refuse (statement->span, "UPDATE is", error);
    case KVSQL_STATEMENT_ANALYZE:
      return refuse (statement->span, "ANALYZE is", error);
    default:
      return TRUE;
    }
}
