/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * accumulator-private.h: what a kind of accumulator brings: a state for each group.
 *
 * A state of zero bytes is one without values.
 */
#pragma once

#include "core/expr/aggregate.h"

G_BEGIN_DECLS

typedef struct
{
  gsize state_size;
  gboolean (*add) (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
                   const guint32 *groups, guint n, GError **error);
  /* Adds what @from has; it may be left without values, but can still be cleared. */
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

/* The state that the @i-th row goes to, and which row of @values that is; NULL: it has no value. */
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
extern const KvsqlAccumulatorClass kvsql_accumulator_extreme_integer; /* and BOOLEAN */
extern const KvsqlAccumulatorClass kvsql_accumulator_extreme_real;
extern const KvsqlAccumulatorClass kvsql_accumulator_extreme_slice;

G_END_DECLS
