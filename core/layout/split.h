/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * split.h: constraints laid over a sequence, for the code of this folder.
 */
#pragma once

#include "core/layout/element.h"

G_BEGIN_DECLS

/* kvsql_sequence_constrain() without splitting. */
void kvsql_sequence_constrain_box (const KvsqlSequence *self, const KvsqlConstrainer *constrainer,
                                   KvsqlFollow follow, KvsqlPieces *out);

/* Ascending, disjoint, and none twice. */
void kvsql_pieces_sort (KvsqlPieces *self);

G_END_DECLS
