/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * plan-values.c: see plan-values.h.
 *
 * The values of an attribute are 0, 1, 2, … as many as STATS says, each of the same share: as a
 * number, a time, or a text with leading zeros. Other types have no values in the sample.
 */
#include "config.h"

#include "core/advisor/plan-values.h"

#include "core/plan/estimate.h"

#include <math.h>

/* A range has this share of the values: at one end if it has one bound, else in the middle. */
#define BOUND 0.1
#define NO_LIMIT G_GINT64_CONSTANT (1000000000)

/* FALSE: values of the type are not made. */
static gboolean
make_value (KvsqlType type, gdouble number, KvsqlArena *arena, KvsqlValue *out)
{
  gint64 integer = (gint64)number;
  gchar text[40];

  *out = (KvsqlValue){ .type = type };
  if (type == KVSQL_TYPE_STRING)
    {
      g_snprintf (text, sizeof text, "%016" G_GINT64_FORMAT, integer);
      out->bytes = kvsql_slice_dup (arena, kvsql_slice_from_text (text));
    }
  else if (type == KVSQL_TYPE_UUID)
    {
      g_snprintf (text, sizeof text, "00000000-0000-0000-0000-%012" G_GINT64_MODIFIER "x",
                  integer & G_GINT64_CONSTANT (0xffffffffffff));
      out->bytes = kvsql_slice_dup (arena, kvsql_slice_from_text (text));
    }
  else if (type == KVSQL_TYPE_BOOLEAN)
    out->boolean = integer % 2 != 0;
  else if (type == KVSQL_TYPE_INT || type == KVSQL_TYPE_DATE || type == KVSQL_TYPE_TIME)
    out->integer = MIN (integer, type == KVSQL_TYPE_DATE   ? 2000000
                                 : type == KVSQL_TYPE_TIME ? KVSQL_MS_PER_DAY
                                                           : G_MAXINT32);
  else if (type == KVSQL_TYPE_BIGINT || type == KVSQL_TYPE_TIMESTAMP)
    out->integer = MIN (integer, G_GINT64_CONSTANT (100000000000000));
  else if (type == KVSQL_TYPE_FLOAT || type == KVSQL_TYPE_DOUBLE)
    out->real = floor (number);
  else
    return FALSE;
  return TRUE;
}

static void
set_attribute (const KvsqlWorkloadRelation *relation, guint attribute, KvsqlStatistics *out)
{
  KvsqlAttributeStatistics *known = &out->attributes[attribute];
  KvsqlType type = relation->relation->attributes[attribute].type;

  known->distinct = MAX (kvsql_workload_get_distinct (relation, attribute), 1);
  for (guint i = 0; i < out->n_sampled; i++)
    if (make_value (type, known->distinct * i / out->n_sampled, out->arena,
                    &known->values[known->n_values]))
      known->n_values++;
}

KvsqlStatistics *
kvsql_plan_statistics_new (const KvsqlWorkloadRelation *relation)
{
  KvsqlStatistics *self;

  if (!(relation->rows > 0))
    return NULL;
  self = kvsql_statistics_new (relation->relation);
  self->n_tuples = MAX (relation->rows, 1);
  self->is_complete = TRUE;
  self->n_sampled = (guint)MIN (self->n_tuples, KVSQL_SAMPLE_TUPLES);
  for (guint a = 0; a < relation->relation->n_attributes; a++)
    set_attribute (relation, a, self);
  return self;
}

/* ---- values of a statement */

/* The attributes that conditions joined by AND bound from below and from above. */
typedef struct
{
  KvsqlAttributeSet lower, upper;
} Bounds;

typedef struct
{
  KvsqlPlanValues *values;
  const KvsqlWorkloadRelation *relation;
} Setter;

/* Makes @expr a parameter with the value; without one, it stays as it is. Without ROWS, no value
 * says anything, so literals stay, too. */
static void
set_value (const Setter *self, KvsqlAstExpr *expr, guint attribute, gdouble share)
{
  KvsqlType type = self->relation->relation->attributes[attribute].type;
  gboolean is_known = self->relation->rows > 0;
  gdouble distinct
      = is_known ? kvsql_workload_get_distinct (self->relation, attribute) : KVSQL_ASSUMED_ROWS;
  KvsqlPlanValues *values = self->values;
  KvsqlValue value;

  if (!is_known && expr->kind == KVSQL_AST_LITERAL)
    return;

  if (!make_value (type, MIN (distinct * share, distinct - 1), values->arena, &value))
    {
      if (expr->kind != KVSQL_AST_PARAMETER)
        return;
      value = (KvsqlValue){ .type = KVSQL_TYPE_NULL };
    }
  expr->kind = KVSQL_AST_PARAMETER;
  expr->parameter = values->n;
  *KVSQL_ARENA_ADD (values->arena, values->items, values->n) = value;
}

/* LIKE ?: a pattern with a constant beginning, which between one and ten in a hundred of the values
 * have; any other one could not use a schema. */
static void
set_pattern (const Setter *self, KvsqlAstExpr *expr, guint attribute)
{
  gdouble distinct = kvsql_workload_get_distinct (self->relation, attribute);
  KvsqlPlanValues *values = self->values;
  gsize n_open = distinct > 100 ? (gsize)ceil (log10 (distinct)) - 2 : 0;
  KvsqlValue value;

  if (!make_value (KVSQL_TYPE_STRING, floor (MAX (distinct, 1) / 2), values->arena, &value))
    return;
  value.bytes.size -= MIN (n_open, value.bytes.size - 1);
  value.bytes = kvsql_slice_from_text (kvsql_arena_printf (
      values->arena, "%.*s%%", (gint)value.bytes.size, (const gchar *)value.bytes.data));
  expr->parameter = values->n;
  *KVSQL_ARENA_ADD (values->arena, values->items, values->n) = value;
}

static gboolean
is_value (const KvsqlAstExpr *expr)
{
  return expr->kind == KVSQL_AST_PARAMETER || expr->kind == KVSQL_AST_LITERAL;
}

static gboolean
is_range (const KvsqlAstExpr *expr)
{
  return expr->kind == KVSQL_AST_BINARY && expr->op >= KVSQL_OP_LT && expr->op <= KVSQL_OP_GE;
}

/* @is_mirrored: the attribute is on the right side. */
static gboolean
is_upper_bound (const KvsqlAstExpr *expr, gboolean is_mirrored)
{
  return (expr->op == KVSQL_OP_LT || expr->op == KVSQL_OP_LE) != (is_mirrored != FALSE);
}

static gdouble
get_share (const KvsqlAstExpr *expr, guint child, guint attribute, gboolean is_mirrored,
           const Bounds *bounds)
{
  gboolean is_upper
      = expr->kind == KVSQL_AST_BETWEEN ? child == 2 : is_upper_bound (expr, is_mirrored);

  if (expr->kind == KVSQL_AST_IN)
    return (gdouble)child / expr->n_children;
  if (expr->kind != KVSQL_AST_BETWEEN && !is_range (expr))
    return 0.5;
  if (expr->kind == KVSQL_AST_BETWEEN
      || (kvsql_attribute_set_has (&bounds->lower, attribute)
          && kvsql_attribute_set_has (&bounds->upper, attribute)))
    return is_upper ? 0.5 + BOUND / 2 : 0.5 - BOUND / 2;
  return is_upper ? BOUND : 1 - BOUND;
}

/* The attribute that a condition compares with values. */
static gboolean
find_attribute (const Setter *self, const KvsqlAstExpr *expr, guint *out_child, guint *out)
{
  gboolean compares
      = (expr->kind == KVSQL_AST_BINARY && expr->op >= KVSQL_OP_EQ && expr->op <= KVSQL_OP_GE)
        || expr->kind == KVSQL_AST_IN || expr->kind == KVSQL_AST_BETWEEN;

  for (*out_child = 0; compares && *out_child < MIN (expr->n_children, 2); (*out_child)++)
    if (expr->children[*out_child] != NULL && expr->children[*out_child]->kind == KVSQL_AST_NAME)
      return kvsql_relation_find (self->relation->relation, &expr->children[*out_child]->name, out,
                                  NULL);
  return FALSE;
}

static gboolean
is_and (const KvsqlAstExpr *expr)
{
  return expr->kind == KVSQL_AST_BINARY && expr->op == KVSQL_OP_AND;
}

static void
collect_bounds (const Setter *self, const KvsqlAstExpr *expr, Bounds *out)
{
  guint child, attribute;

  for (guint i = 0; is_and (expr) && i < expr->n_children; i++)
    collect_bounds (self, expr->children[i], out);
  if (is_range (expr) && find_attribute (self, expr, &child, &attribute))
    kvsql_attribute_set_add (is_upper_bound (expr, child > 0) ? &out->upper : &out->lower,
                             attribute);
}

/* @bounds: of the conditions joined by AND that @expr is one of; NULL: they begin here */
static void
set_values (const Setter *self, KvsqlAstExpr *expr, const Bounds *bounds)
{
  Bounds own = { 0 };
  guint child, attribute;

  if (expr == NULL)
    return;
  if (bounds == NULL)
    {
      collect_bounds (self, expr, &own);
      bounds = &own;
    }
  if (find_attribute (self, expr, &child, &attribute))
    for (guint i = 0; i < expr->n_children; i++)
      if (i != child && expr->children[i] != NULL && is_value (expr->children[i]))
        set_value (self, expr->children[i], attribute,
                   get_share (expr, i, attribute, child > 0, bounds));
  if (expr->kind == KVSQL_AST_LIKE && expr->children[0]->kind == KVSQL_AST_NAME
      && expr->children[1]->kind == KVSQL_AST_PARAMETER
      && kvsql_relation_find (self->relation->relation, &expr->children[0]->name, &attribute, NULL)
      && self->relation->relation->attributes[attribute].type == KVSQL_TYPE_STRING)
    set_pattern (self, expr->children[1], attribute);
  for (guint i = 0; i < expr->n_children; i++)
    set_values (self, expr->children[i], is_and (expr) ? bounds : NULL);
}

/* LIMIT ?: all rows. OFFSET ?: from the first one. */
static void
set_count (const Setter *self, KvsqlAstExpr *expr, gint64 number)
{
  KvsqlPlanValues *values = self->values;

  if (expr == NULL || expr->kind != KVSQL_AST_PARAMETER)
    return;
  expr->parameter = values->n;
  *KVSQL_ARENA_ADD (values->arena, values->items, values->n)
      = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = number };
}

static void
set_assignments (const Setter *self, KvsqlUpdate *update)
{
  guint attribute;

  for (guint i = 0; i < update->n_assignments; i++)
    {
      KvsqlAstExpr *expr = update->assignments[i].expr;

      if (expr != NULL && expr->kind == KVSQL_AST_PARAMETER
          && kvsql_relation_find (self->relation->relation, &update->assignments[i].name,
                                  &attribute, NULL))
        set_value (self, expr, attribute, 0.5);
    }
}

gboolean
kvsql_plan_values_set_others (KvsqlPlanValues *self, const KvsqlType *types)
{
  gboolean has_some = FALSE;

  for (guint i = 0; i < self->n; i++)
    if (kvsql_value_is_null (&self->items[i]) && types[i] != KVSQL_TYPE_NULL)
      {
        KvsqlType type = types[i] == KVSQL_TYPE_DECIMAL ? KVSQL_TYPE_BIGINT : types[i];
        KvsqlValue value;

        if (!make_value (type, 1, self->arena, &value))
          continue;
        self->items[i] = value;
        has_some = TRUE;
      }
  return has_some;
}

void
kvsql_plan_values_set (KvsqlPlanValues *self, KvsqlAstStatement *ast,
                       const KvsqlWorkloadRelation *relation)
{
  const Setter setter = { self, relation };

  /* those that no attribute says anything about are NULL */
  for (guint i = 0; i < ast->n_parameters; i++)
    *KVSQL_ARENA_ADD (self->arena, self->items, self->n) = (KvsqlValue){ .type = KVSQL_TYPE_NULL };
  if (ast->kind == KVSQL_STATEMENT_SELECT)
    {
      set_values (&setter, ast->select.where, NULL);
      set_count (&setter, ast->select.limit, NO_LIMIT);
      set_count (&setter, ast->select.offset, 0);
    }
  else if (ast->kind == KVSQL_STATEMENT_UPDATE)
    {
      set_values (&setter, ast->update.where, NULL);
      set_assignments (&setter, &ast->update);
      set_count (&setter, ast->update.limit, NO_LIMIT);
    }
  else if (ast->kind == KVSQL_STATEMENT_DELETE)
    {
      set_values (&setter, ast->delete_.where, NULL);
      set_count (&setter, ast->delete_.limit, NO_LIMIT);
    }
}
