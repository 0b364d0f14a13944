/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * key-list.h: the tuples that satisfy a WHERE, as a list of their keys.
 *
 * UPDATE and DELETE read tuples one by one under their locks, where no join is possible. So a WHERE
 * with correlated subqueries is first a SELECT of keys, and then a condition on these keys. It also
 * compares the attributes that the subqueries use: a tuple that another statement changed in them
 * in the meantime is none of those that were found.
 */
#pragma once

#include "core/schema/attribute-set.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

typedef struct _KvsqlRelation KvsqlRelation; /* core/schema/relation.h */

/* Fills @out: a SELECT of the KEY attributes of the tuples of @relation that satisfy @where, and
 * then of those of @used that can be compared. @span: of these names */
void kvsql_key_list_select (const KvsqlRelation *relation, const KvsqlSource *from,
                            KvsqlAstExpr *where, const KvsqlAttributeSet *used, KvsqlSpan span,
                            KvsqlArena *arena, KvsqlSelect *out);

/* The condition that a tuple has the values of a row of the result. @values: literals, row by row
 */
KvsqlAstExpr *kvsql_key_list_condition (const KvsqlSelect *keys, const GPtrArray *values,
                                        KvsqlSpan span, KvsqlArena *arena);

/* @a AND @b; @a: (nullable) */
KvsqlAstExpr *kvsql_key_list_and (KvsqlAstExpr *a, KvsqlAstExpr *b, KvsqlArena *arena);

G_END_DECLS
