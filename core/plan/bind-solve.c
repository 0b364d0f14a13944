/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-solve.c: solves comparisons of sums for an attribute, so that they give key ranges.
 *
 * While the comparison is solved, the constant of a number is a DECIMAL, so it cannot overflow. At
 * the end it is compared with the attribute as any other constant.
 */
#include "config.h"

#include "core/plan/bind-private.h"

#include "core/base/conversion.h"
#include "core/base/decimal.h"
#include "core/base/duration.h"
#include "core/expr/function.h"

static gboolean
is_whole (KvsqlType type)
{
  return type == KVSQL_TYPE_INT || type == KVSQL_TYPE_BIGINT;
}

/* Skips conversions that keep all values and their order. */
static const KvsqlExpr *
without_casts (const KvsqlExpr *expr)
{
  while (expr->kind == KVSQL_EXPR_CAST && expr->is_implicit && is_whole (expr->children[0]->type)
         && (is_whole (expr->type) || expr->type == KVSQL_TYPE_DECIMAL))
    expr = expr->children[0];
  return expr;
}

static gboolean
is_operator (const KvsqlExpr *expr, const gchar *name, guint n)
{
  return expr->kind == KVSQL_EXPR_CALL && expr->n_children == n
         && strcmp (expr->function->name, name) == 0;
}

static gboolean
is_time (KvsqlType type)
{
  return type == KVSQL_TYPE_DATE || type == KVSQL_TYPE_TIMESTAMP;
}

/* Months have several lengths, and so are not taken away again; a day is one of UTC. */
static gboolean
move_by_interval (KvsqlValue *value, KvsqlSlice text, gboolean is_sum)
{
  KvsqlDuration by = kvsql_duration_from_text (text);

  return by.months == 0 && by.us % 1000 == 0 && value->type == KVSQL_TYPE_TIMESTAMP
         && (is_sum || kvsql_duration_negate (&by, &by, NULL))
         && kvsql_duration_move_time (&by, value->integer, &value->integer);
}

/* value := value - by, or value + by */
static gboolean
move (KvsqlValue *value, const KvsqlValue *by, gboolean is_sum, KvsqlArena *arena)
{
  KvsqlValue number;

  if (is_time (value->type) && by->type == KVSQL_TYPE_INTERVAL)
    return move_by_interval (value, by->bytes, is_sum);
  if (is_time (value->type))
    {
      gint64 moved;
      gboolean fits = is_whole (by->type)
                      && !(is_sum ? __builtin_add_overflow (value->integer, by->integer, &moved)
                                  : __builtin_sub_overflow (value->integer, by->integer, &moved));
      value->integer = fits ? moved : value->integer;
      return fits;
    }
  return kvsql_value_convert (by, KVSQL_TYPE_DECIMAL, arena, &number, NULL)
         && (is_sum ? kvsql_decimal_add : kvsql_decimal_subtract) (value->bytes, number.bytes,
                                                                   arena, &value->bytes, NULL);
}

/* value := by - value; only for numbers. */
static gboolean
move_negated (KvsqlValue *value, const KvsqlValue *by, KvsqlArena *arena)
{
  if (is_time (value->type))
    return FALSE;
  value->bytes = kvsql_decimal_negate (value->bytes, arena);
  return move (value, by, TRUE, arena);
}

static gboolean
is_known (const KvsqlExpr *expr)
{
  return kvsql_expr_is_constant (expr) && !kvsql_value_is_null (&expr->value);
}

/* One step: *expr becomes its operand that is not constant. */
static gboolean
peel (const KvsqlExpr **expr, KvsqlOperator *op, KvsqlValue *value, KvsqlArena *arena)
{
  const KvsqlExpr *self = *expr;
  gboolean is_sum = is_operator (self, "+", 2), is_difference = is_operator (self, "-", 2);

  if (is_operator (self, "-", 1))
    {
      static const KvsqlValue zero = { .type = KVSQL_TYPE_INT };
      *expr = without_casts (self->children[0]);
      *op = kvsql_operator_mirror (*op);
      return move_negated (value, &zero, arena);
    }
  if (!is_sum && !is_difference)
    return FALSE;
  if (is_known (self->children[1]))
    {
      *expr = without_casts (self->children[0]);
      return move (value, &self->children[1]->value, is_difference, arena);
    }
  if (!is_known (self->children[0]))
    return FALSE;
  *expr = without_casts (self->children[1]);
  if (is_sum)
    return move (value, &self->children[0]->value, FALSE, arena);
  *op = kvsql_operator_mirror (*op);
  return move_negated (value, &self->children[0]->value, arena);
}

static gboolean
prepare (const KvsqlExpr *expr, KvsqlValue *value, KvsqlArena *arena)
{
  if (value->type == KVSQL_TYPE_STRING
      && !kvsql_value_parse (expr->type, value->bytes, arena, value, NULL))
    return FALSE;
  if (is_time (expr->type))
    {
      if (is_whole (value->type))
        value->type = expr->type;
      return value->type == expr->type;
    }
  if (expr->type == KVSQL_TYPE_INTERVAL)
    return value->type == KVSQL_TYPE_INTERVAL;
  if (!is_whole (value->type) && value->type != KVSQL_TYPE_DECIMAL)
    return FALSE;
  return (is_whole (expr->type) || expr->type == KVSQL_TYPE_DECIMAL)
         && kvsql_value_convert (value, KVSQL_TYPE_DECIMAL, arena, value, NULL);
}

/* The difference of a time and a constant, compared with an interval. A difference has no months,
 * and is compared with months of 30 days: so the interval is a number of milliseconds here. */
static gboolean
solve_difference (const KvsqlExpr *expr, KvsqlOperator *op, KvsqlValue *value,
                  const KvsqlExpr **out)
{
  KvsqlDuration duration = kvsql_duration_from_text (value->bytes);
  __int128 total = kvsql_duration_get_total (&duration), time;
  gboolean is_first;

  if (!is_operator (expr, "-", 2) || total % 1000 != 0
      || expr->children[0]->type != KVSQL_TYPE_TIMESTAMP
      || expr->children[1]->type != KVSQL_TYPE_TIMESTAMP)
    return FALSE;
  is_first = is_known (expr->children[0]);
  if (!is_known (expr->children[!is_first]))
    return FALSE;
  time = expr->children[!is_first]->value.integer;
  time += is_first ? -total / 1000 : total / 1000;
  if (time != (gint64)time)
    return FALSE;
  *value = (KvsqlValue){ .type = KVSQL_TYPE_TIMESTAMP, .integer = (gint64)time };
  *op = is_first ? kvsql_operator_mirror (*op) : *op;
  *out = expr->children[is_first];
  return TRUE;
}

gboolean
kvsql_bind_solve (const KvsqlBinder *binder, const KvsqlExpr *expr, KvsqlOperator *op,
                  KvsqlValue *value, guint *out_attribute)
{
  KvsqlOperator turned = *op;
  KvsqlValue moved = *value;

  expr = without_casts (expr);
  if (expr->kind != KVSQL_EXPR_CALL || kvsql_value_is_null (value)
      || !prepare (expr, &moved, binder->arena))
    return FALSE;
  if (expr->type == KVSQL_TYPE_INTERVAL && !solve_difference (expr, &turned, &moved, &expr))
    return FALSE;
  while (expr->kind == KVSQL_EXPR_CALL)
    {
      KvsqlType type = expr->type;
      if (!peel (&expr, &turned, &moved, binder->arena))
        return FALSE;
      /* DATE - DATE is a number, not a time, and DATE + INTERVAL a TIMESTAMP */
      if (is_time (type) != is_time (expr->type) || (is_time (type) && type != expr->type))
        return FALSE;
    }
  if (expr->kind != KVSQL_EXPR_COLUMN || (is_time (expr->type) && expr->type != moved.type))
    return FALSE;
  *op = turned;
  *value = moved;
  *out_attribute = expr->column;
  return TRUE;
}
