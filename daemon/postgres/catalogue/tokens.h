/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tokens.h: the words of a statement in PostgreSQL's dialect.
 *
 * The lexer of core/sql reads the engine's language, which has neither PostgreSQL's operators nor
 * E'' strings.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLD_PG_TOKEN_END,
  KVSQLD_PG_TOKEN_WORD,   /* .text is in lower case */
  KVSQLD_PG_TOKEN_QUOTED, /* a name in double quotes */
  KVSQLD_PG_TOKEN_STRING, /* .text is its value */
  KVSQLD_PG_TOKEN_NUMBER,
  KVSQLD_PG_TOKEN_PARAMETER, /* .number */
  KVSQLD_PG_TOKEN_SYMBOL,    /* an operator, or one of ( ) [ ] , ; . : :: */
} KvsqldPgTokenKind;

typedef struct
{
  KvsqldPgTokenKind kind;
  KvsqlSpan span;
  const gchar *text; /* in the arena */
  guint number;
} KvsqldPgToken;

/* The tokens of a text, with one of kind END at last. @sql: UTF-8; it may have NUL bytes nowhere.
 * @is_beginning: of a longer text the first tokens, without an error. (transfer none): in @arena.
 * NULL with %KVSQL_ERROR_SYNTAX or %KVSQL_ERROR_LIMIT. */
const KvsqldPgToken *kvsqld_pg_tokens_read (KvsqlSlice sql, gboolean is_beginning,
                                            KvsqlArena *arena, guint *out_n, GError **error);

static inline gboolean
kvsqld_pg_token_is_name (const KvsqldPgToken *self)
{
  return self->kind == KVSQLD_PG_TOKEN_WORD || self->kind == KVSQLD_PG_TOKEN_QUOTED;
}

gboolean kvsqld_pg_token_is_word (const KvsqldPgToken *self, const gchar *word);
gboolean kvsqld_pg_token_is_symbol (const KvsqldPgToken *self, const gchar *symbol);

G_END_DECLS
