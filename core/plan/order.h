/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * order.h: ORDER BY and LIMIT against the order in which a candidate's rows lie in the store.
 */
#pragma once

#include "core/plan/candidate.h"

G_BEGIN_DECLS

#define KVSQL_NO_LIMIT G_MAXUINT64

#define KVSQL_NO_ATTRIBUTE G_MAXUINT

typedef struct
{
  guint column;    /* of the plan's outputs */
  guint attribute; /* if the column is just one of a tuple, else KVSQL_NO_ATTRIBUTE */
  gboolean is_descending;
  gboolean nulls_first; /* as usual where it equals is_descending: NULL counts as the greatest */
} KvsqlSortKey;

/* How a candidate's rows have to be read to come in an order. */
typedef struct
{
  gboolean is_reversed; /* from the last row to the first */
  gboolean has_split;   /* rows from @split on belong before the others: negative numbers */
  KvsqlSlice split;
} KvsqlScanOrder;

/**
 * kvsql_candidate_gives_order:
 * @boxes: of the predicate: attributes that it fixes need no order
 * @can_reverse: the store scans backwards, too
 *
 * Whether the tuples of a scan that satisfy the predicate come in the order of @keys, which are
 * attributes.
 */
gboolean kvsql_candidate_gives_order (const KvsqlCandidate *candidate, const KvsqlBoxes *boxes,
                                      const KvsqlSortKey *keys, guint n_keys, gboolean can_reverse,
                                      KvsqlArena *arena, KvsqlScanOrder *out);

/**
 * kvsql_candidate_apply_order:
 * @limit: tuples after which the statement needs no more, KVSQL_NO_LIMIT if it needs all
 *
 * Decides whether the candidate's scan gives the order or its tuples are sorted, and what follows
 * for rows and cost: a scan that ends early reads less.
 */
void kvsql_candidate_apply_order (KvsqlCandidate *self, const KvsqlBoxes *boxes,
                                  const KvsqlSortKey *keys, guint n_keys, guint64 limit,
                                  const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena);

G_END_DECLS
