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
  guint8 *is_in_all; /* by grouping expression: whether each set has it */

  /* of several sets; in the rows of groups, their values follow the grouping expressions */
  KvsqlGroupSet *sets;
  guint n_sets;               /* 0: there is one set, with all expressions */
  const KvsqlAstExpr **marks; /* calls of GROUPING, without duplicates */
  guint n_marks;              /* with the number of the set */

  const KvsqlAstExpr **calls; /* of aggregates, without duplicates */
  KvsqlAggregate *aggregates;
  guint n_calls;
  KvsqlExpr **arguments; /* of aggregates that have an argument */
  guint n_arguments;
};

/* ---- search in trees */

static gboolean
is_grouping_call (const KvsqlAstExpr *expr)
{
  return expr->kind == KVSQL_AST_FUNCTION && !expr->has_over
         && kvsql_aggregate_is_grouping (expr->name.text);
}

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
  if (aggregate_of (expr) != NULL || is_grouping_call (expr))
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
  kvsql_error_set (error, KVSQL_ERROR_INVALID, found->span, "%s are not allowed in %s",
                   is_grouping_call (found) ? "grouping operations" : "aggregate functions",
                   clause);
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
  kvsql_error_sqlstate (error, "42803");
  return kvsql_error_hint (error, "Compute the inner one with a statement of its own first.");
}

/* Adds a column to the input of the groups. */
static guint
add_input (KvsqlExpr *expr, gpointer data)
{
  KvsqlGrouping *self = data;

  self->arguments[self->n_arguments] = expr;
  return self->n_by + self->n_marks + self->n_arguments++;
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
  *out = kvsql_expr_column (arena, self->n_by + self->n_marks + number,
                            self->aggregates[number].type, text_of (expr, arena), expr->span);
  (*out)->limit = self->aggregates[number].shown;
  return TRUE;
}

/* ---- GROUPING */

/* The grouping expression, or G_MAXUINT. */
static guint
find_by (const KvsqlGrouping *self, const KvsqlAstExpr *expr)
{
  guint i = 0;

  while (i < self->n_by && !kvsql_group_is_same (self->by[i], expr, self->over_tuples))
    i++;
  return i < self->n_by ? i : G_MAXUINT;
}

/* The bits of the result are those of an INT, without its sign. */
static gboolean
check_grouping_call (const KvsqlGrouping *self, const KvsqlAstExpr *expr, GError **error)
{
  guint n = kvsql_ast_get_n_arguments (expr);

  if (n == 0 || n > 31 || n != expr->n_children || expr->is_star || expr->is_distinct)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span,
                       "GROUPING takes from 1 to 31 expressions, and nothing else");
      return kvsql_error_sqlstate (error, n > 31 ? "54023" : "42601");
    }
  for (guint i = 0; i < n; i++)
    if (find_by (self, expr->children[i]) == G_MAXUINT)
      {
        kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->children[i]->span,
                         "arguments to GROUPING must be grouping expressions of the associated "
                         "query level");
        kvsql_error_sqlstate (error, "42803");
        return kvsql_error_hint (error, "Write the expression as it is in GROUP BY.");
      }
  return TRUE;
}

static guint
find_mark (const KvsqlGrouping *self, const KvsqlAstExpr *expr)
{
  guint i = 0;

  while (i + 1 < self->n_marks && !kvsql_group_is_same (self->marks[i], expr, self->over_tuples))
    i++;
  return i;
}

/* With one set, the result is 0. */
static gboolean
bind_grouping_call (const KvsqlGrouping *self, const KvsqlAstExpr *expr, KvsqlExpr **out,
                    GError **error)
{
  const KvsqlValue zero = { .type = KVSQL_TYPE_INT, .integer = 0 };
  KvsqlArena *arena = self->over_tuples->arena;
  guint mark = find_mark (self, expr);

  if (!check_grouping_call (self, expr, error))
    return FALSE;
  g_assert (self->n_sets == 0 || mark + 1 < self->n_marks); /* all uses were collected */
  *out = self->n_sets == 0 ? kvsql_expr_constant (arena, &zero, expr->span)
                           : kvsql_expr_column (arena, self->n_by + mark, KVSQL_TYPE_INT,
                                                text_of (expr, arena), expr->span);
  return TRUE;
}

static void
collect_marks (KvsqlGrouping *self, const KvsqlAstExpr *expr)
{
  if (is_grouping_call (expr) && find_mark (self, expr) + 1 >= self->n_marks)
    {
      self->n_marks = MAX (self->n_marks, 1);
      self->marks[self->n_marks++ - 1] = expr;
    }
  for (guint i = 0; i < expr->n_children && kvsql_interrupt_tick (); i++)
    collect_marks (self, expr->children[i]);
}

/* What the call gives in a set. The last argument is the lowest bit. */
static gint64
grouping_in_set (const KvsqlGrouping *self, const KvsqlAstExpr *call, const KvsqlGroupSet *set)
{
  gint64 bits = 0;

  for (guint i = 0; i < kvsql_ast_get_n_arguments (call) && i < 31; i++)
    {
      guint by = find_by (self, call->children[i]);

      bits = bits << 1 | (by != G_MAXUINT && !set->has[by]);
    }
  return bits;
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
  guint by;

  *out = NULL;
  if (aggregate_of (expr) != NULL)
    return bind_call (self, expr, out, error);
  if (is_grouping_call (expr))
    return bind_grouping_call (self, expr, out, error);
  by = find_by (self, expr);
  if (by != G_MAXUINT)
    {
      *out = kvsql_expr_column (binder->arena, by, self->by_exprs[by]->type,
                                text_of (self->by[by], binder->arena), expr->span);
      (*out)->limit = self->by_exprs[by]->limit;
      return TRUE;
    }
  return expr->kind != KVSQL_AST_NAME || reject_name (self, expr, error);
}

/* ---- grouping expressions */

static gboolean
add_group (KvsqlGrouping *self, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr *bound;

  if (find_by (self, expr) != G_MAXUINT)
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
    if (self->by_exprs[i]->kind == KVSQL_EXPR_COLUMN && self->is_in_all[i])
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

  if (aggregate_of (expr) != NULL || is_grouping_call (expr))
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

/* ---- sets */

/* Binds the leaves, of which some may be equal. */
/* ROLUP (a, b) looks like a call of a function. */
static gboolean
suggest_form (const KvsqlAstExpr *leaf, GError **error)
{
  static const gchar *const forms[] = { "ROLLUP", "CUBE" };
  g_autofree gchar *lower = NULL, *start = NULL;
  const gchar *near;

  if (leaf->kind != KVSQL_AST_FUNCTION || error == NULL)
    return FALSE;
  lower = g_ascii_strdown (leaf->name.text, -1);
  start = g_strdup_printf ("function %s(", lower);
  near = kvsql_suggest (leaf->name.text, forms, G_N_ELEMENTS (forms));
  return near != NULL && g_ascii_strcasecmp (near, lower) != 0
         && g_str_has_prefix ((*error)->message, start)
         && kvsql_error_hint (error, "Did you mean %s?", near);
}

static gboolean
add_leaves (KvsqlGrouping *self, const KvsqlGroupingSets *by, GError **error)
{
  for (guint i = 0; i < by->n_leaves; i++)
    if (!add_group (self, by->leaves[i], error))
      return suggest_form (by->leaves[i], error);
  return TRUE;
}

/* Whether each grouping expression is in the set. */
static guint8 *
members_of (const KvsqlGrouping *self, const KvsqlGroupingSet *set, const guint *numbers)
{
  guint8 *has = kvsql_arena_array (self->over_tuples->arena, guint8, self->n_by + 1);

  for (guint i = 0; i < set->n; i++)
    has[numbers[set->leaves[i]]] = 1;
  return has;
}

/* Whether the set is not among the last ones; then it is now. */
static gboolean
is_new (GHashTable *known, const guint8 *has, guint n)
{
  return g_hash_table_add (known, g_bytes_new_static (has, n));
}

/* Finds the members of each set, and which expressions are in all of them. */
static gboolean
make_sets (KvsqlGrouping *self, const KvsqlGroupingSets *by, gboolean is_distinct, GError **error)
{
  KvsqlArena *arena = self->over_tuples->arena;
  g_autoptr (GHashTable) known
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  guint *numbers = kvsql_arena_array (arena, guint, by->n_leaves + 1);

  for (guint i = 0; i < by->n_leaves; i++)
    numbers[i] = find_by (self, by->leaves[i]);
  memset (self->is_in_all, 1, self->n_by);
  self->sets = kvsql_arena_array (arena, KvsqlGroupSet, by->n_sets);
  for (guint s = 0; s < by->n_sets && by->n_sets > 1; s++)
    {
      const guint8 *has = members_of (self, &by->sets[s], numbers);

      if (!kvsql_interrupt_poll (error))
        return FALSE;
      if (is_distinct && !is_new (known, has, self->n_by))
        continue;
      self->sets[self->n_sets++].has = has;
      for (guint i = 0; i < self->n_by; i++)
        self->is_in_all[i] &= has[i];
    }
  if (self->n_sets == 1) /* the others were equal */
    self->n_sets = 0;
  return TRUE;
}

/* Adds what is known after all grouping expressions are: KEYs may have added some, to all sets. */
static gboolean
finish_sets (KvsqlGrouping *self, const KvsqlAstExpr *const *uses, guint n_uses, guint n_by,
             GError **error)
{
  KvsqlArena *arena = self->over_tuples->arena;

  if (self->n_sets == 0)
    return TRUE;
  self->n_marks = 1;
  for (guint i = 0; i < n_uses; i++)
    collect_marks (self, uses[i]);
  for (guint s = 0; s < self->n_sets; s++)
    {
      KvsqlGroupSet *set = &self->sets[s];
      guint8 *has = kvsql_arena_array (arena, guint8, self->n_by + 1);
      gint64 *marks = kvsql_arena_array (arena, gint64, self->n_marks);

      if (!kvsql_interrupt_poll (error))
        return FALSE;
      memset (has, 1, self->n_by);
      memcpy (has, set->has, n_by);
      set->has = has;
      for (guint i = 0; i + 1 < self->n_marks && kvsql_interrupt_tick (); i++)
        marks[i] = grouping_in_set (self, self->marks[i], set);
      marks[self->n_marks - 1] = s;
      set->marks = marks;
    }
  return TRUE;
}

KvsqlGrouping *
kvsql_grouping_new (const KvsqlBinder *binder, const KvsqlGroupingSets *by, gboolean is_distinct,
                    const KvsqlAstExpr *const *uses, guint n_uses, GError **error)
{
  KvsqlGrouping *self = kvsql_arena_new0 (binder->arena, KvsqlGrouping);
  guint most = by->n_leaves + 1, n_by;
  KvsqlAttributeSet determined = { 0 };

  for (guint i = 0; i < n_uses; i++)
    most += count_nodes (uses[i]);
  self->over_tuples = binder;
  self->over_groups = *binder;
  self->over_groups.resolve = resolve;
  self->over_groups.resolve_data = self;
  self->by = kvsql_arena_array (binder->arena, const KvsqlAstExpr *, most);
  self->by_exprs = kvsql_arena_array (binder->arena, KvsqlExpr *, most);
  self->is_in_all = kvsql_arena_array (binder->arena, guint8, most);
  self->marks = kvsql_arena_array (binder->arena, const KvsqlAstExpr *, most);
  self->calls = kvsql_arena_array (binder->arena, const KvsqlAstExpr *, most);
  self->aggregates = kvsql_arena_array (binder->arena, KvsqlAggregate, most);
  self->arguments = kvsql_arena_array (binder->arena, KvsqlExpr *, most);
  if (!add_leaves (self, by, error) || !make_sets (self, by, is_distinct, error))
    return NULL;
  n_by = self->n_by;
  find_determined (self, &determined);
  for (guint i = 0; i < n_uses && kvsql_attribute_set_next (&determined, -1) >= 0; i++)
    if (!add_names (self, uses[i], &determined, error))
      return NULL;
  memset (self->is_in_all + n_by, 1, self->n_by - n_by);
  return finish_sets (self, uses, n_uses, n_by, error) ? self : NULL;
}

gboolean
kvsql_grouping_is_in_all_sets (const KvsqlGrouping *self, const KvsqlAstExpr *expr)
{
  guint by = find_by (self, expr);

  return by != G_MAXUINT && self->is_in_all[by];
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
  guint n_groups = self->n_by + self->n_marks;

  for (guint i = 0; i < self->n_calls; i++) /* the inputs are the groups, then the arguments */
    g_assert (self->aggregates[i].column == KVSQL_NO_COLUMN
              || (self->aggregates[i].column >= n_groups
                  && self->aggregates[i].column < n_groups + self->n_arguments));
  groups->n_groups = n_groups;
  groups->n_marks = self->n_marks;
  groups->sets = self->sets;
  groups->n_sets = self->n_sets;
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
