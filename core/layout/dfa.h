/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dfa.h: a compiled set of byte strings: where does a value end?
 *
 * A regular expression (or another fragment) becomes a table, one look-up a byte, in which a
 * state from which nothing can be accepted any more is never entered. Marks play no part.
 *
 * Immutable after it is made; any number of threads may use it at once, as long as its
 * arena lives. Nothing here allocates after compiling.
 */
#pragma once

#include "core/layout/nfa.h"

G_BEGIN_DECLS

#define KVSQL_DFA_MAX_STATES 4096
#define KVSQL_DFA_UNBOUNDED G_MAXSIZE

typedef struct _KvsqlDfa KvsqlDfa;

/**
 * kvsql_dfa_new_regexp:
 * @text: see regexp.h
 *
 * Returns: (nullable): %NULL and an error that quotes @text if it is no regular expression, matches
 *   nothing (%KVSQL_ERROR_DEFINITION), or needs too many states (%KVSQL_ERROR_LIMIT)
 */
KvsqlDfa *kvsql_dfa_new_regexp (KvsqlArena *arena, KvsqlSlice text, GError **error);

/**
 * kvsql_dfa_new:
 * @fragment: without kvsql_nfa_end_of_field(); of length-prefixed values those up to 255 bytes are
 * in
 * @description: for errors, as: layout "…"
 *
 * Returns: (nullable): as kvsql_dfa_new_regexp()
 */
KvsqlDfa *kvsql_dfa_new (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment fragment,
                         const gchar *description, GError **error);

/* Is all of @bytes accepted? */
gboolean kvsql_dfa_matches (const KvsqlDfa *self, KvsqlSlice bytes);

/* Can @bytes be the beginning of something that is accepted (or all of it)? */
gboolean kvsql_dfa_may_begin (const KvsqlDfa *self, KvsqlSlice bytes);

/* The lengths of what is accepted: G_MAXSIZE is unbounded. */
gsize kvsql_dfa_get_min_length (const KvsqlDfa *self);
gsize kvsql_dfa_get_max_length (const KvsqlDfa *self);

/* The longest bytes with which everything accepted begins: the fence of a scan. */
KvsqlSlice kvsql_dfa_get_constant_prefix (const KvsqlDfa *self);

/* The least byte in anything accepted; 255 if all of that is empty. */
guint8 kvsql_dfa_get_least_byte (const KvsqlDfa *self);

guint kvsql_dfa_get_n_states (const KvsqlDfa *self);

/**
 * KvsqlDfaScan:
 *
 * A walk over bytes that stops at each accepted beginning, the shortest first. It reads no byte
 * twice, so finding all ends takes one pass. Lives on the stack; borrows both arguments of start.
 */
typedef struct
{
  const KvsqlDfa *dfa;
  KvsqlSlice bytes;
  gsize at;
  guint state;
  gboolean is_started;
} KvsqlDfaScan;

void kvsql_dfa_scan_start (KvsqlDfaScan *scan, const KvsqlDfa *dfa, KvsqlSlice bytes);

/**
 * kvsql_dfa_scan_next:
 * @out_length: (out): of the next longer beginning of the bytes that is accepted; may be 0 the
 * first time
 *
 * Returns: %FALSE if there is none; then it stays so
 */
gboolean kvsql_dfa_scan_next (KvsqlDfaScan *scan, gsize *out_length);

G_END_DECLS
