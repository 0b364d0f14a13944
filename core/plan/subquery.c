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
#include "core/expr/subquery.h"
#include "core/plan/correlation.h"
#include "core/plan/expand-views.h"
#include "core/plan/find-relation.h"
#include "core/plan/key-list.h"
#include "core/plan/group.h"
#include "core/plan/unnest.h"
#include "core/plan/with-rows.h"
#include "core/sql/printer.h"

static gboolean rewrite_select (const KvsqlSubqueryRunner *self, const KvsqlSelect *select,
                                KvsqlSelect *out, GError **error);

/* LIMIT @n */
static KvsqlAstExpr *
n_rows (gint64 n, KvsqlSpan span, KvsqlArena *arena)
{
  const KvsqlValue value = { .type = KVSQL_TYPE_BIGINT, .integer = n };

  return kvsql_subquery_make_literal (&value, span, arena);
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

/* ---- where a subquery is */

typedef enum
{
  PLACE_CONJUNCT, /* of WHERE, or of ON of an inner join: it may become a join */
  PLACE_VALUE,
  PLACE_CLOSED, /* of VALUES, where there is nothing around it */
} Place;

static Place
place_of_operands (const KvsqlAstExpr *expr, Place place)
{
  const KvsqlAstExpr *operand = expr->n_children == 0 ? NULL : expr->children[0];
  gboolean is_conjunct = (expr->kind == KVSQL_AST_BINARY && expr->op == KVSQL_OP_AND)
                         /* NOT EXISTS, NOT (x IN (…)), NOT NOT … */
                         || (expr->kind == KVSQL_AST_UNARY && expr->op == KVSQL_OP_NOT
                             && (operand->subquery != NULL || operand->kind == KVSQL_AST_UNARY));

  return place == PLACE_CONJUNCT && !is_conjunct ? PLACE_VALUE : place;
}

/* Whether a NOT EXISTS or NOT IN that becomes an anti join in @select, which is in self->scope,
 * uses attributes of that scope. Its rows do not have them. */
static gboolean
has_far_anti_join (const KvsqlSubqueryRunner *self, const KvsqlAstExpr *expr,
                   const KvsqlNameScope *scope)
{
  gboolean is_negated = FALSE;

  if (expr == NULL)
    return FALSE;
  if (expr->kind == KVSQL_AST_BINARY && expr->op == KVSQL_OP_AND)
    return has_far_anti_join (self, expr->children[0], scope)
           || has_far_anti_join (self, expr->children[1], scope);
  for (; expr->kind == KVSQL_AST_UNARY && expr->op == KVSQL_OP_NOT; expr = expr->children[0])
    is_negated = !is_negated;
  return expr->subquery != NULL && !expr->is_evaluated
         && is_negated != (expr->kind == KVSQL_AST_IN && expr->is_negated)
         && kvsql_expr_uses_outer (self->catalog, expr, scope, self->scope);
}

/* Whether conditions of FROM, of outer joins or below them, use attributes of self->scope. */
static gboolean
has_far_condition (const KvsqlSubqueryRunner *self, const KvsqlJoin *join, gboolean is_outer,
                   const KvsqlNameScope *scope)
{
  if (join == NULL || join->left == NULL)
    return FALSE;
  is_outer = is_outer || join->kind != KVSQL_JOIN_INNER;
  return (join->on != NULL && is_outer
          && kvsql_expr_uses_outer (self->catalog, join->on, scope, self->scope))
         || (!is_outer && has_far_anti_join (self, join->on, scope))
         || has_far_condition (self, join->left, is_outer, scope)
         || has_far_condition (self, join->right, is_outer, scope);
}

/* Whether a query in FROM uses attributes of self->scope. A join has no value of them for it. */
static gboolean
has_far_query (const KvsqlSubqueryRunner *self, const KvsqlSelect *select)
{
  for (guint i = 0; i <= select->n_joined; i++)
    {
      const KvsqlSource *source = kvsql_select_get_source (select, i);

      if (source->query != NULL
          && kvsql_select_is_correlated (self->catalog, source->query, self->scope))
        return TRUE;
    }
  return FALSE;
}

/* Whether a correlated subquery becomes a join. */
static gboolean
becomes_join (const KvsqlSubqueryRunner *self, const KvsqlAstExpr *expr, Place place)
{
  const KvsqlNameScope scope = { expr->subquery, self->scope };

  return place == PLACE_CONJUNCT && kvsql_unnest_is_possible (expr, self->scope->select)
         && !has_far_query (self, expr->subquery)
         && !has_far_anti_join (self, expr->subquery->where, &scope)
         && !has_far_condition (self, expr->subquery->join, FALSE, &scope);
}

/* ---- subqueries that run now */

/* More rows of an IN (SELECT …) of several columns than this are not written out. */
#define MAX_ROWS_OF_VALUES 100

static KvsqlAstExpr *
new_row (KvsqlAstExpr **values, guint n, KvsqlSpan span, KvsqlArena *arena)
{
  KvsqlAstExpr *row = kvsql_arena_new0 (arena, KvsqlAstExpr);

  row->kind = KVSQL_AST_ROW;
  row->span = span;
  row->children = values;
  row->n_children = n;
  return row;
}

/* *slot, an IN or EXISTS, with the values. With an empty list an IN is always false, and its
 * negation always true. */
static void
set_values (const KvsqlSubqueryRunner *self, KvsqlAstExpr **slot, const GPtrArray *values, guint n)
{
  KvsqlAstExpr *in = *slot, *list = kvsql_arena_copy (self->arena, in, sizeof *in);
  gboolean is_exists = in->kind == KVSQL_AST_EXISTS;

  *slot = list;
  list->subquery = NULL;
  if (values->len == 0 || is_exists)
    {
      const KvsqlValue truth
          = { .type = KVSQL_TYPE_BOOLEAN, .boolean = is_exists ? values->len > 0 : in->is_negated };
      *slot = kvsql_subquery_make_literal (&truth, in->span, self->arena);
      return;
    }
  list->n_children = values->len / n + 1;
  list->children = kvsql_arena_array (self->arena, KvsqlAstExpr *, list->n_children);
  list->children[0] = in->children[0];
  for (guint i = 0; i + 1 < list->n_children; i++)
    list->children[i + 1] = in->children[0]->kind != KVSQL_AST_ROW
                                ? values->pdata[i]
                                : new_row (kvsql_arena_copy (self->arena, &values->pdata[i * n],
                                                             n * sizeof (gpointer)),
                                           n, in->span, self->arena);
}

/* *slot, a SUBQUERY, becomes its value; with several columns (@n), a row. */
static gboolean
run_scalar (const KvsqlSubqueryRunner *self, KvsqlAstExpr **slot, KvsqlSelect *select, guint n,
            GError **error)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  g_autofree KvsqlOutputType *types = g_new0 (KvsqlOutputType, n);
  KvsqlAstExpr *expr = *slot;
  KvsqlAstExpr **casts = kvsql_arena_array (self->arena, KvsqlAstExpr *, n);

  if (select->limit == NULL)
    select->limit = n_rows (2, expr->span, self->arena);
  if (!self->run (select, n, expr, values, types, self->data, error))
    return explain_failure (self, select, error);
  if (values->len > n)
    return kvsql_subquery_fail_several (expr->span, error);
  for (guint c = 0; c < n; c++)
    casts[c] = kvsql_subquery_make_cast (
        values->len > 0 ? values->pdata[c]
                        : kvsql_subquery_make_literal (&KVSQL_VALUE_NULL, expr->span, self->arena),
        types[c], self->arena);
  *slot = n == 1 ? casts[0] : new_row (casts, n, expr->span, self->arena);
  return TRUE;
}

/* The values of an IN or EXISTS. *out_are_many: there are so many rows that they are not written
 * out. */
static gboolean
run_list (const KvsqlSubqueryRunner *self, KvsqlAstExpr **slot, KvsqlSelect *select,
          gboolean *out_are_many, GError **error)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  KvsqlAstExpr *in = *slot;
  gboolean is_row = in->kind == KVSQL_AST_IN && in->children[0]->kind == KVSQL_AST_ROW;
  guint n = is_row ? in->children[0]->n_children : 1;

  /* a value counts once, unless a LIMIT makes the order important */
  if (in->kind == KVSQL_AST_EXISTS)
    select->limit = select->limit != NULL ? select->limit : n_rows (1, in->span, self->arena);
  else if (select->limit == NULL && select->offset == NULL && select->n_order_by == 0
           && select->n_distinct_on == 0)
    select->is_distinct = TRUE;
  if (!self->run (select, n, in, values, NULL, self->data, error))
    return explain_failure (self, select, error);
  *out_are_many = is_row && values->len / n > MAX_ROWS_OF_VALUES;
  if (!*out_are_many)
    set_values (self, slot, values, n);
  return TRUE;
}

/* ---- replacement */

static gboolean rewrite (const KvsqlSubqueryRunner *self, KvsqlAstExpr **slot, Place place,
                         GError **error);

/* Runs the subquery of *slot and replaces it. *out_is_kept: it is evaluated later: it has many rows
 * of several columns, or fails, which matters only if a row needs it. */
static gboolean
run_now (const KvsqlSubqueryRunner *self, KvsqlAstExpr **slot, const KvsqlSelect *select, guint n,
         Place place, gboolean *out_is_kept, GError **error)
{
  g_autoptr (GError) problem = NULL;
  KvsqlSelect copy = *select;
  gboolean ok = (*slot)->kind == KVSQL_AST_SUBQUERY
                    ? run_scalar (self, slot, &copy, n, &problem)
                    : run_list (self, slot, &copy, out_is_kept, &problem);

  if (ok)
    return TRUE;
  *out_is_kept = place != PLACE_CLOSED && g_error_matches (problem, KVSQL_ERROR, KVSQL_ERROR_VALUE);
  if (*out_is_kept)
    return kvsql_interrupt_poll (error);
  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

/* Replaces the subquery of *slot, unless it is correlated. @n: the columns of a SUBQUERY */
static gboolean
replace_subquery (const KvsqlSubqueryRunner *self, KvsqlAstExpr **slot, guint n, Place place,
                  GError **error)
{
  KvsqlAstExpr *in = *slot;
  gboolean is_kept = TRUE, is_correlated;
  KvsqlSelect select;

  if (!rewrite_select (self, in->subquery, &select, error))
    return FALSE;
  is_correlated = kvsql_select_is_correlated (self->catalog, &select, self->scope);
  if (!is_correlated && in->kind != KVSQL_AST_QUANTIFIED)
    {
      is_kept = FALSE;
      if (!run_now (self, slot, &select, n, place, &is_kept, error))
        return FALSE;
    }
  if (!is_kept)
    return TRUE;
  in->subquery = kvsql_arena_copy (self->arena, &select, sizeof select);
  in->is_evaluated = !is_correlated || !becomes_join (self, in, place);
  return kvsql_interrupt_poll (error);
}

/* (a, b) = (SELECT …) */
static gboolean
rewrite_row (const KvsqlSubqueryRunner *self, KvsqlAstExpr *copy, Place place, GError **error)
{
  KvsqlAstExpr **slot = &copy->children[1];

  *slot = kvsql_arena_copy (self->arena, *slot, sizeof **slot);
  return rewrite (self, &copy->children[0], place, error)
         && replace_subquery (self, slot, copy->children[0]->n_children, place, error);
}

/* Replaces *slot by a copy without subqueries, if it has any. */
static gboolean
rewrite (const KvsqlSubqueryRunner *self, KvsqlAstExpr **slot, Place place, GError **error)
{
  KvsqlAstExpr *copy;
  Place below;

  if (!has_subquery (*slot))
    return kvsql_interrupt_poll (error);
  copy = kvsql_arena_copy (self->arena, *slot, sizeof **slot);
  copy->children
      = kvsql_arena_copy (self->arena, copy->children, copy->n_children * sizeof (gpointer));
  below = place_of_operands (copy, place);
  *slot = copy;
  if (copy->subquery == NULL && kvsql_ast_has_subquery (copy))
    return rewrite_row (self, copy, below, error);
  for (guint i = 0; i < copy->n_children && kvsql_interrupt_tick (); i++)
    if (!rewrite (self, &copy->children[i], below, error))
      return FALSE;
  return copy->subquery == NULL || replace_subquery (self, slot, 1, place, error);
}

static const gchar *
name_of (const KvsqlAstExpr *expr, KvsqlArena *arena)
{
  g_autoptr (GString) text = NULL;

  while (expr->kind == KVSQL_AST_SUBQUERY)
    {
      const KvsqlSelect *select = expr->subquery;

      while (select->set != NULL)
        select = select->set->operands[0];
      if (select->n_items == 0 || select->items[0].expr == NULL)
        break;
      if (select->items[0].alias.text != NULL)
        return select->items[0].alias.text;
      expr = select->items[0].expr;
    }
  if (expr->kind == KVSQL_AST_EXISTS)
    return "exists";
  if (expr->kind == KVSQL_AST_CASE)
    return "case";
  if (expr->kind == KVSQL_AST_NAME)
    return expr->name.text;
  if (expr->kind == KVSQL_AST_FUNCTION)
    {
      g_autofree gchar *name = g_ascii_strdown (expr->name.text, -1);
      return kvsql_arena_strdup (arena, name);
    }
  text = g_string_new (NULL);
  kvsql_print_expression (expr, text);
  return kvsql_arena_strdup (arena, text->str);
}

/* A column is called as if the subqueries were not replaced. */
static gboolean
rewrite_items (const KvsqlSubqueryRunner *self, KvsqlSelectItem **items, guint n, Place place,
               GError **error)
{
  *items = kvsql_arena_copy (self->arena, *items, n * sizeof **items);
  for (guint i = 0; i < n; i++)
    {
      KvsqlSelectItem *item = &(*items)[i];

      if (item->alias.text == NULL && has_subquery (item->expr))
        item->alias = (KvsqlName){ item->span, name_of (item->expr, self->arena), TRUE };
      if (!rewrite (self, &item->expr, place, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
rewrite_order (const KvsqlSubqueryRunner *self, KvsqlOrderItem **items, guint n, GError **error)
{
  *items = kvsql_arena_copy (self->arena, *items, n * sizeof **items);
  for (guint i = 0; i < n; i++)
    if (!rewrite (self, &(*items)[i].expr, PLACE_VALUE, error))
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
                     (*slot)->kind == KVSQL_JOIN_INNER ? PLACE_CONJUNCT : PLACE_VALUE, error);
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

static gboolean
row_has_subquery (KvsqlAstExpr *const *row, guint n)
{
  for (guint i = 0; i < n; i++)
    if (row[i] != NULL && (row[i]->n_children > 0 || row[i]->subquery != NULL)
        && has_subquery (row[i]))
      return TRUE;
  return FALSE;
}

/* The rows of VALUES, in a copy if some have subqueries. */
static gboolean
rewrite_rows (const KvsqlSubqueryRunner *self, KvsqlAstExpr ****rows, guint n_rows, guint n_values,
              Place place, GError **error)
{
  gboolean is_copy = FALSE;

  for (guint i = 0; i < n_rows && kvsql_interrupt_tick (); i++)
    {
      KvsqlAstExpr **row = (*rows)[i];

      if (!row_has_subquery (row, n_values))
        continue;
      if (!is_copy)
        *rows = kvsql_arena_copy (self->arena, *rows, n_rows * sizeof (gpointer));
      is_copy = TRUE;
      (*rows)[i] = row = kvsql_arena_copy (self->arena, row, n_values * sizeof (gpointer));
      for (guint j = 0; j < n_values; j++)
        if (!rewrite (self, &row[j], place, error))
          return FALSE;
    }
  return kvsql_interrupt_poll (error);
}

/* Each use of a query of WITH gets the same rows. One that uses attributes of the statement around
 * is run for each of its tuples; then its uses are in that one run, too. */
static gboolean
run_with (const KvsqlSubqueryRunner *self, const KvsqlSelect *written, guint64 most_rows,
          KvsqlSelect **query, GError **error)
{
  KvsqlSelect *rows = g_hash_table_lookup (self->with_rows, written);

  if (rows == NULL && kvsql_select_is_correlated (self->catalog, *query, self->scope))
    return written->recursive_name.text == NULL
           || kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, written->recursive_name.span,
                               "recursive query \"%s\" uses attributes of the statement around it",
                               written->recursive_name.text);
  if (rows == NULL)
    rows = kvsql_with_rows_run (self, written, *query, most_rows, error);
  if (rows == NULL)
    return FALSE;
  g_hash_table_insert (self->with_rows, (gpointer)written, rows);
  *query = rows;
  return TRUE;
}

/* A derived table. */
static gboolean
rewrite_source (const KvsqlSubqueryRunner *self, KvsqlSource *source, guint64 most_rows,
                GError **error)
{
  const KvsqlSelect *written = source->query;
  KvsqlSelect *query;

  if (written == NULL || written->working_of != NULL)
    return kvsql_interrupt_poll (error);
  query = g_hash_table_lookup (self->with_rows, written);
  if (query == NULL)
    {
      query = kvsql_arena_new0 (self->arena, KvsqlSelect);
      if (!rewrite_select (self, written, query, error)
          || (kvsql_with_needs_rows (written, self->scope != NULL)
              && !run_with (self, written, most_rows, &query, error)))
        return kvsql_source_locate_error (source, error);
    }
  source->query = query;
  return TRUE;
}

static guint64
get_count (const KvsqlAstExpr *expr, guint64 absent)
{
  if (expr == NULL)
    return absent;
  return expr->kind == KVSQL_AST_LITERAL && expr->value.type == KVSQL_TYPE_BIGINT
                 && expr->value.integer >= 0
             ? (guint64)expr->value.integer
             : G_MAXUINT64;
}

/* How many rows of its only source the SELECT can give: SELECT … FROM x LIMIT 10 ends a recursive
 * query that does not end itself. */
static guint64
count_needed_rows (const KvsqlSelect *select)
{
  guint64 limit = get_count (select->limit, G_MAXUINT64), offset = get_count (select->offset, 0);
  gboolean is_plain = select->n_joined == 0 && select->where == NULL && select->n_group_by == 0
                      && select->having == NULL && select->n_order_by == 0 && !select->is_distinct
                      && select->n_distinct_on == 0 && !select->has_over;

  for (guint i = 0; i < select->n_items && is_plain; i++)
    is_plain = kvsql_group_find_aggregate (select->items[i].expr) == NULL;
  return !is_plain || limit > G_MAXUINT64 - offset ? G_MAXUINT64 : limit + offset;
}

static gboolean
rewrite_sources (const KvsqlSubqueryRunner *self, KvsqlSelect *select, GError **error)
{
  select->joined
      = kvsql_arena_copy (self->arena, select->joined, select->n_joined * sizeof *select->joined);
  for (guint i = 0; i < select->n_joined; i++)
    {
      KvsqlSubqueryRunner inner = *self;
      KvsqlSelect left;
      KvsqlNameScope scope;

      inner.scope = kvsql_source_get_scope (select, i + 1, self->scope, &left, &scope);
      if (!rewrite_source (&inner, &select->joined[i], G_MAXUINT64, error))
        return FALSE;
    }
  return rewrite_source (self, &select->from, count_needed_rows (select), error);
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
    if (!rewrite (&self, &out->group_by[i], PLACE_VALUE, error))
      return FALSE;
  out->distinct_on
      = kvsql_arena_copy (self.arena, out->distinct_on, out->n_distinct_on * sizeof (gpointer));
  for (guint i = 0; i < out->n_distinct_on; i++)
    if (!rewrite (&self, &out->distinct_on[i], PLACE_VALUE, error))
      return FALSE;
  return rewrite_operands (&around, &out->set, error)
         && rewrite_rows (&self, &out->rows, out->n_rows, out->n_values, PLACE_VALUE, error)
         && rewrite_sources (&around, out, error) && rewrite_join (&self, &out->join, error)
         && rewrite_items (&self, &out->items, out->n_items, PLACE_VALUE, error)
         && rewrite (&self, &out->where, PLACE_CONJUNCT, error)
         && rewrite (&self, &out->having, PLACE_VALUE, error)
         && rewrite_order (&self, &out->order_by, out->n_order_by, error);
}

static gboolean select_has_subquery (const KvsqlSelect *select);

static gboolean
source_has_subquery (const KvsqlSelect *select)
{
  for (guint i = 0; i <= select->n_joined; i++)
    {
      const KvsqlSource *source = kvsql_select_get_source (select, i);

      if (source->query != NULL
          && (kvsql_with_needs_rows (source->query, FALSE)
              || (source->query->working_of == NULL && select_has_subquery (source->query))))
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
                     Place place, GError **error)
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

/* The conjuncts without a subquery; the others are added to @out. NULL: there are none. */
static KvsqlAstExpr *
cut_conjuncts (KvsqlAstExpr *expr, KvsqlArena *arena, GPtrArray *out)
{
  KvsqlAstExpr *left, *right;

  if (!has_subquery (expr) || !kvsql_interrupt_tick ())
    return expr;
  if (expr->kind != KVSQL_AST_BINARY || expr->op != KVSQL_OP_AND)
    {
      g_ptr_array_add (out, expr);
      return NULL;
    }
  left = cut_conjuncts (expr->children[0], arena, out);
  right = cut_conjuncts (expr->children[1], arena, out);
  return left == NULL || right == NULL ? (left == NULL ? right : left)
                                       : kvsql_key_list_and (left, right, arena);
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
  const KvsqlCatalogEntry *entry;
  const KvsqlAstExpr *first;
  KvsqlAstExpr *rest, *keys;
  KvsqlSelect select;

  if (!has_subquery (*where))
    return kvsql_interrupt_poll (error);
  if (!rewrite (self, where, PLACE_CONJUNCT, error))
    return FALSE;
  subqueries = g_ptr_array_new ();
  rest = cut_conjuncts (*where, self->arena, subqueries);
  if (subqueries->len == 0)
    return kvsql_interrupt_poll (error);
  entry = kvsql_plan_find_relation (self->catalog, &from->relation, error);
  if (entry == NULL)
    return FALSE;
  first = subqueries->pdata[0];
  for (guint i = 0; i < subqueries->len; i++)
    kvsql_subquery_collect_outer (self->catalog, subqueries->pdata[i], self->scope, &used);
  values = g_ptr_array_new ();
  kvsql_key_list_select (entry->relation, from, *where, &used, first->span, self->arena, &select);
  if (!self->run (&select, select.n_items, first, values, NULL, self->data, error))
    return FALSE;
  keys = kvsql_key_list_condition (&select, values, first->span, self->arena);
  *where = kvsql_key_list_and (rest, keys, self->arena);
  return kvsql_interrupt_poll (error);
}

/* FROM of an UPDATE, or USING of a DELETE, and their WHERE: the rows of the join are found before
 * the first tuple is written. Conditions with correlated subqueries move to the WHERE of @from: the
 * others are checked again under the lock of each tuple. */
static gboolean
rewrite_joined (const KvsqlSubqueryRunner *around, KvsqlSelect *from, KvsqlAstExpr **where,
                GError **error)
{
  const KvsqlNameScope scope = { from, around->scope };
  KvsqlSubqueryRunner self = *around;
  g_autoptr (GPtrArray) subqueries = g_ptr_array_new ();

  self.scope = &scope;
  if (!rewrite_sources (around, from, error) || !rewrite_join (&self, &from->join, error)
      || !rewrite (&self, where, PLACE_CONJUNCT, error))
    return FALSE;
  *where = cut_conjuncts (*where, self.arena, subqueries);
  for (guint i = 0; i < subqueries->len; i++)
    from->where = kvsql_key_list_and (from->where, subqueries->pdata[i], self.arena);
  return kvsql_interrupt_poll (error);
}

static gboolean select_reads (const KvsqlSubqueryRunner *self, const KvsqlSelect *select,
                              const KvsqlName *relation);

static gboolean
expr_reads (const KvsqlSubqueryRunner *self, const KvsqlAstExpr *expr, const KvsqlName *relation)
{
  if (!has_subquery (expr))
    return FALSE;
  for (guint i = 0; i < expr->n_children && kvsql_interrupt_tick (); i++)
    if (expr_reads (self, expr->children[i], relation))
      return TRUE;
  return expr->subquery != NULL && select_reads (self, expr->subquery, relation);
}

static gboolean
join_reads (const KvsqlSubqueryRunner *self, const KvsqlJoin *join, const KvsqlName *relation)
{
  return join != NULL
         && (expr_reads (self, join->on, relation) || join_reads (self, join->left, relation)
             || join_reads (self, join->right, relation));
}

/* Whether a relation in FROM, or in a subquery, is @relation. */
static gboolean
select_reads (const KvsqlSubqueryRunner *self, const KvsqlSelect *select, const KvsqlName *relation)
{
  const KvsqlCatalogEntry *entry = kvsql_plan_find_relation (self->catalog, relation, NULL);
  gboolean found = expr_reads (self, select->where, relation)
                   || expr_reads (self, select->having, relation)
                   || join_reads (self, select->join, relation);

  for (guint i = 0; select->set != NULL && i < select->set->n_operands && !found; i++)
    found = select_reads (self, select->set->operands[i], relation);
  for (guint i = 0; select->from.relation.text != NULL && i <= select->n_joined && !found; i++)
    {
      const KvsqlSource *source = kvsql_select_get_source (select, i);

      found = source->query != NULL
                  ? select_reads (self, source->query, relation)
                  : kvsql_plan_find_relation (self->catalog, &source->relation, NULL) == entry;
    }
  for (guint i = 0; i < select->n_items && !found && kvsql_interrupt_tick (); i++)
    found = expr_reads (self, select->items[i].expr, relation);
  return found;
}

/* Values and conditions that are computed while tuples are written: a subquery would read new ones.
 */
static gboolean
check_written (const KvsqlSubqueryRunner *self, const KvsqlAstExpr *expr, const gchar *clause,
               const KvsqlName *relation, GError **error)
{
  if (expr == NULL || !expr_reads (self, expr, relation))
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, expr->span,
                          "a subquery in %s that uses attributes of the tuple cannot read "
                          "relation \"%s\", which is updated",
                          clause, relation->text)
         || kvsql_error_hint (error, "Send the SELECT separately.");
}

static gboolean
check_set (const KvsqlSubqueryRunner *self, const KvsqlAssignment *assignments, guint n,
           const KvsqlName *relation, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!check_written (self, assignments[i].expr, "SET", relation, error))
      return FALSE;
  return TRUE;
}

/* The names that a statement which writes can use. *from, of the statement, is copied. */
static KvsqlSelect *
make_names (const KvsqlSubqueryRunner *self, const KvsqlName *relation, const KvsqlName *alias,
            KvsqlSelect **from)
{
  const KvsqlSelect alone = select_of (relation, alias);

  if (*from == NULL)
    return kvsql_arena_copy (self->arena, &alone, sizeof alone);
  *from = kvsql_arena_copy (self->arena, *from, sizeof **from);
  return *from;
}

static gboolean
rewrite_which (const KvsqlSubqueryRunner *self, const KvsqlSubqueryRunner *around,
               KvsqlSelect *names, KvsqlSelect *from, KvsqlAstExpr **where, GError **error)
{
  return from != NULL ? rewrite_joined (around, from, where, error)
                      : rewrite_written (self, &names->from, where, error);
}

static gboolean
rewrite_update (const KvsqlSubqueryRunner *outer, KvsqlUpdate *update, GError **error)
{
  KvsqlSelect *select = make_names (outer, &update->relation, &update->alias, &update->from);
  const KvsqlNameScope scope = { select, outer->scope };
  KvsqlSubqueryRunner inner = *outer, *self = &inner;

  inner.scope = &scope;
  return rewrite_which (self, outer, select, update->from, &update->where, error)
         && rewrite_assignments (self, &update->assignments, update->n_assignments, PLACE_VALUE,
                                 error)
         && check_set (self, update->assignments, update->n_assignments, &update->relation, error)
         && rewrite_order (self, &update->order_by, update->n_order_by, error)
         && rewrite_items (self, &update->returning, update->n_returning, PLACE_VALUE, error);
}

static gboolean
rewrite_delete (const KvsqlSubqueryRunner *outer, KvsqlDelete *statement, GError **error)
{
  KvsqlSelect *select
      = make_names (outer, &statement->relation, &statement->alias, &statement->from);
  const KvsqlNameScope scope = { select, outer->scope };
  KvsqlSubqueryRunner inner = *outer, *self = &inner;

  inner.scope = &scope;
  return rewrite_which (self, outer, select, statement->from, &statement->where, error)
         && rewrite_order (self, &statement->order_by, statement->n_order_by, error)
         && rewrite_items (self, &statement->returning, statement->n_returning, PLACE_VALUE, error);
}

/* The stored tuple, and `excluded`, the one that was to be inserted. */
static KvsqlSelect *
names_of_insert (const KvsqlSubqueryRunner *self, const KvsqlInsert *insert)
{
  KvsqlSelect *select = kvsql_arena_new0 (self->arena, KvsqlSelect);
  KvsqlSource *excluded;

  select->from.relation = insert->relation;
  if (insert->on_conflict != KVSQL_CONFLICT_UPDATE)
    return select;
  excluded = KVSQL_ARENA_ADD (self->arena, select->joined, select->n_joined);
  excluded->relation = insert->relation;
  excluded->alias = (KvsqlName){ .span = insert->conflict_span, .text = "excluded" };
  return select;
}

static gboolean
rewrite_conflict (const KvsqlSubqueryRunner *self, KvsqlInsert *insert, GError **error)
{
  return rewrite (self, &insert->conflict_where, PLACE_VALUE, error)
         && check_written (self, insert->conflict_where, "WHERE", &insert->relation, error)
         && rewrite_assignments (self, &insert->assignments, insert->n_assignments, PLACE_VALUE,
                                 error)
         && check_set (self, insert->assignments, insert->n_assignments, &insert->relation, error);
}

static gboolean
rewrite_insert (const KvsqlSubqueryRunner *self, KvsqlInsert *insert, GError **error)
{
  const KvsqlNameScope scope = { names_of_insert (self, insert), self->scope };
  const KvsqlSelect written = select_of (&insert->relation, NULL);
  const KvsqlNameScope new_scope = { &written, self->scope };
  KvsqlSubqueryRunner inner = *self, new = *self;
  KvsqlSelect *select;

  inner.scope = &scope;
  new.scope = &new_scope;
  if (!rewrite_conflict (&inner, insert, error)
      || !rewrite_items (&new, &insert->returning, insert->n_returning, PLACE_VALUE, error)
      || !rewrite_rows (self, &insert->rows, insert->n_rows, insert->n_values, PLACE_CLOSED, error))
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
      for (guint i = 0; i < insert->n_rows && kvsql_interrupt_tick (); i++)
        if (row_has_subquery (insert->rows[i], insert->n_values))
          return TRUE;
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
