/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * positions.h: a fragment without transitions that read nothing; private to this folder.
 *
 * A position is a node that reads a symbol and is on a path from the first node to the last. Its
 * transitions lead to other positions and to acceptance (number n). Both the subset construction
 * (dfa.c) and the product search (product.c) use positions.
 */
#pragma once

#include "core/layout/automata/nfa-private.h"

G_BEGIN_DECLS

/* A transition to a position. parity: 1 if the value of the tracked attribute begins on the way. */
typedef struct
{
  guint32 target : 31;
  guint32 parity : 1;
} KvsqlTransition;

typedef struct
{
  const NfaNode *node;
  guint32 node_index;
  guint32 n_transitions;
  const KvsqlTransition *transitions;
} KvsqlPosition;

typedef struct
{
  guint32 n; /* the number of positions; n itself is acceptance */
  KvsqlPosition *positions;
  guint32 n_first;
  const KvsqlTransition *first; /* empty if the fragment accepts nothing */
  gboolean has_loops; /* it has length-prefixed values with a loop, so it accepts too much */
} KvsqlPositions;

/**
 * kvsql_positions_new:
 * @tracked: the attribute for KvsqlTransition.parity, or %KVSQL_NFA_NO_MARK
 * @mode: how length-prefixed values are represented
 *
 * Returns: (nullable): %NULL and a %KVSQL_ERROR_LIMIT if the fragment is too complex
 */
KvsqlPositions *kvsql_positions_new (KvsqlArena *arena, const KvsqlNfa *nfa,
                                     KvsqlNfaFragment fragment, guint32 tracked, NfaMode mode,
                                     GError **error);

/* Whether both can read the same symbol. */
gboolean kvsql_position_meets (const KvsqlPosition *a, const KvsqlPosition *b);

G_END_DECLS
