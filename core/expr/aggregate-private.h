/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * aggregate-private.h: the classes of accumulators, with a state for each group.
 *
 * A zeroed state has no values.
 */
#pragma once

#include "core/expr/aggregate.h"

G_BEGIN_DECLS

/* What is computed of pairs. */
typedef enum
{
  KVSQL_REGRESSION_COUNT,
  KVSQL_REGRESSION_SXX,
  KVSQL_REGRESSION_SYY,
  KVSQL_REGRESSION_SXY,
  KVSQL_REGRESSION_AVGX,
  KVSQL_REGRESSION_AVGY,
  KVSQL_REGRESSION_COVAR_POP,
  KVSQL_REGRESSION_COVAR_SAMP,
  KVSQL_REGRESSION_CORR,
  KVSQL_REGRESSION_R2,
  KVSQL_REGRESSION_SLOPE,
  KVSQL_REGRESSION_INTERCEPT,
} KvsqlRegression;

/* What is made of all values of a group. */
typedef enum
{
  KVSQL_COLLECT_STRING,
  KVSQL_COLLECT_ARRAY,
  KVSQL_COLLECT_JSON_ARRAY,  /* json_agg, jsonb_agg */
  KVSQL_COLLECT_JSON_OBJECT, /* json_object_agg, jsonb_object_agg: of pairs of any types */
  KVSQL_COLLECT_CONTINUOUS,
  KVSQL_COLLECT_DISCRETE,
  KVSQL_COLLECT_MODE,
} KvsqlCollect;

typedef enum
{
  KVSQL_BITS_AND,
  KVSQL_BITS_OR,
  KVSQL_BITS_XOR,
} KvsqlBits;

typedef struct
{
  gsize state_size;
  /* NULL: add_rows */
  gboolean (*add) (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
                   const guint32 *groups, guint n, GError **error);
  /* Adds the values of @from, which may lose them, but can still be cleared. */
  gboolean (*merge) (KvsqlAccumulator *self, gpointer state, gpointer from, GError **error);
  gboolean (*get) (const KvsqlAccumulator *self, gconstpointer state, KvsqlArena *arena,
                   KvsqlValue *out, GError **error);
  void (*clear) (gpointer state); /* nullable */
  /* For aggregates of several columns, which are in self->call. */
  gboolean (*add_rows) (KvsqlAccumulator *self, const KvsqlBatch *batch, const guint32 *rows,
                        const guint32 *groups, guint n, GError **error);
  gboolean can_remove; /* add() removes the values if self->is_removing */
} KvsqlAccumulatorClass;

struct _KvsqlAccumulator
{
  const KvsqlAccumulatorClass *klass;
  KvsqlType type; /* of the result */
  KvsqlAggregate call;
  gboolean is_average;
  gboolean is_maximum;
  gboolean is_sample; /* var_samp, stddev_samp */
  gboolean is_root;   /* stddev */
  KvsqlBits bits;
  KvsqlRegression regression;
  KvsqlCollect collected;
  const gchar *name;
  gboolean takes_nulls, is_ordered_set;
  gboolean is_removing;
  KvsqlArena *arena; /* nullable: of collected values */
  gpointer states;
  guint32 n_groups;
  guint32 capacity;
  gsize extra_bytes; /* that states point to */
};

/* What a value counts: 1, or -1 if it is removed. */
static inline gint
kvsql_accumulator_get_sign (const KvsqlAccumulator *self)
{
  return self->is_removing ? -1 : 1;
}

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
extern const KvsqlAccumulatorClass kvsql_accumulator_sum_interval;   /* and TIME */
extern const KvsqlAccumulatorClass kvsql_accumulator_minmax_integer; /* and BOOLEAN */
extern const KvsqlAccumulatorClass kvsql_accumulator_minmax_real;
extern const KvsqlAccumulatorClass kvsql_accumulator_minmax_slice;
extern const KvsqlAccumulatorClass kvsql_accumulator_bits;
extern const KvsqlAccumulatorClass kvsql_accumulator_variance_exact; /* integers, DECIMAL */
extern const KvsqlAccumulatorClass kvsql_accumulator_variance_real;
extern const KvsqlAccumulatorClass kvsql_accumulator_regression;
extern const KvsqlAccumulatorClass kvsql_accumulator_collect;

G_END_DECLS
