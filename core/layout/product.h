/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * product.h: two automata that read the same bytes, for the code of this folder.
 */
#pragma once

#include "core/layout/positions.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_PRODUCT_ANY,       /* bytes that both accept */
  KVSQL_PRODUCT_IDENTICAL, /* the same, with both in the same position all the way */
  KVSQL_PRODUCT_MARKS,     /* and one byte has different marks */
  KVSQL_PRODUCT_PARITY, /* and all bytes have equal marks, but only one passes the tracked mark */
} KvsqlProductGoal;

/* How much a question may still cost; shared by the searches it takes. */
typedef struct
{
  gsize n_pairs;
  gsize n_steps;
} KvsqlProductBudget;

/* A way to acceptance: what both read, symbol by symbol; the last step is acceptance itself. */
typedef struct
{
  guint n;
  const KvsqlStep *first;
  const KvsqlStep *second;
} KvsqlProductPath;

/**
 * kvsql_product_search:
 * @b: the same pointer as @a, if an automaton is compared with itself
 * @out_path: (out) (nullable): a shortest way, or %NULL if there is none
 *
 * Returns: %FALSE and %KVSQL_ERROR_LIMIT if @budget is used up
 */
gboolean kvsql_product_search (KvsqlArena *arena, const KvsqlPositions *a, const KvsqlPositions *b,
                               KvsqlProductGoal goal, KvsqlProductBudget *budget,
                               KvsqlProductPath **out_path, GError **error);

G_END_DECLS
