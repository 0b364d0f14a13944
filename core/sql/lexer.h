/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lexer.h: splits text into tokens, one at a time.
 *
 * A token has a kind and a span. Its value is read only when the parser needs it. Keywords are the
 * words of the grammar; only the reserved ones cannot be names. Text is UTF-8: the parser has
 * checked it before the first token.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/value.h"

G_BEGIN_DECLS

/* In alphabetical order, for binary search. The second argument: reserved, which can be a name in
 * back-quotes only. */
#define KVSQL_KEYWORDS(KEYWORD)                                                                    \
  KEYWORD (ADD, FALSE)                                                                             \
  KEYWORD (ALL, TRUE)                                                                              \
  KEYWORD (ALTER, FALSE)                                                                           \
  KEYWORD (ANALYZE, FALSE)                                                                         \
  KEYWORD (AND, TRUE)                                                                              \
  KEYWORD (ANY, FALSE)                                                                             \
  KEYWORD (ARRAY, FALSE)                                                                           \
  KEYWORD (AS, TRUE)                                                                               \
  KEYWORD (ASC, FALSE)                                                                             \
  KEYWORD (ATTRIBUTE, FALSE)                                                                       \
  KEYWORD (BACKFILL, FALSE)                                                                        \
  KEYWORD (BACKUP, FALSE)                                                                          \
  KEYWORD (BETWEEN, TRUE)                                                                          \
  KEYWORD (BOTH, TRUE)                                                                             \
  KEYWORD (BY, FALSE)                                                                              \
  KEYWORD (CALLS, FALSE)                                                                           \
  KEYWORD (CASCADE, FALSE)                                                                         \
  KEYWORD (CASE, TRUE)                                                                             \
  KEYWORD (CAST, FALSE)                                                                            \
  KEYWORD (CELLS, FALSE)                                                                           \
  KEYWORD (CHECK, FALSE)                                                                           \
  KEYWORD (COLUMN, FALSE)                                                                          \
  KEYWORD (COMMENT, FALSE)                                                                         \
  KEYWORD (CONCURRENTLY, FALSE)                                                                    \
  KEYWORD (CONFLICT, FALSE)                                                                        \
  KEYWORD (CONSTRAINT, FALSE)                                                                      \
  KEYWORD (CREATE, FALSE)                                                                          \
  KEYWORD (CROSS, FALSE)                                                                           \
  KEYWORD (CUBE, FALSE)                                                                            \
  KEYWORD (CURRENT, FALSE)                                                                         \
  KEYWORD (CURRENT_DATE, TRUE)                                                                     \
  KEYWORD (CURRENT_ROLE, TRUE)                                                                     \
  KEYWORD (CURRENT_TIMESTAMP, TRUE)                                                                \
  KEYWORD (CURRENT_USER, TRUE)                                                                     \
  KEYWORD (DAEMONS, FALSE)                                                                         \
  KEYWORD (DATE, FALSE)                                                                            \
  KEYWORD (DEFAULT, FALSE)                                                                         \
  KEYWORD (DEFINE, FALSE)                                                                          \
  KEYWORD (DELETE, FALSE)                                                                          \
  KEYWORD (DESC, FALSE)                                                                            \
  KEYWORD (DESCRIBE, FALSE)                                                                        \
  KEYWORD (DISTINCT, TRUE)                                                                         \
  KEYWORD (DO, FALSE)                                                                              \
  KEYWORD (DOT, FALSE)                                                                             \
  KEYWORD (DROP, FALSE)                                                                            \
  KEYWORD (ELSE, TRUE)                                                                             \
  KEYWORD (END, FALSE)                                                                             \
  KEYWORD (ESCAPE, FALSE)                                                                          \
  KEYWORD (EXCEPT, FALSE)                                                                          \
  KEYWORD (EXCLUDE, FALSE)                                                                         \
  KEYWORD (EXISTS, FALSE)                                                                          \
  KEYWORD (EXPLAIN, FALSE)                                                                         \
  KEYWORD (EXTRACT, FALSE)                                                                         \
  KEYWORD (FALSE, TRUE)                                                                            \
  KEYWORD (FAMILY, FALSE)                                                                          \
  KEYWORD (FILTER, FALSE)                                                                          \
  KEYWORD (FIRST, FALSE)                                                                           \
  KEYWORD (FOLLOWING, FALSE)                                                                       \
  KEYWORD (FOR, FALSE)                                                                             \
  KEYWORD (FOREIGN, FALSE)                                                                         \
  KEYWORD (FORMAT, FALSE)                                                                          \
  KEYWORD (FROM, TRUE)                                                                             \
  KEYWORD (FULL, FALSE)                                                                            \
  KEYWORD (GROUP, TRUE)                                                                            \
  KEYWORD (GROUPING, FALSE)                                                                        \
  KEYWORD (GROUPS, FALSE)                                                                          \
  KEYWORD (HAVING, TRUE)                                                                           \
  KEYWORD (HISTORY, FALSE)                                                                         \
  KEYWORD (IF, FALSE)                                                                              \
  KEYWORD (ILIKE, FALSE)                                                                           \
  KEYWORD (IN, TRUE)                                                                               \
  KEYWORD (INCLUDE, FALSE)                                                                         \
  KEYWORD (INDEX, FALSE)                                                                           \
  KEYWORD (INNER, FALSE)                                                                           \
  KEYWORD (INSERT, FALSE)                                                                          \
  KEYWORD (INTERSECT, FALSE)                                                                       \
  KEYWORD (INTO, FALSE)                                                                            \
  KEYWORD (IS, TRUE)                                                                               \
  KEYWORD (JOIN, FALSE)                                                                            \
  KEYWORD (JSON, FALSE)                                                                            \
  KEYWORD (KEY, FALSE)                                                                             \
  KEYWORD (KILL, FALSE)                                                                            \
  KEYWORD (LAST, FALSE)                                                                            \
  KEYWORD (LEADING, TRUE)                                                                          \
  KEYWORD (LEFT, FALSE)                                                                            \
  KEYWORD (LIKE, TRUE)                                                                             \
  KEYWORD (LIMIT, TRUE)                                                                            \
  KEYWORD (LIST, FALSE)                                                                            \
  KEYWORD (LOCALTIME, TRUE)                                                                        \
  KEYWORD (LOCALTIMESTAMP, TRUE)                                                                   \
  KEYWORD (MAP, FALSE)                                                                             \
  KEYWORD (MATERIALIZED, FALSE)                                                                    \
  KEYWORD (NATURAL, FALSE)                                                                         \
  KEYWORD (NO, FALSE)                                                                              \
  KEYWORD (NOT, TRUE)                                                                              \
  KEYWORD (NOTHING, FALSE)                                                                         \
  KEYWORD (NULL, TRUE)                                                                             \
  KEYWORD (NULLS, FALSE)                                                                           \
  KEYWORD (OFFSET, FALSE)                                                                          \
  KEYWORD (ON, FALSE)                                                                              \
  KEYWORD (OR, TRUE)                                                                               \
  KEYWORD (ORDER, TRUE)                                                                            \
  KEYWORD (OTHERS, FALSE)                                                                          \
  KEYWORD (OUTER, FALSE)                                                                           \
  KEYWORD (OVER, FALSE)                                                                            \
  KEYWORD (OVERLAY, FALSE)                                                                         \
  KEYWORD (PARTITION, FALSE)                                                                       \
  KEYWORD (PLACING, FALSE)                                                                         \
  KEYWORD (POSITION, FALSE)                                                                        \
  KEYWORD (PRECEDING, FALSE)                                                                       \
  KEYWORD (PRIMARY, FALSE)                                                                         \
  KEYWORD (QUALIFIER, FALSE)                                                                       \
  KEYWORD (RANGE, FALSE)                                                                           \
  KEYWORD (REFERENCES, FALSE)                                                                      \
  KEYWORD (RELATION, FALSE)                                                                        \
  KEYWORD (RELATIONS, FALSE)                                                                       \
  KEYWORD (RENAME, FALSE)                                                                          \
  KEYWORD (REPAIR, FALSE)                                                                          \
  KEYWORD (RESTORE, FALSE)                                                                         \
  KEYWORD (RESTRICT, FALSE)                                                                        \
  KEYWORD (RETURNING, FALSE)                                                                       \
  KEYWORD (RIGHT, FALSE)                                                                           \
  KEYWORD (RLIKE, TRUE)                                                                            \
  KEYWORD (ROLLUP, FALSE)                                                                          \
  KEYWORD (ROW, FALSE)                                                                             \
  KEYWORD (ROWS, FALSE)                                                                            \
  KEYWORD (SCHEMA, FALSE)                                                                          \
  KEYWORD (SCHEMAS, FALSE)                                                                         \
  KEYWORD (SELECT, TRUE)                                                                           \
  KEYWORD (SESSION, FALSE)                                                                         \
  KEYWORD (SESSIONS, FALSE)                                                                        \
  KEYWORD (SESSION_USER, TRUE)                                                                     \
  KEYWORD (SET, FALSE)                                                                             \
  KEYWORD (SETS, FALSE)                                                                            \
  KEYWORD (SHOW, FALSE)                                                                            \
  KEYWORD (SOME, FALSE)                                                                            \
  KEYWORD (STATEMENTS, FALSE)                                                                      \
  KEYWORD (STATUS, FALSE)                                                                          \
  KEYWORD (SUBSTRING, FALSE)                                                                       \
  KEYWORD (SYMMETRIC, FALSE)                                                                       \
  KEYWORD (TABLE, FALSE)                                                                           \
  KEYWORD (TABLES, FALSE)                                                                          \
  KEYWORD (TEXT, FALSE)                                                                            \
  KEYWORD (THEN, TRUE)                                                                             \
  KEYWORD (TIES, FALSE)                                                                            \
  KEYWORD (TIMESTAMP, FALSE)                                                                       \
  KEYWORD (TO, FALSE)                                                                              \
  KEYWORD (TRAILING, TRUE)                                                                         \
  KEYWORD (TRIM, FALSE)                                                                            \
  KEYWORD (TRUE, TRUE)                                                                             \
  KEYWORD (TRUNCATE, FALSE)                                                                        \
  KEYWORD (UNBOUNDED, FALSE)                                                                       \
  KEYWORD (UNION, FALSE)                                                                           \
  KEYWORD (UNIQUE, FALSE)                                                                          \
  KEYWORD (UNKNOWN, FALSE)                                                                         \
  KEYWORD (UPDATE, FALSE)                                                                          \
  KEYWORD (USING, FALSE)                                                                           \
  KEYWORD (VALUE, FALSE)                                                                           \
  KEYWORD (VALUES, FALSE)                                                                          \
  KEYWORD (VERIFIED, FALSE)                                                                        \
  KEYWORD (VERIFY, FALSE)                                                                          \
  KEYWORD (VERSION, FALSE)                                                                         \
  KEYWORD (WHEN, TRUE)                                                                             \
  KEYWORD (WHERE, TRUE)                                                                            \
  KEYWORD (WINDOW, FALSE)                                                                          \
  KEYWORD (WITH, FALSE)                                                                            \
  KEYWORD (WITHIN, FALSE)

typedef enum
{
#define KEYWORD(word, is_reserved) KVSQL_KEYWORD_##word,
  KVSQL_KEYWORDS (KEYWORD)
#undef KEYWORD
      KVSQL_N_KEYWORDS,
  KVSQL_KEYWORD_NONE = KVSQL_N_KEYWORDS,
} KvsqlKeyword;

typedef enum
{
  KVSQL_TOKEN_END,
  KVSQL_TOKEN_ERROR,       /* kvsql_lexer_next() has set its error */
  KVSQL_TOKEN_WORD,        /* a bare identifier or a keyword */
  KVSQL_TOKEN_QUOTED_NAME, /* in back-quotes; in double quotes, if they are not text */
  KVSQL_TOKEN_STRING,
  KVSQL_TOKEN_BYTES,
  KVSQL_TOKEN_INTEGER,   /* digits */
  KVSQL_TOKEN_DECIMAL,   /* with a point */
  KVSQL_TOKEN_REAL,      /* with an exponent */
  KVSQL_TOKEN_PARAMETER, /* $n */
  KVSQL_TOKEN_SYMBOL,    /* symbol */
} KvsqlTokenKind;

/* Symbols of one character are that character. */
typedef enum
{
  KVSQL_SYMBOL_NOT_EQUAL = 256, /* <> or != */
  KVSQL_SYMBOL_LESS_EQUAL,
  KVSQL_SYMBOL_GREATER_EQUAL,
  KVSQL_SYMBOL_CONCATENATE,        /* || */
  KVSQL_SYMBOL_EQUAL_EQUAL,        /* == is no operator; its error has a hint */
  KVSQL_SYMBOL_OVERLAPS,           /* && */
  KVSQL_SYMBOL_SHIFT_LEFT,         /* << */
  KVSQL_SYMBOL_SHIFT_RIGHT,        /* >> */
  KVSQL_SYMBOL_MATCH,              /* ~, also of bits */
  KVSQL_SYMBOL_MATCH_CASELESS,     /* ~* */
  KVSQL_SYMBOL_NOT_MATCH,          /* !~ */
  KVSQL_SYMBOL_NOT_MATCH_CASELESS, /* !~* */
  KVSQL_SYMBOL_LIKE,               /* ~~ */
  KVSQL_SYMBOL_LIKE_CASELESS,      /* ~~* */
  KVSQL_SYMBOL_NOT_LIKE,           /* !~~ */
  KVSQL_SYMBOL_NOT_LIKE_CASELESS,  /* !~~* */
  KVSQL_SYMBOL_JSON_GET,           /* -> */
  KVSQL_SYMBOL_JSON_GET_TEXT,      /* ->> */
  KVSQL_SYMBOL_JSON_PATH,          /* #> */
  KVSQL_SYMBOL_JSON_PATH_TEXT,     /* #>> */
  KVSQL_SYMBOL_JSON_REMOVE,        /* #- */
  KVSQL_SYMBOL_CONTAINS,           /* @> */
  KVSQL_SYMBOL_CONTAINED,          /* <@ */
  KVSQL_SYMBOL_HAS_ANY_KEY,        /* ?| */
  KVSQL_SYMBOL_HAS_ALL_KEYS,       /* ?& */
} KvsqlSymbol;

typedef struct
{
  KvsqlTokenKind kind;
  KvsqlKeyword keyword; /* of a WORD; else KVSQL_KEYWORD_NONE */
  gint symbol;          /* of a SYMBOL; else 0 */
  KvsqlSpan span;
} KvsqlToken;

/* Owns no memory: a copy can look ahead. */
typedef struct
{
  const guint8 *text;
  gsize size;
  gsize offset;                    /* the start of the next token */
  gboolean has_double_quoted_text; /* "x" is a STRING; else a QUOTED_NAME */
} KvsqlLexer;

/* The first keyword of a statement decides the meaning of double quotes in its other tokens: text
 * in definitions (DEFINE, ALTER, COMMENT) and in BACKUP, a name in all others. After EXPLAIN, the
 * keyword of the explained statement decides. */
void kvsql_lexer_begin_statement (KvsqlLexer *self, KvsqlKeyword first);

/* Returns a token of kind ERROR, and sets @error, for text that is not a token. */
KvsqlToken kvsql_lexer_next (KvsqlLexer *self, GError **error);

KvsqlSlice kvsql_lexer_get_text (const KvsqlLexer *self, KvsqlSpan span);

/* The contents of a STRING or QUOTED_NAME, without quotes, in @arena, with a NUL at the end. */
KvsqlSlice kvsql_lexer_get_string (const KvsqlLexer *self, const KvsqlToken *token,
                                   KvsqlArena *arena);
/* The bytes of x'…'. */
KvsqlSlice kvsql_lexer_get_bytes (const KvsqlLexer *self, const KvsqlToken *token,
                                  KvsqlArena *arena);
/* An INTEGER, DECIMAL or REAL as a BIGINT, DECIMAL or DOUBLE. */
gboolean kvsql_lexer_get_number (const KvsqlLexer *self, const KvsqlToken *token,
                                 gboolean is_negative, KvsqlArena *arena, KvsqlValue *out,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The n of $n. */
gboolean kvsql_lexer_get_parameter (const KvsqlLexer *self, const KvsqlToken *token, guint most,
                                    guint *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Skips blanks and comments. FALSE if a comment is not closed, with @offset at its start. */
gboolean kvsql_lexer_skip_blanks (const guint8 *text, gsize size, gsize *offset);
/* Moves @offset from an opening quote to the byte after the closing one. FALSE if there is none. */
gboolean kvsql_lexer_skip_quoted (const guint8 *text, gsize size, gsize *offset);

const gchar *kvsql_keyword_get_text (KvsqlKeyword keyword);
gboolean kvsql_keyword_is_reserved (KvsqlKeyword keyword);
KvsqlKeyword kvsql_keyword_find (const gchar *word, gsize size); /* without regard to case */

/* [A-Za-z_][A-Za-z0-9_]*, keyword or not. */
gboolean kvsql_lexer_is_plain_name (const gchar *text, gsize size);
/* Whether a name without quotes would be another one, or none: it is reserved, or not a plain name
 * in lower case. */
gboolean kvsql_lexer_needs_quotes (const gchar *text, gsize size);

G_END_DECLS
