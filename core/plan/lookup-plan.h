/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lookup-plan.h: plans that read the tuples of one relation whose attributes have given values.
 *
 * A lookup join reads, for some rows of its outer side at a time, the tuples of the inner relation
 * that may be partners. The values become a predicate, from which the schema gives ranges as from
 * any other.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* The most distinct values that are looked up at once: of one attribute; of several, each of which
 * is a disjunct (KVSQL_MAX_DISJUNCTS). */
#define KVSQL_LOOKUP_VALUES 500
#define KVSQL_LOOKUP_TUPLES 100

static inline guint
kvsql_lookup_plan_get_most (guint n_attributes)
{
  return n_attributes == 1 ? KVSQL_LOOKUP_VALUES : KVSQL_LOOKUP_TUPLES;
}

/**
 * kvsql_lookup_plan_new:
 * @part: the plan of the relation without values
 * @attributes: (array length=n_attributes): that will have values
 * @using_schema: (nullable): the only schema that may be read
 *
 * Returns: (nullable): the plan for one value of each, with the best schema; %NULL if no schema has
 * ranges for them
 */
KvsqlSelectPlan *kvsql_lookup_plan_new (const KvsqlSelectPlan *part, const guint *attributes,
                                        guint n_attributes, const KvsqlSchema *using_schema,
                                        const KvsqlStoreCapabilities *capabilities,
                                        KvsqlArena *arena);

/* The plan for these values. @lookup: of kvsql_lookup_plan_new(). @values: n_tuples times
 * n_attributes, in any order, without NULL; they are sorted. All live in @arena. */
KvsqlSelectPlan *kvsql_lookup_plan_fill (const KvsqlSelectPlan *lookup, const guint *attributes,
                                         guint n_attributes, KvsqlValue *values, guint n_tuples,
                                         const KvsqlStoreCapabilities *capabilities,
                                         KvsqlArena *arena);

/* ---- narrower ranges */

/* Whether values of the attribute would give fewer ranges of the rows that the plan reads. Its path
 * can be replaced by another one of the same schema that reads in the same order. */
gboolean kvsql_lookup_plan_can_narrow (const KvsqlSelectPlan *plan, guint attribute,
                                       const KvsqlStoreCapabilities *capabilities,
                                       KvsqlArena *arena);

/**
 * kvsql_lookup_plan_narrow:
 * @values: (array length=n): in any order, without NULL; they are sorted
 * @is_range: the two values are the bounds of a range, and not all of its values
 *
 * Returns: (nullable): @plan with these values of the attribute alone; %NULL if that does not cost
 * less
 */
KvsqlSelectPlan *kvsql_lookup_plan_narrow (const KvsqlSelectPlan *plan, guint attribute,
                                           KvsqlValue *values, guint n, gboolean is_range,
                                           const KvsqlStoreCapabilities *capabilities,
                                           KvsqlArena *arena);

G_END_DECLS
