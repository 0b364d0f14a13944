/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * nfa.h: builds automata over bytes from small fragments.
 *
 * A layout is a sequence of parts, and each part is a set of byte strings: a constant, four bytes,
 * any text up to a separator. A fragment of an automaton describes such a set. kvsql_nfa_mark()
 * says to which attribute its bytes belong. The questions about a complete fragment are in proof.h
 * and dfa.h.
 *
 * A fragment may be used once, as a part of one larger fragment. Questions about it are allowed
 * before and after that. Fragments of the same automaton may be compared, so two layouts that are
 * compared are built in one KvsqlNfa.
 *
 * Ownership: everything lives in the arena. Threads: one at a time. Errors: an automaton that is
 * too large stays in that state. Building continues without effect, and each question about it
 * fails with %KVSQL_ERROR_LIMIT.
 */
#pragma once

#include <glib.h>

#include "core/base/arena.h"
#include "core/base/slice.h"
#include "core/layout/automata/byte-set.h"

G_BEGIN_DECLS

#define KVSQL_NFA_MAX_NODES 65536
#define KVSQL_NFA_NO_MARK G_MAXUINT32
#define KVSQL_NFA_UNLIMITED (-1)

typedef struct _KvsqlNfa KvsqlNfa;

typedef struct _KvsqlNfaFragment
{
  guint32 start;
  guint32 end;
} KvsqlNfaFragment;

KvsqlNfa *kvsql_nfa_new (KvsqlArena *arena);

/* FALSE and the error that each question would give, if building has failed. */
gboolean kvsql_nfa_check (const KvsqlNfa *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Accepts exactly these bytes. Empty @bytes give the empty string. */
KvsqlNfaFragment kvsql_nfa_literal (KvsqlNfa *self, KvsqlSlice bytes);
/* Accepts one byte of @set. */
KvsqlNfaFragment kvsql_nfa_byte_set (KvsqlNfa *self, const KvsqlByteSet *set);
/* Accepts @n arbitrary bytes. */
KvsqlNfaFragment kvsql_nfa_any_bytes (KvsqlNfa *self, guint n);
/* Accepts any number of arbitrary bytes. */
KvsqlNfaFragment kvsql_nfa_any (KvsqlNfa *self);
/* Accepts valid UTF-8: no surrogates, no overlong forms, nothing above U+10FFFF. NUL is valid. */
KvsqlNfaFragment kvsql_nfa_utf8 (KvsqlNfa *self);

/**
 * kvsql_nfa_any_without:
 * @separator: at least one byte
 *
 * Accepts all strings v for which v·@separator contains @separator only at its end. That excludes
 * more strings than "v contains no separator": with "--", v = "a-" is excluded, since "a---" would
 * be cut too early. The separator is not part of the fragment.
 */
KvsqlNfaFragment kvsql_nfa_any_without (KvsqlNfa *self, KvsqlSlice separator);

/**
 * kvsql_nfa_length_prefixed:
 * @n_length_bytes: 1 to 8; the length is big-endian
 * @mark: the attribute of the bytes after the length, or %KVSQL_NFA_NO_MARK
 * @max_length: length of the longest value that is ever written; G_MAXUINT64 for no limit
 *
 * Accepts a length and then that many arbitrary bytes. This is exact for values of up to 255 bytes.
 * For longer values the automaton accepts too much; proof.h explains how its answers stay sound.
 */
KvsqlNfaFragment kvsql_nfa_length_prefixed (KvsqlNfa *self, guint n_length_bytes, guint32 mark,
                                            guint64 max_length);

/* The symbol between two fields (table, row, …). It differs from each byte. */
KvsqlNfaFragment kvsql_nfa_end_of_field (KvsqlNfa *self);

/**
 * kvsql_nfa_regexp:
 * @text: see regexp.h for the syntax
 *
 * Returns: %FALSE and an error if @text is not a regular expression or is too large.
 */
gboolean kvsql_nfa_regexp (KvsqlNfa *self, KvsqlSlice text, KvsqlNfaFragment *out_fragment,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

KvsqlNfaFragment kvsql_nfa_sequence (KvsqlNfa *self, KvsqlNfaFragment a, KvsqlNfaFragment b);
KvsqlNfaFragment kvsql_nfa_alternative (KvsqlNfa *self, KvsqlNfaFragment a, KvsqlNfaFragment b);
/* @maximum: or %KVSQL_NFA_UNLIMITED */
KvsqlNfaFragment kvsql_nfa_repeat (KvsqlNfa *self, KvsqlNfaFragment a, guint minimum, gint maximum);

/* Replaces each byte b of @a by 255 - b. Not for fragments with lengths: see
 * kvsql_nfa_length_prefixed(). */
KvsqlNfaFragment kvsql_nfa_complement (KvsqlNfa *self, KvsqlNfaFragment a);
/* Replaces each byte of @a by two digits, 0 to 9 and a to f. Not for fragments with lengths. */
KvsqlNfaFragment kvsql_nfa_hex (KvsqlNfa *self, KvsqlNfaFragment a);

/**
 * kvsql_nfa_mark:
 * @attribute: any number except %KVSQL_NFA_NO_MARK
 *
 * The bytes of @a are the value of @attribute. Marks do not nest, and no string may pass the same
 * mark twice: a question about such a fragment fails. Two alternatives may contain the same mark.
 */
KvsqlNfaFragment kvsql_nfa_mark (KvsqlNfa *self, KvsqlNfaFragment a, guint32 attribute);

G_END_DECLS
