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
  if (kvsql_type_get_class (type) == KVSQL_CLASS_SLICE)
    known->bytes = kvsql_workload_get_bytes (relation, attribute);
  known->steps = kvsql_arena_array (out->arena, KvsqlHistogramStep, out->n_sampled);
  for (guint i = 0; i < out->n_sampled; i++)
    {
      KvsqlHistogramStep *step = &known->steps[known->n_steps];

      if (!make_value (type, known->distinct * i / out->n_sampled, out->arena, &step->value))
        return;
      if (known->n_steps > 0 && kvsql_value_compare (&step[-1].value, &step->value) == 0)
        step[-1].equal++;
      else
        {
          step->below = i;
          step->equal = 1;
          known->n_steps++;
        }
    }
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

/* The attributes that conditions joined by AND bound from below and from above, by member. */
typedef struct
{
  KvsqlAttributeSet *lower, *upper;
} Bounds;

typedef struct
{
  KvsqlPlanValues *values;
  const KvsqlScope *scope;
} Setter;

static KvsqlType
get_type (const Setter *self, const KvsqlScopePlace *place)
{
  return kvsql_scope_get_relation (self->scope, place->member)
      ->relation->attributes[place->attribute]
      .type;
}

/* Makes @expr a parameter with the value; without one, it stays as it is. Without ROWS, no value
 * says anything, so literals stay, too. */
static void
set_value (const Setter *self, KvsqlAstExpr *expr, const KvsqlScopePlace *place, gdouble share)
{
  const KvsqlWorkloadRelation *relation = kvsql_scope_get_relation (self->scope, place->member);
  KvsqlType type = get_type (self, place);
  gboolean is_known = relation->rows > 0;
  gdouble distinct
      = is_known ? kvsql_workload_get_distinct (relation, place->attribute) : KVSQL_ASSUMED_ROWS;
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
set_pattern (const Setter *self, KvsqlAstExpr *expr, const KvsqlScopePlace *place)
{
  const KvsqlWorkloadRelation *relation = kvsql_scope_get_relation (self->scope, place->member);
  gdouble distinct = kvsql_workload_get_distinct (relation, place->attribute);
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
get_share (const KvsqlAstExpr *expr, guint child, const KvsqlScopePlace *place,
           gboolean is_mirrored, const Bounds *bounds)
{
  gboolean is_upper
      = expr->kind == KVSQL_AST_BETWEEN ? child == 2 : is_upper_bound (expr, is_mirrored);

  if (expr->kind == KVSQL_AST_IN)
    return (gdouble)child / expr->n_children;
  if (expr->kind != KVSQL_AST_BETWEEN && !is_range (expr))
    return 0.5;
  if (expr->kind == KVSQL_AST_BETWEEN
      || (kvsql_attribute_set_has (&bounds->lower[place->member], place->attribute)
          && kvsql_attribute_set_has (&bounds->upper[place->member], place->attribute)))
    return is_upper ? 0.5 + BOUND / 2 : 0.5 - BOUND / 2;
  return is_upper ? BOUND : 1 - BOUND;
}

static gboolean
find_name (const Setter *self, const KvsqlAstExpr *name, KvsqlScopePlace *out)
{
  return name != NULL && name->kind == KVSQL_AST_NAME
         && kvsql_scope_find (self->scope, &name->qualifier, &name->name, out, NULL);
}

/* The attribute that a condition compares with values. */
static gboolean
find_attribute (const Setter *self, const KvsqlAstExpr *expr, guint *out_child,
                KvsqlScopePlace *out)
{
  gboolean compares
      = (expr->kind == KVSQL_AST_BINARY && expr->op >= KVSQL_OP_EQ && expr->op <= KVSQL_OP_GE)
        || expr->kind == KVSQL_AST_IN || expr->kind == KVSQL_AST_BETWEEN;

  for (*out_child = 0; compares && *out_child < MIN (expr->n_children, 2); (*out_child)++)
    if (find_name (self, expr->children[*out_child], out))
      return TRUE;
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
  KvsqlScopePlace place;
  guint child;

  for (guint i = 0; is_and (expr) && i < expr->n_children; i++)
    collect_bounds (self, expr->children[i], out);
  if (is_range (expr) && find_attribute (self, expr, &child, &place))
    kvsql_attribute_set_add (
        &(is_upper_bound (expr, child > 0) ? out->upper : out->lower)[place.member],
        place.attribute);
}

static Bounds *
make_bounds (const Setter *self, const KvsqlAstExpr *expr)
{
  KvsqlArena *arena = self->values->arena;
  Bounds *bounds = kvsql_arena_new0 (arena, Bounds);

  bounds->lower = kvsql_arena_array (arena, KvsqlAttributeSet, self->scope->n_members);
  bounds->upper = kvsql_arena_array (arena, KvsqlAttributeSet, self->scope->n_members);
  collect_bounds (self, expr, bounds);
  return bounds;
}

/* @bounds: of the conditions joined by AND that @expr is one of; NULL: they begin here */
static void
set_values (const Setter *self, KvsqlAstExpr *expr, const Bounds *bounds)
{
  KvsqlScopePlace place;
  guint child;

  if (expr == NULL)
    return;
  if (find_attribute (self, expr, &child, &place))
    {
      bounds = bounds != NULL ? bounds : make_bounds (self, expr);
      for (guint i = 0; i < expr->n_children; i++)
        if (i != child && expr->children[i] != NULL && is_value (expr->children[i]))
          set_value (self, expr->children[i], &place,
                     get_share (expr, i, &place, child > 0, bounds));
    }
  if (expr->kind == KVSQL_AST_LIKE && find_name (self, expr->children[0], &place)
      && expr->children[1]->kind == KVSQL_AST_PARAMETER
      && get_type (self, &place) == KVSQL_TYPE_STRING)
    set_pattern (self, expr->children[1], &place);
  if (is_and (expr) && bounds == NULL)
    bounds = make_bounds (self, expr);
  for (guint i = 0; i < expr->n_children; i++)
    set_values (self, expr->children[i], is_and (expr) ? bounds : NULL);
}

/* Of ON. @join: (nullable) */
static void
set_conditions (const Setter *self, const KvsqlJoin *join)
{
  if (join == NULL || join->left == NULL)
    return;
  set_values (self, join->on, NULL);
  set_conditions (self, join->left);
  set_conditions (self, join->right);
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
  const KvsqlName none = { .text = NULL };
  KvsqlScopePlace place;

  for (guint i = 0; i < update->n_assignments; i++)
    {
      KvsqlAstExpr *expr = update->assignments[i].expr;

      if (expr != NULL && expr->kind == KVSQL_AST_PARAMETER
          && kvsql_scope_find (self->scope, &none, &update->assignments[i].name, &place, NULL))
        set_value (self, expr, &place, 0.5);
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
kvsql_plan_values_set (KvsqlPlanValues *self, KvsqlAstStatement *ast, const KvsqlScope *scope)
{
  const Setter setter = { self, scope };

  /* those that no attribute says anything about are NULL */
  for (guint i = 0; i < ast->n_parameters; i++)
    *KVSQL_ARENA_ADD (self->arena, self->items, self->n) = (KvsqlValue){ .type = KVSQL_TYPE_NULL };
  if (ast->kind == KVSQL_STATEMENT_SELECT)
    {
      set_values (&setter, ast->select.where, NULL);
      set_conditions (&setter, ast->select.join);
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
