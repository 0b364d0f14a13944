/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * shown-type.c: see shown-type.h.
 */
#include "config.h"

#include "core/expr/shown-type.h"

#include "core/expr/function.h"

#define MAX_SCALE 1000 /* as in PostgreSQL */

/* ---- zones */

/* A time that is made of one with a zone has it, too, unless a CAST says what it is. */
static gboolean
has_zone (const KvsqlExpr *self)
{
  if (self->kind == KVSQL_EXPR_CAST && !self->is_implicit)
    return FALSE;
  if (self->kind == KVSQL_EXPR_CALL && self->function->zone != KVSQL_ZONE_OF_ARGUMENTS)
    return self->function->zone == KVSQL_ZONE_ALWAYS;
  for (guint i = 0; i < self->n_children; i++)
    if (self->children[i]->limit.kind == KVSQL_LIMIT_ZONE)
      return TRUE;
  return FALSE;
}

/* ---- digits */

gboolean
kvsql_expr_find_scale (const KvsqlExpr *expr, guint *out)
{
  *out = 0;
  if (expr->limit.kind == KVSQL_LIMIT_DIGITS || expr->limit.kind == KVSQL_LIMIT_SCALE)
    *out = expr->limit.scale;
  else if (expr->kind == KVSQL_EXPR_CAST && expr->type == KVSQL_TYPE_DECIMAL)
    return kvsql_expr_find_scale (expr->children[0], out);
  else
    return expr->type == KVSQL_TYPE_INT || expr->type == KVSQL_TYPE_BIGINT
           || (kvsql_expr_is_constant (expr) && kvsql_value_is_null (&expr->value));
  return TRUE;
}

/* Whether the result may be that of child @i. */
static gboolean
is_result (const KvsqlExpr *self, guint i)
{
  return self->kind != KVSQL_EXPR_CASE || i % 2 == 1 || i + 1 == self->n_children;
}

static gboolean
find_greatest (const KvsqlExpr *self, guint *out)
{
  guint scale;

  *out = 0;
  for (guint i = 0; i < self->n_children; i++)
    {
      if (!is_result (self, i))
        continue;
      if (!kvsql_expr_find_scale (self->children[i], &scale))
        return FALSE;
      *out = MAX (*out, scale);
    }
  return TRUE;
}

static gboolean
find_sum (const KvsqlExpr *self, guint *out)
{
  guint scale;

  *out = 0;
  for (guint i = 0; i < self->n_children; i++)
    {
      if (!kvsql_expr_find_scale (self->children[i], &scale))
        return FALSE;
      *out += scale;
    }
  return *out <= MAX_SCALE;
}

/* round (x, 2) */
static gboolean
find_given (const KvsqlExpr *self, guint *out)
{
  const KvsqlExpr *digits = self->children[self->n_children - 1];

  if (!kvsql_expr_is_constant (digits) || kvsql_type_get_class (digits->type) != KVSQL_CLASS_INTEGER
      || kvsql_value_is_null (&digits->value))
    return FALSE;
  *out = (guint)CLAMP (digits->value.integer, 0, MAX_SCALE);
  return TRUE;
}

static gboolean
find_scale_of_call (const KvsqlExpr *self, guint *out)
{
  switch (self->function->digits)
    {
    case KVSQL_DIGITS_MOST:
      return find_greatest (self, out);
    case KVSQL_DIGITS_SUM:
      return find_sum (self, out);
    case KVSQL_DIGITS_GIVEN:
      return find_given (self, out);
    case KVSQL_DIGITS_UNKNOWN:
      break;
    }
  return FALSE;
}

static gboolean
find_scale_of_form (const KvsqlExpr *self, guint *out)
{
  switch (self->kind)
    {
    case KVSQL_EXPR_CALL:
      return find_scale_of_call (self, out);
    case KVSQL_EXPR_CASE:
    case KVSQL_EXPR_COALESCE:
    case KVSQL_EXPR_MINMAX:
      return find_greatest (self, out);
    case KVSQL_EXPR_CAST:
      return kvsql_expr_find_scale (self->children[0], out);
    default:
      return FALSE;
    }
}

/* ---- both */

void
kvsql_expr_note_shown (KvsqlExpr *self)
{
  guint scale;

  if (self->limit.kind != KVSQL_LIMIT_NONE)
    return;
  if (self->type == KVSQL_TYPE_TIMESTAMP && has_zone (self))
    self->limit = KVSQL_TYPE_LIMIT_ZONE;
  if (self->type == KVSQL_TYPE_DECIMAL && find_scale_of_form (self, &scale))
    self->limit = (KvsqlTypeLimit){ .kind = KVSQL_LIMIT_SCALE, .scale = scale };
}
