/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * proof.h: what can be said of a layout for all bytes at once.
 *
 * Three questions about fragments (nfa.h): can bytes be read in two ways that give some
 * attribute different values; can two layouts produce the same bytes; with which bytes does
 * everything begin. An answer "yes" comes with a shortest example.
 *
 * What counts as two ways: one byte that belongs to different attributes (or to one and to
 * none), or an attribute that has an empty value in one way and none at all in the other. As long
 * as the lengths of unmarked parts follow from the values (constants, lengths, hashes, salts:
 * all that layouts have), that is the same as "different values".
 *
 * Length-prefixed values. A first search lets a value of more than 15 bytes end anywhere. That
 * accepts too much, never too little: if it finds nothing, there is nothing. (Where two readings
 * read such a length at the same place it is the same length, and they leave the value together;
 * what differs then differs with a short value as well, so that way is not followed.) An
 * example that passes such a value is not trusted: two more searches count the bytes, up to 15 and
 * up to 255. With one length byte the answer is then exact. With more, an example that needs a
 * value of more than 255 bytes is not found; then the untrusted one is returned and marked as not
 * certain, and a caller that must be safe treats it as an example. An example is the shortest one,
 * unless values of more than 15 bytes are involved.
 *
 * The searches are bounded (%KVSQL_PROOF_MAX_PAIRS pairs of states and %KVSQL_PROOF_MAX_STEPS
 * steps each); if the first one is not enough, the answer is %KVSQL_ERROR_LIMIT.
 *
 * Pure functions; results lie in @arena.
 */
#pragma once

#include "core/layout/nfa.h"

G_BEGIN_DECLS

#define KVSQL_PROOF_MAX_PAIRS (2 * 1000 * 1000)
#define KVSQL_PROOF_MAX_STEPS (50 * 1000 * 1000)

/* Bytes that are accepted. With kvsql_nfa_end_of_field() they fall into fields: slices of bytes. */
typedef struct
{
  KvsqlSlice bytes;
  KvsqlSlice *fields; /* at least one */
  guint n_fields;
} KvsqlProofExample;

/* One reading's value of an attribute: a slice of the example's bytes. */
typedef struct
{
  gboolean is_present;
  KvsqlSlice bytes;
} KvsqlProofValue;

typedef struct
{
  KvsqlProofExample example;
  gboolean is_certain; /* FALSE: not excluded, and the example's lengths do not fit its values */
  guint n_attributes;  /* all marks of the fragment */
  guint32 *attributes; /* ascending */
  KvsqlProofValue *first;
  KvsqlProofValue *second;
} KvsqlProofAmbiguity;

/**
 * kvsql_proof_ambiguity:
 * @out_ambiguity: (out) (nullable): two readings of the same bytes, or %NULL if there are none
 *
 * Returns: %FALSE and an error if the question can't be answered: too complex, or
 * (%KVSQL_ERROR_INTERNAL) a mark that a string can pass twice
 */
gboolean kvsql_proof_ambiguity (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment fragment,
                                KvsqlProofAmbiguity **out_ambiguity,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_proof_intersection:
 * @out_example: (out) (nullable): bytes of both, or %NULL if there are none
 * @out_is_certain: (out) (optional): %FALSE if an example was found but not proved
 *
 * To compare addresses, build each as its fields in order with kvsql_nfa_end_of_field() between.
 */
gboolean kvsql_proof_intersection (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment a,
                                   KvsqlNfaFragment b, KvsqlProofExample **out_example,
                                   gboolean *out_is_certain,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The shortest bytes that are accepted; %NULL if there are none. */
gboolean kvsql_proof_shortest (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment fragment,
                               KvsqlProofExample **out_example,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The longest bytes with which everything accepted begins, within the first field. */
gboolean kvsql_proof_common_prefix (KvsqlArena *arena, const KvsqlNfa *nfa,
                                    KvsqlNfaFragment fragment, KvsqlSlice *out_prefix,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_proof_accepts:
 * @fields: (array length=n_fields): the bytes, field by field
 *
 * Whether @fragment accepts them; for tests that a decoder and its automaton agree. Long
 * length-prefixed values are accepted whatever their length says.
 */
gboolean kvsql_proof_accepts (const KvsqlNfa *nfa, KvsqlNfaFragment fragment,
                              const KvsqlSlice *fields, guint n_fields, gboolean *out_accepts,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
