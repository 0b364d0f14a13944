/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * like.h: LIKE patterns: % matches any text, _ one character. The escape character makes the next
 * one literal.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

typedef struct
{
  guint8 *bytes; /* the pattern, unescaped */
  guint8 *kinds; /* for each byte: 0 (literal), '%' or '_' */
  gsize size;
  gsize prefix_size;  /* the number of leading literal bytes */
  gboolean is_prefix; /* the pattern is the prefix and one final %: a key range is exact */
  gboolean is_exact;  /* no wildcard */
  gboolean is_bytes;  /* _ matches one byte, not one UTF-8 character */
} KvsqlLike;

/* @escape: one byte, or -1 for none. Fails if the pattern ends with the escape character. */
KvsqlLike *kvsql_like_compile (KvsqlSlice pattern, gint escape, gboolean is_bytes,
                               KvsqlArena *arena, GError **error);
/* The pattern of ILIKE, which matches texts in lower case: text that is UTF-8. */
KvsqlLike *kvsql_like_compile_caseless (KvsqlSlice pattern, gint escape, KvsqlArena *arena,
                                        GError **error);
/* prefix% */
KvsqlLike *kvsql_like_new_prefix (KvsqlSlice prefix, gboolean is_bytes, KvsqlArena *arena);
/* Parses the text of ESCAPE: one byte, or none (-1). */
gboolean kvsql_like_escape (KvsqlSlice text, gint *out_escape,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Linear in practice: backtracks only to the last %. */
gboolean kvsql_like_matches (const KvsqlLike *self, KvsqlSlice text);

G_END_DECLS
