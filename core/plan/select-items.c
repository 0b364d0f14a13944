/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select-items.c: binds what a SELECT returns for each tuple or group, and its sort keys.
 *
 * In GROUP BY, a name is an attribute first and an alias second; in ORDER BY it is the other way
 * round. A number is the position of an item. Both are as in PostgreSQL.
 */
#include "config.h"

#include "core/plan/select-items.h"
#include "core/expr/cast.h"
#include "core/base/interrupt.h"
#include "core/expr/star.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"

/* The state of binding. */
typedef struct
{
  KvsqlSelectPlan *plan;
  const KvsqlSelect *select; /* NULL: there is only ORDER BY */
  const KvsqlBinder *tuples;
  KvsqlGrouping *grouping;    /* nullable */
  const KvsqlBinder *groups;  /* for HAVING */
  const KvsqlBinder *rows;    /* for items and ORDER BY: over tuples, groups, or rows of windows */
  const KvsqlAstExpr **items; /* without * */
  const KvsqlAstExpr **order;
  guint n_order;
  const KvsqlAstExpr **on; /* of DISTINCT ON */
  guint n_on;
} Clauses;

/* ---- expansion of the list */

/* @qualifier: nullable: the relation, if there are several */
static const KvsqlAstExpr *
name_of_column (const KvsqlBinder *binder, const KvsqlBinderRelation *qualifier, const gchar *name,
                guint attribute, KvsqlSpan span)
{
  KvsqlAstExpr *expr = kvsql_arena_new0 (binder->arena, KvsqlAstExpr);

  expr->kind = KVSQL_AST_NAME;
  expr->span = span;
  expr->name = (KvsqlName){ .span = span, .text = name };
  if (qualifier != NULL)
    expr->qualifier = (KvsqlName){ .span = span, .text = kvsql_binder_relation_name (qualifier) };
  expr->column = attribute + 1;
  return expr;
}

/* The name in PostgreSQL; where that would be "?column?", the text of the expression. */
static const gchar *
column_name (const KvsqlAstExpr *expr, const KvsqlBinder *binder)
{
  g_autoptr (GString) text = NULL;
  guint attribute;

  switch (expr->kind)
    {
    case KVSQL_AST_NAME:
      return kvsql_binder_find_attribute (binder, expr, &attribute, NULL)
                 ? kvsql_binder_get_attribute (binder, attribute)->name
                 : expr->name.text;
    case KVSQL_AST_FUNCTION:
      {
        g_autofree gchar *name = g_ascii_strdown (expr->name.text, -1);
        return kvsql_arena_strdup (binder->arena, name);
      }
    case KVSQL_AST_CAST:
      if (expr->children[0]->kind == KVSQL_AST_NAME
          || expr->children[0]->kind == KVSQL_AST_FUNCTION)
        return column_name (expr->children[0], binder);
      break;
    case KVSQL_AST_CASE:
      return "case";
    default:
      break;
    }
  text = g_string_new (NULL);
  kvsql_print_expression (expr, text);
  return kvsql_arena_strdup (binder->arena, text->str);
}

static void
add_item (Clauses *self, const KvsqlAstExpr *expr, const gchar *name)
{
  self->items[self->plan->n_items] = expr;
  self->plan->item_names[self->plan->n_items++] = name;
}

static void
add_star (Clauses *self, const KvsqlStarColumn *columns, guint n, KvsqlSpan span)
{
  for (guint i = 0; i < n; i++)
    add_item (self,
              name_of_column (self->tuples, columns[i].relation, columns[i].name,
                              columns[i].attribute, span),
              columns[i].name);
}

/* What each star of the list means. *out_most: how many items there will be. */
static gboolean
expand_stars (const Clauses *self, KvsqlStarColumn **stars, guint *n_stars, guint *out_most,
              GError **error)
{
  *out_most = 0;
  for (guint i = 0; i < self->select->n_items && kvsql_interrupt_tick (); i++)
    {
      const KvsqlSelectItem *item = &self->select->items[i];

      n_stars[i] = 1;
      if (item->expr == NULL
          && !kvsql_star_expand (self->tuples, &item->star_of, &stars[i], &n_stars[i], error))
        return FALSE;
      *out_most += n_stars[i];
      if (*out_most > KVSQL_MAX_ITEMS)
        return kvsql_error_set (error, KVSQL_ERROR_LIMIT, self->select->items[0].span,
                                "SELECT has more than %d items", KVSQL_MAX_ITEMS);
    }
  return TRUE;
}

static gboolean
write_out_items (Clauses *self, GError **error)
{
  KvsqlArena *arena = self->tuples->arena;
  KvsqlStarColumn **stars = kvsql_arena_array (arena, KvsqlStarColumn *, self->select->n_items + 1);
  guint *n_stars = kvsql_arena_array (arena, guint, self->select->n_items + 1);
  guint most;

  if (!expand_stars (self, stars, n_stars, &most, error))
    return FALSE;
  self->items = kvsql_arena_array (arena, const KvsqlAstExpr *, most);
  self->plan->item_names = kvsql_arena_array (arena, const gchar *, most);
  for (guint i = 0; i < self->select->n_items && kvsql_interrupt_tick (); i++)
    {
      const KvsqlSelectItem *item = &self->select->items[i];

      if (item->expr == NULL)
        add_star (self, stars[i], n_stars[i], item->span);
      else
        add_item (self, item->expr,
                  item->alias.text != NULL ? item->alias.text
                                           : column_name (item->expr, self->tuples));
    }
  return TRUE;
}

/* ---- names and positions in other clauses */

/* *out: the item at the position that @expr gives; NULL if @expr is not a number. */
static gboolean
find_position (const Clauses *self, const KvsqlAstExpr *expr, const gchar *clause,
               const KvsqlAstExpr **out, GError **error)
{
  *out = NULL;
  if (expr->kind != KVSQL_AST_LITERAL || self->items == NULL)
    return TRUE;
  if (expr->value.type != KVSQL_TYPE_BIGINT)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span, "a constant in %s", clause)
           || kvsql_error_hint (error, "Only a whole number means something there: the position "
                                       "of an item.");
  if (expr->value.integer < 1 || expr->value.integer > (gint64)self->plan->n_items)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span,
                            "%s position %" G_GINT64_FORMAT " is not in the list", clause,
                            expr->value.integer);
  *out = self->items[expr->value.integer - 1];
  return TRUE;
}

/* *out: the item whose name matches at least as well as @match, or NULL. */
static gboolean
find_alias_that (const Clauses *self, KvsqlNameMatch match, const KvsqlAstExpr *expr,
                 const KvsqlAstExpr **out, GError **error)
{
  *out = NULL;
  if (expr->kind != KVSQL_AST_NAME || expr->qualifier.text != NULL || self->items == NULL)
    return TRUE;
  for (guint i = 0; i < self->plan->n_items && kvsql_interrupt_tick (); i++)
    {
      if (kvsql_name_match (&expr->name, self->plan->item_names[i], FALSE) < match)
        continue;
      if (*out != NULL && !kvsql_group_is_same (*out, self->items[i], self->tuples))
        return kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span,
                                "\"%s\" is ambiguous: more than one item is called so",
                                expr->name.text)
               || kvsql_error_hint (error, "Give the item that is meant another alias, or its "
                                           "position.");
      *out = self->items[i];
    }
  return TRUE;
}

/* *out: the item with this name, or NULL. For a double-quoted name without an exact match among the
 * items and the attributes, a match that differs in case is enough. */
static gboolean
find_alias (const Clauses *self, const KvsqlAstExpr *expr, const KvsqlAstExpr **out, GError **error)
{
  if (!find_alias_that (self, KVSQL_NAME_MATCHES, expr, out, error))
    return FALSE;
  if (*out != NULL || expr->kind != KVSQL_AST_NAME || !expr->name.is_double_quoted
      || kvsql_binder_spells_attribute (self->tuples, expr->name.text))
    return TRUE;
  return find_alias_that (self, KVSQL_NAME_SIMILAR, expr, out, error);
}

/* ---- GROUP BY */

/* An attribute has priority over an alias, unless the name is double-quoted and only the alias
 * matches it exactly. */
static gboolean
is_attribute (const Clauses *self, const KvsqlAstExpr *expr)
{
  const KvsqlAstExpr *item = NULL;
  guint unused;

  if (!kvsql_binder_find_attribute (self->tuples, expr, &unused, NULL))
    return FALSE;
  return !expr->name.is_double_quoted || expr->qualifier.text != NULL
         || kvsql_binder_spells_attribute (self->tuples, expr->name.text)
         || (find_alias_that (self, KVSQL_NAME_MATCHES, expr, &item, NULL) && item == NULL);
}

static gboolean
find_group (const Clauses *self, const KvsqlAstExpr *expr, const KvsqlAstExpr **out, GError **error)
{
  const KvsqlAstExpr *item = NULL;

  if (!find_position (self, expr, "GROUP BY", &item, error))
    return FALSE;
  if (item == NULL && expr->kind == KVSQL_AST_NAME && !is_attribute (self, expr)
      && !find_alias (self, expr, &item, error))
    return FALSE;
  *out = item != NULL ? item : expr;
  return kvsql_group_reject_aggregates (*out, "GROUP BY", error);
}

static gboolean
is_grouped (const Clauses *self)
{
  const KvsqlSelect *select = self->select;
  gboolean is_grouped = select->n_group_by > 0 || select->having != NULL;

  for (guint i = 0; i < self->plan->n_items && !is_grouped && kvsql_interrupt_tick (); i++)
    is_grouped = kvsql_group_find_aggregate (self->items[i]) != NULL;
  for (guint i = 0; i < self->n_order && !is_grouped && kvsql_interrupt_tick (); i++)
    is_grouped = kvsql_group_find_aggregate (self->order[i]) != NULL;
  for (guint i = 0; i < self->n_on && !is_grouped && kvsql_interrupt_tick (); i++)
    is_grouped = kvsql_group_find_aggregate (self->on[i]) != NULL;
  return is_grouped;
}

/* The items, what ORDER BY and DISTINCT ON have, and windows; there is room for one more. */
static const KvsqlAstExpr **
list_uses (const Clauses *self, guint *out_n)
{
  const KvsqlAstExpr **uses = kvsql_arena_array (self->tuples->arena, const KvsqlAstExpr *,
                                                 self->plan->n_items + self->n_order + self->n_on
                                                     + self->select->n_windows + 1);

  *out_n = 0;
  for (guint i = 0; i < self->plan->n_items; i++)
    uses[(*out_n)++] = self->items[i];
  for (guint i = 0; i < self->n_order; i++)
    uses[(*out_n)++] = self->order[i];
  for (guint i = 0; i < self->n_on; i++)
    uses[(*out_n)++] = self->on[i];
  for (guint i = 0; i < self->select->n_windows; i++)
    uses[(*out_n)++] = self->select->windows[i];
  return uses;
}

static KvsqlGrouping *
make_grouping (Clauses *self, GError **error)
{
  const KvsqlSelect *select = self->select;
  KvsqlGroupingSets by;
  guint n_uses;
  const KvsqlAstExpr **uses = list_uses (self, &n_uses);

  if (!kvsql_grouping_sets_write_out (select->group_by, select->n_group_by, self->tuples->arena,
                                      &by, error))
    return NULL;
  for (guint i = 0; i < by.n_leaves; i++)
    if (!find_group (self, by.leaves[i], &by.leaves[i], error))
      return NULL;
  if (select->having != NULL)
    uses[n_uses++] = select->having;
  return kvsql_grouping_new (self->tuples, &by, select->is_group_distinct, uses, n_uses, error);
}

/* ---- windows */

/* *out: NULL if there are no calls with OVER. */
static gboolean
make_windowing (Clauses *self, KvsqlWindowing **out, GError **error)
{
  gboolean has_window = FALSE;
  guint n_uses;
  const KvsqlAstExpr **uses;

  *out = NULL;
  if (self->select == NULL || (!self->select->has_over && self->select->n_windows == 0))
    return TRUE;
  uses = list_uses (self, &n_uses);
  for (guint i = 0; i < n_uses && !has_window; i++)
    has_window = kvsql_group_find_window (uses[i]) != NULL;
  if (!has_window && self->select->n_windows == 0)
    return TRUE;
  *out = kvsql_windowing_new (self->rows, self->tuples, self->select, uses, n_uses, error);
  if (*out == NULL)
    return FALSE;
  if (!has_window) /* the definitions were checked */
    *out = NULL;
  else
    self->rows = kvsql_windowing_get_binder (*out);
  return TRUE;
}

/* The order of ORDER BY in terms of the rows of windows. */
static void
sort_windows (KvsqlSelectPlan *plan, KvsqlArena *arena)
{
  guint n = plan->is_distinct ? 0 : plan->n_sort;
  KvsqlSortKey *order = kvsql_arena_array (arena, KvsqlSortKey, n + 1);

  for (guint i = 0; i < n; i++)
    {
      const KvsqlExpr *output = plan->outputs[plan->sort[i].column];

      order[i] = plan->sort[i];
      order[i].column = output->kind == KVSQL_EXPR_COLUMN ? output->column : G_MAXUINT;
    }
  kvsql_windows_sort (plan->windows, order, n, arena);
}

/* ---- outputs */

/* A literal without a type, or NULL, becomes a text. @bound: nullable */
static KvsqlExpr *
make_typed (const Clauses *self, KvsqlExpr *bound, GError **error)
{
  if (bound != NULL && (bound->is_untyped || bound->type == KVSQL_TYPE_NULL))
    bound = kvsql_expr_convert (self->rows, bound, KVSQL_TYPE_STRING, error);
  return bound;
}

/* Other operands of a set operation may give the type, unless rows are compared before. */
static KvsqlExpr *
bind_item (const Clauses *self, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr *bound = kvsql_expr_bind (self->rows, expr, error);

  return self->plan->is_operand && !self->plan->is_distinct ? bound
                                                            : make_typed (self, bound, error);
}

/* Whether an item can be NULL, and its attribute if it is just one. */
static void
describe_item (Clauses *self, guint i)
{
  const KvsqlRelation *relation = self->tuples->relation;
  const KvsqlAstExpr *expr = self->items[i];
  guint attribute;

  self->plan->items[i] = KVSQL_NO_ATTRIBUTE;
  self->plan->item_is_nullable[i] = TRUE;
  if (expr->kind == KVSQL_AST_NAME
      && kvsql_binder_find_attribute (self->tuples, expr, &attribute, NULL))
    {
      self->plan->items[i] = attribute;
      self->plan->item_is_nullable[i]
          = !relation->attributes[attribute].is_not_null
            || (self->grouping != NULL && !kvsql_grouping_is_in_all_sets (self->grouping, expr));
    }
  else if (expr->kind == KVSQL_AST_FUNCTION && g_ascii_strcasecmp (expr->name.text, "count") == 0)
    self->plan->item_is_nullable[i] = FALSE;
}

static gboolean
bind_items (Clauses *self, GError **error)
{
  KvsqlSelectPlan *plan = self->plan;
  KvsqlArena *arena = self->tuples->arena;

  plan->items = kvsql_arena_array (arena, guint, plan->n_items);
  plan->item_is_nullable = kvsql_arena_array (arena, gboolean, plan->n_items);
  plan->outputs
      = kvsql_arena_array (arena, KvsqlExpr *, plan->n_items + self->n_order + self->n_on + 1);
  for (guint i = 0; i < plan->n_items; i++)
    {
      plan->outputs[i] = bind_item (self, self->items[i], error);
      if (plan->outputs[i] == NULL)
        return FALSE;
      describe_item (self, i);
    }
  plan->n_outputs = plan->n_items;
  return TRUE;
}

/* ---- ORDER BY */

/* Replaces positions and aliases by the expressions of their items. */
static gboolean
write_out_order (Clauses *self, const KvsqlOrderItem *items, guint n_items, GError **error)
{
  self->order = kvsql_arena_array (self->tuples->arena, const KvsqlAstExpr *, n_items + 1);
  for (guint i = 0; i < n_items; i++)
    {
      const KvsqlAstExpr *item;

      if (!kvsql_interrupt_poll (error)
          || !find_position (self, items[i].expr, "ORDER BY", &item, error)
          || (item == NULL && !find_alias (self, items[i].expr, &item, error)))
        return FALSE;
      self->order[i] = item != NULL ? item : items[i].expr;
    }
  self->n_order = n_items;
  return TRUE;
}

/* Finds the output column of @expr; adds a column after the items if there is none. */
static gboolean
find_output (Clauses *self, const KvsqlAstExpr *expr, KvsqlSpan span, guint *out, GError **error)
{
  KvsqlSelectPlan *plan = self->plan;

  /* the item at a position, not one with the same text before it: it gets a type here */
  for (guint i = 0; self->items != NULL && i < plan->n_items && kvsql_interrupt_tick (); i++)
    if (self->items[i] == expr)
      {
        *out = i;
        return TRUE;
      }
  for (guint i = 0; self->items != NULL && i < plan->n_items && kvsql_interrupt_tick (); i++)
    if (kvsql_group_is_same (self->items[i], expr, self->tuples))
      {
        *out = i;
        return TRUE;
      }
  if (plan->is_distinct)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, span,
                            "with SELECT DISTINCT, ORDER BY expressions must appear in the list")
           || kvsql_error_hint (error, "A row of the answer may represent tuples that differ in "
                                       "it: add it to the list, or leave DISTINCT out.");
  plan->outputs[plan->n_outputs] = kvsql_expr_bind (self->rows, expr, error);
  if (plan->outputs[plan->n_outputs] == NULL)
    return FALSE;
  *out = plan->n_outputs++;
  return TRUE;
}

/* Binds a sort key, except its direction. */
static gboolean
bind_key (Clauses *self, const KvsqlAstExpr *expr, KvsqlSpan span, KvsqlSortKey *key,
          GError **error)
{
  KvsqlSelectPlan *plan = self->plan;
  const KvsqlExpr *output;

  if (!find_output (self, expr, span, &key->column, error))
    return FALSE;
  output = plan->outputs[key->column] = make_typed (self, plan->outputs[key->column], error);
  if (output == NULL)
    return FALSE;
  if (kvsql_type_is_collection (output->type))
    return kvsql_error_set (error, KVSQL_ERROR_TYPE, span, "%s has no order",
                            kvsql_type_get_name (output->type))
           || kvsql_error_hint (error, "Sort by one of its values: m['key'], l[1].");
  if (!kvsql_cast_check_comparable (output->type, TRUE, span, error))
    return FALSE;
  key->attribute = self->rows == self->tuples && output->kind == KVSQL_EXPR_COLUMN
                       ? output->column
                       : KVSQL_NO_ATTRIBUTE;
  return TRUE;
}

static gboolean
bind_order (Clauses *self, const KvsqlOrderItem *items, GError **error)
{
  KvsqlSelectPlan *plan = self->plan;

  plan->sort = kvsql_arena_array (self->tuples->arena, KvsqlSortKey, self->n_order + self->n_on);
  for (guint i = 0; i < self->n_order; i++)
    {
      KvsqlSortKey *key = &plan->sort[i];

      if (!bind_key (self, self->order[i], items[i].expr->span, key, error))
        return FALSE;
      key->is_descending = items[i].is_descending;
      key->nulls_first = items[i].nulls == KVSQL_NULLS_DEFAULT
                             ? items[i].is_descending
                             : items[i].nulls == KVSQL_NULLS_FIRST;
    }
  plan->n_sort = self->n_order;
  return TRUE;
}

static void
note_sorted_tuples (const Clauses *self)
{
  KvsqlSelectPlan *plan = self->plan;

  plan->sorts_tuples = self->rows == self->tuples && plan->entry != NULL;
  for (guint i = 0; i < plan->n_sort; i++)
    plan->sorts_tuples = plan->sorts_tuples && plan->sort[i].attribute != KVSQL_NO_ATTRIBUTE
                         && plan->sort[i].attribute < plan->entry->relation->n_attributes;
}

/* ---- DISTINCT ON */

static gboolean
write_out_on (Clauses *self, GError **error)
{
  const KvsqlSelect *select = self->select;

  self->on
      = kvsql_arena_array (self->tuples->arena, const KvsqlAstExpr *, select->n_distinct_on + 1);
  for (guint i = 0; i < select->n_distinct_on; i++)
    {
      const KvsqlAstExpr *item;

      if (!kvsql_interrupt_poll (error)
          || !find_position (self, select->distinct_on[i], "DISTINCT ON", &item, error)
          || (item == NULL && !find_alias (self, select->distinct_on[i], &item, error)))
        return FALSE;
      self->on[i] = item != NULL ? item : select->distinct_on[i];
    }
  self->n_on = select->n_distinct_on;
  return TRUE;
}

/* Whether the rows are sorted by the column, by one of the first @n keys. */
static gboolean
is_key (const KvsqlSelectPlan *plan, guint n, guint column)
{
  for (guint i = 0; i < n; i++)
    if (plan->sort[i].column == column)
      return TRUE;
  return FALSE;
}

static gboolean
is_distinct_on (const KvsqlSelectPlan *plan, guint column)
{
  for (guint i = 0; i < plan->n_distinct_on; i++)
    if (plan->distinct_on[i] == column)
      return TRUE;
  return FALSE;
}

static gboolean
fail_order (const KvsqlOrderItem *item, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, item->expr->span,
                   "SELECT DISTINCT ON expressions must match initial ORDER BY expressions");
  kvsql_error_sqlstate (error, "42P10");
  return kvsql_error_hint (error, "ORDER BY names them first, and then what decides which row is "
                                  "the first of each.");
}

/* An expression that is in ORDER BY is the same output. */
static gboolean
bind_on (Clauses *self, guint number, KvsqlSortKey *out, GError **error)
{
  for (guint i = 0; i < self->n_order && kvsql_interrupt_tick (); i++)
    if (self->on[number] == self->order[i]
        || kvsql_group_is_same (self->on[number], self->order[i], self->tuples))
      {
        *out = self->plan->sort[i];
        return TRUE;
      }
  return bind_key (self, self->on[number], self->select->distinct_on[number]->span, out, error);
}

/* The first sort keys are those of DISTINCT ON, in any order. Without ORDER BY the rows are sorted
 * by them. */
static gboolean
bind_distinct_on (Clauses *self, const KvsqlOrderItem *items, GError **error)
{
  KvsqlSelectPlan *plan = self->plan;
  KvsqlSortKey *keys = kvsql_arena_array (self->tuples->arena, KvsqlSortKey, self->n_on + 1);
  guint n_order = plan->n_sort, n_missing = 0;

  plan->distinct_on = kvsql_arena_array (self->tuples->arena, guint, self->n_on + 1);
  for (guint i = 0; i < self->n_on; i++)
    {
      if (!bind_on (self, i, &keys[i], error))
        return FALSE;
      plan->distinct_on[plan->n_distinct_on++] = keys[i].column;
    }
  for (guint i = 0; i < n_order; i++)
    {
      n_missing = 0;
      for (guint k = 0; k < self->n_on && kvsql_interrupt_tick (); k++)
        n_missing += !is_key (plan, i, keys[k].column);
      if (n_missing > 0 && !is_distinct_on (plan, plan->sort[i].column))
        return fail_order (&items[i], error);
    }
  for (guint k = 0; k < self->n_on; k++)
    if (!is_key (plan, plan->n_sort, keys[k].column))
      plan->sort[plan->n_sort++] = keys[k];
  return TRUE;
}

/* ---- attributes that are read */

static void
add_needed (guint column, gpointer data)
{
  kvsql_attribute_set_add (data, column);
}

static void
collect_needed (KvsqlSelectPlan *plan)
{
  guint n;
  KvsqlExpr *const *exprs = kvsql_select_plan_get_tuple_exprs (plan, &n);

  for (guint i = 0; i < n; i++)
    kvsql_expr_foreach_column (exprs[i], add_needed, &plan->needed);
}

static gboolean
bind_having (const Clauses *self, KvsqlExpr **out, GError **error)
{
  KvsqlBinder binder = *self->groups;

  if (self->select->having == NULL)
    return TRUE;
  binder.clause = "HAVING";
  *out = kvsql_expr_bind_boolean (&binder, self->select->having, "HAVING", error);
  return *out != NULL;
}

static gboolean
finish_windows (KvsqlSelectPlan *self, KvsqlWindowing *windowing, KvsqlArena *arena, GError **error)
{
  if (windowing == NULL)
    return TRUE;
  self->windows
      = kvsql_windowing_finish (windowing, self->groups != NULL || self->entry == NULL, error);
  if (self->windows != NULL)
    sort_windows (self, arena);
  return self->windows != NULL;
}

/* DISTINCT compares all items. */
static gboolean
check_distinct (const KvsqlSelectPlan *self, const KvsqlSelect *select, GError **error)
{
  for (guint i = 0; self->is_distinct && i < self->n_items; i++)
    if (!kvsql_cast_check_comparable (kvsql_select_plan_get_type (self, i), FALSE,
                                      kvsql_select_get_first_span (select), error))
      return FALSE;
  return TRUE;
}

gboolean
kvsql_select_items_bind (KvsqlSelectPlan *self, const KvsqlSelect *select,
                         const KvsqlBinder *binder, GError **error)
{
  Clauses clauses = { .plan = self, .select = select, .tuples = binder, .rows = binder };
  KvsqlWindowing *windowing;
  KvsqlExpr *having = NULL;

  self->is_distinct = select->is_distinct;
  if (!write_out_items (&clauses, error)
      || !write_out_order (&clauses, select->order_by, select->n_order_by, error)
      || !write_out_on (&clauses, error))
    return FALSE;
  if (is_grouped (&clauses))
    {
      clauses.grouping = make_grouping (&clauses, error);
      if (clauses.grouping == NULL)
        return FALSE;
      clauses.rows = kvsql_grouping_get_binder (clauses.grouping);
    }
  clauses.groups = clauses.rows;
  if (!make_windowing (&clauses, &windowing, error) || !bind_items (&clauses, error)
      || !bind_having (&clauses, &having, error) || !bind_order (&clauses, select->order_by, error)
      || !bind_distinct_on (&clauses, select->order_by, error))
    return FALSE;
  note_sorted_tuples (&clauses);
  if (clauses.grouping != NULL)
    self->groups = kvsql_grouping_finish (clauses.grouping, having);
  if (!finish_windows (self, windowing, binder->arena, error)
      || !check_distinct (self, select, error))
    return FALSE;
  if (self->entry != NULL || self->join != NULL)
    collect_needed (self);
  return TRUE;
}

gboolean
kvsql_select_order_bind (KvsqlSelectPlan *self, const KvsqlOrderItem *items, guint n_items,
                         const KvsqlBinder *binder, GError **error)
{
  Clauses clauses = { .plan = self, .tuples = binder, .rows = binder };
  const KvsqlRelation *relation = binder->relation;

  self->outputs = kvsql_arena_array (binder->arena, KvsqlExpr *, self->n_items + n_items + 1);
  for (guint i = 0; i < self->n_items; i++)
    {
      const KvsqlAttribute *attribute = &relation->attributes[self->items[i]];
      self->outputs[i] = kvsql_expr_column (binder->arena, self->items[i], attribute->type,
                                            attribute->name, KVSQL_SPAN_NONE);
    }
  self->n_outputs = self->n_items;
  if (!write_out_order (&clauses, items, n_items, error) || !bind_order (&clauses, items, error))
    return FALSE;
  note_sorted_tuples (&clauses);
  collect_needed (self);
  return TRUE;
}
