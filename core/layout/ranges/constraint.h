/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * constraint.h: the values of one attribute that a conjunction of predicates admits.
 *
 * A constraint is a set of disjoint ascending intervals of values of the attribute's type, and
 * whether NULL satisfies it. Layout elements turn constraints into byte ranges.
 */
#pragma once

#include "core/base/value.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlValue low, high;
  gboolean has_low, has_high;
  gboolean low_is_open, high_is_open; /* the bound itself is excluded */
} KvsqlInterval;

typedef struct
{
  gboolean is_constrained; /* FALSE: each value satisfies it, also NULL; the other members are
                              undefined */
  gboolean allows_null;
  KvsqlInterval *intervals;
  guint n_intervals;
  /* Each value that satisfies the predicates ends with these bytes (STRING and BYTES). This is not
   * a part of the set, so a predicate that gives an ending is not exact. */
  KvsqlSlice ending;
} KvsqlConstraint;

static inline gboolean
kvsql_interval_is_point (const KvsqlInterval *self)
{
  return self->has_low && self->has_high && !self->low_is_open && !self->high_is_open
         && kvsql_value_compare (&self->low, &self->high) == 0;
}

/* TRUE if the value is in one of the intervals, or if @self is unconstrained. */
gboolean kvsql_constraint_admits (const KvsqlConstraint *self, const KvsqlValue *value);

/* a := a AND b; intervals of the result live in @arena. */
void kvsql_constraint_intersect (KvsqlConstraint *a, const KvsqlConstraint *b, KvsqlArena *arena);

/* The intersection or union of @n constraints, in n log n. All are constrained, and n >= 1. */
KvsqlConstraint kvsql_constraint_intersect_all (const KvsqlConstraint *constraints, guint n,
                                                KvsqlArena *arena);
KvsqlConstraint kvsql_constraint_unite_all (const KvsqlConstraint *constraints, guint n,
                                            KvsqlArena *arena);

/* Whether each interval is one value. */
static inline gboolean
kvsql_constraint_is_points (const KvsqlConstraint *self)
{
  for (guint i = 0; i < self->n_intervals; i++)
    if (!kvsql_interval_is_point (&self->intervals[i]))
      return FALSE;
  return TRUE;
}

/* No value satisfies it. */
static inline gboolean
kvsql_constraint_is_empty (const KvsqlConstraint *self)
{
  return self->is_constrained && self->n_intervals == 0 && !self->allows_null;
}

G_END_DECLS
