/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * regex.h: RLIKE: does a regular expression match somewhere in a text?
 *
 * Perl-compatible expressions, over characters for STRING and over bytes for BYTES. The work for
 * one text is bounded: what takes more steps is an error, never a hang.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

#define KVSQL_REGEX_MAX_SIZE 4096 /* bytes of a pattern */

/* Compiled patterns are kept for each thread; the last few, so that a pattern that is the same for
 * all rows is compiled once. */
gboolean kvsql_regex_matches (KvsqlSlice pattern, KvsqlSlice text, gboolean is_bytes,
                              gboolean *out_matches, GError **error);

/**
 * kvsql_regex_prefix:
 * @out_is_all: (out): the pattern says nothing but that prefix
 *
 * Returns: the literal bytes with which everything begins that @pattern matches; often empty.
 */
KvsqlSlice kvsql_regex_prefix (KvsqlSlice pattern, KvsqlArena *arena, gboolean *out_is_all);

G_END_DECLS
