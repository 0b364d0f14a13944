/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * group.c: extends the binder with a hook that turns grouping expressions and aggregates into
 * columns.
 */
#include "config.h"

#include "core/plan/group.h"
#include "core/expr/cast.h"
#include "core/base/interrupt.h"
#include "core/plan/aggregate-call.h"
#include "core/schema/relation.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"

struct _KvsqlGrouping
{
  KvsqlBinder over_groups;
  const KvsqlBinder *over_tuples;
  const KvsqlAstExpr **by;
  KvsqlExpr **by_exprs;
  guint n_by;

  const KvsqlAstExpr **calls; /* of aggregates, without duplicates */
  KvsqlAggregate *aggregates;
  guint n_calls;
  KvsqlExpr **arguments; /* of aggregates that have an argument */
  guint n_arguments;
};

/* ---- search in trees */

static const KvsqlAggregateFunction *
aggregate_of (const KvsqlAstExpr *expr)
{
  return expr->kind == KVSQL_AST_FUNCTION && !expr->has_over
             ? kvsql_aggregate_find (expr->name.text)
             : NULL;
}

const KvsqlAstExpr *
kvsql_group_find_aggregate (const KvsqlAstExpr *expr)
{
  const KvsqlAstExpr *found = NULL;

  if (expr == NULL)
    return NULL;
  if (aggregate_of (expr) != NULL)
    return expr;
  for (guint i = 0; i < expr->n_children && found == NULL && kvsql_interrupt_tick (); i++)
    found = kvsql_group_find_aggregate (expr->children[i]);
  return found;
}

const KvsqlAstExpr *
kvsql_group_find_window (const KvsqlAstExpr *expr)
{
  const KvsqlAstExpr *found = NULL;

  if (expr == NULL || expr->has_over)
    return expr;
  for (guint i = 0; i < expr->n_children && found == NULL && kvsql_interrupt_tick (); i++)
    found = kvsql_group_find_window (expr->children[i]);
  return found;
}

static gboolean
reject_window (const KvsqlAstExpr *expr, const gchar *clause, GError **error)
{
  const KvsqlAstExpr *found = kvsql_group_find_window (expr);

  if (found == NULL)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, found->span,
                   "window functions are not allowed in %s", clause);
  kvsql_error_sqlstate (error, "42P20");
  return kvsql_error_hint (error, "They are computed after WHERE, GROUP BY and HAVING: put the "
                                  "query into FROM, and use its column around it.");
}

gboolean
kvsql_group_reject_aggregates (const KvsqlAstExpr *expr, const gchar *clause, GError **error)
{
  const KvsqlAstExpr *found = kvsql_group_find_aggregate (expr);

  if (found == NULL)
    return reject_window (expr, clause, error);
  kvsql_error_set (error, KVSQL_ERROR_INVALID, found->span,
                   "aggregate functions are not allowed in %s", clause);
  if (g_str_equal (clause, "WHERE"))
    kvsql_error_hint (
        error,
        "WHERE chooses tuples before they are grouped; conditions on groups belong in HAVING.");
  return FALSE;
}

static const gchar *
text_of (const KvsqlAstExpr *expr, KvsqlArena *arena)
{
  g_autoptr (GString) text = g_string_new (NULL);

  kvsql_print_expression (expr, text);
  return kvsql_arena_strdup (arena, text->str);
}

/* ---- aggregates */

static gboolean
check_nested (const KvsqlAstExpr *expr, GError **error)
{
  const KvsqlAstExpr *nested = NULL;

  for (guint i = 0; i < expr->n_children && nested == NULL; i++)
    nested = kvsql_group_find_aggregate (expr->children[i]);
  if (nested == NULL)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, nested->span,
                   "aggregate function calls cannot be nested");
  return kvsql_error_hint (error, "Compute the inner one with a statement of its own first.");
}

/* Adds a column to the input of the groups. */
static guint
add_input (KvsqlExpr *expr, gpointer data)
{
  KvsqlGrouping *self = data;

  self->arguments[self->n_arguments] = expr;
  return self->n_by + self->n_arguments++;
}

static gboolean
bind_call (KvsqlGrouping *self, const KvsqlAstExpr *expr, KvsqlExpr **out, GError **error)
{
  const KvsqlAggregateInputs inputs = { self->over_tuples, add_input, self };
  KvsqlArena *arena = self->over_tuples->arena;
  guint number;

  for (number = 0; number < self->n_calls; number++)
    if (kvsql_group_is_same (self->calls[number], expr, self->over_tuples))
      break;
  if (number == KVSQL_MAX_ITEMS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, expr->span,
                            "the statement has more than %d aggregates", KVSQL_MAX_ITEMS);
  if (number == self->n_calls)
    {
      if (!check_nested (expr, error)
          || !kvsql_aggregate_call_bind (&inputs, expr, &self->aggregates[number], error))
        return FALSE;
      self->calls[number] = expr;
      self->n_calls++;
    }
  *out = kvsql_expr_column (arena, self->n_by + number, self->aggregates[number].type,
                            text_of (expr, arena), expr->span);
  return TRUE;
}

/* ---- the hook */

static gboolean
reject_name (const KvsqlGrouping *self, const KvsqlAstExpr *expr, GError **error)
{
  guint attribute;
  const gchar *name;

  if (!kvsql_binder_find_attribute (self->over_tuples, expr, &attribute, error))
    return FALSE;
  name = self->over_tuples->relation->attributes[attribute].name;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span,
                   "attribute \"%s\" must appear in the GROUP BY clause or be used in an aggregate "
                   "function",
                   name);
  return kvsql_error_hint (error,
                           "A group has many tuples: add %s to GROUP BY, or say which of its "
                           "values is meant, as in min(%s).",
                           name, name);
}

static gboolean
resolve (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlExpr **out, GError **error)
{
  KvsqlGrouping *self = binder->resolve_data;

  *out = NULL;
  if (aggregate_of (expr) != NULL)
    return bind_call (self, expr, out, error);
  for (guint i = 0; i < self->n_by; i++)
    if (kvsql_group_is_same (self->by[i], expr, self->over_tuples))
      {
        *out = kvsql_expr_column (binder->arena, i, self->by_exprs[i]->type,
                                  text_of (self->by[i], binder->arena), expr->span);
        return TRUE;
      }
  return expr->kind != KVSQL_AST_NAME || reject_name (self, expr, error);
}

/* ---- grouping expressions */

static gboolean
add_group (KvsqlGrouping *self, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr *bound;

  for (guint i = 0; i < self->n_by; i++)
    if (kvsql_group_is_same (self->by[i], expr, self->over_tuples))
      return TRUE;
  bound = kvsql_expr_bind (self->over_tuples, expr, error);
  if (bound != NULL && (bound->is_untyped || bound->type == KVSQL_TYPE_NULL))
    bound = kvsql_expr_convert (self->over_tuples, bound, KVSQL_TYPE_STRING, error);
  if (bound == NULL || !kvsql_cast_check_comparable (bound->type, FALSE, expr->span, error))
    return FALSE;
  self->by[self->n_by] = expr;
  self->by_exprs[self->n_by++] = bound;
  return TRUE;
}

/* Adds the attributes of @relation, from number @first on, if all of its KEY is grouped by. A query
 * in FROM has no KEY. */
static void
add_determined (const KvsqlAttributeSet *grouped, const KvsqlRelation *relation, guint first,
                KvsqlAttributeSet *determined)
{
  gint key = kvsql_attribute_set_next (&relation->keys, -1);

  if (key < 0)
    return;
  for (; key >= 0; key = kvsql_attribute_set_next (&relation->keys, key))
    if (!kvsql_attribute_set_has (grouped, first + (guint)key))
      return;
  for (guint i = 0; i < relation->n_attributes; i++)
    kvsql_attribute_set_add (determined, first + i);
}

/* The attributes that have one value in each group, because their relation's KEY does. */
static void
find_determined (const KvsqlGrouping *self, KvsqlAttributeSet *out)
{
  const KvsqlBinder *binder = self->over_tuples;
  KvsqlAttributeSet grouped = { 0 };

  for (guint i = 0; i < self->n_by; i++)
    if (self->by_exprs[i]->kind == KVSQL_EXPR_COLUMN)
      kvsql_attribute_set_add (&grouped, self->by_exprs[i]->column);
  for (guint i = 0; i < binder->n_relations; i++)
    add_determined (&grouped, binder->relations[i].relation, binder->relations[i].first, out);
  if (binder->n_relations == 0 && binder->relation != NULL)
    add_determined (&grouped, binder->relation, 0, out);
}

/* An upper bound of the number of names, aggregates and their arguments in a tree. */
static guint
count_nodes (const KvsqlAstExpr *expr)
{
  guint n = expr->kind == KVSQL_AST_NAME;

  if (aggregate_of (expr) != NULL)
    n = 1 + expr->n_children;

  for (guint i = 0; i < expr->n_children && kvsql_interrupt_tick (); i++)
    n += count_nodes (expr->children[i]);
  return n;
}

/* Groups by the attributes of @determined that @expr uses. */
static gboolean
add_names (KvsqlGrouping *self, const KvsqlAstExpr *expr, const KvsqlAttributeSet *determined,
           GError **error)
{
  guint attribute;

  if (aggregate_of (expr) != NULL)
    return TRUE;
  if (expr->kind == KVSQL_AST_NAME)
    return !kvsql_binder_find_attribute (self->over_tuples, expr, &attribute, NULL)
           || !kvsql_attribute_set_has (determined, attribute) || add_group (self, expr, error);
  for (guint i = 0; i < expr->n_children && kvsql_interrupt_tick (); i++)
    if (!add_names (self, expr->children[i], determined, error))
      return FALSE;
  return TRUE;
}

KvsqlGrouping *
kvsql_grouping_new (const KvsqlBinder *binder, const KvsqlAstExpr *const *by, guint n_by,
                    const KvsqlAstExpr *const *uses, guint n_uses, GError **error)
{
  KvsqlGrouping *self = kvsql_arena_new0 (binder->arena, KvsqlGrouping);
  guint most = n_by + 1;
  KvsqlAttributeSet determined = { 0 };

  for (guint i = 0; i < n_uses; i++)
    most += count_nodes (uses[i]);
  self->over_tuples = binder;
  self->over_groups = *binder;
  self->over_groups.resolve = resolve;
  self->over_groups.resolve_data = self;
  self->by = kvsql_arena_array (binder->arena, const KvsqlAstExpr *, most);
  self->by_exprs = kvsql_arena_array (binder->arena, KvsqlExpr *, most);
  self->calls = kvsql_arena_array (binder->arena, const KvsqlAstExpr *, most);
  self->aggregates = kvsql_arena_array (binder->arena, KvsqlAggregate, most);
  self->arguments = kvsql_arena_array (binder->arena, KvsqlExpr *, most);
  for (guint i = 0; i < n_by; i++)
    if (!add_group (self, by[i], error))
      return NULL;
  find_determined (self, &determined);
  for (guint i = 0; i < n_uses && kvsql_attribute_set_next (&determined, -1) >= 0; i++)
    if (!add_names (self, uses[i], &determined, error))
      return NULL;
  return self;
}

const KvsqlBinder *
kvsql_grouping_get_binder (const KvsqlGrouping *self)
{
  return &self->over_groups;
}

KvsqlGroups *
kvsql_grouping_finish (KvsqlGrouping *self, KvsqlExpr *having)
{
  KvsqlArena *arena = self->over_tuples->arena;
  KvsqlGroups *groups = kvsql_arena_new0 (arena, KvsqlGroups);

  for (guint i = 0; i < self->n_calls; i++) /* the inputs are the groups, then the arguments */
    g_assert (self->aggregates[i].column == KVSQL_NO_COLUMN
              || (self->aggregates[i].column >= self->n_by
                  && self->aggregates[i].column < self->n_by + self->n_arguments));
  groups->n_groups = self->n_by;
  groups->n_inputs = self->n_by + self->n_arguments;
  groups->inputs = kvsql_arena_array (arena, KvsqlExpr *, groups->n_inputs + 1);
  memcpy (groups->inputs, self->by_exprs, self->n_by * sizeof (KvsqlExpr *));
  memcpy (groups->inputs + self->n_by, self->arguments, self->n_arguments * sizeof (KvsqlExpr *));
  groups->aggregates = self->aggregates;
  groups->n_aggregates = self->n_calls;
  groups->texts = kvsql_arena_array (arena, const gchar *, self->n_calls + 1);
  for (guint i = 0; i < self->n_calls; i++)
    groups->texts[i] = text_of (self->calls[i], arena);
  groups->having = having;
  return groups;
}
