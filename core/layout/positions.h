/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * positions.h: a fragment without its empty steps, for the code of this folder.
 *
 * A position is a node that reads a symbol and lies on a way from the first node to
 * the last; it is followed by other positions, and by acceptance (number n). This is
 * what both the subset construction (dfa.c) and the products (proof.c) walk.
 */
#pragma once

#include "core/layout/nfa-private.h"

G_BEGIN_DECLS

/* A step to a position; parity is 1 if the value of the tracked attribute begins on the way. */
typedef struct
{
  guint32 target : 31;
  guint32 parity : 1;
} KvsqlStep;

typedef struct
{
  const NfaNode *node;
  guint32 node_index;
  guint32 n_steps;
  const KvsqlStep *steps;
} KvsqlPosition;

typedef struct
{
  guint32 n; /* positions; n itself is acceptance */
  KvsqlPosition *positions;
  guint32 n_first;
  const KvsqlStep *first; /* empty if the fragment accepts nothing */
  gboolean has_loops;     /* length-prefixed values that loop: accepts too much */
} KvsqlPositions;

/**
 * kvsql_positions_new:
 * @tracked: the attribute for KvsqlStep.parity, or %KVSQL_NFA_NO_MARK
 * @mode: what length-prefixed values are
 *
 * Returns: (nullable): %NULL and a %KVSQL_ERROR_LIMIT if the fragment is too complex
 */
KvsqlPositions *kvsql_positions_new (KvsqlArena *arena, const KvsqlNfa *nfa,
                                     KvsqlNfaFragment fragment, guint32 tracked, NfaMode mode,
                                     GError **error);

/* Can the two read the same symbol? */
gboolean kvsql_position_meets (const KvsqlPosition *a, const KvsqlPosition *b);

G_END_DECLS
