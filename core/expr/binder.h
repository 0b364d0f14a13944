/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * binder.h: converts AST expressions to typed expressions.
 *
 * Names become columns, and parameters become constants. Operators and functions are resolved by
 * the types of their operands, with PostgreSQL's implicit conversions. Constant expressions are
 * computed at once.
 */
#pragma once

#include "core/expr/expr.h"

G_BEGIN_DECLS

typedef struct _KvsqlAttribute KvsqlAttribute; /* core/schema/relation.h */
typedef struct _KvsqlRelation KvsqlRelation;
typedef struct _KvsqlName KvsqlName;       /* core/sql/ast-definition.h */
typedef struct _KvsqlAstExpr KvsqlAstExpr; /* core/sql/ast.h */

/* One relation of a FROM that has several. */
typedef struct
{
  const KvsqlRelation *relation;
  const KvsqlName *alias; /* nullable, or its text NULL */
  guint first; /* the number of its first attribute among the attributes of all relations */
} KvsqlBinderRelation;

/* A column that a name without a qualifier may be. */
typedef struct
{
  const gchar *name;
  gboolean is_quoted;
  guint attribute;
  guint relation; /* the index of its relation; KVSQL_MERGED_COLUMN: USING or NATURAL merged it */
} KvsqlBinderColumn;

#define KVSQL_MERGED_COLUMN G_MAXUINT

typedef struct _KvsqlSubqueryBinder KvsqlSubqueryBinder; /* core/plan/bind-subquery.h */

/* The context of names and parameters. Expressions live in @arena. Initialize with zeros, then set
 * members. */
typedef struct _KvsqlUses KvsqlUses; /* core/expr/uses.h */
typedef struct _KvsqlBinder KvsqlBinder;
struct _KvsqlBinder
{
  const KvsqlRelation *relation; /* nullable: no names */
  const KvsqlName *alias;        /* nullable, or its text NULL: no alias */
  /* With several relations, @relation has all their attributes, one after the other, and then the
   * merged columns that a join computes. None: there is only @relation. */
  const KvsqlBinderRelation *relations;
  guint n_relations;
  const KvsqlBinderColumn *columns; /* with several relations: what * means */
  guint n_columns;
  const KvsqlBinderRelation *all_relations; /* also those that this ON cannot use */
  guint n_all_relations;
  const KvsqlBinder *outer;        /* nullable: of the statement around a subquery. A name that the
                                      subquery's FROM does not have may be one of its names. */
  KvsqlSubqueryBinder *subqueries; /* nullable: of bind_subquery () */
  KvsqlExpr *(*bind_subquery) (const KvsqlBinder *self, const KvsqlAstExpr *expr,
                               GError **error); /* nullable: subqueries are not possible */
  const KvsqlType *outer_types;   /* nullable: of the values that a subquery takes from outside */
  const KvsqlValue *outer_values; /* nullable: they are not known yet, and count as NULL */
  const gchar *clause;            /* that is bound, for errors; NULL: WHERE */
  const KvsqlValue *parameters;
  guint n_parameters;
  gboolean is_prepare; /* parameters have no values yet: each counts as a NULL, untyped unless it
                          has a declared type */
  /* Nullable, of prepare: the types that the client gives to parameters (NULL: none), and, to be
   * set, those that their places have. */
  const KvsqlType *declared_types;
  KvsqlType *place_types;
  KvsqlLimitKind *place_limits; /* nullable: of these, as of SMALLINT */
  gint64 now;                   /* milliseconds, the time of the statement; 0: the clock's */
  const gchar *user,
      *session_user; /* nullable: who executes the statement, and who has logged in */
  /* TRUE: constant expressions that fail (1 / 0) are not folded, and fail when a row needs them.
   * FALSE: they fail when they are bound. Branches of CASE and the like are always bound with TRUE.
   */
  gboolean is_lazy;
  /* Nullable. While a simpler form is bound (core/expr/rewrite.h): the expressions of AST nodes
   * with operands, so that each is bound once, in however many places it is. */
  GHashTable *bound;
  GHashTable *statistics; /* nullable: of relations, for estimates (core/catalog/statistics.h) */
  KvsqlArena *arena;

  /* Nullable. Gets the attributes that names refer to. */
  KvsqlUses *uses;

  /* Nullable. Called for every node before the rules of kvsql_expr_bind(), for calls of aggregates,
   * grouping expressions and `excluded.a`. Sets *out to NULL for other nodes. */
  gboolean (*resolve) (const KvsqlBinder *self, const KvsqlAstExpr *expr, KvsqlExpr **out,
                       GError **error);
  gpointer resolve_data;
};

/**
 * kvsql_expr_bind:
 *
 * Returns: (nullable): the expression, or %NULL with an error that has a position. A text literal,
 * and a parameter that is a STRING, stays untyped until its context determines the type.
 */
KvsqlExpr *kvsql_expr_bind (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error);

/* The same for a BOOLEAN expression. @what: the clause that needs it ("WHERE"). */
KvsqlExpr *kvsql_expr_bind_boolean (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                    const gchar *what, GError **error);

/* The comparison of two bound expressions. @span: of the comparison. @op_span: of the operator. */
KvsqlExpr *kvsql_expr_compare (const KvsqlBinder *binder, KvsqlOperator op, KvsqlExpr *left,
                               KvsqlExpr *right, KvsqlSpan span, KvsqlSpan op_span, GError **error);

/**
 * kvsql_expr_convert:
 *
 * Converts @expr to @type as an assignment does (kvsql_value_convert()). Fails if no value of its
 * type can be assigned.
 */
KvsqlExpr *kvsql_expr_convert (const KvsqlBinder *binder, KvsqlExpr *expr, KvsqlType type,
                               GError **error);

/* The same for the value of an attribute. Errors name it, including errors of later evaluations. */
KvsqlExpr *kvsql_expr_assign (const KvsqlBinder *binder, KvsqlExpr *expr,
                              const KvsqlAttribute *attribute, GError **error);

/* Converts all of @exprs in place to one common type, as an operator does. @what: the clause. If
 * all are untyped NULLs, they stay so, and *out_type is KVSQL_TYPE_NULL. */
gboolean kvsql_expr_unify (const KvsqlBinder *binder, KvsqlExpr **exprs, guint n, const gchar *what,
                           KvsqlType *out_type, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* NOT @expr. Comparisons and predicates are inverted instead. */
KvsqlExpr *kvsql_expr_negate (const KvsqlBinder *binder, KvsqlExpr *expr);

/* A column of the input, for resolve(). @name: its name in EXPLAIN, which must live as long. */
KvsqlExpr *kvsql_expr_column (KvsqlArena *arena, guint column, KvsqlType type, const gchar *name,
                              KvsqlSpan span);
KvsqlExpr *kvsql_expr_constant (KvsqlArena *arena, const KvsqlValue *value, KvsqlSpan span);

/* The value of a parameter; an untyped NULL while preparing. */
gboolean kvsql_binder_get_parameter (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                     KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* In prepare: the place of @expr, if that is a parameter, has @type. The first place counts. */
void kvsql_binder_note_place (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlType type);
/* The same for a place of a type with a limit. */
void kvsql_binder_note_limited_place (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                      KvsqlType type, const KvsqlTypeLimit *limit);

/* The DEFAULT of a definition, in @arena: a literal, or an expression that differs for statements
 * or tuples. NULL with an error, or if @expr is NULL. */
KvsqlAstExpr *kvsql_expr_fold_default (KvsqlAstExpr *expr, KvsqlArena *arena, GError **error);

/* The name of the relation in this statement. */
const gchar *kvsql_binder_relation_name (const KvsqlBinderRelation *self);

/* The attribute as it is defined: with several relations, the attributes of @relation have
 * qualified names. */
const KvsqlAttribute *kvsql_binder_get_attribute (const KvsqlBinder *self, guint attribute);

/* Notes that the statement reads this attribute; for a * that is no expression. */
void kvsql_binder_note_use (const KvsqlBinder *self, guint attribute);

/* Resolves a [qualifier.]name to an attribute, and checks the qualifier. */
gboolean kvsql_binder_find_attribute (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                      guint *out_attribute,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether there is an attribute with exactly this spelling. */
gboolean kvsql_binder_spells_attribute (const KvsqlBinder *binder, const gchar *name);

G_END_DECLS
