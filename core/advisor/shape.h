/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * shape.h: the parts of a statement that decide which schemas help it.
 *
 * It has no values: `a = ?` and `a = 5` have one shape.
 */
#pragma once

#include "core/schema/relation.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlStatementKind kind;    /* SELECT, INSERT, UPDATE or DELETE */
  KvsqlAttributeSet equal;    /* compared with constants: =, IN, IS NULL */
  KvsqlAttributeSet bounded;  /* by <, <=, >, >=, BETWEEN or LIKE, and not in @equal */
  KvsqlAttributeSet filtered; /* in all other conditions */
  KvsqlAttributeSet read;     /* SELECT: in the list, GROUP BY, ORDER BY; UPDATE: in values */
  KvsqlAttributeSet assigned; /* UPDATE: SET */
  guint fan_out;              /* the product of the lengths of IN lists */
  guint *order;               /* the attributes of ORDER BY; n_order 0: none, or expressions */
  gboolean *is_descending;    /* of each of them */
  guint n_order;
  gboolean is_sorted; /* there is an ORDER BY, maybe of expressions */
  gdouble limit;      /* rows; INFINITY: none, or a parameter */
} KvsqlShape;

/* @out lives in @arena. KVSQL_ERROR_UNSUPPORTED for joins, subqueries and set operations. */
gboolean kvsql_shape_make (const KvsqlAstStatement *statement, const KvsqlRelation *relation,
                           KvsqlArena *arena, KvsqlShape *out,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The name of the first relation of a statement, which may be followed by others only in a SELECT;
 * NULL with an error if there is none. */
const KvsqlName *kvsql_shape_find_relation (const KvsqlAstStatement *statement, GError **error);

/* "the advisor does not take @what yet" */
gboolean kvsql_shape_fail_unsupported (KvsqlSpan span, const gchar *what, GError **error);
/* The same for a source that is not a relation. */
gboolean kvsql_shape_fail_source (const KvsqlSource *source, KvsqlSpan span, GError **error);

/* Appends a text that is the same for equal shapes only. */
void kvsql_shape_append_key (const KvsqlShape *self, GString *out);
/* All attributes that a statement reads to find and return its tuples. */
KvsqlAttributeSet kvsql_shape_get_needed (const KvsqlShape *self);
/* Whether equalities name one tuple. */
gboolean kvsql_shape_is_by_key (const KvsqlShape *self, const KvsqlRelation *relation);

G_END_DECLS
