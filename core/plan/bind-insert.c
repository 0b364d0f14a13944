/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-insert.c: see bind-insert.h.
 */
#include "config.h"

#include "core/plan/bind-insert.h"

#include "core/expr/evaluate.h"

#define ROWS_AT_ONCE 64

guint *
kvsql_bind_insert_targets (const KvsqlRelation *relation, const KvsqlName *names, guint n_names,
                           KvsqlArena *arena, guint *out_n, GError **error)
{
  guint *targets = kvsql_arena_array (arena, guint, MAX (n_names, relation->n_attributes));

  *out_n = n_names == 0 ? relation->n_attributes : n_names;
  for (guint i = 0; i < *out_n; i++)
    {
      targets[i] = i;
      if (n_names == 0)
        continue;
      if (!kvsql_relation_find (relation, &names[i], &targets[i], error))
        return NULL;
      for (guint j = 0; j < i; j++)
        if (targets[j] == targets[i])
          {
            kvsql_error_set (error, KVSQL_ERROR_INVALID, names[i].span,
                             "attribute \"%s\" is named twice", names[i].text);
            return NULL;
          }
    }
  return targets;
}

KvsqlValue *
kvsql_bind_insert_defaults (const KvsqlRelation *relation, const guint *targets, guint n_targets,
                            KvsqlSpan span, KvsqlArena *arena, GError **error)
{
  KvsqlValue *tuple = kvsql_arena_array (arena, KvsqlValue, relation->n_attributes);
  KvsqlAttributeSet given = { 0 };

  for (guint i = 0; i < n_targets; i++)
    kvsql_attribute_set_add (&given, targets[i]);
  for (guint a = 0; a < relation->n_attributes; a++)
    {
      const KvsqlAttribute *attribute = &relation->attributes[a];
      if (kvsql_attribute_set_has (&given, a))
        continue;
      tuple[a] = attribute->default_value;
      if (kvsql_value_is_null (&tuple[a]) && attribute->is_not_null)
        {
          kvsql_error_set (error, KVSQL_ERROR_VALUE, span,
                           "attribute \"%s\" is %s and gets no value", attribute->name,
                           attribute->is_key ? "KEY" : "NOT NULL");
          return NULL;
        }
    }
  return tuple;
}

/* DEFAULT has no position of its own in the text. */
static KvsqlSpan
span_of_value (const KvsqlInsert *insert, guint i)
{
  return insert->rows[0][i] != NULL ? insert->rows[0][i]->span : insert->relation.span;
}

static gboolean
check_width (const KvsqlInsert *insert, const KvsqlRelation *relation, guint n_targets,
             GError **error)
{
  KvsqlSpan span = insert->n_rows > 0 && insert->n_values > 0
                       ? span_of_value (insert, MIN (n_targets, insert->n_values - 1))
                       : insert->relation.span;

  if (insert->n_values == n_targets)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, span, "INSERT has %u values for %u attributes",
                   insert->n_values, n_targets);
  if (insert->n_attributes == 0)
    kvsql_error_hint (error, "Name the attributes that you give: INSERT INTO %s (…) VALUES (…).",
                      relation->name);
  return FALSE;
}

/* Evaluates a value of VALUES: DEFAULT, a constant, or an expression. */
static gboolean
bind_value (const KvsqlBinder *binder, const KvsqlAstExpr *value, guint attribute, KvsqlValue *out,
            GError **error)
{
  const KvsqlAttribute *target = &binder->relation->attributes[attribute];
  KvsqlBinder nameless = *binder;
  KvsqlExpr *expr;
  KvsqlValue result;

  if (value == NULL)
    return kvsql_bind_convert (binder->relation, attribute, &target->default_value, binder->arena,
                               out, error);
  if (value->kind == KVSQL_AST_LITERAL || value->kind == KVSQL_AST_PARAMETER
      || value->kind == KVSQL_AST_NAME)
    return kvsql_bind_assignment (binder, value, attribute, out, error);
  nameless.relation = NULL;
  expr = kvsql_expr_bind (&nameless, value, error);
  if (expr != NULL)
    expr = kvsql_expr_assign (&nameless, expr, target, error);
  if (expr == NULL)
    return FALSE;
  return (kvsql_expr_evaluate (expr, NULL, binder->arena, &result, error)
          && kvsql_bind_convert (binder->relation, attribute, &result, binder->arena, out, error))
         || kvsql_error_at (error, value->span);
}

const KvsqlValue **
kvsql_bind_insert_rows (const KvsqlBinder *binder, const KvsqlInsert *insert,
                        const KvsqlRelation *relation, GError **error)
{
  KvsqlBinder self = *binder;
  const KvsqlValue **tuples;
  guint *targets;
  guint n_targets;

  self.relation = relation;
  targets = kvsql_bind_insert_targets (relation, insert->attributes, insert->n_attributes,
                                       self.arena, &n_targets, error);
  if (targets == NULL)
    return NULL;
  if (insert->n_attributes == 0) /* the last attributes get their DEFAULT */
    n_targets = MIN (n_targets, insert->n_values);
  if (!check_width (insert, relation, n_targets, error))
    return NULL;
  tuples = kvsql_arena_array (self.arena, const KvsqlValue *, insert->n_rows);
  for (guint row = 0; row < insert->n_rows; row++)
    {
      KvsqlValue *tuple = kvsql_bind_insert_defaults (relation, targets, n_targets,
                                                      insert->relation.span, self.arena, error);
      if (tuple == NULL)
        return NULL;
      for (guint i = 0; i < n_targets; i++)
        if (!bind_value (&self, insert->rows[row][i], targets[i], &tuple[targets[i]], error))
          {
            if (insert->n_rows > 1)
              kvsql_error_detail (error, "This is row %u of %u.", row + 1, insert->n_rows);
            return NULL;
          }
      tuples[row] = tuple;
    }
  return tuples;
}

/* ---- columns */

/* Some rows of @data. Their tuples are consecutive in memory. */
typedef struct
{
  const KvsqlRelation *relation;
  const guint *targets;
  const KvsqlBatch *data;
  guint first, n;
  KvsqlValue *tuples;
} Rows;

static gboolean
convert_row (const Rows *self, guint i, const guint *columns, guint n_columns, KvsqlArena *arena,
             GError **error)
{
  KvsqlValue *tuple = self->tuples + (gsize)i * self->relation->n_attributes;

  for (guint c = 0; c < n_columns; c++)
    {
      guint target = self->targets[columns[c]];

      if (kvsql_bind_convert_row (self->relation, target, &self->data->columns[columns[c]],
                                  self->first + i, arena, &tuple[target], error))
        continue;
      kvsql_error_detail (error, "This is row %u of %u.", self->first + i + 1, self->data->n_rows);
      return FALSE;
    }
  return TRUE;
}

/* First takes over the columns whose values need no conversion. Then converts the other columns row
 * by row, so that the error names the first row that fails. */
static gboolean
convert_rows (const Rows *self, KvsqlArena *arena, GError **error)
{
  guint left[KVSQL_MAX_ATTRIBUTES], n_left = 0;

  for (guint c = 0; c < self->data->n_columns; c++)
    if (!kvsql_bind_take_rows (self->relation, self->targets[c], &self->data->columns[c],
                               self->first, self->n, self->tuples + self->targets[c],
                               self->relation->n_attributes))
      left[n_left++] = c;
  for (guint i = 0; n_left > 0 && i < self->n; i++)
    if (!convert_row (self, i, left, n_left, arena, error))
      return FALSE;
  return TRUE;
}

/* Converts a few rows at a time, so that their tuples stay in the processor's cache from column to
 * column. */
const KvsqlValue **
kvsql_bind_insert_columns (const KvsqlRelation *relation, const guint *targets,
                           const KvsqlBatch *data, KvsqlArena *arena, GError **error)
{
  const KvsqlValue **tuples = kvsql_arena_array (arena, const KvsqlValue *, data->n_rows + 1);
  gsize tuple_size = relation->n_attributes * sizeof (KvsqlValue);
  Rows rows = { .relation = relation, .targets = targets, .data = data };
  const KvsqlValue *defaults;

  g_assert (data->n_columns <= relation->n_attributes); /* each column has a target of its own */
  if (data->n_rows == 0)
    return tuples;
  defaults = kvsql_bind_insert_defaults (relation, targets, data->n_columns, KVSQL_SPAN_NONE, arena,
                                         error);
  if (defaults == NULL)
    return NULL;
  rows.tuples = kvsql_arena_alloc (arena, data->n_rows * tuple_size);
  for (; rows.first < data->n_rows; rows.first += rows.n)
    {
      rows.n = MIN (ROWS_AT_ONCE, data->n_rows - rows.first);
      for (guint i = 0; i < rows.n; i++)
        {
          KvsqlValue *tuple = rows.tuples + (gsize)i * relation->n_attributes;

          if (data->n_columns < relation->n_attributes)
            memcpy (tuple, defaults, tuple_size);
          tuples[rows.first + i] = tuple;
        }
      if (!convert_rows (&rows, arena, error))
        return NULL;
      rows.tuples += (gsize)rows.n * relation->n_attributes;
    }
  return tuples;
}
