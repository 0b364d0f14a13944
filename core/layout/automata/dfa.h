/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dfa.h: a deterministic automaton, for the question where a value ends.
 *
 * A regular expression (or another fragment) is compiled to a table with one lookup for each byte.
 * A state from which no string can be accepted is never entered. Marks are ignored.
 *
 * An automaton is immutable. Any number of threads may use it at the same time, as long as its
 * arena lives. After compiling, no function allocates.
 */
#pragma once

#include "core/layout/automata/nfa.h"

G_BEGIN_DECLS

#define KVSQL_DFA_MAX_STATES 4096
#define KVSQL_DFA_UNBOUNDED G_MAXSIZE

typedef struct _KvsqlDfa KvsqlDfa;

/**
 * kvsql_dfa_new_regexp:
 * @text: see regexp.h
 *
 * Returns: (nullable): %NULL and an error that quotes @text if it is not a regular expression,
 *   matches nothing (%KVSQL_ERROR_DEFINITION), or needs too many states (%KVSQL_ERROR_LIMIT)
 */
KvsqlDfa *kvsql_dfa_new_regexp (KvsqlArena *arena, KvsqlSlice text, GError **error);

/**
 * kvsql_dfa_new:
 * @fragment: without kvsql_nfa_end_of_field(). Length-prefixed values have at most 255 bytes
 * @description: for errors, such as: layout "…"
 *
 * Returns: (nullable): as kvsql_dfa_new_regexp()
 */
KvsqlDfa *kvsql_dfa_new (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment fragment,
                         const gchar *description, GError **error);

/* Whether all of @bytes is accepted. */
gboolean kvsql_dfa_matches (const KvsqlDfa *self, KvsqlSlice bytes);

/* Whether @bytes are accepted or a prefix of accepted bytes. */
gboolean kvsql_dfa_may_begin (const KvsqlDfa *self, KvsqlSlice bytes);

/* The lengths of accepted strings; G_MAXSIZE: unbounded. */
gsize kvsql_dfa_get_min_length (const KvsqlDfa *self);
gsize kvsql_dfa_get_max_length (const KvsqlDfa *self);

/* The longest common prefix of all accepted strings, which bounds a scan. */
KvsqlSlice kvsql_dfa_get_constant_prefix (const KvsqlDfa *self);

/* The least byte in all accepted strings; 255 if they have no bytes. */
guint8 kvsql_dfa_get_least_byte (const KvsqlDfa *self);

/**
 * KvsqlDfaScan:
 *
 * A scan over bytes that stops at the end of each accepted prefix, the shortest first. It reads no
 * byte twice, so one pass finds all ends. Lives on the stack; borrows both arguments of
 * kvsql_dfa_scan_start().
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
 * @out_length: (out): length of the next longer accepted prefix; may be 0 for the first one
 *
 * Returns: %FALSE if there is none, now and in later calls
 */
gboolean kvsql_dfa_scan_next (KvsqlDfaScan *scan, gsize *out_length);

G_END_DECLS
