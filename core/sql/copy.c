/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * copy.c: see the header.
 */
#include "config.h"

#include "core/sql/copy.h"

typedef struct
{
  KvsqlArena *arena;
  GHashTable *shared; /* nodes that may be used several times -> their copies */
} Copying;

static KvsqlSelect *copy_select (const Copying *self, const KvsqlSelect *select);

static gpointer
copy_array (const Copying *self, gconstpointer array, guint n, gsize size)
{
  return n == 0 ? NULL : kvsql_arena_copy (self->arena, array, n * size);
}

#define COPY_ARRAY(self, array, n) (array = copy_array (self, array, n, sizeof *(array)))

static KvsqlAstExpr *
copy_expr (const Copying *self, const KvsqlAstExpr *expr)
{
  gboolean is_shared = expr != NULL && expr->kind == KVSQL_AST_WINDOW;
  KvsqlAstExpr *out = is_shared ? g_hash_table_lookup (self->shared, expr) : NULL;

  if (expr == NULL || out != NULL)
    return out;
  out = kvsql_arena_copy (self->arena, expr, sizeof *expr);
  COPY_ARRAY (self, out->children, out->n_children);
  for (guint i = 0; i < out->n_children; i++)
    out->children[i] = copy_expr (self, out->children[i]);
  if (out->subquery != NULL)
    out->subquery = copy_select (self, out->subquery);
  if (is_shared)
    g_hash_table_insert (self->shared, (gpointer)expr, out);
  return out;
}

static KvsqlAstExpr **
copy_exprs (const Copying *self, KvsqlAstExpr *const *exprs, guint n)
{
  KvsqlAstExpr **out = copy_array (self, exprs, n, sizeof *exprs);

  for (guint i = 0; i < n; i++)
    out[i] = copy_expr (self, out[i]);
  return out;
}

static KvsqlAstExpr ***
copy_rows (const Copying *self, KvsqlAstExpr **const *rows, guint n_rows, guint n_values)
{
  KvsqlAstExpr ***out = copy_array (self, rows, n_rows, sizeof *rows);

  for (guint i = 0; i < n_rows; i++)
    out[i] = copy_exprs (self, out[i], n_values);
  return out;
}

static KvsqlSelectItem *
copy_items (const Copying *self, const KvsqlSelectItem *items, guint n)
{
  KvsqlSelectItem *out = copy_array (self, items, n, sizeof *items);

  for (guint i = 0; i < n; i++)
    out[i].expr = copy_expr (self, out[i].expr);
  return out;
}

static KvsqlOrderItem *
copy_order (const Copying *self, const KvsqlOrderItem *items, guint n)
{
  KvsqlOrderItem *out = copy_array (self, items, n, sizeof *items);

  for (guint i = 0; i < n; i++)
    out[i].expr = copy_expr (self, out[i].expr);
  return out;
}

static KvsqlAssignment *
copy_assignments (const Copying *self, const KvsqlAssignment *assignments, guint n)
{
  KvsqlAssignment *out = copy_array (self, assignments, n, sizeof *assignments);

  for (guint i = 0; i < n; i++)
    out[i].expr = copy_expr (self, out[i].expr);
  return out;
}

static void
copy_source (const Copying *self, KvsqlSource *source)
{
  COPY_ARRAY (self, source->columns, source->n_columns);
  if (source->query != NULL)
    source->query = copy_select (self, source->query);
}

static KvsqlJoin *
copy_join (const Copying *self, const KvsqlJoin *join)
{
  KvsqlJoin *out = join == NULL ? NULL : kvsql_arena_copy (self->arena, join, sizeof *join);

  if (out == NULL || out->left == NULL)
    return out;
  out->left = copy_join (self, out->left);
  out->right = copy_join (self, out->right);
  out->on = copy_expr (self, out->on);
  return out;
}

static KvsqlSetOperation *
copy_set (const Copying *self, const KvsqlSetOperation *set)
{
  KvsqlSetOperation *out = set == NULL ? NULL : kvsql_arena_copy (self->arena, set, sizeof *set);

  if (out == NULL)
    return NULL;
  COPY_ARRAY (self, out->operands, out->n_operands);
  for (guint i = 0; i < out->n_operands; i++)
    out->operands[i] = copy_select (self, out->operands[i]);
  return out;
}

static KvsqlSelect *
copy_select (const Copying *self, const KvsqlSelect *select)
{
  KvsqlSelect *out = g_hash_table_lookup (self->shared, select);

  if (out != NULL)
    return out;
  out = kvsql_arena_copy (self->arena, select, sizeof *select);
  if (select->n_uses > 0 || select->recursive_name.text != NULL)
    g_hash_table_insert (self->shared, (gpointer)select, out);
  if (select->working_of != NULL)
    {
      KvsqlSelect *recursive = g_hash_table_lookup (self->shared, select->working_of);

      out->working_of = recursive != NULL ? recursive : select->working_of;
    }
  out->set = copy_set (self, out->set);
  out->rows = copy_rows (self, out->rows, out->n_rows, out->n_values);
  out->distinct_on = copy_exprs (self, out->distinct_on, out->n_distinct_on);
  out->items = copy_items (self, out->items, out->n_items);
  copy_source (self, &out->from);
  COPY_ARRAY (self, out->joined, out->n_joined);
  for (guint i = 0; i < out->n_joined; i++)
    copy_source (self, &out->joined[i]);
  out->join = copy_join (self, out->join);
  out->where = copy_expr (self, out->where);
  out->group_by = copy_exprs (self, out->group_by, out->n_group_by);
  out->having = copy_expr (self, out->having);
  out->windows = copy_exprs (self, out->windows, out->n_windows);
  out->order_by = copy_order (self, out->order_by, out->n_order_by);
  out->limit = copy_expr (self, out->limit);
  out->offset = copy_expr (self, out->offset);
  return out;
}

/* ---- statements */

static void
copy_insert (const Copying *self, KvsqlInsert *out)
{
  if (out->select != NULL)
    out->select = copy_select (self, out->select);
  out->rows = copy_rows (self, out->rows, out->n_rows, out->n_values);
  out->assignments = copy_assignments (self, out->assignments, out->n_assignments);
  out->conflict_where = copy_expr (self, out->conflict_where);
  out->using_timestamp = copy_expr (self, out->using_timestamp);
  out->returning = copy_items (self, out->returning, out->n_returning);
}

static void
copy_update (const Copying *self, KvsqlUpdate *out)
{
  out->assignments = copy_assignments (self, out->assignments, out->n_assignments);
  if (out->from != NULL)
    out->from = copy_select (self, out->from);
  out->where = copy_expr (self, out->where);
  out->order_by = copy_order (self, out->order_by, out->n_order_by);
  out->limit = copy_expr (self, out->limit);
  out->using_timestamp = copy_expr (self, out->using_timestamp);
  out->returning = copy_items (self, out->returning, out->n_returning);
}

static void
copy_delete (const Copying *self, KvsqlDelete *out)
{
  if (out->from != NULL)
    out->from = copy_select (self, out->from);
  out->where = copy_expr (self, out->where);
  out->order_by = copy_order (self, out->order_by, out->n_order_by);
  out->limit = copy_expr (self, out->limit);
  out->using_timestamp = copy_expr (self, out->using_timestamp);
  out->returning = copy_items (self, out->returning, out->n_returning);
}

static const KvsqlAstStatement *
copy_statement (const Copying *self, const KvsqlAstStatement *statement)
{
  KvsqlAstStatement *out = kvsql_arena_copy (self->arena, statement, sizeof *statement);

  switch (statement->kind)
    {
    case KVSQL_STATEMENT_SELECT:
      out->select = *copy_select (self, &statement->select);
      return out;
    case KVSQL_STATEMENT_INSERT:
      copy_insert (self, &out->insert);
      return out;
    case KVSQL_STATEMENT_UPDATE:
      copy_update (self, &out->update);
      return out;
    case KVSQL_STATEMENT_DELETE:
      copy_delete (self, &out->delete_);
      return out;
    case KVSQL_STATEMENT_EXPLAIN:
      out->explain.statement
          = (KvsqlAstStatement *)copy_statement (self, statement->explain.statement);
      return out;
    default:
      return statement;
    }
}

const KvsqlAstStatement *
kvsql_statement_copy (const KvsqlAstStatement *self, KvsqlArena *arena)
{
  g_autoptr (GHashTable) shared = g_hash_table_new (NULL, NULL);
  const Copying copying = { arena, shared };

  return copy_statement (&copying, self);
}

KvsqlSelect *
kvsql_select_copy (const KvsqlSelect *self, KvsqlArena *arena)
{
  g_autoptr (GHashTable) shared = g_hash_table_new (NULL, NULL);
  const Copying copying = { arena, shared };

  return copy_select (&copying, self);
}
