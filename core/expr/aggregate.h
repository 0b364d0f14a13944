/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * aggregate.h: aggregates over vectors.
 *
 * NULLs are ignored, except by array_agg and the aggregates that make JSON. Without values COUNT is
 * 0 and the others are NULL. The result does not depend on the order of the values, as sums of
 * reals are computed exactly and rounded once, except: string_agg and array_agg without ORDER BY,
 * and the last digits of variances and regressions of reals.
 */
#pragma once

#include "core/base/vector.h"
#include "core/schema/type-limit.h"

G_BEGIN_DECLS

typedef struct _KvsqlAggregateFunction KvsqlAggregateFunction;
typedef struct _KvsqlAccumulator KvsqlAccumulator;

#define KVSQL_NO_COLUMN G_MAXUINT

/* A part of ORDER BY in a call of an aggregate. */
typedef struct
{
  guint column; /* of the input */
  gboolean is_descending;
  gboolean nulls_first;
} KvsqlAggregateOrder;

/* One call of an aggregate. */
typedef struct
{
  const KvsqlAggregateFunction *function;
  guint column;         /* of the input; KVSQL_NO_COLUMN: count rows */
  KvsqlType argument;   /* type of that column */
  KvsqlType type;       /* of the result */
  KvsqlTypeLimit shown; /* how the result is shown (shown-type.h) */
  gboolean is_distinct;
  gboolean has_second; /* a second argument, in column @second */
  guint second;
  gboolean has_filter; /* only rows for which column @filter is true */
  guint filter;
  const KvsqlAggregateOrder *order;
  guint n_order;
  gboolean is_descending; /* WITHIN GROUP (ORDER BY … DESC) */
  KvsqlValue fraction;    /* of a percentile: a DOUBLE, or NULL */
} KvsqlAggregate;

/* Ignores case. NULL if there is no such aggregate. */
const KvsqlAggregateFunction *kvsql_aggregate_find (const gchar *name);
/* Whether it is GROUPING, which is not an aggregate, but a call of groups as well. */
gboolean kvsql_aggregate_is_grouping (const gchar *name);
void kvsql_aggregate_add_names (GPtrArray *names); /* of all; static strings */
const gchar *kvsql_aggregate_get_name (const KvsqlAggregateFunction *self); /* "count" */
gboolean kvsql_aggregate_takes_star (const KvsqlAggregateFunction *self);   /* f(*) */
/* The number of arguments in parentheses, without those of WITHIN GROUP. */
guint kvsql_aggregate_get_n_arguments (const KvsqlAggregateFunction *self);
/* Whether it is written f (…) WITHIN GROUP (ORDER BY value). */
gboolean kvsql_aggregate_is_ordered_set (const KvsqlAggregateFunction *self);
/* Whether the result is shown as the argument is, if it has the same type: a DECIMAL with as many
 * digits, a time with its zone. PostgreSQL shows an average with many digits. */
gboolean kvsql_aggregate_keeps_form (const KvsqlAggregateFunction *self);
gboolean kvsql_aggregate_takes_nulls (const KvsqlAggregateFunction *self);
/* Whether its two arguments may have different types. */
gboolean kvsql_aggregate_pairs_any (const KvsqlAggregateFunction *self);
/* Whether the order of the values decides the result. */
gboolean kvsql_aggregate_has_order (const KvsqlAggregateFunction *self);
/* The type that an argument of type @argument is converted to; of a pair, both. */
KvsqlType kvsql_aggregate_get_wanted (const KvsqlAggregateFunction *self, KvsqlType argument);
/* Whether duplicate values change the result. They do not for MIN and MAX. */
gboolean kvsql_aggregate_counts_duplicates (const KvsqlAggregateFunction *self);
/* The result's type for values of type @argument (KVSQL_TYPE_NULL: an untyped NULL), or
 * KVSQL_ERROR_TYPE at @span. */
gboolean kvsql_aggregate_get_type (const KvsqlAggregateFunction *self, KvsqlType argument,
                                   KvsqlSpan span, KvsqlType *out_type,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* One aggregate of many groups, numbered from 0. @call->argument must be a type that get_type()
 * accepts. It is ignored if rows are counted. What @call points to must live as long. */
KvsqlAccumulator *kvsql_accumulator_new (const KvsqlAggregate *call);
void kvsql_accumulator_free (KvsqlAccumulator *self); /* accepts NULL */

/* Adds groups without values, up to number @n_groups - 1. Existing groups are kept. */
void kvsql_accumulator_reserve (KvsqlAccumulator *self, guint32 n_groups);

/**
 * kvsql_accumulator_add:
 * @batch: (nullable): has the columns of the call; may be NULL if that counts rows, as count(*)
 * @rows: (nullable) (array length=n): rows of @batch; NULL: the first @n
 * @groups: the group of each row, by row; all reserved before
 *
 * Fails if a sum is out of the range of its type.
 */
gboolean kvsql_accumulator_add (KvsqlAccumulator *self, const KvsqlBatch *batch,
                                const guint32 *rows, const guint32 *groups, guint n,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether values can be removed: the state without them is that of the others alone. */
gboolean kvsql_accumulator_can_remove (const KvsqlAccumulator *self);
/* Removes rows that were added, each once. The arguments are those of kvsql_accumulator_add(). */
gboolean kvsql_accumulator_remove (KvsqlAccumulator *self, const KvsqlBatch *batch,
                                   const guint32 *rows, const guint32 *groups, guint n,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Removes all values; the groups stay. */
void kvsql_accumulator_reset (KvsqlAccumulator *self);

/**
 * kvsql_accumulator_merge:
 * @from: of the same function and argument; can only be freed afterwards
 * @groups: for each group of @from, the group in @self; all reserved before
 *
 * Adds the values of @from. Fails if a sum is out of the range of its type.
 */
gboolean kvsql_accumulator_merge (KvsqlAccumulator *self, KvsqlAccumulator *from,
                                  const guint32 *groups, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The result of @group; bytes live in @arena. */
gboolean kvsql_accumulator_get (const KvsqlAccumulator *self, guint32 group, KvsqlArena *arena,
                                KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

gsize kvsql_accumulator_get_size (const KvsqlAccumulator *self); /* of its memory */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlAccumulator, kvsql_accumulator_free)

G_END_DECLS
