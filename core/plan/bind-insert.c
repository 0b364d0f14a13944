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

  *out_n = n_names;
  for (guint a = 0; n_names == 0 && a < relation->n_attributes; a++)
    if (!relation->attributes[a].is_hidden)
      targets[(*out_n)++] = a;
  for (guint i = 0; i < n_names; i++)
    {
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

static gboolean
fail_missing (const KvsqlAttribute *attribute, KvsqlSpan span, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_VALUE, span, "attribute \"%s\" is %s and gets no value",
                   attribute->name, attribute->is_key ? "KEY" : "NOT NULL");
  return kvsql_error_sqlstate (error, "23502");
}

static KvsqlAttributeSet
set_of (const guint *targets, guint n_targets)
{
  KvsqlAttributeSet given = { 0 };

  for (guint i = 0; i < n_targets; i++)
    kvsql_attribute_set_add (&given, targets[i]);
  return given;
}

KvsqlValue *
kvsql_bind_insert_defaults (const KvsqlRowRules *rules, const guint *targets, guint n_targets,
                            KvsqlSpan span, KvsqlArena *arena, GError **error)
{
  const KvsqlRelation *relation = rules->relation;
  KvsqlValue *tuple = kvsql_arena_array (arena, KvsqlValue, relation->n_attributes);
  KvsqlAttributeSet given = set_of (targets, n_targets);

  for (guint a = 0; a < relation->n_attributes; a++)
    {
      const KvsqlAttribute *attribute = &relation->attributes[a];
      gboolean ok = TRUE;

      if (kvsql_attribute_set_has (&given, a) || kvsql_row_rules_is_volatile (rules, a))
        continue;
      tuple[a] = attribute->default_value;
      if (rules->defaults[a] != NULL)
        ok = kvsql_row_rules_get_default (rules, a, arena, &tuple[a], error);
      else if (kvsql_value_is_null (&tuple[a]) && attribute->is_not_null)
        ok = fail_missing (attribute, span, error);
      if (!ok)
        return NULL;
    }
  return tuple;
}

/* The attributes that kvsql_bind_insert_defaults() has left to each tuple. */
static guint *
find_volatile (const KvsqlRowRules *rules, const guint *targets, guint n_targets, KvsqlArena *arena,
               guint *out_n)
{
  const KvsqlRelation *relation = rules->relation;
  guint *attributes = kvsql_arena_array (arena, guint, relation->n_attributes);
  KvsqlAttributeSet given = set_of (targets, n_targets);

  *out_n = 0;
  for (guint a = 0; a < relation->n_attributes; a++)
    if (!kvsql_attribute_set_has (&given, a) && kvsql_row_rules_is_volatile (rules, a))
      attributes[(*out_n)++] = a;
  return attributes;
}

static gboolean
fill_volatile (const KvsqlRowRules *rules, const guint *attributes, guint n, KvsqlArena *arena,
               KvsqlValue *tuple, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!kvsql_row_rules_get_default (rules, attributes[i], arena, &tuple[attributes[i]], error))
      return FALSE;
  return TRUE;
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
bind_value (const KvsqlBinder *binder, const KvsqlRowRules *rules, const KvsqlAstExpr *value,
            guint attribute, KvsqlValue *out, GError **error)
{
  const KvsqlAttribute *target = &binder->relation->attributes[attribute];
  KvsqlBinder nameless = *binder;
  KvsqlExpr *expr;
  KvsqlValue result;

  if (value == NULL)
    return kvsql_row_rules_get_default (rules, attribute, binder->arena, out, error);
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

static const KvsqlValue *
bind_row (const KvsqlBinder *binder, const KvsqlRowRules *rules, const KvsqlInsert *insert,
          const guint *targets, guint n_targets, guint row, GError **error)
{
  KvsqlArena *arena = binder->arena;
  KvsqlValue *tuple
      = kvsql_bind_insert_defaults (rules, targets, n_targets, insert->relation.span, arena, error);
  guint *own, n_own;

  if (tuple == NULL)
    return NULL;
  own = find_volatile (rules, targets, n_targets, arena, &n_own);
  for (guint i = 0; i < n_targets; i++)
    if (!bind_value (binder, rules, insert->rows[row][i], targets[i], &tuple[targets[i]], error))
      return NULL;
  return fill_volatile (rules, own, n_own, arena, tuple, error)
                 && kvsql_row_rules_check (rules, tuple, arena, error)
             ? tuple
             : NULL;
}

const KvsqlValue **
kvsql_bind_insert_rows (const KvsqlBinder *binder, const KvsqlInsert *insert,
                        const KvsqlRowRules *rules, GError **error)
{
  const KvsqlRelation *relation = rules->relation;
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
      tuples[row] = bind_row (&self, rules, insert, targets, n_targets, row, error);
      if (tuples[row] == NULL)
        {
          if (insert->n_rows > 1 && error != NULL && kvsql_error_get_detail (*error) == NULL)
            kvsql_error_detail (error, "This is row %u of %u.", row + 1, insert->n_rows);
          return NULL;
        }
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
  const KvsqlRowRules *rules;
  const guint *own; /* attributes that get a value of their own for each tuple */
  guint n_own;
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
      return kvsql_error_row (error, self->first + i + 1);
    }
  return TRUE;
}

static gboolean
complete_row (const Rows *self, guint i, KvsqlArena *arena, GError **error)
{
  KvsqlValue *tuple = self->tuples + (gsize)i * self->relation->n_attributes;

  return fill_volatile (self->rules, self->own, self->n_own, arena, tuple, error)
         && kvsql_row_rules_check (self->rules, tuple, arena, error);
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
  if (self->n_own == 0 && self->relation->n_checks == 0)
    return TRUE;
  for (guint i = 0; i < self->n; i++)
    if (!complete_row (self, i, arena, error))
      return kvsql_error_row (error, self->first + i + 1);
  return TRUE;
}

/* Converts a few rows at a time, so that their tuples stay in the processor's cache from column to
 * column. */
const KvsqlValue **
kvsql_bind_insert_columns (const KvsqlRowRules *rules, const guint *targets, const KvsqlBatch *data,
                           KvsqlArena *arena, GError **error)
{
  const KvsqlRelation *relation = rules->relation;
  const KvsqlValue **tuples = kvsql_arena_array (arena, const KvsqlValue *, data->n_rows + 1);
  gsize tuple_size = relation->n_attributes * sizeof (KvsqlValue);
  Rows rows = { .relation = relation, .targets = targets, .data = data, .rules = rules };
  const KvsqlValue *defaults;

  g_assert (data->n_columns <= relation->n_attributes); /* each column has a target of its own */
  if (data->n_rows == 0)
    return tuples;
  defaults
      = kvsql_bind_insert_defaults (rules, targets, data->n_columns, KVSQL_SPAN_NONE, arena, error);
  if (defaults == NULL)
    return NULL;
  rows.own = find_volatile (rules, targets, data->n_columns, arena, &rows.n_own);
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
