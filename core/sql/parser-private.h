/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-private.h: the state of a parse, shared by the parser-*.c files.
 *
 * The parser has one token of look-ahead. A token that the lexer could not read has kind ERROR and
 * matches nothing. Its error is kept in @lexer_error until the parser reaches the token and calls
 * kvsql_parser_fail_unexpected(). Functions that parse return NULL or FALSE with @error set.
 */
#pragma once

#include "core/sql/lexer.h"
#include "core/sql/parser-precedence.h"
#include "core/sql/parser.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_PARAMETER_NONE,       /* no parameter yet */
  KVSQL_PARAMETER_POSITIONAL, /* ? */
  KVSQL_PARAMETER_NAMED,      /* :name */
  KVSQL_PARAMETER_NUMBERED,   /* $n */
} KvsqlParameterForm;

typedef struct _KvsqlWithQuery KvsqlWithQuery; /* parser-with.c */

typedef struct
{
  KvsqlLexer lexer;
  KvsqlArena *arena;
  KvsqlToken token;
  gint32 previous_end; /* of the last consumed token */
  GError *lexer_error;
  guint depth;
  guint tallest;       /* the highest expression since the last subquery began */
  KvsqlAstExpr **open; /* calls whose window is not resolved yet (parser-window.c) */
  guint n_open;
  gboolean has_over; /* some call since the SELECT began is followed by OVER */

  const KvsqlWithQuery *with; /* nullable: the last query of WITH that FROM can name */
  gsize n_with_bytes;         /* of the queries of WITH that were used, with all that they use */

  /* what may follow the statement at its current end, for the error message if another token
   * follows
   */
  const gchar *expected_at_end;
  const gchar *const *words_at_end;

  guint n_parameters;
  KvsqlParameterForm parameter_form; /* of the first parameter, and so of all */
  const gchar **parameter_names;     /* n_parameters of them, NULL for `?` and `$n` */
  GHashTable *parameter_indexes;     /* lower-case name to index; made for the first `:name` */
} KvsqlParser;

/* ---- tokens (parser.c) */

void kvsql_parser_advance (KvsqlParser *self);
KvsqlToken kvsql_parser_peek (
    const KvsqlParser *self); /* the token after the current one; ERROR without an error */

/* Whether a query begins here: SELECT, or parentheses before it. */
gboolean kvsql_parser_at_query (const KvsqlParser *self);

static inline gboolean
kvsql_parser_at_keyword (const KvsqlParser *self, KvsqlKeyword keyword)
{
  return self->token.keyword == keyword;
}

static inline gboolean
kvsql_parser_at_symbol (const KvsqlParser *self, gint symbol)
{
  return self->token.symbol == symbol;
}

/* Consume the token if it matches; else return FALSE, without an error. */
gboolean kvsql_parser_accept_keyword (KvsqlParser *self, KvsqlKeyword keyword);
gboolean kvsql_parser_accept_symbol (KvsqlParser *self, gint symbol);
/* Consume the token, or fail if it does not match. */
gboolean kvsql_parser_expect_keyword (KvsqlParser *self, KvsqlKeyword keyword,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_expect_symbol (KvsqlParser *self, gint symbol,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the token is this word, a keyword or not. For words that only error messages use. */
gboolean kvsql_parser_at_word (const KvsqlParser *self, const gchar *word);
/* The same of another token, and consuming it: for words that are no keywords. */
gboolean kvsql_parser_is_word (const KvsqlParser *self, const KvsqlToken *token, const gchar *word);
gboolean kvsql_parser_accept_word (KvsqlParser *self, const gchar *word);

/* @what for the message: "the name of a relation". */
gboolean kvsql_parser_name (KvsqlParser *self, const gchar *what, KvsqlName *out,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the token can be a name. */
gboolean kvsql_parser_at_name (const KvsqlParser *self);
/* PostgreSQL's namespace "public", which may be written before the name of a relation.
 * @is_qualifier: the relation is the qualifier of an attribute; without a third part, "public" is a
 * relation. */
void kvsql_parser_skip_public (KvsqlParser *self, gboolean is_qualifier);
/* Consumes the current word, reserved or not, and returns it as a name. */
KvsqlName kvsql_parser_take_word (KvsqlParser *self);
/* '…', x'…', a number with its sign, TRUE, FALSE or NULL. */
gboolean kvsql_parser_at_literal (const KvsqlParser *self);
gboolean kvsql_parser_literal (KvsqlParser *self, KvsqlValue *out,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

KvsqlSpan kvsql_parser_span_from (const KvsqlParser *self, gint32 start);

/* Every recursive function enters a level of nesting. FALSE with an error if it is too deep. The
 * printer may add parentheses around a node, so each counts as half a level. */
#define KVSQL_PARSER_HALF_LEVEL 1
#define KVSQL_PARSER_LEVEL 2
gboolean kvsql_parser_enter (KvsqlParser *self, guint weight,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
static inline void
kvsql_parser_leave (KvsqlParser *self, guint weight)
{
  g_assert (weight <= self->depth); /* else the limit would be off from here on */
  self->depth -= weight;
}

/* Adds a zeroed element to the end of an array of the arena. */
#define KVSQL_PARSER_ADD(self, array, n) KVSQL_ARENA_ADD ((self)->arena, array, n)

/* FALSE with an error if a list with @n items cannot have another one. */
gboolean kvsql_parser_check_items (KvsqlParser *self, const gchar *clause, guint n,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- errors (parser-error.c) */

/**
 * kvsql_parser_fail_unexpected:
 * @expected: (nullable): what is expected here, for the message
 * @words: (nullable): a NULL-terminated array of words, to suggest one of them
 *
 * Sets the error for an unexpected token. Returns: %FALSE.
 */
gboolean kvsql_parser_fail_unexpected (KvsqlParser *self, const gchar *expected,
                                       const gchar *const *words, GError **error);
/* The same for a token that was consumed before, as a misspelt keyword that was parsed as a name.
 * Uses its text only. */
gboolean kvsql_parser_fail_unexpected_at (KvsqlParser *self, const KvsqlToken *token,
                                          const gchar *expected, const gchar *const *words,
                                          GError **error);
/* TRUE with an error if the token begins a statement or clause that this version does not have. */
gboolean kvsql_parser_is_unsupported_statement (const KvsqlParser *self,
                                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_is_unsupported_clause (const KvsqlParser *self,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The one of @words that is most similar to the token; NULL if none is similar. */
const gchar *kvsql_parser_suggest (const KvsqlParser *self, const KvsqlToken *token,
                                   const gchar *const *words);

/* ---- expressions (parser-expression.c) */

extern const gchar
    *const kvsql_parser_operator_words[]; /* what may follow an operand; ends with NULL */

KvsqlAstExpr *kvsql_parser_expression (KvsqlParser *self, GError **error);
/* Parses the operators after @left, which is complete. */
KvsqlAstExpr *kvsql_parser_operators (KvsqlParser *self, KvsqlAstExpr *left, GError **error);

KvsqlAstExpr *kvsql_parser_expr_new (KvsqlParser *self, KvsqlAstKind kind, gint32 start);
void kvsql_parser_expr_add (KvsqlParser *self, KvsqlAstExpr *expr, KvsqlAstExpr *child);
/* Parses one more child of @expr, of operators that bind at least as tightly as @minimum. */
gboolean kvsql_parser_expr_parse (KvsqlParser *self, KvsqlAstExpr *expr, KvsqlPrecedence minimum,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Parses an operand and the operators after it that bind at least as tightly as @minimum. */
KvsqlAstExpr *kvsql_parser_binding (KvsqlParser *self, KvsqlPrecedence minimum, GError **error);
/* Sets the span and height of @expr, which has all its children. NULL if it is too high. */
KvsqlAstExpr *kvsql_parser_expr_finish (KvsqlParser *self, KvsqlAstExpr *expr, GError **error);
KvsqlAstExpr *kvsql_parser_literal_expr (KvsqlParser *self, GError **error);
gboolean kvsql_parser_fail_subquery (KvsqlParser *self, GError **error);

/* ---- AND and OR (parser-chain.c) */

/* At the operator @op, after @left: parses it and all that follow. */
KvsqlAstExpr *kvsql_parser_chain (KvsqlParser *self, KvsqlOperator op, KvsqlPrecedence precedence,
                                  KvsqlAstExpr *left, GError **error);

/* ---- literals after their type (parser-typed-literal.c) */

gboolean kvsql_parser_at_typed_literal (const KvsqlParser *self);
KvsqlAstExpr *kvsql_parser_typed_literal (KvsqlParser *self, GError **error);

/* ---- GROUP BY (parser-group.c) */

/* Does nothing without GROUP. */
gboolean kvsql_parser_group_by (KvsqlParser *self, KvsqlSelect *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- calls and types (parser-call.c) */

/* Called if the token is a name, and a parenthesis follows. */
KvsqlAstExpr *kvsql_parser_call (KvsqlParser *self, GError **error);
/* The fields after INTERVAL, such as DAY TO SECOND(3), if there are any: appended to out->text. */
gboolean kvsql_parser_interval_fields (KvsqlParser *self, KvsqlName *out,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_type_name (KvsqlParser *self, KvsqlName *out,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The type of an attribute, which may have a limit, as VARCHAR(10). */
gboolean kvsql_parser_declared_type (KvsqlParser *self, KvsqlName *out,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ORDER BY, whose expressions become children of @expr, a call or a window. */
gboolean kvsql_parser_call_order (KvsqlParser *self, KvsqlAstExpr *expr,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- windows (parser-window.c) */

/* Whether the keyword matters in the definition of a window only. */
gboolean kvsql_parser_is_window_word (KvsqlKeyword keyword);
/* An optional OVER after the call @expr. */
gboolean kvsql_parser_over (KvsqlParser *self, KvsqlAstExpr *expr,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The optional clause WINDOW. */
gboolean kvsql_parser_windows (KvsqlParser *self, KvsqlSelect *out,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Finds the windows of the open calls from @first on among those of @select, and closes them. */
gboolean kvsql_parser_close_windows (KvsqlParser *self, const KvsqlSelect *select, guint first,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- layouts (parser-layout.c) */

gboolean kvsql_parser_layout (KvsqlParser *self, KvsqlLayoutSequence *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- clauses (parser-query.c) */

/* Parses KEYWORD expression, if the token is the keyword. */
/* FETCH FIRST or FETCH NEXT, whose first word can be a name elsewhere. */
gboolean kvsql_parser_at_fetch (const KvsqlParser *self);
gboolean kvsql_parser_limit (KvsqlParser *self, KvsqlSelect *out,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_clause (KvsqlParser *self, KvsqlKeyword keyword, KvsqlAstExpr **out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_order_by (KvsqlParser *self, KvsqlOrderItem **out, guint *n,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* A relation, and its alias. */
gboolean kvsql_parser_relation (KvsqlParser *self, KvsqlName *out, KvsqlName *out_alias,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* FROM of an UPDATE, or USING of a DELETE, if the token is @keyword. @out gets a SELECT whose FROM
 * has @relation, which is written, and then these. */
gboolean kvsql_parser_read_relations (KvsqlParser *self, KvsqlKeyword keyword,
                                      const KvsqlName *relation, const KvsqlName *alias,
                                      KvsqlSelect **out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same for statements that have one relation only. */
gboolean kvsql_parser_one_relation (KvsqlParser *self, KvsqlName *out, KvsqlName *out_alias,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The items after RETURNING. */
gboolean kvsql_parser_returning (KvsqlParser *self, KvsqlSelectItem **out, guint *n,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_at_using_timestamp (const KvsqlParser *self);
gboolean kvsql_parser_at_with_verified (const KvsqlParser *self);
/* Whether WITH [PRIMARY] SCHEMA follows, which ends the statement of an EXPLAIN. */
gboolean kvsql_parser_at_with_schema (const KvsqlParser *self);

/* ---- definitions (parser-definition.c) */

/* An optional IF [NOT] EXISTS. */
gboolean kvsql_parser_if_exists (KvsqlParser *self, gboolean with_not, gboolean *out,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* (name = value, …) */
gboolean kvsql_parser_options (KvsqlParser *self, KvsqlOptions *out,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* ---- constraints (parser-constraint.c) */

/* [CONSTRAINT name] CHECK (…), UNIQUE (…) or FOREIGN KEY (…) REFERENCES …, as an item of a list of
 * attributes. *out_is_one: whether there is one; an attribute may have the name of such a word. */
gboolean kvsql_parser_constraint (KvsqlParser *self, KvsqlConstraintDefinition **constraints,
                                  guint *n, gboolean *out_is_one,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same after the type of an attribute: CHECK (…), UNIQUE or REFERENCES …. */
gboolean kvsql_parser_attribute_constraint (KvsqlParser *self, KvsqlAttributeDefinition *attribute,
                                            gboolean *out_is_one,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- sequences (parser-sequence.c) */

/* With SEQUENCE as the token. */
gboolean kvsql_parser_alter_sequence (KvsqlParser *self, KvsqlCreateSequence *out,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_create_sequence (KvsqlParser *self, KvsqlCreateSequence *out,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* With GENERATED as the token. */
gboolean kvsql_parser_identity (KvsqlParser *self, KvsqlAttributeDefinition *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- definitions, again */

/* name TYPE constraint… */
gboolean kvsql_parser_attribute (KvsqlParser *self, KvsqlAttributeDefinition *out,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- clauses (parser-write.c) */

/* An optional (a, …). */
gboolean kvsql_parser_names (KvsqlParser *self, KvsqlName **out, guint *n,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- names of what is created (parser-create.c) */

/* A name in double quotes becomes a defined name: an exact one, if it is not in lower case. */
void kvsql_parser_make_defined (KvsqlName *name);

/* ---- statements: the first keyword is still the token */

gboolean kvsql_parser_create (KvsqlParser *self, KvsqlAstStatement *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* [OR REPLACE] VIEW …, after CREATE. */
gboolean kvsql_parser_view (KvsqlParser *self, KvsqlCreateView *out,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* CREATE, ALTER or DROP is the present token: whether ROLE or USER is the next one. */
gboolean kvsql_parser_before_role (const KvsqlParser *self);
/* DROP OWNED or REASSIGN OWNED */
gboolean kvsql_parser_at_owned (const KvsqlParser *self);
gboolean kvsql_parser_owned (KvsqlParser *self, KvsqlRoleStatement *out,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_role (KvsqlParser *self, KvsqlRoleAction action, KvsqlRoleStatement *out,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* With COPY as the token (parser-copy.c). */
gboolean kvsql_parser_copy (KvsqlParser *self, KvsqlCopy *out,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* GRANT or REVOKE (parser-grant.c). */
gboolean kvsql_parser_grant (KvsqlParser *self, KvsqlGrantStatement *out,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the token begins SET or RESET of ROLE or SESSION. */
gboolean kvsql_parser_at_set_role (const KvsqlParser *self);
gboolean kvsql_parser_set_role (KvsqlParser *self, KvsqlSetRole *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* name, … */
gboolean kvsql_parser_role_names (KvsqlParser *self, KvsqlName **out, guint *n,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* 'pattern', … */
gboolean kvsql_parser_patterns (KvsqlParser *self, KvsqlValue **out, guint *n,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_truncate (KvsqlParser *self, KvsqlAstStatement *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* WITH [PRIMARY] SCHEMA name [FOR relation] { … } */
gboolean kvsql_parser_with_schema (KvsqlParser *self, KvsqlDefineSchema *out,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_define (KvsqlParser *self, KvsqlAstStatement *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_drop (KvsqlParser *self, KvsqlDrop *out,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_restore (KvsqlParser *self, KvsqlRestore *out,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* RESET STATEMENT STATISTICS. */
gboolean kvsql_parser_at_reset (const KvsqlParser *self);
gboolean kvsql_parser_reset (KvsqlParser *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_show (KvsqlParser *self, KvsqlShow *out,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_kill (KvsqlParser *self, KvsqlKill *out,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_insert (KvsqlParser *self, KvsqlInsert *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* SELECT, without the clauses after HAVING; these clauses (parser-query.c). */
/* WITH x AS (…), …, if the token is WITH. Its queries can be named until self->with is reset. */
gboolean kvsql_parser_with (KvsqlParser *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the token begins the WITH of a query. */
gboolean kvsql_parser_at_with (const KvsqlParser *self);
/* If a query of WITH has the name of @out, a relation, @out becomes that query. Parses the names
 * of its columns. */
gboolean kvsql_parser_use_with (KvsqlParser *self, KvsqlSource *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* (a, b): the names of columns of @out, if there are any. */
gboolean kvsql_parser_columns (KvsqlParser *self, KvsqlSource *out,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* VALUES (…), …, which is a query. */
gboolean kvsql_parser_values (KvsqlParser *self, KvsqlSelect *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_select_body (KvsqlParser *self, KvsqlSelect *out,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_select_end (KvsqlParser *self, KvsqlSelect *out,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* SELECT, or a set operation (parser-set.c). */
/* A query in FROM: whether one begins here, and what it is. */
gboolean kvsql_parser_at_derived (const KvsqlParser *self);
/* After a parenthesis: whether a query begins here, and not an expression whose first operand is
 * one. */
gboolean kvsql_parser_at_enclosed_query (const KvsqlParser *self);
gboolean kvsql_parser_derived (KvsqlParser *self, KvsqlSource *out,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the token is LATERAL, before a query or a function in FROM. */
gboolean kvsql_parser_at_lateral (const KvsqlParser *self);
/* A function in FROM: whether one begins here, and what it is. */
gboolean kvsql_parser_at_table_function (const KvsqlParser *self);
gboolean kvsql_parser_table_function (KvsqlParser *self, KvsqlSource *out,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* TABLE 't': whether it begins here, and what it is. */
gboolean kvsql_parser_at_store_table (const KvsqlParser *self);
gboolean kvsql_parser_store_table (KvsqlParser *self, KvsqlName *out,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The name of a relation, in a statement that writes it. */
gboolean kvsql_parser_written_relation (KvsqlParser *self, KvsqlName *out,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* LIMIT and a number, or nothing. */
gboolean kvsql_parser_sampled_rows (KvsqlParser *self, gint64 *out,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The rest of SHOW TABLES. */
gboolean kvsql_parser_show_tables (KvsqlParser *self, KvsqlShow *out,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* [AS] alias. No alias: @out stays as it is. */
gboolean kvsql_parser_alias (KvsqlParser *self, KvsqlName *out,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_query (KvsqlParser *self, KvsqlSelect *out,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_update (KvsqlParser *self, KvsqlUpdate *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_delete (KvsqlParser *self, KvsqlDelete *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_alter (KvsqlParser *self, KvsqlAlter *out,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_comment (KvsqlParser *self, KvsqlComment *out,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_analyze (KvsqlParser *self, KvsqlAnalyze *out,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_backup (KvsqlParser *self, KvsqlBackup *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_maintain (KvsqlParser *self, KvsqlMaintain *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_parser_statement (KvsqlParser *self, KvsqlAstStatement *out,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
