/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * query-flatten.c: see the header.
 *
 * So the conditions of both are one predicate, which gives key ranges, and ORDER BY may be the
 * order of the scan.
 */
#include "config.h"

#include "core/plan/query-flatten.h"

#include "core/base/interrupt.h"

gboolean
kvsql_query_is_simple (const KvsqlSelectPlan *query)
{
  return query->entry != NULL && !query->is_fenced && query->groups == NULL && !query->is_distinct
         && query->windows == NULL && query->n_distinct_on == 0 && query->limit == KVSQL_NO_LIMIT
         && query->offset == 0 && query->n_sort == 0 && query->subqueries->n == 0;
}

/* ---- uses of columns */

typedef struct
{
  const KvsqlSelectPlan *query;
  guint *n_uses; /* by column */
} Uses;

static void
count_use (guint column, gpointer data)
{
  ((Uses *)data)->n_uses[column]++;
}

/* The expressions that are computed for each row. */
static KvsqlExpr **
get_exprs (const KvsqlSelectPlan *self, guint *out_n)
{
  return (KvsqlExpr **)kvsql_select_plan_get_tuple_exprs (self, out_n);
}

/* Whether all leaves of the predicate are about attributes of the query's relation. */
static gboolean
is_about_attributes (const KvsqlSelectPlan *self, const KvsqlSelectPlan *query)
{
  const KvsqlAttributeSet used = kvsql_predicate_get_columns (self->predicate);

  for (gint c = kvsql_attribute_set_next (&used, -1); c >= 0;
       c = kvsql_attribute_set_next (&used, c))
    if (query->outputs[c]->kind != KVSQL_EXPR_COLUMN)
      return FALSE;
  return TRUE;
}

static gboolean
can_flatten (const KvsqlSelectPlan *self, const KvsqlSelectPlan *query, KvsqlArena *arena)
{
  Uses uses = { query, kvsql_arena_array (arena, guint, query->n_items) };
  KvsqlExpr **exprs;
  guint n;

  if (!kvsql_query_is_simple (query) || self->is_verified != query->is_verified
      || !is_about_attributes (self, query))
    return FALSE;
  memset (uses.n_uses, 0, query->n_items * sizeof *uses.n_uses);
  exprs = get_exprs (self, &n);
  for (guint i = 0; i < n && kvsql_interrupt_tick (); i++)
    kvsql_expr_foreach_column (exprs[i], count_use, &uses);
  for (guint c = 0; c < query->n_items; c++)
    {
      const KvsqlExpr *expr = query->outputs[c];

      if (kvsql_expr_is_volatile (expr)
          || (uses.n_uses[c] > 1 && expr->kind != KVSQL_EXPR_COLUMN
              && expr->kind != KVSQL_EXPR_CONSTANT))
        return FALSE;
    }
  return TRUE;
}

/* ---- the plan */

static void
add_needed (guint column, gpointer data)
{
  kvsql_attribute_set_add (data, column);
}

/* The attributes that are read, as both have them. */
static void
set_needed (KvsqlSelectPlan *self, const KvsqlSelectPlan *query)
{
  guint n;
  KvsqlExpr **exprs = get_exprs (self, &n);

  self->needed = (KvsqlAttributeSet){ 0 };
  for (guint i = 0; i < n && kvsql_interrupt_tick (); i++)
    kvsql_expr_foreach_column (exprs[i], add_needed, &self->needed);
  kvsql_predicate_collect (self->predicate, &self->needed);
  if (self->is_verified)
    kvsql_attribute_set_add_all (&self->needed, &query->entry->relation->keys);
}

static void
replace_columns (KvsqlSelectPlan *self, const KvsqlSelectPlan *query, KvsqlArena *arena)
{
  guint n;
  KvsqlExpr **exprs = get_exprs (self, &n);
  const KvsqlPredicate *own;

  for (guint i = 0; i < n; i++)
    exprs[i] = kvsql_expr_replace_columns (exprs[i], query->outputs, arena);
  for (guint i = 0; i < self->n_items; i++)
    if (self->items[i] != KVSQL_NO_ATTRIBUTE)
      self->items[i] = query->items[self->items[i]];
  own = kvsql_predicate_replace_columns (self->predicate, query->outputs, arena);
  self->predicate = kvsql_predicate_and (query->predicate, own, arena);
}

/* Which attributes the keys are now. Returns: whether all are attributes of the first relation */
static gboolean
set_attributes (KvsqlSortKey *keys, guint n, KvsqlExpr *const *exprs, guint n_attributes)
{
  gboolean are_attributes = TRUE;

  for (guint i = 0; i < n; i++)
    {
      const KvsqlExpr *expr = exprs[keys[i].column];

      keys[i].attribute = expr->kind == KVSQL_EXPR_COLUMN ? expr->column : KVSQL_NO_ATTRIBUTE;
      are_attributes = are_attributes && keys[i].attribute < n_attributes;
    }
  return are_attributes;
}

/* The scan may have the order of ORDER BY, if that is by attributes. */
static void
set_order (KvsqlSelectPlan *self)
{
  gboolean is_of_tuples = self->groups == NULL && self->windows == NULL;

  self->sorts_tuples = is_of_tuples
                       && set_attributes (self->sort, self->n_sort, self->outputs,
                                          self->entry->relation->n_attributes);
  if (!is_of_tuples)
    for (guint i = 0; i < self->n_sort; i++)
      self->sort[i].attribute = KVSQL_NO_ATTRIBUTE;
}

/* The same for the order that the first window needs. */
static void
set_window_order (KvsqlSelectPlan *self)
{
  KvsqlWindows *windows = self->windows;
  guint n = self->entry->relation->n_attributes;

  for (guint i = 0; i < windows->n_windows; i++)
    {
      KvsqlWindow *window = &windows->windows[i];
      gboolean are_attributes = set_attributes (window->sort, window->n_sort, windows->inputs, n);

      set_attributes (window->partition, window->n_partition, windows->inputs, n);
      set_attributes (window->order, window->n_order, windows->inputs, n);
      if (i == 0)
        windows->sorts_tuples = self->groups == NULL && are_attributes;
    }
  set_attributes (windows->last_sort, windows->n_last_sort, windows->inputs, n);
}

void
kvsql_query_flatten (KvsqlSelectPlan *self, KvsqlArena *arena)
{
  const KvsqlSelectPlan *query = self->set->operands[0].plan;

  if (!can_flatten (self, query, arena))
    return;
  replace_columns (self, query, arena);
  self->set = NULL;
  self->entry = query->entry;
  self->relation = query->relation;
  self->join = query->join;
  self->select = query->select;
  self->binder = query->binder;
  set_needed (self, query);
  set_order (self);
  if (self->windows != NULL && self->groups == NULL)
    set_window_order (self);
}
