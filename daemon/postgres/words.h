/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * words.h: reads a statement of the session word by word.
 */
#pragma once

#include "core/sql/lexer.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlLexer lexer;
  KvsqlToken token; /* the next one */
  KvsqlArena *arena;
} KvsqldPgWords;

void kvsqld_pg_words_begin (KvsqldPgWords *self, KvsqlSlice sql, KvsqlArena *arena);
void kvsqld_pg_words_advance (KvsqldPgWords *self);

/* Whether the next token is this word, in any case. @word: in capitals */
gboolean kvsqld_pg_words_at (const KvsqldPgWords *self, const gchar *word);
gboolean kvsqld_pg_words_accept (KvsqldPgWords *self, const gchar *word);
gboolean kvsqld_pg_words_accept_symbol (KvsqldPgWords *self, gint symbol);
gboolean kvsqld_pg_words_at_end (const KvsqldPgWords *self);

/* A name: a word in lower case, or what is in quotes. NULL if there is none. */
const gchar *kvsqld_pg_words_take_name (KvsqldPgWords *self);
/* Text, a word or a number. NULL if there is none. */
const gchar *kvsqld_pg_words_take_value (KvsqldPgWords *self);

/* Sets the error of a token that cannot be there. Returns FALSE. */
gboolean kvsqld_pg_words_fail (const KvsqldPgWords *self, GError **error);
/* Whether the statement ends here; else the error is set. */
gboolean kvsqld_pg_words_end (const KvsqldPgWords *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
