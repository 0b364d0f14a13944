/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * values-plan.c: see the header.
 *
 * The type of a column is the common type of its values, found as for the operands of UNION: a
 * column of NULLs and of literals without a type is text.
 */
#include "config.h"

#include "core/plan/values-plan.h"

#include "core/base/interrupt.h"

static gboolean
bind_rows (KvsqlValuesPlan *self, const KvsqlSelect *select, const KvsqlBinder *binder,
           GError **error)
{
  for (guint i = 0; i < self->n_rows; i++)
    for (guint j = 0; j < self->n_columns; j++)
      {
        const KvsqlAstExpr *expr = select->rows[i][j];

        if (!kvsql_interrupt_poll (error) || !kvsql_group_reject_aggregates (expr, "VALUES", error))
          return FALSE;
        self->columns[j][i] = kvsql_expr_bind (binder, expr, error);
        if (self->columns[j][i] == NULL)
          return FALSE;
      }
  return TRUE;
}

static gboolean
find_type (KvsqlValuesPlan *self, guint column, const KvsqlBinder *binder, KvsqlType *out,
           GError **error)
{
  KvsqlExpr **values = self->columns[column];

  if (!kvsql_expr_unify (binder, values, self->n_rows, "VALUES", out, error))
    return FALSE;
  if (*out == KVSQL_TYPE_NULL)
    *out = KVSQL_TYPE_STRING;
  for (guint i = 0; i < self->n_rows; i++)
    if (values[i]->is_untyped || values[i]->type == KVSQL_TYPE_NULL)
      {
        values[i] = kvsql_expr_convert (binder, values[i], *out, error);
        if (values[i] == NULL || !kvsql_interrupt_poll (error))
          return FALSE;
      }
  return TRUE;
}

static gboolean
may_be_null (const KvsqlValuesPlan *self, guint column)
{
  for (guint i = 0; i < self->n_rows; i++)
    {
      const KvsqlExpr *value = self->columns[column][i];

      if (!kvsql_expr_is_constant (value) || value->value.type == KVSQL_TYPE_NULL)
        return TRUE;
    }
  return FALSE;
}

static KvsqlRelation *
make_relation (const KvsqlValuesPlan *self, const KvsqlType *types, KvsqlArena *arena)
{
  KvsqlRelation *relation = kvsql_arena_new0 (arena, KvsqlRelation);

  relation->name = "VALUES";
  relation->is_derived = TRUE;
  relation->n_attributes = self->n_columns;
  relation->attributes = kvsql_arena_array (arena, KvsqlAttribute, self->n_columns);
  for (guint i = 0; i < self->n_columns; i++)
    {
      const gchar *name = kvsql_arena_printf (arena, "column%u", i + 1);

      relation->attributes[i] = (KvsqlAttribute){ .name = name,
                                                  .name_hash = kvsql_name_hash (name),
                                                  .type = types[i],
                                                  .is_not_null = !may_be_null (self, i) };
    }
  return relation;
}

gboolean
kvsql_values_plan_bind (KvsqlSelectPlan *self, const KvsqlSelect *select, KvsqlBinder *binder,
                        GError **error)
{
  KvsqlValuesPlan *values = kvsql_arena_new0 (binder->arena, KvsqlValuesPlan);
  KvsqlType *types = kvsql_arena_array (binder->arena, KvsqlType, select->n_values);

  if (select->n_values > KVSQL_MAX_ATTRIBUTES)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, select->rows[0][0]->span,
                            "VALUES has more than %d columns", KVSQL_MAX_ATTRIBUTES);
  values->n_rows = select->n_rows;
  values->n_columns = select->n_values;
  values->columns = kvsql_arena_array (binder->arena, KvsqlExpr **, values->n_columns);
  for (guint i = 0; i < values->n_columns; i++)
    values->columns[i] = kvsql_arena_array (binder->arena, KvsqlExpr *, values->n_rows);
  if (!bind_rows (values, select, binder, error))
    return FALSE;
  for (guint i = 0; i < values->n_columns; i++)
    if (!find_type (values, i, binder, &types[i], error))
      return FALSE;
  self->values = values;
  self->relation = binder->relation = make_relation (values, types, binder->arena);
  return TRUE;
}

gboolean
kvsql_values_plan_is_constant (const KvsqlValuesPlan *self)
{
  for (guint i = 0; i < self->n_columns; i++)
    for (guint k = 0; k < self->n_rows; k++)
      if (!kvsql_expr_is_constant (self->columns[i][k]))
        return FALSE;
  return TRUE;
}
