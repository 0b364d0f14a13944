/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window.c: extends the binder with a hook that turns calls with OVER into columns, and what is not
 * in them into inputs.
 */
#include "config.h"

#include "core/plan/window.h"
#include "core/expr/cast.h"

#include "core/base/interrupt.h"
#include "core/plan/aggregate-call.h"
#include "core/plan/group.h"
#include "core/schema/relation.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"

typedef struct
{
  KvsqlExpr *expr;
  const KvsqlAstExpr *ast; /* nullable */
} Input;

struct _KvsqlWindowing
{
  KvsqlBinder over_windows;
  const KvsqlBinder *rows;
  const KvsqlBinder *tuples;
  const KvsqlAstExpr **calls; /* without duplicates */
  KvsqlWindowCall *bound;
  guint *windows_of; /* of each call */
  guint n_calls;
  KvsqlWindow *windows;
  guint n_windows;
  Input *inputs;
  guint n_inputs;
};

/* SQLSTATE 42P20, windowing_error; 0A000 with UNSUPPORTED. */
static gboolean
fail (KvsqlErrorCode code, KvsqlSpan span, const gchar *message, GError **error)
{
  kvsql_error_set (error, code, span, "%s", message);
  return code == KVSQL_ERROR_INVALID ? kvsql_error_sqlstate (error, "42P20") : FALSE;
}

/* ---- inputs */

/* Adds an input, or finds the same column among them. Returns: its column. */
static guint
add_input (KvsqlExpr *expr, gpointer data)
{
  KvsqlWindowing *self = data;

  for (guint i = 0; i < self->n_inputs && expr->kind == KVSQL_EXPR_COLUMN; i++)
    if (self->inputs[i].expr->kind == KVSQL_EXPR_COLUMN
        && self->inputs[i].expr->column == expr->column)
      return self->n_calls + i;
  *KVSQL_ARENA_ADD (self->rows->arena, self->inputs, self->n_inputs) = (Input){ expr, NULL };
  return self->n_calls + self->n_inputs - 1;
}

/* A value without a type is a text. */
static KvsqlExpr *
bind_value (KvsqlWindowing *self, const KvsqlAstExpr *ast, GError **error)
{
  KvsqlExpr *value = kvsql_expr_bind (self->rows, ast, error);

  if (value != NULL && (value->is_untyped || value->type == KVSQL_TYPE_NULL))
    value = kvsql_expr_convert (self->rows, value, KVSQL_TYPE_STRING, error);
  return value;
}

/* The input of a sort key: the same expressions are one input, so that windows can share a sort. */
static gboolean
add_key (KvsqlWindowing *self, const KvsqlAstExpr *ast, KvsqlSortKey *out, GError **error)
{
  KvsqlExpr *value;
  guint i;

  for (i = 0; i < self->n_inputs; i++)
    if (self->inputs[i].ast != NULL && kvsql_group_is_same (self->inputs[i].ast, ast, self->tuples))
      break;
  out->column = self->n_calls + i;
  if (i == self->n_inputs)
    {
      value = bind_value (self, ast, error);
      if (value == NULL)
        return FALSE;
      out->column = add_input (value, self);
      self->inputs[out->column - self->n_calls].ast = ast;
    }
  value = self->inputs[out->column - self->n_calls].expr;
  out->attribute = value->kind == KVSQL_EXPR_COLUMN ? value->column : KVSQL_NO_ATTRIBUTE;
  if (!kvsql_type_is_collection (value->type))
    return kvsql_cast_check_comparable (value->type, TRUE, ast->span, error);
  kvsql_error_set (error, KVSQL_ERROR_TYPE, ast->span, "%s has no order",
                   kvsql_type_get_name (value->type));
  return kvsql_error_hint (error, "Take one of its values: m['key'], l[1].");
}

/* ---- definitions of windows */

static gboolean
same_keys (const KvsqlSortKey *a, guint n_a, const KvsqlSortKey *b, guint n_b)
{
  if (n_a != n_b)
    return FALSE;
  for (guint i = 0; i < n_a; i++)
    if (a[i].column != b[i].column || a[i].is_descending != b[i].is_descending
        || a[i].nulls_first != b[i].nulls_first)
      return FALSE;
  return TRUE;
}

static gboolean
bind_keys (KvsqlWindowing *self, const KvsqlAstExpr *ast, KvsqlWindow *out, GError **error)
{
  KvsqlArena *arena = self->rows->arena;

  out->n_partition = ast->window->n_partition;
  out->n_order = ast->n_order;
  out->partition = kvsql_arena_array (arena, KvsqlSortKey, out->n_partition + 1);
  out->order = kvsql_arena_array (arena, KvsqlSortKey, out->n_order + 1);
  for (guint i = 0; i < out->n_partition; i++)
    if (!kvsql_interrupt_poll (error)
        || !add_key (self, ast->children[i], &out->partition[i], error))
      return FALSE;
  for (guint i = 0; i < out->n_order; i++)
    {
      const KvsqlCallOrder *order = &ast->order[i];

      if (!kvsql_interrupt_poll (error)
          || !add_key (self, ast->children[out->n_partition + i], &out->order[i], error))
        return FALSE;
      out->order[i].is_descending = order->is_descending;
      out->order[i].nulls_first = order->nulls == KVSQL_NULLS_DEFAULT
                                      ? order->is_descending
                                      : order->nulls == KVSQL_NULLS_FIRST;
    }
  return TRUE;
}

/* *out: the number of the window. */
static gboolean
bind_window (KvsqlWindowing *self, const KvsqlAstExpr *ast, guint *out, GError **error)
{
  KvsqlWindow window = { 0 };

  if (!bind_keys (self, ast, &window, error))
    return FALSE;
  for (*out = 0; *out < self->n_windows; ++*out)
    {
      const KvsqlWindow *other = &self->windows[*out];

      if (same_keys (other->partition, other->n_partition, window.partition, window.n_partition)
          && same_keys (other->order, other->n_order, window.order, window.n_order))
        return TRUE;
    }
  *KVSQL_ARENA_ADD (self->rows->arena, self->windows, self->n_windows) = window;
  return TRUE;
}

/* ---- calls */

static gboolean
check_parts (const KvsqlAstExpr *expr, gboolean is_aggregate, GError **error)
{
  if (expr->is_within_group)
    {
      g_autofree gchar *message
          = g_strdup_printf ("OVER is not supported for ordered-set aggregate %s", expr->name.text);
      return fail (KVSQL_ERROR_UNSUPPORTED, expr->span, message, error);
    }
  if (expr->is_distinct)
    return fail (KVSQL_ERROR_UNSUPPORTED, expr->span,
                 "DISTINCT is not implemented for window functions", error);
  if (expr->n_order > 0)
    return fail (KVSQL_ERROR_UNSUPPORTED, expr->span,
                 "aggregate ORDER BY is not implemented for window functions", error);
  if (expr->has_filter && !is_aggregate)
    return fail (KVSQL_ERROR_UNSUPPORTED, expr->span,
                 "FILTER is not implemented for non-aggregate window functions", error);
  return TRUE;
}

static gboolean
check_count (const KvsqlAstExpr *expr, const KvsqlWindowFunctionFacts *facts, GError **error)
{
  guint n = kvsql_ast_get_n_arguments (expr);

  if (!expr->is_star && n >= facts->n_least && n <= facts->n_most)
    return TRUE;
  if (facts->n_most == 0)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span, "%s takes no argument",
                            facts->name);
  return kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span,
                          facts->n_least == facts->n_most ? "%s takes %u argument%s"
                                                          : "%s takes %u to 3 arguments",
                          facts->name, facts->n_least, facts->n_least == 1 ? "" : "s");
}

/* The default of lag and lead, and the value, have one type. */
static gboolean
unify_default (KvsqlWindowing *self, KvsqlExpr **arguments, guint n, const gchar *name,
               GError **error)
{
  KvsqlExpr *pair[2];
  KvsqlType type;

  if (n < 3)
    return TRUE;
  pair[0] = arguments[0];
  pair[1] = arguments[2];
  if (!kvsql_expr_unify (self->rows, pair, 2, name, &type, error))
    return FALSE;
  arguments[0] = pair[0];
  arguments[2] = pair[1];
  return TRUE;
}

static gboolean
bind_function (KvsqlWindowing *self, const KvsqlAstExpr *expr, KvsqlWindowCall *call,
               GError **error)
{
  const KvsqlWindowFunctionFacts *facts = kvsql_window_function_get (call->function);
  KvsqlExpr *arguments[KVSQL_WINDOW_MAX_ARGUMENTS];

  if (!check_parts (expr, FALSE, error) || !check_count (expr, facts, error))
    return FALSE;
  call->n_arguments = kvsql_ast_get_n_arguments (expr);
  for (guint i = 0; i < call->n_arguments; i++)
    {
      if (i + 1 == facts->number)
        kvsql_binder_note_place (self->rows, expr->children[i], KVSQL_TYPE_INT);
      arguments[i] = kvsql_expr_bind (self->rows, expr->children[i], error);
      if (arguments[i] != NULL && i + 1 == facts->number)
        arguments[i] = kvsql_expr_convert (self->rows, arguments[i], KVSQL_TYPE_INT, error);
      if (arguments[i] == NULL)
        return FALSE;
    }
  if (!unify_default (self, arguments, call->n_arguments, facts->name, error))
    return FALSE;
  for (guint i = 0; i < call->n_arguments; i++)
    {
      if (arguments[i]->is_untyped || arguments[i]->type == KVSQL_TYPE_NULL)
        arguments[i] = kvsql_expr_convert (self->rows, arguments[i], KVSQL_TYPE_STRING, error);
      if (arguments[i] == NULL)
        return FALSE;
      call->arguments[i] = add_input (arguments[i], self);
    }
  call->type = facts->type == KVSQL_TYPE_NULL ? arguments[0]->type : facts->type;
  if (facts->type == KVSQL_TYPE_NULL)
    call->shown = kvsql_type_limit_shown_of (&arguments[0]->limit);
  return TRUE;
}

static gboolean
bind_aggregate (KvsqlWindowing *self, const KvsqlAstExpr *expr, KvsqlWindowCall *call,
                GError **error)
{
  const KvsqlAggregateInputs inputs = { self->rows, add_input, self };

  if (!check_parts (expr, TRUE, error)
      || !kvsql_aggregate_call_bind (&inputs, expr, &call->aggregate, error))
    return FALSE;
  call->type = call->aggregate.type;
  call->shown = call->aggregate.shown;
  return TRUE;
}

static gboolean
reject_function (const KvsqlAstExpr *expr, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span,
                   "OVER specified, but %s is not a window function nor an aggregate function",
                   expr->name.text);
  return kvsql_error_sqlstate (error, "42809");
}

static gboolean
bind_call (KvsqlWindowing *self, guint number, GError **error)
{
  const KvsqlAstExpr *expr = self->calls[number], *window = kvsql_ast_get_window (expr);
  KvsqlWindowCall *call = &self->bound[number];
  gboolean is_aggregate = kvsql_aggregate_find (expr->name.text) != NULL;
  const KvsqlWindow *definition;
  KvsqlType order = KVSQL_TYPE_NULL;

  call->function = KVSQL_WINDOW_AGGREGATE;
  call->column = number;
  if (!is_aggregate && !kvsql_window_function_find (expr->name.text, &call->function))
    return reject_function (expr, error);
  if (!(is_aggregate ? bind_aggregate (self, expr, call, error)
                     : bind_function (self, expr, call, error))
      || !bind_window (self, window, &self->windows_of[number], error))
    return FALSE;
  definition = &self->windows[self->windows_of[number]];
  if (definition->n_order > 0)
    order = self->inputs[definition->order[0].column - self->n_calls].expr->type;
  return kvsql_frame_bind (self->rows, window, order, &call->frame, error);
}

static gboolean
check_nested (const KvsqlAstExpr *call, GError **error)
{
  const KvsqlAstExpr *nested = NULL;

  for (guint i = 0; i < call->n_children && nested == NULL; i++)
    nested = kvsql_group_find_window (call->children[i]);
  return nested == NULL
         || fail (KVSQL_ERROR_INVALID, nested->span, "window function calls cannot be nested",
                  error);
}

/* Groups are computed before windows. */
static gboolean
check_aggregate (const KvsqlAstExpr *expr, GError **error)
{
  const KvsqlAstExpr *inner
      = expr->kind == KVSQL_AST_FUNCTION && kvsql_aggregate_find (expr->name.text) != NULL
            ? kvsql_group_find_window (expr)
            : NULL;

  if (inner == NULL)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, inner->span,
                   "aggregate function calls cannot contain window function calls");
  kvsql_error_sqlstate (error, "42803");
  return kvsql_error_hint (error, "Windows are computed after groups: compute the window in a "
                                  "query in FROM.");
}

/* Finds the calls in a tree. */
static gboolean
collect_calls (KvsqlWindowing *self, const KvsqlAstExpr *expr, GError **error)
{
  if (!kvsql_interrupt_poll (error))
    return FALSE;
  if (!expr->has_over)
    {
      if (!check_aggregate (expr, error))
        return FALSE;
      for (guint i = 0; i < expr->n_children; i++)
        if (!collect_calls (self, expr->children[i], error))
          return FALSE;
      return TRUE;
    }
  for (guint i = 0; i < self->n_calls; i++)
    if (kvsql_group_is_same (self->calls[i], expr, self->tuples))
      return TRUE;
  *KVSQL_ARENA_ADD (self->rows->arena, self->calls, self->n_calls) = expr;
  return check_nested (expr, error);
}

/* ---- the hook */

static KvsqlExpr *
result_of (const KvsqlWindowing *self, const KvsqlAstExpr *expr)
{
  KvsqlExpr *result;
  guint i = 0;

  while (i < self->n_calls && !kvsql_group_is_same (self->calls[i], expr, self->tuples))
    i++;
  g_assert (i < self->n_calls); /* all uses were collected */
  result = kvsql_expr_column (self->rows->arena, i, self->bound[i].type, self->bound[i].text,
                              expr->span);
  result->limit = self->bound[i].shown;
  return result;
}

static gboolean
resolve (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlExpr **out, GError **error)
{
  KvsqlWindowing *self = binder->resolve_data;
  KvsqlExpr *inner = NULL;

  *out = NULL;
  if (expr->has_over)
    {
      *out = result_of (self, expr);
      return TRUE;
    }
  if (self->rows->resolve != NULL && !self->rows->resolve (self->rows, expr, &inner, error))
    return FALSE;
  if (inner == NULL && expr->kind == KVSQL_AST_NAME)
    {
      inner = kvsql_expr_bind (self->rows, expr, error);
      if (inner == NULL)
        return FALSE;
    }
  if (inner == NULL)
    return TRUE;
  *out = inner;
  if (kvsql_expr_is_constant (inner))
    return TRUE;
  *out = kvsql_expr_column (self->rows->arena, add_input (inner, self), inner->type,
                            inner->kind == KVSQL_EXPR_COLUMN ? inner->name : "", expr->span);
  (*out)->limit = inner->limit;
  return TRUE;
}

/* ---- the interface */

/* A window that no call uses is checked, too. */
static gboolean
check_definitions (KvsqlWindowing *self, const KvsqlSelect *select, GError **error)
{
  for (guint i = 0; i < select->n_windows; i++)
    for (guint k = 0; k < select->windows[i]->n_children; k++)
      if (kvsql_expr_bind (self->rows, select->windows[i]->children[k], error) == NULL)
        return FALSE;
  return TRUE;
}

static const gchar *
text_of (const KvsqlAstExpr *expr, KvsqlArena *arena)
{
  g_autoptr (GString) text = g_string_new (NULL);

  kvsql_print_expression (expr, text);
  return kvsql_arena_strdup (arena, text->str);
}

KvsqlWindowing *
kvsql_windowing_new (const KvsqlBinder *rows, const KvsqlBinder *tuples, const KvsqlSelect *select,
                     const KvsqlAstExpr *const *uses, guint n_uses, GError **error)
{
  KvsqlWindowing *self = kvsql_arena_new0 (rows->arena, KvsqlWindowing);

  self->rows = rows;
  self->tuples = tuples;
  self->over_windows = *rows;
  self->over_windows.resolve = resolve;
  self->over_windows.resolve_data = self;
  for (guint i = 0; i < n_uses; i++)
    if (!collect_calls (self, uses[i], error))
      return NULL;
  self->bound = kvsql_arena_array (rows->arena, KvsqlWindowCall, self->n_calls + 1);
  self->windows_of = kvsql_arena_array (rows->arena, guint, self->n_calls + 1);
  if (!check_definitions (self, select, error))
    return NULL;
  for (guint i = 0; i < self->n_calls; i++)
    {
      self->bound[i].text = text_of (self->calls[i], rows->arena);
      if (!bind_call (self, i, error))
        return NULL;
    }
  return self;
}

const KvsqlBinder *
kvsql_windowing_get_binder (const KvsqlWindowing *self)
{
  return &self->over_windows;
}

static void
add_calls (KvsqlWindowing *self, guint number, KvsqlWindow *out)
{
  for (guint i = 0; i < self->n_calls; i++)
    if (self->windows_of[i] == number)
      *KVSQL_ARENA_ADD (self->rows->arena, out->calls, out->n_calls) = self->bound[i];
}

KvsqlWindows *
kvsql_windowing_finish (KvsqlWindowing *self, gboolean is_grouped, GError **error)
{
  KvsqlArena *arena = self->rows->arena;
  KvsqlWindows *windows = kvsql_arena_new0 (arena, KvsqlWindows);

  windows->n_calls = self->n_calls;
  windows->n_inputs = self->n_calls + self->n_inputs;
  if (windows->n_inputs > KVSQL_MAX_ITEMS)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "the windows of the statement need more than %d columns", KVSQL_MAX_ITEMS);
      return NULL;
    }
  windows->inputs = kvsql_arena_array (arena, KvsqlExpr *, windows->n_inputs + 1);
  for (guint i = 0; i < windows->n_inputs; i++)
    windows->inputs[i] = i < self->n_calls
                             ? kvsql_expr_constant (arena, &KVSQL_VALUE_NULL, KVSQL_SPAN_NONE)
                             : self->inputs[i - self->n_calls].expr;
  windows->windows = self->windows;
  windows->n_windows = self->n_windows;
  for (guint i = 0; i < self->n_windows; i++)
    add_calls (self, i, &self->windows[i]);
  windows->sorts_tuples = !is_grouped;
  return windows;
}
