/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * regexp.h: the regular expressions of layouts, as trees.
 *
 * An expression describes a whole value, byte by byte. It is a regular expression in the strict
 * sense, so that a layout can be proved to be recoverable. The syntax is:
 *
 *   x            the character; a character beyond ASCII means its UTF-8 bytes
 *   .            any byte (also a newline)
 *   [a-z0-9_]    one byte of these; [^…] one byte of the others; ASCII only
 *   \d \w \s     [0-9], [A-Za-z0-9_], space and \t \n \v \f \r; \D \W \S the others
 *   \t \n \r \f  control characters; \xHH the byte; \ and punctuation is that character
 *   * + ? {m} {m,} {m,n}   with m <= n <= 1000
 *   | () (?:)    alternatives; groups, which capture nothing
 *   ^ $          at the ends of the expression or of an outermost alternative; without effect
 *
 * All other syntax (back-references, look-around, lazy and possessive quantifiers, flags, POSIX
 * classes) is rejected with its name and offset. It never gets another meaning.
 */
#pragma once

#include "core/base/arena.h"
#include "core/base/slice.h"
#include "core/layout/automata/byte-set.h"

G_BEGIN_DECLS

#define KVSQL_REGEXP_MAX_TEXT 4096
#define KVSQL_REGEXP_MAX_STATES 4096
#define KVSQL_REGEXP_MAX_REPEAT 1000
#define KVSQL_REGEXP_MAX_DEPTH 50
#define KVSQL_REGEXP_UNLIMITED (-1)

typedef enum
{
  KVSQL_REGEXP_SET,         /* one byte of the set */
  KVSQL_REGEXP_SEQUENCE,    /* children in order; none is the empty string */
  KVSQL_REGEXP_ALTERNATIVE, /* at least one child */
  KVSQL_REGEXP_REPEAT,      /* one child */
} KvsqlRegexpKind;

typedef struct _KvsqlRegexp KvsqlRegexp;
struct _KvsqlRegexp
{
  KvsqlRegexpKind kind;
  KvsqlByteSet set;
  guint minimum;
  gint maximum;       /* or KVSQL_REGEXP_UNLIMITED */
  KvsqlRegexp *first; /* child */
  KvsqlRegexp *next;  /* sibling */
  guint n_states;     /* approximate number of states of its automaton */
};

/**
 * kvsql_regexp_parse:
 * @arena: owns the tree
 * @text: need not be UTF-8
 *
 * Returns: (nullable): the tree, or %NULL and a %KVSQL_ERROR_DEFINITION that quotes @text and names
 * the offset (%KVSQL_ERROR_LIMIT if it is too large)
 */
KvsqlRegexp *kvsql_regexp_parse (KvsqlArena *arena, KvsqlSlice text, GError **error);

G_END_DECLS
