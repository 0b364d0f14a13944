/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * proof.h: properties of a layout for all possible bytes.
 *
 * There are three questions about fragments (nfa.h). Can the same bytes be read in two ways that
 * give an attribute different values? Can two layouts produce the same bytes? Which prefix do all
 * strings have? A positive answer comes with a shortest example.
 *
 * Two readings are different if one byte belongs to different attributes (or to an attribute in
 * only one of them), or if an attribute has an empty value in one reading and is absent in the
 * other. In layouts, the lengths of unmarked parts follow from the values (constants, lengths,
 * hashes, salts). Under this condition, different readings are readings with different values.
 *
 * Length-prefixed values. A first search lets a value of more than 15 bytes end anywhere. That
 * accepts too much, never too little: if the search finds nothing, there is nothing. (If two
 * readings read such a length at the same place, it is the same length, and both leave the value
 * together. A difference after it also occurs with a short value, so the search does not follow
 * that path.) An example that passes such a value is not reliable. Two more searches count the
 * bytes, up to 15 and up to 255. With one length byte the answer is then exact. With more length
 * bytes, an example that needs a value of more than 255 bytes is not found. Then the unreliable
 * example is returned and marked as not certain; a caller that must be safe treats it as an
 * example. An example is the shortest one, unless values of more than 15 bytes are involved.
 *
 * The searches are bounded (%KVSQL_PROOF_MAX_PAIRS pairs of states and %KVSQL_PROOF_MAX_STEPS steps
 * each). If the first search is not sufficient, the answer is %KVSQL_ERROR_LIMIT.
 *
 * Pure functions; results live in @arena.
 */
#pragma once

#include "core/layout/automata/nfa.h"

G_BEGIN_DECLS

#define KVSQL_PROOF_MAX_PAIRS (2 * 1000 * 1000)
#define KVSQL_PROOF_MAX_STEPS (50 * 1000 * 1000)

/* Accepted bytes. kvsql_nfa_end_of_field() separates them into fields: slices of bytes. */
typedef struct
{
  KvsqlSlice bytes;
  KvsqlSlice *fields; /* at least one */
  guint n_fields;
  const KvsqlByteSet *choices; /* by byte: the bytes possible here if the others are unchanged */
} KvsqlProofExample;

/* The value of an attribute in one reading: a slice of the bytes of the example. */
typedef struct
{
  gboolean is_present;
  KvsqlSlice bytes;
} KvsqlProofValue;

typedef struct
{
  KvsqlProofExample example;
  gboolean is_certain; /* FALSE: an ambiguity is possible, but the lengths in the example do not
                          match its values */
  guint n_attributes;  /* the number of marks in the fragment */
  guint32 *attributes; /* ascending */
  KvsqlProofValue *first;
  KvsqlProofValue *second;
} KvsqlProofAmbiguity;

/**
 * kvsql_proof_ambiguity:
 * @out_ambiguity: (out) (nullable): two readings of the same bytes, or %NULL if there are none
 *
 * Returns: %FALSE and an error if the question cannot be answered: too complex, or
 * (%KVSQL_ERROR_INTERNAL) a mark that a string can pass twice
 */
gboolean kvsql_proof_ambiguity (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment fragment,
                                KvsqlProofAmbiguity **out_ambiguity,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_proof_intersection:
 * @out_example: (out) (nullable): bytes that both accept, or %NULL if there are none
 * @out_is_certain: (out) (optional): %FALSE if an example was found but is not certain
 *
 * To compare cell keys, build each from its fields in order with kvsql_nfa_end_of_field() between
 * them.
 */
gboolean kvsql_proof_intersection (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment a,
                                   KvsqlNfaFragment b, KvsqlProofExample **out_example,
                                   gboolean *out_is_certain,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The shortest accepted bytes; %NULL if there are none. */
gboolean kvsql_proof_shortest (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment fragment,
                               KvsqlProofExample **out_example,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The longest common prefix of all accepted strings, within the first field. */
gboolean kvsql_proof_common_prefix (KvsqlArena *arena, const KvsqlNfa *nfa,
                                    KvsqlNfaFragment fragment, KvsqlSlice *out_prefix,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_proof_accepts:
 * @fields: (array length=n_fields): the bytes of each field
 *
 * Whether @fragment accepts the bytes. For tests that compare a decoder with its automaton. A long
 * length-prefixed value is accepted with any length in its prefix.
 */
gboolean kvsql_proof_accepts (const KvsqlNfa *nfa, KvsqlNfaFragment fragment,
                              const KvsqlSlice *fields, guint n_fields, gboolean *out_accepts,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
