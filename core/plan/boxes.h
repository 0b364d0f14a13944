/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * boxes.h: a predicate as a union of boxes.
 *
 * A box gives every attribute a set of intervals: a conjunct of the disjunctive normal form. Every
 * row that satisfies the predicate lies in one of the boxes; the converse holds only if they are
 * exact. Their number is bounded: what would exceed it stays a filter.
 */
#pragma once

#include "core/layout/constraint.h"
#include "core/plan/map-keys.h"
#include "core/plan/predicate.h"
#include "core/plan/statistics.h"

G_BEGIN_DECLS

#define KVSQL_MAX_BOXES 128

typedef struct
{
  KvsqlConstraint *constraints; /* by attribute */
} KvsqlBox;

typedef struct
{
  KvsqlBox *boxes;
  guint n_boxes; /* 0: nothing satisfies the predicate */
  gboolean is_exact;
  const KvsqlStatistics *statistics; /* nullable: of the relation, for estimates */
  const KvsqlMapKeys *map_keys;      /* nullable: all entries of maps are needed. By attribute */
} KvsqlBoxes;

void kvsql_boxes_from_predicate (const KvsqlPredicate *predicate, guint n_attributes,
                                 KvsqlArena *arena, KvsqlBoxes *out);

G_END_DECLS
