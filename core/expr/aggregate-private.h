/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * aggregate-private.h: the classes of accumulators, with a state for each group.
 *
 * A zeroed state has no values.
 */
#pragma once

#include "core/expr/aggregate.h"

G_BEGIN_DECLS

typedef struct
{
  gsize state_size;
  gboolean (*add) (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
                   const guint32 *groups, guint n, GError **error);
  /* Adds the values of @from, which may lose them, but can still be cleared. */
  gboolean (*merge) (KvsqlAccumulator *self, gpointer state, gpointer from, GError **error);
  gboolean (*get) (const KvsqlAccumulator *self, gconstpointer state, KvsqlArena *arena,
                   KvsqlValue *out, GError **error);
  void (*clear) (gpointer state); /* nullable */
} KvsqlAccumulatorClass;

struct _KvsqlAccumulator
{
  const KvsqlAccumulatorClass *klass;
  KvsqlType type; /* of the result */
  gboolean is_average;
  gboolean is_maximum;
  gpointer states;
  guint32 n_groups;
  guint32 capacity;
  gsize extra_bytes; /* that states point to */
};

/* The state of the group of the @i-th row, and its row in @values. NULL if the value is NULL. */
static inline gpointer
kvsql_accumulator_find (const KvsqlAccumulator *self, const KvsqlVector *values,
                        const guint32 *rows, const guint32 *groups, guint i, gsize state_size,
                        guint *out_row)
{
  guint row = rows == NULL ? i : rows[i];

  *out_row = row;
  return kvsql_vector_is_null (values, row) ? NULL
                                            : (guint8 *)self->states + groups[row] * state_size;
}

extern const KvsqlAccumulatorClass kvsql_accumulator_sum_small; /* INT to BIGINT */
extern const KvsqlAccumulatorClass kvsql_accumulator_sum_wide;  /* integers to DECIMAL */
extern const KvsqlAccumulatorClass kvsql_accumulator_sum_decimal;
extern const KvsqlAccumulatorClass kvsql_accumulator_sum_real;
extern const KvsqlAccumulatorClass kvsql_accumulator_minmax_integer; /* and BOOLEAN */
extern const KvsqlAccumulatorClass kvsql_accumulator_minmax_real;
extern const KvsqlAccumulatorClass kvsql_accumulator_minmax_slice;

G_END_DECLS
