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
check_expr (const KvsqlAstExpr *expr, GError **error)
{
  if (expr == NULL)
    return TRUE;
  if (expr->subquery != NULL)
    return refuse (expr->span, "IN (SELECT …) is", error);
  if (expr->qualifier.text != NULL)
    return refuse (expr->span, "qualified names are", error);
  for (guint i = 0; i < expr->n_children; i++)
    if (!check_expr (expr->children[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
check_alias (const KvsqlName *alias, GError **error)
{
  return alias->text == NULL || refuse (alias->span, "an alias of a relation is", error);
}

static gboolean
check_order (const KvsqlOrderItem *items, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      if (items[i].nulls != KVSQL_NULLS_DEFAULT)
        return refuse (items[i].expr->span, "NULLS FIRST and NULLS LAST are", error);
      if (!check_expr (items[i].expr, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_items (const KvsqlSelectItem *items, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!check_expr (items[i].expr, error))
      return FALSE;
  return TRUE;
}

static gboolean
check_select (const KvsqlSelect *select, GError **error)
{
  return check_alias (&select->alias, error) && check_items (select->items, select->n_items, error)
         && check_expr (select->where, error) && check_expr (select->having, error)
         && check_order (select->order_by, select->n_order_by, error);
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
  return check_alias (&statement->alias, error) && check_expr (statement->where, error)
         && check_order (statement->order_by, statement->n_order_by, error);
}

gboolean
kvsqld_check_pending (const KvsqlStatement *statement, GError **error)
{
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_SELECT:
      return check_select (&statement->select, error);
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
