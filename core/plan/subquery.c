/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery.c: replaces each IN (SELECT …) by the list of its values.
 *
 * So a subquery can do all that a list of values can do, key ranges included. A subquery cannot
 * refer to the statement around it. The tree is not changed, because it may belong to a prepared
 * statement: nodes between its root and a subquery are copied.
 */
#include "config.h"

#include "core/plan/subquery.h"

#include "core/base/interrupt.h"

static gboolean rewrite_select (const KvsqlSubqueryRunner *self, const KvsqlSelect *select,
                                KvsqlSelect *out, GError **error);

KvsqlAstExpr *
kvsql_subquery_make_literal (const KvsqlValue *value, KvsqlSpan span, KvsqlArena *arena)
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
  /* a text literal would take any type */
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

/* @in with a list. With an empty list it is always false, and its negation always true. */
static KvsqlAstExpr *
list_of_values (const KvsqlAstExpr *in, const GPtrArray *values, KvsqlArena *arena)
{
  KvsqlAstExpr *list = kvsql_arena_copy (arena, in, sizeof *in);

  list->subquery = NULL;
  if (values->len == 0)
    {
      const KvsqlValue truth = { .type = KVSQL_TYPE_BOOLEAN, .boolean = in->is_negated };
      return kvsql_subquery_make_literal (&truth, in->span, arena);
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
  for (guint i = 0; i < expr->n_children && kvsql_interrupt_tick (); i++)
    if (has_subquery (expr->children[i]))
      return TRUE;
  return FALSE;
}

/* Replaces *slot by a copy without subqueries, if it has any. */
static gboolean
rewrite (const KvsqlSubqueryRunner *self, KvsqlAstExpr **slot, GError **error)
{
  KvsqlAstExpr *copy;

  if (!has_subquery (*slot))
    return kvsql_interrupt_poll (error);
  copy = kvsql_arena_copy (self->arena, *slot, sizeof **slot);
  copy->children
      = kvsql_arena_copy (self->arena, copy->children, copy->n_children * sizeof (gpointer));
  for (guint i = 0; i < copy->n_children && kvsql_interrupt_tick (); i++)
    if (!rewrite (self, &copy->children[i], error))
      return FALSE;
  if (copy->subquery != NULL)
    {
      g_autoptr (GPtrArray) values = g_ptr_array_new ();
      KvsqlSelect select;

      if (!rewrite_select (self, copy->subquery, &select, error))
        return FALSE;
      /* a value counts once, unless a LIMIT makes the order important */
      if (select.limit == NULL && select.offset == NULL && select.n_order_by == 0)
        select.is_distinct = TRUE;
      if (!self->run (&select, copy, values, self->data, error))
        return FALSE;
      copy = list_of_values (copy, values, self->arena);
    }
  *slot = copy;
  return TRUE;
}

static gboolean
rewrite_items (const KvsqlSubqueryRunner *self, KvsqlSelectItem **items, guint n, GError **error)
{
  *items = kvsql_arena_copy (self->arena, *items, n * sizeof **items);
  for (guint i = 0; i < n; i++)
    if (!rewrite (self, &(*items)[i].expr, error))
      return FALSE;
  return TRUE;
}

static gboolean
rewrite_order (const KvsqlSubqueryRunner *self, KvsqlOrderItem **items, guint n, GError **error)
{
  *items = kvsql_arena_copy (self->arena, *items, n * sizeof **items);
  for (guint i = 0; i < n; i++)
    if (!rewrite (self, &(*items)[i].expr, error))
      return FALSE;
  return TRUE;
}

/* The conditions of ON, in a copy of the tree. */
static gboolean
rewrite_join (const KvsqlSubqueryRunner *self, KvsqlJoin **slot, GError **error)
{
  if (*slot == NULL)
    return TRUE;
  *slot = kvsql_arena_copy (self->arena, *slot, sizeof **slot);
  return rewrite_join (self, &(*slot)->left, error) && rewrite_join (self, &(*slot)->right, error)
         && rewrite (self, &(*slot)->on, error);
}

static gboolean
join_has_subquery (const KvsqlJoin *join)
{
  return join != NULL
         && (has_subquery (join->on) || join_has_subquery (join->left)
             || join_has_subquery (join->right));
}

static gboolean
rewrite_operands (const KvsqlSubqueryRunner *self, KvsqlSetOperation **slot, GError **error)
{
  KvsqlSetOperation *set;

  if (*slot == NULL)
    return TRUE;
  set = *slot = kvsql_arena_copy (self->arena, *slot, sizeof **slot);
  set->operands
      = kvsql_arena_copy (self->arena, set->operands, set->n_operands * sizeof (gpointer));
  for (guint i = 0; i < set->n_operands; i++)
    {
      KvsqlSelect *operand = kvsql_arena_new0 (self->arena, KvsqlSelect);

      if (!kvsql_interrupt_poll (error) || !rewrite_select (self, set->operands[i], operand, error))
        return FALSE;
      set->operands[i] = operand;
    }
  return TRUE;
}

/* A derived table. */
static gboolean
rewrite_source (const KvsqlSubqueryRunner *self, KvsqlSource *source, GError **error)
{
  KvsqlSelect *query;

  if (source->query == NULL)
    return TRUE;
  query = kvsql_arena_new0 (self->arena, KvsqlSelect);
  if (!rewrite_select (self, source->query, query, error))
    return FALSE;
  source->query = query;
  return TRUE;
}

/* All that a verified SELECT reads is verified. */
static gboolean
rewrite_select (const KvsqlSubqueryRunner *outer, const KvsqlSelect *select, KvsqlSelect *out,
                GError **error)
{
  KvsqlSubqueryRunner self = *outer;

  *out = *select;
  if (outer->verified != NULL && !out->is_verified)
    {
      out->is_verified = TRUE;
      out->verified_span = outer->verified->verified_span;
    }
  self.verified = out->is_verified ? out : NULL;
  out->group_by = kvsql_arena_copy (self.arena, out->group_by, out->n_group_by * sizeof (gpointer));
  for (guint i = 0; i < out->n_group_by; i++)
    if (!rewrite (&self, &out->group_by[i], error))
      return FALSE;
  return rewrite_operands (&self, &out->set, error) && rewrite_source (&self, &out->from, error)
         && rewrite_join (&self, &out->join, error)
         && rewrite_items (&self, &out->items, out->n_items, error)
         && rewrite (&self, &out->where, error) && rewrite (&self, &out->having, error)
         && rewrite_order (&self, &out->order_by, out->n_order_by, error);
}

static gboolean
select_has_subquery (const KvsqlSelect *select)
{
  gboolean found = has_subquery (select->where) || has_subquery (select->having)
                   || join_has_subquery (select->join);

  for (guint i = 0; i < select->n_items && !found; i++)
    found = has_subquery (select->items[i].expr);
  for (guint i = 0; i < select->n_group_by && !found; i++)
    found = has_subquery (select->group_by[i]);
  for (guint i = 0; i < select->n_order_by && !found; i++)
    found = has_subquery (select->order_by[i].expr);
  found = found || (select->from.query != NULL && select_has_subquery (select->from.query));
  for (guint i = 0; select->set != NULL && i < select->set->n_operands && !found; i++)
    found = select_has_subquery (select->set->operands[i]);
  return found;
}

/* ---- statements */

static gboolean
rewrite_assignments (const KvsqlSubqueryRunner *self, KvsqlAssignment **assignments, guint n,
                     GError **error)
{
  *assignments = kvsql_arena_copy (self->arena, *assignments, n * sizeof **assignments);
  for (guint i = 0; i < n; i++)
    if (!rewrite (self, &(*assignments)[i].expr, error))
      return FALSE;
  return TRUE;
}

static gboolean
rewrite_update (const KvsqlSubqueryRunner *self, KvsqlUpdate *update, GError **error)
{
  return rewrite (self, &update->where, error)
         && rewrite_assignments (self, &update->assignments, update->n_assignments, error)
         && rewrite_order (self, &update->order_by, update->n_order_by, error)
         && rewrite_items (self, &update->returning, update->n_returning, error);
}

static gboolean
rewrite_delete (const KvsqlSubqueryRunner *self, KvsqlDelete *statement, GError **error)
{
  return rewrite (self, &statement->where, error)
         && rewrite_order (self, &statement->order_by, statement->n_order_by, error)
         && rewrite_items (self, &statement->returning, statement->n_returning, error);
}

static gboolean
rewrite_insert (const KvsqlSubqueryRunner *self, KvsqlInsert *insert, GError **error)
{
  KvsqlSelect *select;

  if (!rewrite (self, &insert->conflict_where, error)
      || !rewrite_assignments (self, &insert->assignments, insert->n_assignments, error)
      || !rewrite_items (self, &insert->returning, insert->n_returning, error))
    return FALSE;
  if (insert->select == NULL || !select_has_subquery (insert->select))
    return TRUE;
  select = kvsql_arena_new0 (self->arena, KvsqlSelect);
  if (!rewrite_select (self, insert->select, select, error))
    return FALSE;
  insert->select = select;
  return TRUE;
}

gboolean
kvsql_subqueries_are_possible (const KvsqlAstStatement *statement)
{
  const KvsqlInsert *insert = &statement->insert;

  switch (statement->kind)
    {
    case KVSQL_STATEMENT_SELECT:
      return select_has_subquery (&statement->select);
    case KVSQL_STATEMENT_INSERT:
      return insert->select != NULL || insert->conflict_where != NULL || insert->n_assignments > 0
             || insert->n_returning > 0;
    case KVSQL_STATEMENT_UPDATE:
    case KVSQL_STATEMENT_DELETE:
    case KVSQL_STATEMENT_EXPLAIN:
      return TRUE;
    default:
      return FALSE;
    }
}

const KvsqlAstStatement *
kvsql_subqueries_replace (const KvsqlSubqueryRunner *self, const KvsqlAstStatement *statement,
                          GError **error)
{
  KvsqlAstStatement *copy;
  gboolean ok = TRUE;

  if (!kvsql_subqueries_are_possible (statement))
    return statement;
  copy = kvsql_arena_copy (self->arena, statement, sizeof *statement);
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_SELECT:
      ok = rewrite_select (self, &statement->select, &copy->select, error);
      break;
    case KVSQL_STATEMENT_DELETE:
      ok = rewrite_delete (self, &copy->delete_, error);
      break;
    case KVSQL_STATEMENT_UPDATE:
      ok = rewrite_update (self, &copy->update, error);
      break;
    case KVSQL_STATEMENT_INSERT:
      ok = rewrite_insert (self, &copy->insert, error);
      break;
    case KVSQL_STATEMENT_EXPLAIN:
      copy->explain.statement = (KvsqlAstStatement *)kvsql_subqueries_replace (
          self, statement->explain.statement, error);
      ok = copy->explain.statement != NULL;
      break;
    default:
      break;
    }
  return ok ? copy : NULL;
}
