/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * binder.h: from AST expressions to typed ones.
 *
 * Names become columns, parameters constants, operators and functions what their operands' types
 * ask for, with the implicit conversions of PostgreSQL in between. What is constant is computed at
 * once.
 */
#pragma once

#include "core/expr/expr.h"
#include "core/schema/relation.h"

G_BEGIN_DECLS

/* One relation of a FROM that has several. */
typedef struct
{
  const KvsqlRelation *relation;
  const KvsqlName *alias; /* nullable, or its text NULL */
  guint first;            /* its first attribute's number among those of all */
} KvsqlBinderRelation;

/* What names and parameters mean here. Everything made lives in @arena. Zeroed, then filled. */
typedef struct _KvsqlBinder KvsqlBinder;
struct _KvsqlBinder
{
  const KvsqlRelation *relation; /* nullable: no names */
  const KvsqlName *alias;        /* nullable, or its text NULL: the relation goes by its own name */
  /* Of several relations, whose attributes @relation has all, one after the other; none: there is
   * only @relation. */
  const KvsqlBinderRelation *relations;
  guint n_relations;
  const KvsqlValue *parameters;
  guint n_parameters;
  gboolean is_prepare; /* parameters have no values yet: each is taken as an untyped NULL */
  gint64 now;          /* milliseconds, the time of the statement; 0: the clock's */
  /* Constants that cannot be computed (1 / 0) stay as they are and fail when a row needs them;
   * otherwise they fail when they are bound. Branches of CASE and the like are always bound so. */
  gboolean is_lazy;
  GHashTable *statistics; /* nullable: of relations, for estimates (core/plan/statistics.h) */
  KvsqlArena *arena;

  /* Asked for every node before the rules of kvsql_expr_bind(): an aggregate's call, a grouping
   * expression, `excluded.a`. Sets *out to NULL for what is not its own. Nullable. */
  gboolean (*resolve) (const KvsqlBinder *self, const KvsqlAstExpr *expr, KvsqlExpr **out,
                       GError **error);
  gpointer resolve_data;
};

/**
 * kvsql_expr_bind:
 *
 * Returns: (nullable): the expression, or %NULL with an error that carries its place. A text
 * literal, and a parameter that is a STRING, stays untyped until something asks for its type.
 */
KvsqlExpr *kvsql_expr_bind (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error);

/* The same for a truth value; @what is the clause that wants one ("WHERE"). */
KvsqlExpr *kvsql_expr_bind_boolean (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                    const gchar *what, GError **error);

/* The comparison of two bound expressions; @span is the whole's place, @op_span the operator's. */
KvsqlExpr *kvsql_expr_compare (const KvsqlBinder *binder, KvsqlOperator op, KvsqlExpr *left,
                               KvsqlExpr *right, KvsqlSpan span, KvsqlSpan op_span, GError **error);

/**
 * kvsql_expr_convert:
 *
 * Converts @expr to @type as an assignment does (kvsql_value_convert()). Fails at once if no value
 * of its type could be assigned.
 */
KvsqlExpr *kvsql_expr_convert (const KvsqlBinder *binder, KvsqlExpr *expr, KvsqlType type,
                               GError **error);

/* The same for the value of an attribute, which errors name, also those of later evaluations. */
KvsqlExpr *kvsql_expr_assign (const KvsqlBinder *binder, KvsqlExpr *expr,
                              const KvsqlAttribute *attribute, GError **error);

/* NOT @expr; comparisons and predicates are turned rather than wrapped. */
KvsqlExpr *kvsql_expr_negate (const KvsqlBinder *binder, KvsqlExpr *expr);

/* A column of the input, for resolve(). @name (what EXPLAIN calls it) must live as long. */
KvsqlExpr *kvsql_expr_column (KvsqlArena *arena, guint column, KvsqlType type, const gchar *name,
                              KvsqlSpan span);
KvsqlExpr *kvsql_expr_constant (KvsqlArena *arena, const KvsqlValue *value, KvsqlSpan span);

/* The value that a parameter was given; an untyped NULL while preparing. */
gboolean kvsql_binder_get_parameter (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                     KvsqlValue *out, GError **error);

/* The DEFAULT of a definition as a literal, from @arena; NULL only with an error, or if @expr is.
 */
KvsqlAstExpr *kvsql_expr_fold_default (KvsqlAstExpr *expr, KvsqlArena *arena, GError **error);

/* What the relation is called in this statement. */
const gchar *kvsql_binder_relation_name (const KvsqlBinderRelation *self);

/* As its definition has it: the attributes of several relations go by qualified names. */
const KvsqlAttribute *kvsql_binder_get_attribute (const KvsqlBinder *self, guint attribute);

/* What a [qualifier.]name means; checks the qualifier. */
gboolean kvsql_binder_find_attribute (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                      guint *out_attribute, GError **error);

G_END_DECLS
