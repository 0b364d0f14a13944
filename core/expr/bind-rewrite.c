/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-rewrite.c: forms that simpler ones express, so that the planner finds key ranges in them.
 *
 * Rows compare by SQL's rules: (a, b) < (c, d) is a < c OR (a = c AND b < d). ANY and ALL over a
 * list that is known are IN, or a chain of comparisons.
 */
#include "config.h"

#include "core/expr/rewrite.h"
#include "core/base/collection.h"
#include "core/base/interrupt.h"
#include "core/expr/bind-private.h"
#include "core/expr/cast.h"
#include "core/sql/printer.h"

/* Of a row and of the rows in it, as the comparison of two rows has about as many terms as its
 * square. */
#define MAX_ROW_VALUES 64

/* For more rows in an IN than this, the planner does not look at each. */
#define MAX_SEPARATE_ROWS 100

/* ---- trees */

static KvsqlAstExpr *
node_new (const KvsqlBinder *binder, const KvsqlAstExpr *origin, KvsqlAstKind kind, guint n)
{
  KvsqlAstExpr *self = kvsql_arena_new0 (binder->arena, KvsqlAstExpr);

  self->kind = kind;
  self->span = origin->span;
  self->op_span = origin->op_span;
  self->name.span = self->cast_type.span = KVSQL_SPAN_NONE;
  self->children = kvsql_arena_array (binder->arena, KvsqlAstExpr *, n);
  self->n_children = n;
  return self;
}

static KvsqlAstExpr *
pair_new (const KvsqlBinder *binder, const KvsqlAstExpr *origin, KvsqlOperator op,
          KvsqlAstExpr *left, KvsqlAstExpr *right)
{
  KvsqlAstExpr *self = node_new (binder, origin, KVSQL_AST_BINARY, 2);

  self->op = op;
  self->children[0] = left;
  self->children[1] = right;
  return self;
}

/* A balanced tree of ANDs or ORs, so that it is low; incomplete after an interrupt. */
static KvsqlAstExpr *
chain_new (const KvsqlBinder *binder, const KvsqlAstExpr *origin, KvsqlOperator op,
           KvsqlAstExpr **terms, guint n)
{
  guint middle = (n + 1) / 2;

  return n == 1 || !kvsql_interrupt_tick ()
             ? terms[0]
             : pair_new (binder, origin, op, chain_new (binder, origin, op, terms, middle),
                         chain_new (binder, origin, op, terms + middle, n - middle));
}

static KvsqlAstExpr *
negated_if (const KvsqlBinder *binder, KvsqlAstExpr *expr, gboolean is_negated)
{
  KvsqlAstExpr *self;

  if (!is_negated)
    return expr;
  self = node_new (binder, expr, KVSQL_AST_UNARY, 1);
  self->op = KVSQL_OP_NOT;
  self->children[0] = expr;
  return self;
}

static KvsqlAstExpr *
literal_new (const KvsqlBinder *binder, const KvsqlAstExpr *origin, KvsqlValue value)
{
  KvsqlAstExpr *self = node_new (binder, origin, KVSQL_AST_LITERAL, 0);

  self->value = value;
  return self;
}

static KvsqlAstExpr *
truth_new (const KvsqlBinder *binder, const KvsqlAstExpr *origin, gboolean truth)
{
  return literal_new (binder, origin, (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = truth });
}

static KvsqlAstExpr *
unknown_new (const KvsqlBinder *binder, const KvsqlAstExpr *origin)
{
  KvsqlAstExpr *self = node_new (binder, origin, KVSQL_AST_CAST, 1);

  self->cast_type.text = kvsql_type_get_name (KVSQL_TYPE_BOOLEAN);
  self->children[0] = literal_new (binder, origin, KVSQL_VALUE_NULL);
  return self;
}

/* ---- rows */

static guint
count_values (const KvsqlAstExpr *row)
{
  guint n = 0;

  for (guint i = 0; i < row->n_children; i++)
    n += row->children[i]->kind == KVSQL_AST_ROW ? count_values (row->children[i]) : 1;
  return n;
}

static gboolean
check_rows (const KvsqlAstExpr *expr, const KvsqlAstExpr *a, const KvsqlAstExpr *b, GError **error)
{
  if (a->kind != KVSQL_AST_ROW || b->kind != KVSQL_AST_ROW)
    return kvsql_error_set (error, KVSQL_ERROR_TYPE, a->kind == KVSQL_AST_ROW ? b->span : a->span,
                            "a row is compared with a single value")
           || kvsql_error_hint (error, "Write as many values in parentheses as the row has.");
  if (a->n_children != b->n_children)
    return kvsql_error_set (error, KVSQL_ERROR_TYPE, b->span,
                            "unequal number of entries in row expressions: %u and %u",
                            a->n_children, b->n_children)
           || kvsql_error_sqlstate (error, "42601");
  return count_values (a) <= MAX_ROW_VALUES
         || kvsql_error_set (error, KVSQL_ERROR_LIMIT, expr->span,
                             "a row that is compared has more than %d values", MAX_ROW_VALUES);
}

/* = and IS NOT DISTINCT FROM need all pairs, <> and IS DISTINCT FROM one of them. */
static KvsqlAstExpr *
compare_each (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlOperator op,
              const KvsqlAstExpr *a, const KvsqlAstExpr *b)
{
  gboolean is_distinct = expr->kind == KVSQL_AST_IS_DISTINCT;
  gboolean needs_all = is_distinct ? expr->is_negated : op == KVSQL_OP_EQ;
  KvsqlAstExpr **terms = kvsql_arena_array (binder->arena, KvsqlAstExpr *, a->n_children);

  for (guint i = 0; i < a->n_children; i++)
    {
      terms[i] = pair_new (binder, expr, op, a->children[i], b->children[i]);
      if (is_distinct)
        {
          terms[i]->kind = KVSQL_AST_IS_DISTINCT;
          terms[i]->is_negated = expr->is_negated;
        }
    }
  return chain_new (binder, expr, needs_all ? KVSQL_OP_AND : KVSQL_OP_OR, terms, a->n_children);
}

/* <, <=, >, >=: the first pair that is not equal decides. */
static KvsqlAstExpr *
compare_in_order (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlOperator op,
                  const KvsqlAstExpr *a, const KvsqlAstExpr *b)
{
  guint n = a->n_children;
  KvsqlAstExpr **ors = kvsql_arena_array (binder->arena, KvsqlAstExpr *, n);
  KvsqlAstExpr **ands = kvsql_arena_array (binder->arena, KvsqlAstExpr *, n);
  KvsqlOperator strict = op == KVSQL_OP_LE ? KVSQL_OP_LT : op == KVSQL_OP_GE ? KVSQL_OP_GT : op;

  for (guint i = 0; i < n; i++)
    {
      for (guint j = 0; j < i; j++)
        ands[j] = pair_new (binder, expr, KVSQL_OP_EQ, a->children[j], b->children[j]);
      ands[i] = pair_new (binder, expr, i + 1 == n ? op : strict, a->children[i], b->children[i]);
      ors[i] = chain_new (binder, expr, KVSQL_OP_AND, ands, i + 1);
    }
  return chain_new (binder, expr, KVSQL_OP_OR, ors, n);
}

static KvsqlAstExpr *
compare_rows (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlOperator op,
              const KvsqlAstExpr *a, const KvsqlAstExpr *b, GError **error)
{
  if (!check_rows (expr, a, b, error))
    return NULL;
  return op == KVSQL_OP_EQ || op == KVSQL_OP_NE || op == KVSQL_OP_NONE
             ? compare_each (binder, expr, op, a, b)
             : compare_in_order (binder, expr, op, a, b);
}

/* Of many rows, the planner uses the values of each attribute: a IN (…) AND b IN (…). */
static KvsqlAstExpr *
add_implied (const KvsqlBinder *binder, const KvsqlAstExpr *in, KvsqlAstExpr *expr)
{
  const KvsqlAstExpr *row = in->children[0];

  for (guint c = 0; c < row->n_children; c++)
    {
      KvsqlAstExpr *column = node_new (binder, in, KVSQL_AST_IN, in->n_children);
      column->children[0] = row->children[c];
      for (guint i = 1; i < in->n_children; i++)
        column->children[i] = in->children[i]->children[c];
      expr = pair_new (binder, in, KVSQL_OP_AND, column, expr);
    }
  return expr;
}

/* (a, b) IN ((1, 2), (3, 4)) */
static KvsqlAstExpr *
rewrite_in (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  guint n = expr->n_children - 1;
  KvsqlAstExpr **terms = kvsql_arena_array (binder->arena, KvsqlAstExpr *, n + 1), *self;

  for (guint i = 0; i < n; i++)
    {
      terms[i] = compare_rows (binder, expr, KVSQL_OP_EQ, expr->children[0], expr->children[i + 1],
                               error);
      if (terms[i] == NULL || !kvsql_interrupt_poll (error))
        return NULL;
    }
  if (n == 0)
    return truth_new (binder, expr, expr->is_negated);
  self = chain_new (binder, expr, KVSQL_OP_OR, terms, n);
  if (n > MAX_SEPARATE_ROWS)
    self = add_implied (binder, expr, self);
  return negated_if (binder, self, expr->is_negated);
}

/* ---- BETWEEN */

/* SYMMETRIC: between the two bounds, in either order. Of rows: two comparisons. */
static KvsqlAstExpr *
rewrite_between (const KvsqlBinder *binder, const KvsqlAstExpr *expr)
{
  KvsqlAstExpr *terms[2], *value = expr->children[0];
  gboolean is_row = value->kind == KVSQL_AST_ROW;

  if (!expr->is_symmetric && !is_row)
    return NULL;
  for (guint i = 0; i < 1 + (guint)(expr->is_symmetric != FALSE); i++)
    {
      KvsqlAstExpr *low = expr->children[1 + i], *high = expr->children[2 - i];
      terms[i] = node_new (binder, expr, KVSQL_AST_BETWEEN, 3);
      terms[i]->children[0] = value;
      terms[i]->children[1] = low;
      terms[i]->children[2] = high;
      if (is_row)
        terms[i] = pair_new (binder, expr, KVSQL_OP_AND,
                             pair_new (binder, expr, KVSQL_OP_GE, value, low),
                             pair_new (binder, expr, KVSQL_OP_LE, value, high));
    }
  return negated_if (binder,
                     chain_new (binder, expr, KVSQL_OP_OR, terms, expr->is_symmetric ? 2 : 1),
                     expr->is_negated);
}

/* ---- ANY and ALL */

static gboolean
fail_no_list (const KvsqlAstExpr *expr, KvsqlType type, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_TYPE, expr->children[1]->span,
                   "%s %s needs a LIST in parentheses, not %s", kvsql_operator_get_text (expr->op),
                   expr->is_all ? "ALL" : "ANY", kvsql_type_get_name (type));
  return kvsql_error_hint (error, "Write ARRAY[…], or CAST ('[…]' AS LIST<type>).");
}

/* Times need a CAST, as a literal has no such type. */
static KvsqlAstExpr *
element_new (const KvsqlBinder *binder, const KvsqlAstExpr *origin, KvsqlValue value)
{
  gboolean is_time = kvsql_type_is_time (value.type) || value.type == KVSQL_TYPE_INTERVAL;
  KvsqlAstExpr *cast;

  if (value.type == KVSQL_TYPE_INT)
    value.type = KVSQL_TYPE_BIGINT;
  else if (value.type == KVSQL_TYPE_FLOAT)
    value.type = KVSQL_TYPE_DOUBLE;
  if (is_time)
    {
      g_autofree gchar *text = kvsql_value_to_text (&value);
      cast = node_new (binder, origin, KVSQL_AST_CAST, 1);
      cast->cast_type.text = kvsql_type_get_name (value.type);
      cast->children[0]
          = literal_new (binder, origin,
                         (KvsqlValue){ .type = KVSQL_TYPE_STRING,
                                       .bytes = kvsql_slice_from_text (
                                           kvsql_arena_strdup (binder->arena, text)) });
      return cast;
    }
  return literal_new (binder, origin, value);
}

static gboolean
take_array (const KvsqlAstExpr *array, KvsqlAstExpr ***out_items, guint *out_n)
{
  if (array->kind != KVSQL_AST_ARRAY)
    return FALSE;
  *out_items = array->children;
  *out_n = array->n_children;
  return TRUE;
}

/* The elements of a list that is known now. *out_is_known: FALSE if it is not. */
static gboolean
find_items (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlAstExpr ***out_items,
            guint *out_n, gboolean *out_is_known, GError **error)
{
  KvsqlExpr *left = kvsql_expr_bind (binder, expr->children[0], error), *list;
  KvsqlType type;
  KvsqlValue *values;

  *out_is_known = take_array (expr->children[1], out_items, out_n);
  if (left == NULL || *out_is_known)
    return left != NULL;
  type = left->is_untyped ? KVSQL_TYPE_STRING : left->type;
  if (!kvsql_type_is_collection (type))
    kvsql_binder_note_place (binder, expr->children[1], KVSQL_TYPE_LIST + (KvsqlType)(type - 1));
  list = kvsql_expr_bind (binder, expr->children[1], error);
  if (list == NULL)
    return FALSE;
  if (list->is_untyped && list->type != KVSQL_TYPE_NULL && !kvsql_type_is_collection (type))
    list = kvsql_expr_coerce (binder, list, KVSQL_TYPE_LIST + (KvsqlType)(type - 1), error);
  if (list == NULL)
    return FALSE;
  if (!kvsql_type_is_list (list->type) && list->type != KVSQL_TYPE_NULL)
    return fail_no_list (expr, list->type, error);
  if (!kvsql_expr_is_constant (list))
    return TRUE;
  *out_is_known = TRUE;
  if (kvsql_value_is_null (&list->value))
    {
      *out_items = NULL;
      return TRUE;
    }
  kvsql_list_split (list->type, list->value.bytes, binder->arena, &values, out_n);
  *out_items = kvsql_arena_array (binder->arena, KvsqlAstExpr *, *out_n + 1);
  for (guint i = 0; i < *out_n; i++)
    (*out_items)[i] = element_new (binder, expr->children[1], values[i]);
  return TRUE;
}

static KvsqlAstExpr *
in_new (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlAstExpr **items, guint n)
{
  KvsqlAstExpr *self = node_new (binder, expr, KVSQL_AST_IN, n + 1);

  self->is_negated = expr->is_all;
  self->children[0] = expr->children[0];
  memcpy (self->children + 1, items, n * sizeof *items);
  return self;
}

static gboolean
rewrite_quantified (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlAstExpr **out,
                    GError **error)
{
  KvsqlAstExpr **items, **terms;
  gboolean is_known;
  guint n = 0;

  if (!find_items (binder, expr, &items, &n, &is_known, error))
    return FALSE;
  if (!is_known)
    return TRUE;
  if (items == NULL)
    *out = unknown_new (binder, expr);
  else if (n == 0)
    *out = truth_new (binder, expr, expr->is_all);
  else if (expr->op == (expr->is_all ? KVSQL_OP_NE : KVSQL_OP_EQ))
    *out = in_new (binder, expr, items, n);
  if (*out != NULL)
    return TRUE;
  terms = kvsql_arena_array (binder->arena, KvsqlAstExpr *, n);
  for (guint i = 0; i < n; i++)
    {
      terms[i] = pair_new (binder, expr, expr->op, expr->children[0], items[i]);
      if (!kvsql_interrupt_poll (error))
        return FALSE;
    }
  *out = chain_new (binder, expr, expr->is_all ? KVSQL_OP_AND : KVSQL_OP_OR, terms, n);
  return TRUE;
}

/* ---- all */

static gboolean
rewrite_form (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlAstExpr **out,
              GError **error)
{
  KvsqlAstExpr *const *children = expr->children;

  switch (expr->kind)
    {
    case KVSQL_AST_QUANTIFIED:
      return rewrite_quantified (binder, expr, out, error);
    case KVSQL_AST_BETWEEN:
      *out = rewrite_between (binder, expr);
      return TRUE;
    case KVSQL_AST_IN:
      if (expr->subquery != NULL)
        return TRUE;
      *out = rewrite_in (binder, expr, error);
      break;
    case KVSQL_AST_BINARY:
      if (expr->op < KVSQL_OP_EQ || expr->op > KVSQL_OP_GE)
        return TRUE;
      G_GNUC_FALLTHROUGH;
    case KVSQL_AST_IS_DISTINCT:
      *out = compare_rows (binder, expr, expr->op, children[0], children[1], error);
      break;
    default:
      return TRUE;
    }
  return *out != NULL;
}

gboolean
kvsql_expr_rewrite_form (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlAstExpr **out,
                         GError **error)
{
  *out = NULL;
  return rewrite_form (binder, expr, out, error)
         && (*out == NULL || kvsql_interrupt_poll (error)); /* a chain may be incomplete */
}
