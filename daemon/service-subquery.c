/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-subquery.c: IN (SELECT …): run first, and read as the list of its values from there on.
 *
 * So whatever a list of values can do, key ranges among it, a subquery can do. It sees nothing of
 * the statement around it. The tree is not changed (it may be a prepared statement's): what lies
 * between its root and a subquery is copied.
 */
#include "config.h"

#include "daemon/service-private.h"

#define ROWS_PER_PAGE 1000
#define BYTES_PER_PAGE (1024 * 1024)

static gboolean rewrite_select (KvsqldTask *task, gboolean is_prepare, const KvsqlSelect *select,
                                KvsqlSelect *out, GError **error);

/* ---- running one */

/* A value as a literal that means it. */
static KvsqlAstExpr *
make_literal (const KvsqlValue *value, KvsqlSpan span, KvsqlArena *arena)
{
  KvsqlAstExpr *literal = kvsql_arena_new0 (arena, KvsqlAstExpr);
  KvsqlAstExpr *cast;
  g_autoptr (GString) text = NULL;

  literal->kind = KVSQL_AST_LITERAL;
  literal->span = span;
  literal->value = kvsql_value_dup (value, arena);
  switch (value->type)
    {
    case KVSQL_TYPE_INT:
      literal->value.type = KVSQL_TYPE_BIGINT;
      return literal;
    case KVSQL_TYPE_FLOAT:
      literal->value.type = KVSQL_TYPE_DOUBLE;
      return literal;
    case KVSQL_TYPE_STRING:
    case KVSQL_TYPE_DATE:
    case KVSQL_TYPE_TIMESTAMP:
      break;
    default:
      return literal;
    }
  /* a text alone would take any type */
  text = g_string_new (NULL);
  kvsql_value_append_text (value, text);
  literal->value = (KvsqlValue){ .type = KVSQL_TYPE_STRING };
  literal->value.bytes = kvsql_slice_dup (arena, kvsql_slice (text->str, text->len));
  cast = kvsql_arena_new0 (arena, KvsqlAstExpr);
  cast->kind = KVSQL_AST_CAST;
  cast->span = span;
  cast->cast_type = (KvsqlName){ span, kvsql_type_get_name (value->type), FALSE };
  cast->children = kvsql_arena_array (arena, KvsqlAstExpr *, 1);
  cast->children[0] = literal;
  cast->n_children = 1;
  return cast;
}

static gboolean
too_many (const KvsqldTask *task, KvsqlSpan span, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, span,
                   "IN (SELECT …) gives more than %" G_GSIZE_FORMAT " MiB of values",
                   task->limits.sort_bytes >> 20);
  return kvsql_error_hint (error, "Narrow the predicate of the subquery, or raise sort_bytes in "
                                  "the daemon's configuration.");
}

/* Adds the answer's one column to @out as literals. */
static gboolean
collect_values (KvsqldTask *task, const KvsqlSelectPlan *plan, KvsqlSpan span, GPtrArray *out,
                GError **error)
{
  KvsqlSelectLimits limits = kvsqld_task_get_select_limits (task);
  g_autoptr (KvsqlSelectRun) run = kvsql_select_run_new (plan, task->service->store, &limits, NULL);
  gsize before = kvsql_arena_get_size (task->arena);
  gboolean has_more = TRUE;

  while (has_more)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (KvsqlBatch) page = NULL;

      if (!kvsql_select_run_page (run, ROWS_PER_PAGE, BYTES_PER_PAGE, &task->call, arena, &page,
                                  &has_more, error))
        return FALSE;
      for (guint row = 0; row < page->n_rows; row++)
        {
          KvsqlValue value = kvsql_vector_get (&page->columns[0], row);
          g_ptr_array_add (out, make_literal (&value, span, task->arena));
        }
      if (kvsql_arena_get_size (task->arena) - before > limits.sort_bytes)
        return too_many (task, span, error);
    }
  return TRUE;
}

static gboolean
run_subquery (KvsqldTask *task, gboolean is_prepare, const KvsqlAstExpr *in, GPtrArray *out,
              GError **error)
{
  KvsqlBinder binder = kvsqld_task_get_binder (task);
  const KvsqlSelectPlan *plan;
  KvsqlSelect select;

  binder.is_prepare = is_prepare;
  if (!rewrite_select (task, is_prepare, in->subquery, &select, error))
    return FALSE;
  /* a value counts once, unless it matters which come first */
  if (select.limit == NULL && select.offset == NULL && select.n_order_by == 0)
    select.is_distinct = TRUE;
  plan = kvsql_select_plan_make (task->catalog, &select, &binder,
                                 &task->service->store->capabilities, error);
  if (plan == NULL)
    return FALSE;
  if (plan->n_items != 1)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID,
                            in->subquery->n_items > 0 ? in->subquery->items[0].span : in->span,
                            "a subquery of IN gives one column, not %u", plan->n_items);
  if (is_prepare)
    {
      g_ptr_array_add (out, make_literal (&KVSQL_VALUE_NULL, in->span, task->arena));
      return TRUE;
    }
  return collect_values (task, plan, in->span, out, error);
}

/* @in with a list; of no values it is never true, and its negation always. */
static KvsqlAstExpr *
list_of_values (const KvsqlAstExpr *in, const GPtrArray *values, KvsqlArena *arena)
{
  KvsqlAstExpr *list = kvsql_arena_copy (arena, in, sizeof *in);

  list->subquery = NULL;
  if (values->len == 0)
    {
      const KvsqlValue truth = { .type = KVSQL_TYPE_BOOLEAN, .boolean = in->is_negated };
      return make_literal (&truth, in->span, arena);
    }
  list->n_children = values->len + 1;
  list->children = kvsql_arena_array (arena, KvsqlAstExpr *, list->n_children);
  list->children[0] = in->children[0];
  memcpy (list->children + 1, values->pdata, values->len * sizeof (gpointer));
  return list;
}

/* ---- the tree */

static gboolean
has_subquery (const KvsqlAstExpr *expr)
{
  if (expr == NULL || expr->subquery != NULL)
    return expr != NULL;
  for (guint i = 0; i < expr->n_children; i++)
    if (has_subquery (expr->children[i]))
      return TRUE;
  return FALSE;
}

/* Puts a copy without subqueries in the place of *slot, where there are any. */
static gboolean
rewrite (KvsqldTask *task, gboolean is_prepare, KvsqlAstExpr **slot, GError **error)
{
  KvsqlAstExpr *copy;

  if (!has_subquery (*slot))
    return TRUE;
  copy = kvsql_arena_copy (task->arena, *slot, sizeof **slot);
  copy->children
      = kvsql_arena_copy (task->arena, copy->children, copy->n_children * sizeof (gpointer));
  for (guint i = 0; i < copy->n_children; i++)
    if (!rewrite (task, is_prepare, &copy->children[i], error))
      return FALSE;
  if (copy->subquery != NULL)
    {
      g_autoptr (GPtrArray) values = g_ptr_array_new ();
      if (!run_subquery (task, is_prepare, copy, values, error))
        return FALSE;
      copy = list_of_values (copy, values, task->arena);
    }
  *slot = copy;
  return TRUE;
}

static gboolean
rewrite_items (KvsqldTask *task, gboolean is_prepare, KvsqlSelectItem **items, guint n,
               GError **error)
{
  *items = kvsql_arena_copy (task->arena, *items, n * sizeof **items);
  for (guint i = 0; i < n; i++)
    if (!rewrite (task, is_prepare, &(*items)[i].expr, error))
      return FALSE;
  return TRUE;
}

static gboolean
rewrite_order (KvsqldTask *task, gboolean is_prepare, KvsqlOrderItem **items, guint n,
               GError **error)
{
  *items = kvsql_arena_copy (task->arena, *items, n * sizeof **items);
  for (guint i = 0; i < n; i++)
    if (!rewrite (task, is_prepare, &(*items)[i].expr, error))
      return FALSE;
  return TRUE;
}

static gboolean
rewrite_select (KvsqldTask *task, gboolean is_prepare, const KvsqlSelect *select, KvsqlSelect *out,
                GError **error)
{
  *out = *select;
  out->group_by
      = kvsql_arena_copy (task->arena, out->group_by, out->n_group_by * sizeof (gpointer));
  for (guint i = 0; i < out->n_group_by; i++)
    if (!rewrite (task, is_prepare, &out->group_by[i], error))
      return FALSE;
  return rewrite_items (task, is_prepare, &out->items, out->n_items, error)
         && rewrite (task, is_prepare, &out->where, error)
         && rewrite (task, is_prepare, &out->having, error)
         && rewrite_order (task, is_prepare, &out->order_by, out->n_order_by, error);
}

static gboolean
select_has_subquery (const KvsqlSelect *select)
{
  gboolean found = has_subquery (select->where) || has_subquery (select->having);

  for (guint i = 0; i < select->n_items && !found; i++)
    found = has_subquery (select->items[i].expr);
  for (guint i = 0; i < select->n_group_by && !found; i++)
    found = has_subquery (select->group_by[i]);
  for (guint i = 0; i < select->n_order_by && !found; i++)
    found = has_subquery (select->order_by[i].expr);
  return found;
}

/* ---- statements */

static gboolean
rewrite_assignments (KvsqldTask *task, gboolean is_prepare, KvsqlAssignment **assignments, guint n,
                     GError **error)
{
  *assignments = kvsql_arena_copy (task->arena, *assignments, n * sizeof **assignments);
  for (guint i = 0; i < n; i++)
    if (!rewrite (task, is_prepare, &(*assignments)[i].expr, error))
      return FALSE;
  return TRUE;
}

static gboolean
rewrite_update (KvsqldTask *task, gboolean is_prepare, KvsqlUpdate *update, GError **error)
{
  return rewrite (task, is_prepare, &update->where, error)
         && rewrite_assignments (task, is_prepare, &update->assignments, update->n_assignments,
                                 error)
         && rewrite_order (task, is_prepare, &update->order_by, update->n_order_by, error)
         && rewrite_items (task, is_prepare, &update->returning, update->n_returning, error);
}

static gboolean
rewrite_delete (KvsqldTask *task, gboolean is_prepare, KvsqlDelete *statement, GError **error)
{
  return rewrite (task, is_prepare, &statement->where, error)
         && rewrite_order (task, is_prepare, &statement->order_by, statement->n_order_by, error)
         && rewrite_items (task, is_prepare, &statement->returning, statement->n_returning, error);
}

static gboolean
rewrite_insert (KvsqldTask *task, gboolean is_prepare, KvsqlInsert *insert, GError **error)
{
  KvsqlSelect *select;

  if (!rewrite (task, is_prepare, &insert->conflict_where, error)
      || !rewrite_assignments (task, is_prepare, &insert->assignments, insert->n_assignments, error)
      || !rewrite_items (task, is_prepare, &insert->returning, insert->n_returning, error))
    return FALSE;
  if (insert->select == NULL || !select_has_subquery (insert->select))
    return TRUE;
  select = kvsql_arena_new0 (task->arena, KvsqlSelect);
  if (!rewrite_select (task, is_prepare, insert->select, select, error))
    return FALSE;
  insert->select = select;
  return TRUE;
}

static const KvsqlStatement *
rewrite_statement (KvsqldTask *task, gboolean is_prepare, const KvsqlStatement *statement,
                   GError **error)
{
  KvsqlStatement *copy;
  gboolean ok = TRUE;

  if (statement->kind == KVSQL_STATEMENT_SELECT && !select_has_subquery (&statement->select))
    return statement;
  copy = kvsql_arena_copy (task->arena, statement, sizeof *statement);
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_SELECT:
      ok = rewrite_select (task, is_prepare, &statement->select, &copy->select, error);
      break;
    case KVSQL_STATEMENT_DELETE:
      ok = rewrite_delete (task, is_prepare, &copy->delete_, error);
      break;
    case KVSQL_STATEMENT_UPDATE:
      ok = rewrite_update (task, is_prepare, &copy->update, error);
      break;
    case KVSQL_STATEMENT_INSERT:
      ok = rewrite_insert (task, is_prepare, &copy->insert, error);
      break;
    case KVSQL_STATEMENT_EXPLAIN:
      copy->explain.statement = (KvsqlStatement *)rewrite_statement (
          task, is_prepare, statement->explain.statement, error);
      ok = copy->explain.statement != NULL;
      break;
    default:
      break;
    }
  return ok ? copy : NULL;
}

gboolean
kvsqld_task_run_subqueries (KvsqldTask *self, gboolean is_prepare, GError **error)
{
  const KvsqlStatement *statement = rewrite_statement (self, is_prepare, self->statement, error);

  if (statement == NULL)
    return FALSE;
  self->statement = statement;
  return TRUE;
}
