/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * order.h: compares ORDER BY and LIMIT with the order in which an access path reads its rows.
 */
#pragma once

#include "core/plan/access-path.h"
#include "core/store/capabilities.h"

G_BEGIN_DECLS

#define KVSQL_NO_LIMIT G_MAXUINT64

#define KVSQL_NO_ATTRIBUTE G_MAXUINT

typedef struct
{
  guint column;    /* index in the outputs of the plan */
  guint attribute; /* if the column is an attribute of a tuple, else KVSQL_NO_ATTRIBUTE */
  gboolean is_descending;
  gboolean nulls_first; /* the default is is_descending: NULL counts as the greatest value */
} KvsqlSortKey;

/* How an access path has to be read to return tuples in an order. */
typedef struct
{
  gboolean is_reversed; /* from the last row to the first */
  gboolean has_split;   /* rows from @split on (the negative numbers) come before the others */
  KvsqlSlice split;
} KvsqlScanOrder;

/**
 * kvsql_access_path_gives_order:
 * @dnf: of the predicate: attributes with one fixed value need no order
 * @can_reverse: the store can scan backwards
 *
 * Whether the scan returns the tuples that satisfy the predicate in the order of @keys. All @keys
 * are attributes.
 */
gboolean kvsql_access_path_gives_order (const KvsqlAccessPath *path, const KvsqlDnf *dnf,
                                        const KvsqlSortKey *keys, guint n_keys,
                                        gboolean can_reverse, KvsqlArena *arena,
                                        KvsqlScanOrder *out);

/* Reads the rows from @order->split on first. */
void kvsql_access_path_split (KvsqlAccessPath *self, const KvsqlScanOrder *order,
                              KvsqlArena *arena);

/**
 * kvsql_access_path_apply_order:
 * @limit: the number of tuples that the statement needs; KVSQL_NO_LIMIT if it needs all
 *
 * Decides whether the scan returns the order or the tuples are sorted. Adjusts the estimated rows
 * and the cost: a scan that ends early reads less.
 */
void kvsql_access_path_apply_order (KvsqlAccessPath *self, const KvsqlDnf *dnf,
                                    const KvsqlSortKey *keys, guint n_keys, guint64 limit,
                                    const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena);

G_END_DECLS
