/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * product.h: searches for bytes that two automata accept; private to this folder.
 */
#pragma once

#include "core/layout/automata/positions.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_PRODUCT_ANY,       /* bytes that both accept */
  KVSQL_PRODUCT_IDENTICAL, /* the same, and both automata are in the same position at each byte */
  KVSQL_PRODUCT_MARKS,     /* bytes that both accept, with different marks on some byte */
  KVSQL_PRODUCT_PARITY, /* bytes that both accept with equal marks on all bytes, but only one passes
                           the tracked mark */
} KvsqlProductGoal;

/* The remaining cost of a question; the searches of one question share it. */
typedef struct
{
  gsize n_pairs;
  gsize n_steps;
} KvsqlProductBudget;

/* A path to acceptance: the transitions of both automata, one for each symbol. The last one leads
 * to acceptance. */
typedef struct
{
  guint n;
  const KvsqlTransition *first;
  const KvsqlTransition *second;
} KvsqlProductPath;

/**
 * kvsql_product_search:
 * @b: the same pointer as @a if an automaton is compared with itself
 * @out_path: (out) (nullable): a shortest path, or %NULL if there is none
 *
 * Returns: %FALSE and %KVSQL_ERROR_LIMIT if @budget is used up
 */
gboolean kvsql_product_search (KvsqlArena *arena, const KvsqlPositions *a, const KvsqlPositions *b,
                               KvsqlProductGoal goal, KvsqlProductBudget *budget,
                               KvsqlProductPath **out_path,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
