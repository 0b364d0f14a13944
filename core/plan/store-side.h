/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * store-side.h: what the store is asked to leave out of a scan, beside rows and columns.
 *
 * All of it only saves work: whatever comes back is checked as if it had not been asked for, and
 * the answer is the same without it.
 */
#pragma once

#include "core/plan/candidate.h"

G_BEGIN_DECLS

/* Sets what @self asks of the store, from what the boxes say of what its ranges leave open. */
void kvsql_candidate_narrow (KvsqlCandidate *self, const KvsqlBoxes *boxes,
                             const KvsqlAttributeSet *needed,
                             const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena);

/* The same for tuples of which a cell of @timestamp or older has to be there. */
void kvsql_candidate_narrow_until (KvsqlCandidate *self, gint64 timestamp,
                                   const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena);

G_END_DECLS
