/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * regex.h: RLIKE: whether a regular expression matches a part of a text.
 *
 * Perl-compatible expressions, over characters for STRING and over bytes for BYTES. The number of
 * steps for one text is limited: more steps are an error.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

#define KVSQL_REGEX_MAX_SIZE 4096 /* bytes of a pattern */

/* Each thread caches the last few compiled patterns, so that a pattern that is the same for all
 * rows is compiled once. */
gboolean kvsql_regex_matches (KvsqlSlice pattern, KvsqlSlice text, gboolean is_bytes,
                              gboolean *out_matches, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A part of a text: bytes @start to @end - 1. */
typedef struct
{
  gsize start; /* G_MAXSIZE: a group that is not part of the match */
  gsize end;
} KvsqlRegexSpan;

/* Whether searches in @text as bytes find the same as in text, and are faster. */
gboolean kvsql_regex_can_be_bytes (KvsqlSlice pattern, KvsqlSlice text);

/* Finds the first match that begins at byte @from or later. @is_bytes: FALSE: @text is UTF-8.
 * @out_spans: the match, then its groups, at most @max_spans. *out_n: their number; 0: there is no
 * match. */
gboolean kvsql_regex_find (KvsqlSlice pattern, KvsqlSlice text, gboolean is_bytes, gsize from,
                           KvsqlRegexSpan *out_spans, guint max_spans, guint *out_n,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_regex_prefix:
 * @out_is_all: (out): the pattern matches exactly the texts with that prefix
 *
 * Returns: a literal prefix of all texts that @pattern matches; often empty.
 */
KvsqlSlice kvsql_regex_prefix (KvsqlSlice pattern, KvsqlArena *arena, gboolean *out_is_all);

G_END_DECLS
