/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * witness.h: finds tuples that collide, by encoding them.
 *
 * The automata of a definition proof (proof.h) accept more bytes than a layout writes: for them,
 * four letters are an INT, and a hash is any bytes. So their examples are only the start of a
 * search. A witness is two tuples whose values are possible and whose encodings are the same bytes.
 *
 * The search is bounded and deterministic for a layout. It reads the example, variations of it, and
 * the encodings of random tuples, in all ways. If it finds nothing, that proves nothing.
 *
 * Pure functions; results live in @arena.
 */
#pragma once

#include "core/layout/cell.h"
#include "core/layout/automata/proof.h"

G_BEGIN_DECLS

typedef struct
{
  guint n_fields;
  KvsqlSlice fields[KVSQL_N_FIELDS]; /* the bytes of both tuples */
  const KvsqlValue *first;           /* by attribute of the relation of the cell */
  const KvsqlValue *second;
} KvsqlWitness;

/**
 * kvsql_witness_find_ambiguity:
 * @found: the result of kvsql_proof_ambiguity() for @field
 *
 * Returns: (nullable): tuples that differ in an attribute of the field but have the same bytes in
 * it
 */
KvsqlWitness *kvsql_witness_find_ambiguity (KvsqlArena *arena, const KvsqlCellLayout *cell,
                                            KvsqlField field, const KvsqlProofAmbiguity *found);

/**
 * kvsql_witness_find_shared:
 * @found: the result of kvsql_proof_intersection() for the cell keys of @a and @b
 *
 * Returns: (nullable): a tuple for each of the two, with the same TABLE, ROW, FAMILY and QUALIFIER
 */
KvsqlWitness *kvsql_witness_find_shared (KvsqlArena *arena, const KvsqlCellLayout *a,
                                         const KvsqlCellLayout *b, const KvsqlProofExample *found);

G_END_DECLS
