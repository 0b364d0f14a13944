/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * index.h: schemas that leave attributes out, as indexes of the primary.
 *
 * A schema that lacks what a query needs can still find the tuples; what it lacks is then fetched
 * from the primary by key, batch by batch (core/exec/fetch.h).
 */
#pragma once

#include "core/plan/candidate.h"

G_BEGIN_DECLS

/**
 * kvsql_candidate_make_index:
 * @primary: of the same relation
 *
 * For a @schema that does not hold all of @needed. If its tuples tell the primary's addresses, @out
 * is usable, with what is fetched and what is checked before; else it stays unusable.
 */
void kvsql_candidate_make_index (const KvsqlSchema *schema, const KvsqlSchema *primary,
                                 const KvsqlBoxes *boxes, const KvsqlPredicate *predicate,
                                 const KvsqlAttributeSet *needed,
                                 const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena,
                                 KvsqlCandidate *out);

/* A predicate that every tuple satisfies which satisfies @predicate, and that looks at no attribute
 * but @attributes; NULL if that leaves nothing to check. */
const KvsqlPredicate *kvsql_predicate_weaken (const KvsqlPredicate *predicate,
                                              const KvsqlAttributeSet *attributes,
                                              KvsqlArena *arena);

G_END_DECLS
