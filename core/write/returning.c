/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * returning.c: computes and collects rows.
 */
#include "config.h"

#include "core/write/returning.h"

#include "core/expr/evaluate.h"

#define FIRST_CAPACITY 16

void
kvsql_returning_init (KvsqlReturning *self, const KvsqlWritePlan *plan, gsize max_bytes)
{
  g_autofree KvsqlType *types = g_new (KvsqlType, plan->n_returning + 1);

  *self = (KvsqlReturning){ .plan = plan, .max_bytes = max_bytes };
  for (guint i = 0; i < plan->n_returning; i++)
    types[i] = plan->returning[i]->type;
  self->rows = kvsql_batch_new (types, plan->n_returning, FIRST_CAPACITY);
  self->arena = kvsql_arena_new ();
}

void
kvsql_returning_clear (KvsqlReturning *self)
{
  g_clear_pointer (&self->rows, kvsql_batch_free);
  g_clear_pointer (&self->arena, kvsql_arena_free);
}

gboolean
kvsql_returning_compute (KvsqlReturning *self, const KvsqlValue *tuple, KvsqlValue **out,
                         GError **error)
{
  *out = NULL;
  if (self == NULL || self->plan->n_returning == 0)
    return TRUE;
  *out = kvsql_arena_array (self->arena, KvsqlValue, self->plan->n_returning);
  for (guint i = 0; i < self->plan->n_returning; i++)
    {
      KvsqlValue value;
      if (!kvsql_expr_evaluate (self->plan->returning[i], tuple, self->arena, &value, error))
        return FALSE;
      (*out)[i] = kvsql_value_dup (&value, self->arena);
      self->bytes += sizeof value;
      if (kvsql_type_get_class (value.type) == KVSQL_CLASS_SLICE)
        self->bytes += value.bytes.size;
    }
  if (self->bytes <= self->max_bytes)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "RETURNING gives more than %" G_GSIZE_FORMAT " KiB", self->max_bytes / 1024);
  return kvsql_error_hint (error, "Write fewer tuples at once, as with LIMIT, or return less.");
}

void
kvsql_returning_keep (KvsqlReturning *self, const KvsqlValue *row)
{
  guint at;

  if (self == NULL || row == NULL)
    return;
  at = self->rows->n_rows;
  if (at == self->rows->capacity)
    kvsql_batch_reserve (self->rows, at * 2);
  for (guint i = 0; i < self->plan->n_returning; i++)
    kvsql_vector_set (&self->rows->columns[i], at, &row[i]);
  self->rows->n_rows++;
}
