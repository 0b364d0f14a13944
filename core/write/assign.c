/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * assign.c: applies SET to one tuple.
 */
#include "config.h"

#include "core/write/assign.h"

#include "core/expr/evaluate.h"

gboolean
kvsql_write_plan_assign (const KvsqlWritePlan *self, const KvsqlValue *columns, KvsqlArena *arena,
                         KvsqlValue **out, GError **error)
{
  const KvsqlRelation *relation = self->entry->relation;
  KvsqlValue *tuple = kvsql_arena_copy (arena, columns, relation->n_attributes * sizeof *tuple);

  for (guint i = 0; i < self->n_sets; i++)
    {
      const KvsqlSetItem *set = &self->sets[i];
      KvsqlValue value;

      if (!kvsql_expr_evaluate (set->expr, columns, arena, &value, error)
          || !kvsql_bind_convert (relation, set->attribute, &value, arena, &tuple[set->attribute],
                                  error))
        return kvsql_error_at (error, set->span);
    }
  *out = tuple;
  return kvsql_row_rules_check (self->rules, tuple, arena, error);
}

gboolean
kvsql_write_plan_admits (const KvsqlWritePlan *self, const KvsqlValue *columns, KvsqlArena *arena,
                         gboolean *out_admits, GError **error)
{
  KvsqlValue value;

  *out_admits = TRUE;
  if (self->conflict_where == NULL)
    return TRUE;
  if (!kvsql_expr_evaluate (self->conflict_where, columns, arena, &value, error))
    return FALSE;
  *out_admits = !kvsql_value_is_null (&value) && value.boolean;
  return TRUE;
}
