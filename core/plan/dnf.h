/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dnf.h: a predicate in disjunctive normal form.
 *
 * A disjunct is a conjunction: it gives each attribute a set of intervals. Each row that satisfies
 * the predicate satisfies one of the disjuncts. The converse holds only if the form is exact. The
 * number of disjuncts is bounded: the part of the predicate that would exceed it is checked on the
 * rows.
 */
#pragma once

#include "core/layout/cell.h"
#include "core/layout/ranges/constraint.h"
#include "core/plan/map-keys.h"
#include "core/plan/predicate.h"
#include "core/catalog/statistics.h"

G_BEGIN_DECLS

#define KVSQL_MAX_DISJUNCTS 128

typedef struct
{
  KvsqlConstraint *constraints; /* by attribute */
} KvsqlDisjunct;

typedef struct
{
  KvsqlDisjunct *disjuncts;
  guint n_disjuncts; /* 0: nothing satisfies the predicate */
  gboolean is_exact;
  const KvsqlStatistics *statistics; /* nullable: statistics of the relation, for estimates */
  const KvsqlMapKeys *map_keys;      /* nullable: all entries of maps are needed; by attribute */
} KvsqlDnf;

/* The constraints by the attributes of @cell, which has more attributes than the relation if the
 * schema has maps.
 * @n_attributes: of the relation
 * Returns: (transfer none): those of @self, or a copy in @arena */
KvsqlConstraint *kvsql_disjunct_get_constraints (const KvsqlDisjunct *self, guint n_attributes,
                                                 const KvsqlCellLayout *cell, KvsqlArena *arena);

void kvsql_dnf_from_predicate (const KvsqlPredicate *predicate, guint n_attributes,
                               KvsqlArena *arena, KvsqlDnf *out);

G_END_DECLS
