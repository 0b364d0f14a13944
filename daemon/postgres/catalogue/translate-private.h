/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * translate-private.h: shared by the files of the translation. Functions that return gboolean set
 * self->error when they return FALSE.
 */
#pragma once

#include <string.h>

#include "daemon/postgres/catalogue/facts.h"
#include "daemon/postgres/catalogue/tokens.h"
#include "daemon/postgres/catalogue/translate.h"

G_BEGIN_DECLS

/* Of a part of an expression, and of all that is written for a query. */
#define KVSQLD_PG_MAX_WRITTEN (512 * 1024)
#define KVSQLD_PG_MAX_ARENA (32 * 1024 * 1024)
#define KVSQLD_PG_MAX_DEPTH 100

typedef struct
{
  const gchar *sql;     /* a primary expression of SQLite, or in parentheses */
  guint32 type;         /* KVSQLD_PGT_UNKNOWN: that of its place */
  const gchar *name;    /* nullable: that of an output */
  gboolean is_named;    /* as strongly as by a column or a function */
  const gchar *literal; /* nullable: the text of a literal of unknown type */
  guint parameter;      /* its number, if the type is unknown; else 0 */
  const gchar *chain;   /* nullable: the operator whose operands .sql has in its parentheses */
  KvsqlSpan span;
} KvsqldPgExpression;

/* A column that a query can name. */
typedef struct
{
  const gchar *name;
  const gchar *sql;
  guint32 type;
  gboolean is_merged; /* by USING, into a column to its left */
  gboolean is_hidden; /* no part of * */
} KvsqldPgScopeColumn;

/* A relation of FROM. */
typedef struct
{
  const gchar *alias;
  const gchar *schema; /* nullable */
  GArray *columns;     /* KvsqldPgScopeColumn */
} KvsqldPgScopeItem;

typedef struct _KvsqldPgScope
{
  GPtrArray *items; /* KvsqldPgScopeItem */
  struct _KvsqldPgScope *outer;
  GString *from;         /* without FROM */
  GString *conditions;   /* that belong to FROM */
  const gchar *lockstep; /* nullable: the first function of the outputs that returns rows */
} KvsqldPgScope;

/* A query of WITH. */
typedef struct _KvsqldPgCommon
{
  const gchar *name;
  const gchar *written;
  KvsqldPgCatalogueColumn *columns;
  guint n_columns;
  struct _KvsqldPgCommon *next;
} KvsqldPgCommon;

typedef struct
{
  KvsqlArena *arena;
  const KvsqldPgToken *tokens;
  guint n_tokens;
  guint at;
  guint depth;
  guint n_names; /* that were made up */
  KvsqldPgScope *scope;
  KvsqldPgCommon *commons;
  GPtrArray *scopes;     /* all, to be freed */
  GArray *parameters;    /* guint32 */
  GPtrArray *tables;     /* of utf8, static */
  gboolean returns_rows; /* in the outputs of a query, where functions may return rows */
  GError *error;
} KvsqldPgTranslator;

/* ---- translate.c: tokens */

static inline const KvsqldPgToken *
kvsqld_pg_next (const KvsqldPgTranslator *self, guint ahead)
{
  guint at = self->at + ahead;

  return &self->tokens[at < self->n_tokens ? at : self->n_tokens - 1];
}

static inline gboolean
kvsqld_pg_at_word (const KvsqldPgTranslator *self, const gchar *word)
{
  return kvsqld_pg_token_is_word (kvsqld_pg_next (self, 0), word);
}

static inline gboolean
kvsqld_pg_at_symbol (const KvsqldPgTranslator *self, const gchar *symbol)
{
  return kvsqld_pg_token_is_symbol (kvsqld_pg_next (self, 0), symbol);
}

gboolean kvsqld_pg_accept_word (KvsqldPgTranslator *self, const gchar *word);
gboolean kvsqld_pg_accept_symbol (KvsqldPgTranslator *self, const gchar *symbol);
gboolean kvsqld_pg_expect_word (KvsqldPgTranslator *self, const gchar *word);
gboolean kvsqld_pg_expect_symbol (KvsqldPgTranslator *self, const gchar *symbol);
/* The error of the next token, that it cannot be there. */
gboolean kvsqld_pg_fail_syntax (KvsqldPgTranslator *self);
/* KVSQL_ERROR_UNSUPPORTED */
gboolean kvsqld_pg_fail_unsupported (KvsqldPgTranslator *self, KvsqlSpan span, const gchar *what);
/* FALSE if the query is nested too deeply, or too much was written. */
gboolean kvsqld_pg_enter (KvsqldPgTranslator *self);
void kvsqld_pg_leave (KvsqldPgTranslator *self);
/* In the arena; "" with an error for what is too long. */
const gchar *kvsqld_pg_write (KvsqldPgTranslator *self, const gchar *format, ...)
    G_GNUC_PRINTF (2, 3);
const gchar *kvsqld_pg_write_quoted (KvsqldPgTranslator *self, gchar quote, const gchar *text);
/* A name that no other part of the query has. */
const gchar *kvsqld_pg_make_name (KvsqldPgTranslator *self);
/* Notes that the query reads a relation. */
void kvsqld_pg_use_table (KvsqldPgTranslator *self, const gchar *name);
/* Whether the word ends an expression, so that it is no name of an output. */
gboolean kvsqld_pg_is_reserved (const KvsqldPgToken *token);

/* ---- translate-query.c */

/* SELECT, VALUES or WITH, with what follows it. */
gboolean kvsqld_pg_read_query (KvsqldPgTranslator *self, const gchar **out_sql,
                               GArray **out_columns);

/* ---- translate-from.c */

KvsqldPgScope *kvsqld_pg_push_scope (KvsqldPgTranslator *self);
void kvsqld_pg_pop_scope (KvsqldPgTranslator *self);
/* What follows FROM, into self->scope. */
gboolean kvsqld_pg_read_from (KvsqldPgTranslator *self);
/* @qualifier: nullable; with the schema before it in @schema, nullable */
gboolean kvsqld_pg_find_column (KvsqldPgTranslator *self, const gchar *schema,
                                const gchar *qualifier, const gchar *name, KvsqlSpan span,
                                KvsqldPgExpression *out);
/* NULL without an error if there is none. */
const KvsqldPgScopeColumn *kvsqld_pg_lookup_column (const KvsqldPgScope *scope,
                                                    const gchar *qualifier, const gchar *name,
                                                    guint *out_n);

/* ---- translate-expression.c */

gboolean kvsqld_pg_read_expression (KvsqldPgTranslator *self, KvsqldPgExpression *out);
/* Expressions separated by commas, up to @end, a symbol that is read, too. */
gboolean kvsqld_pg_read_list (KvsqldPgTranslator *self, const gchar *end, GArray *out);
/* One that is true or false. */
gboolean kvsqld_pg_read_condition (KvsqldPgTranslator *self, KvsqldPgExpression *out);
/* [ASC | DESC] [NULLS …] of what is sorted by: appends it. */
gboolean kvsqld_pg_read_direction (KvsqldPgTranslator *self, GString *out);
/* ORDER BY expressions of a window or an aggregate. @keys: (nullable): the keys alone */
gboolean kvsqld_pg_read_order (KvsqldPgTranslator *self, GString *out, GArray *keys,
                               GString *directions);

/* ---- translate-call.c */

/* A call: the next token is the parenthesis after the name. */
gboolean kvsqld_pg_read_call (KvsqldPgTranslator *self, const gchar *name, KvsqlSpan span,
                              KvsqldPgExpression *out);
/* Names that are called without parentheses. FALSE without an error if @name is none. */
gboolean kvsqld_pg_find_bare_call (KvsqldPgTranslator *self, const gchar *name,
                                   KvsqldPgExpression *out);
/* A function in FROM: adds it to the scope, with its columns. */
gboolean kvsqld_pg_read_call_in_from (KvsqldPgTranslator *self, const gchar *name, KvsqlSpan span,
                                      KvsqldPgScopeItem *item);

/* ---- translate-cast.c */

/* The name of a type after :: or in CAST. */
gboolean kvsqld_pg_read_type (KvsqldPgTranslator *self, guint32 *out, const gchar **out_name);
gboolean kvsqld_pg_cast (KvsqldPgTranslator *self, KvsqldPgExpression *inout, guint32 type);
/* Gives an expression of unknown type that type, if it can be read so. */
gboolean kvsqld_pg_coerce (KvsqldPgTranslator *self, KvsqldPgExpression *inout, guint32 type);
/* Both get a type: if one is unknown, that of the other. */
gboolean kvsqld_pg_unify (KvsqldPgTranslator *self, KvsqldPgExpression *a, KvsqldPgExpression *b);
/* As PostgreSQL decides in the end about what is still unknown: text. */
gboolean kvsqld_pg_settle (KvsqldPgTranslator *self, KvsqldPgExpression *inout);
/* As it is sent: the name of the object of a regclass and the like. */
gboolean kvsqld_pg_write_output (KvsqldPgTranslator *self, KvsqldPgExpression *inout);
/* A pattern of SQL with $1, $2 for the arguments, and {relation} for relations, which are used. */
const gchar *kvsqld_pg_fill_pattern (KvsqldPgTranslator *self, const gchar *pattern,
                                     const KvsqldPgExpression *arguments, guint n);

/* ---- translate-function.c */

typedef struct
{
  const gchar *name;
  guint n_arguments;
  guint32 type;         /* 0: that of the first argument */
  const gchar *pattern; /* for kvsqld_pg_fill_pattern() */
} KvsqldPgFunctionPattern;

/* NULL: there is none. @out_exists: with another number of arguments */
const KvsqldPgFunctionPattern *kvsqld_pg_find_pattern (const gchar *name, guint n_arguments,
                                                       gboolean *out_exists);

G_END_DECLS
