/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery.c: replaces each IN (SELECT …) by the list of its values.
 *
 * So a subquery can do all that a list of values can do, key ranges included. EXISTS (SELECT …)
 * becomes TRUE or FALSE. A subquery that refers to the statement around it stays, for unnest.c. The
 * tree is not changed, because it may belong to a prepared statement: nodes between its root and a
 * subquery are copied.
 */
#include "config.h"

#include "core/plan/subquery.h"

#include "core/base/interrupt.h"
#include "core/plan/correlation.h"
#include "core/plan/find-relation.h"
#include "core/plan/key-list.h"
#include "core/plan/unnest.h"

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
  gboolean is_exists = in->kind == KVSQL_AST_EXISTS;

  list->subquery = NULL;
  if (values->len == 0 || is_exists)
    {
      const KvsqlValue truth
          = { .type = KVSQL_TYPE_BOOLEAN, .boolean = is_exists ? values->len > 0 : in->is_negated };
      return kvsql_subquery_make_literal (&truth, in->span, arena);
    }
  list->n_children = values->len + 1;
  list->children = kvsql_arena_array (arena, KvsqlAstExpr *, list->n_children);
  list->children[0] = in->children[0];
  memcpy (list->children + 1, values->pdata, values->len * sizeof (gpointer));
  return list;
}

/* LIMIT 1 */
static KvsqlAstExpr *
one_row (KvsqlSpan span, KvsqlArena *arena)
{
  const KvsqlValue one = { .type = KVSQL_TYPE_BIGINT, .integer = 1 };

  return kvsql_subquery_make_literal (&one, span, arena);
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

static gboolean
has_unknown_relation (const KvsqlSubqueryRunner *self, const KvsqlSelect *select)
{
  for (guint i = 0; select->from.relation.text != NULL && i <= select->n_joined; i++)
    {
      const KvsqlSource *source = kvsql_select_get_source (select, i);

      if (source->query == NULL
          && kvsql_plan_find_relation (self->catalog, &source->relation, NULL) == NULL)
        return TRUE;
    }
  return FALSE;
}

/* A name that is unknown may have been meant for the statement around. */
static gboolean
explain_failure (const KvsqlSubqueryRunner *self, const KvsqlSelect *select, GError **error)
{
  const KvsqlSelect *around = self->scope == NULL ? NULL : self->scope->select;
  g_autoptr (GString) names = g_string_new (NULL);

  if (around == NULL || around->from.relation.text == NULL || error == NULL
      || !g_error_matches (*error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_NAME)
      || has_unknown_relation (self, select))
    return FALSE;
  for (guint i = 0; i <= around->n_joined; i++)
    {
      const KvsqlSource *source = kvsql_select_get_source (around, i);

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                              source->alias.text != NULL ? source->alias.text
                                                         : source->relation.text);
    }
  return kvsql_error_detail (
      error, "The statement around the subquery does not have it either: its FROM names %s.",
      names->str);
}

/* Replaces the subquery of *slot, unless it is correlated. */
static gboolean
replace_subquery (const KvsqlSubqueryRunner *self, KvsqlAstExpr **slot,
                  const KvsqlSubqueryPlace *place, GError **error)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  KvsqlAstExpr *in = *slot;
  KvsqlSelect select;

  if (!rewrite_select (self, in->subquery, &select, error))
    return FALSE;
  if (kvsql_select_is_correlated (self->catalog, &select, self->scope))
    {
      in->subquery = kvsql_arena_copy (self->arena, &select, sizeof select);
      return kvsql_place_check (place, in, error) && kvsql_interrupt_poll (error);
    }
  /* a value counts once, unless a LIMIT makes the order important */
  if (in->kind == KVSQL_AST_EXISTS)
    select.limit = select.limit != NULL ? select.limit : one_row (in->span, self->arena);
  else if (select.limit == NULL && select.offset == NULL && select.n_order_by == 0)
    select.is_distinct = TRUE;
  if (!self->run (&select, 1, in, values, self->data, error))
    return explain_failure (self, &select, error);
  *slot = list_of_values (in, values, self->arena);
  return TRUE;
}

/* Replaces *slot by a copy without subqueries, if it has any. @place: (nullable): where a
 * correlated subquery is not possible */
static gboolean
rewrite (const KvsqlSubqueryRunner *self, KvsqlAstExpr **slot, const KvsqlSubqueryPlace *place,
         GError **error)
{
  const KvsqlSubqueryPlace *below;
  KvsqlAstExpr *copy;

  if (!has_subquery (*slot))
    return kvsql_interrupt_poll (error);
  copy = kvsql_arena_copy (self->arena, *slot, sizeof **slot);
  copy->children
      = kvsql_arena_copy (self->arena, copy->children, copy->n_children * sizeof (gpointer));
  below = kvsql_place_of_operands (copy, place);
  for (guint i = 0; i < copy->n_children && kvsql_interrupt_tick (); i++)
    if (!rewrite (self, &copy->children[i], below, error))
      return FALSE;
  *slot = copy;
  return copy->subquery == NULL || replace_subquery (self, slot, place, error);
}

static gboolean
rewrite_items (const KvsqlSubqueryRunner *self, KvsqlSelectItem **items, guint n,
               const KvsqlSubqueryPlace *place, GError **error)
{
  *items = kvsql_arena_copy (self->arena, *items, n * sizeof **items);
  for (guint i = 0; i < n; i++)
    if (!rewrite (self, &(*items)[i].expr, place, error))
      return FALSE;
  return TRUE;
}

static gboolean
rewrite_order (const KvsqlSubqueryRunner *self, KvsqlOrderItem **items, guint n, GError **error)
{
  *items = kvsql_arena_copy (self->arena, *items, n * sizeof **items);
  for (guint i = 0; i < n; i++)
    if (!rewrite (self, &(*items)[i].expr, &kvsql_place_order_by, error))
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
         && rewrite (self, &(*slot)->on,
                     (*slot)->kind == KVSQL_JOIN_INNER ? NULL : &kvsql_place_outer_on, error);
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

/* Of VALUES. */
static gboolean
rewrite_rows (const KvsqlSubqueryRunner *self, KvsqlSelect *select, GError **error)
{
  if (select->rows == NULL)
    return TRUE;
  select->rows
      = kvsql_arena_copy (self->arena, select->rows, select->n_rows * sizeof *select->rows);
  for (guint i = 0; i < select->n_rows; i++)
    {
      select->rows[i] = kvsql_arena_copy (self->arena, select->rows[i],
                                          select->n_values * sizeof *select->rows[i]);
      for (guint j = 0; j < select->n_values; j++)
        if (!rewrite (self, &select->rows[i][j], &kvsql_place_items, error))
          return FALSE;
    }
  return TRUE;
}

/* A derived table. */
static gboolean
rewrite_source (const KvsqlSubqueryRunner *self, KvsqlSource *source, GError **error)
{
  KvsqlSelect *query;

  if (source->query == NULL)
    return kvsql_interrupt_poll (error);
  query = kvsql_arena_new0 (self->arena, KvsqlSelect);
  if (!rewrite_select (self, source->query, query, error))
    return FALSE;
  source->query = query;
  return TRUE;
}

static gboolean
rewrite_sources (const KvsqlSubqueryRunner *self, KvsqlSelect *select, GError **error)
{
  select->joined
      = kvsql_arena_copy (self->arena, select->joined, select->n_joined * sizeof *select->joined);
  for (guint i = 0; i < select->n_joined; i++)
    if (!rewrite_source (self, &select->joined[i], error))
      return FALSE;
  return rewrite_source (self, &select->from, error);
}

/* All that a verified SELECT reads is verified. */
static gboolean
rewrite_select (const KvsqlSubqueryRunner *outer, const KvsqlSelect *select, KvsqlSelect *out,
                GError **error)
{
  KvsqlSubqueryRunner self = *outer, around = *outer;
  const KvsqlNameScope scope = { select, outer->scope };

  *out = *select;
  self.scope = &scope;
  if (outer->verified != NULL && !out->is_verified)
    {
      out->is_verified = TRUE;
      out->verified_span = outer->verified->verified_span;
    }
  self.verified = around.verified = out->is_verified ? out : NULL;
  out->group_by = kvsql_arena_copy (self.arena, out->group_by, out->n_group_by * sizeof (gpointer));
  for (guint i = 0; i < out->n_group_by; i++)
    if (!rewrite (&self, &out->group_by[i], &kvsql_place_group_by, error))
      return FALSE;
  return rewrite_operands (&around, &out->set, error) && rewrite_rows (&self, out, error)
         && rewrite_sources (&around, out, error) && rewrite_join (&self, &out->join, error)
         && rewrite_items (&self, &out->items, out->n_items, &kvsql_place_items, error)
         && rewrite (&self, &out->where, NULL, error)
         && rewrite (&self, &out->having, &kvsql_place_having, error)
         && rewrite_order (&self, &out->order_by, out->n_order_by, error);
}

static gboolean select_has_subquery (const KvsqlSelect *select);

static gboolean
source_has_subquery (const KvsqlSelect *select)
{
  for (guint i = 0; i <= select->n_joined; i++)
    {
      const KvsqlSource *source = kvsql_select_get_source (select, i);

      if (source->query != NULL && select_has_subquery (source->query))
        return TRUE;
    }
  return FALSE;
}

static gboolean
select_has_subquery (const KvsqlSelect *select)
{
  gboolean found = has_subquery (select->where) || has_subquery (select->having)
                   || join_has_subquery (select->join);

  for (guint i = 0; i < select->n_items && !found; i++)
    found = has_subquery (select->items[i].expr);
  for (guint i = 0; i < select->n_rows * select->n_values && !found; i++)
    found = has_subquery (select->rows[i / select->n_values][i % select->n_values]);
  for (guint i = 0; i < select->n_group_by && !found; i++)
    found = has_subquery (select->group_by[i]);
  for (guint i = 0; i < select->n_order_by && !found; i++)
    found = has_subquery (select->order_by[i].expr);
  found = found || source_has_subquery (select);
  for (guint i = 0; select->set != NULL && i < select->set->n_operands && !found; i++)
    found = select_has_subquery (select->set->operands[i]);
  return found;
}

/* ---- statements */

static gboolean
rewrite_assignments (const KvsqlSubqueryRunner *self, KvsqlAssignment **assignments, guint n,
                     const KvsqlSubqueryPlace *place, GError **error)
{
  *assignments = kvsql_arena_copy (self->arena, *assignments, n * sizeof **assignments);
  for (guint i = 0; i < n; i++)
    if (!rewrite (self, &(*assignments)[i].expr, place, error))
      return FALSE;
  return TRUE;
}

/* The names of the relation that a statement writes. */
static KvsqlSelect
select_of (const KvsqlName *relation, const KvsqlName *alias)
{
  KvsqlSelect select = { .from = { .relation = *relation } };

  if (alias != NULL)
    select.from.alias = *alias;
  return select;
}

/* The WHERE of a statement that writes. Correlated subqueries are run once for all tuples, before
 * the first one is written: they become a list of keys. The other conjuncts stay, since they are
 * checked again under the lock of each tuple. */
static gboolean
rewrite_written (const KvsqlSubqueryRunner *self, const KvsqlSource *from, KvsqlAstExpr **where,
                 GError **error)
{
  g_autoptr (GPtrArray) subqueries = NULL, values = NULL;
  KvsqlAttributeSet used = { 0 };
  const KvsqlAstExpr *first;
  KvsqlAstExpr *rest, *keys;
  KvsqlSelect select;

  if (!has_subquery (*where))
    return kvsql_interrupt_poll (error);
  if (!rewrite (self, where, NULL, error))
    return FALSE;
  subqueries = g_ptr_array_new ();
  rest = kvsql_unnest_cut (*where, self->arena, subqueries);
  if (subqueries->len == 0)
    return kvsql_interrupt_poll (error);
  first = subqueries->pdata[0];
  for (guint i = 0; i < subqueries->len; i++)
    kvsql_subquery_collect_outer (self->catalog, subqueries->pdata[i], self->scope, &used);
  values = g_ptr_array_new ();
  if (!kvsql_key_list_select (self->catalog, from, *where, &used, first->span, self->arena, &select,
                              error)
      || !self->run (&select, select.n_items, first, values, self->data, error))
    return FALSE;
  keys = kvsql_key_list_condition (&select, values, first->span, self->arena);
  *where = kvsql_key_list_and (rest, keys, self->arena);
  return kvsql_interrupt_poll (error);
}

static gboolean
rewrite_update (const KvsqlSubqueryRunner *outer, KvsqlUpdate *update, GError **error)
{
  const KvsqlSelect select = select_of (&update->relation, &update->alias);
  const KvsqlNameScope scope = { &select, outer->scope };
  KvsqlSubqueryRunner inner = *outer, *self = &inner;

  inner.scope = &scope;
  return rewrite_written (self, &select.from, &update->where, error)
         && rewrite_assignments (self, &update->assignments, update->n_assignments,
                                 &kvsql_place_set, error)
         && rewrite_order (self, &update->order_by, update->n_order_by, error)
         && rewrite_items (self, &update->returning, update->n_returning, &kvsql_place_returning,
                           error);
}

static gboolean
rewrite_delete (const KvsqlSubqueryRunner *outer, KvsqlDelete *statement, GError **error)
{
  const KvsqlSelect select = select_of (&statement->relation, &statement->alias);
  const KvsqlNameScope scope = { &select, outer->scope };
  KvsqlSubqueryRunner inner = *outer, *self = &inner;

  inner.scope = &scope;
  return rewrite_written (self, &select.from, &statement->where, error)
         && rewrite_order (self, &statement->order_by, statement->n_order_by, error)
         && rewrite_items (self, &statement->returning, statement->n_returning,
                           &kvsql_place_returning, error);
}

static gboolean
rewrite_insert (const KvsqlSubqueryRunner *self, KvsqlInsert *insert, GError **error)
{
  const KvsqlSelect written = select_of (&insert->relation, NULL);
  const KvsqlNameScope scope = { &written, self->scope };
  KvsqlSubqueryRunner inner = *self;
  KvsqlSelect *select;

  inner.scope = &scope;
  if (!rewrite (&inner, &insert->conflict_where, &kvsql_place_conflict, error)
      || !rewrite_assignments (&inner, &insert->assignments, insert->n_assignments,
                               &kvsql_place_conflict, error)
      || !rewrite_items (&inner, &insert->returning, insert->n_returning, &kvsql_place_returning,
                         error))
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
