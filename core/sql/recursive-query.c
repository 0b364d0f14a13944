/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * recursive-query.c: see the header.
 */
#include "config.h"

#include "core/sql/recursive-query.h"

#include "core/base/interrupt.h"
#include "core/sql/visit.h"

typedef struct
{
  const KvsqlSelect *query;
  const gchar *place; /* nullable: why no reference may be here */
  guint n;            /* references that were seen */
  GError **error;
} Check;

static gboolean check_select (Check *self, const KvsqlSelect *select, const gchar *place);

/* SQLSTATE 42P19, invalid_recursion; 0A000 with UNSUPPORTED. */
static gboolean
fail_reference (const Check *self, KvsqlSpan span, const gchar *place)
{
  kvsql_error_set (self->error, KVSQL_ERROR_INVALID, span,
                   "recursive reference to query \"%s\" must not appear %s",
                   self->query->recursive_name.text, place);
  return kvsql_error_sqlstate (self->error, "42P19");
}

static gboolean
check_source (Check *self, const KvsqlSource *source, const gchar *place)
{
  if (source->query == NULL)
    return TRUE;
  if (source->query->working_of != self->query)
    return check_select (self, source->query, place);
  if (place != NULL)
    return fail_reference (self, source->relation.span, place);
  return ++self->n == 1 || fail_reference (self, source->relation.span, "more than once");
}

static gboolean
check_join (Check *self, const KvsqlSelect *select, const KvsqlJoin *join, const gchar *place)
{
  const gchar *outer = "within an outer join";
  gboolean is_full;

  if (join->left == NULL)
    return check_source (self, kvsql_select_get_source (select, join->source), place);
  is_full = join->kind == KVSQL_JOIN_FULL;
  return check_join (self, select, join->left,
                     is_full || join->kind == KVSQL_JOIN_RIGHT ? outer : place)
         && check_join (self, select, join->right,
                        is_full || join->kind == KVSQL_JOIN_LEFT ? outer : place);
}

static gboolean
check_set (Check *self, const KvsqlSetOperation *set, const gchar *place)
{
  for (guint i = 0; i < set->n_operands; i++)
    {
      const gchar *here = place;

      if (set->kind == KVSQL_SET_EXCEPT && (set->is_all || i > 0))
        here = "within EXCEPT";
      else if (set->kind == KVSQL_SET_INTERSECT && set->is_all)
        here = "within INTERSECT";
      if (!check_select (self, set->operands[i], here))
        return FALSE;
    }
  return TRUE;
}

/* Queries in FROM; not subqueries of expressions. */
static gboolean
check_select (Check *self, const KvsqlSelect *select, const gchar *place)
{
  if (!kvsql_interrupt_poll (self->error))
    return FALSE;
  if (select->set != NULL)
    return check_set (self, select->set, place);
  if (select->from.relation.text == NULL)
    return TRUE;
  return select->join != NULL ? check_join (self, select, select->join, place)
                              : check_source (self, &select->from, place);
}

/* ---- subqueries */

typedef struct
{
  const KvsqlSelect *query;
  KvsqlSpan found; /* offset -1: none */
} Search;

static void
look_at_source (KvsqlSource *source, gpointer data)
{
  Search *self = data;

  if (source->query != NULL && source->query->working_of == self->query)
    self->found = source->relation.span;
}

static void
look_at_expr (KvsqlAstExpr *expr, gpointer data)
{
  const KvsqlAstVisitor visitor = { .source = look_at_source, .data = data };

  if (expr->subquery != NULL)
    kvsql_select_visit (expr->subquery, &visitor);
}

static gboolean
check_subqueries (const Check *self, const KvsqlSelect *select)
{
  Search search = { self->query, KVSQL_SPAN_NONE };
  const KvsqlAstVisitor visitor = { .expr = look_at_expr, .data = &search };

  kvsql_select_visit ((KvsqlSelect *)select, &visitor);
  return search.found.offset < 0 || fail_reference (self, search.found, "within a subquery");
}

/* ---- the query */

static gboolean
fail_clause (KvsqlSpan span, const gchar *clause, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, span,
                   "%s in a recursive query is not implemented", clause);
  return kvsql_error_hint (error, "Write it after the query that names this one.");
}

static gboolean
check_form (const KvsqlSelect *query, GError **error)
{
  KvsqlSpan span = query->recursive_name.span;

  if (query->set == NULL || query->set->kind != KVSQL_SET_UNION)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, span,
                       "recursive query \"%s\" does not have the form non-recursive-term UNION "
                       "[ALL] recursive-term",
                       query->recursive_name.text);
      return kvsql_error_sqlstate (error, "42P19");
    }
  if (query->n_order_by > 0)
    return fail_clause (query->order_by[0].expr->span, "ORDER BY", error);
  if (query->limit != NULL)
    return fail_clause (query->limit->span, "LIMIT", error);
  return query->offset == NULL || fail_clause (query->offset->span, "OFFSET", error);
}

gboolean
kvsql_recursive_query_check (const KvsqlSelect *query, GError **error)
{
  const KvsqlSetOperation *set = query->set;
  Check self = { .query = query, .error = error };

  if (query->recursive_name.text == NULL)
    return TRUE;
  if (!check_form (query, error))
    return FALSE;
  for (guint i = 0; i < set->n_operands; i++)
    if (!check_subqueries (&self, set->operands[i])
        || !check_select (&self, set->operands[i],
                          i + 1 < set->n_operands ? "within its non-recursive term" : NULL))
      return FALSE;
  return TRUE;
}
