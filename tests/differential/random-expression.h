/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random-expression.h: expressions that no model has to understand.
 *
 * Tests that compare statements with each other (test-partition.c) need no more of an expression
 * than its text and its type. Most leaves are predicates of differential.h, which become key
 * ranges.
 */
#pragma once

#include "tests/differential/differential.h"

G_BEGIN_DECLS

typedef struct _RandomExpression RandomExpression;

/* One of @type, about so deep. */
RandomExpression *random_expression_make (const ModelRelation *relation, KvsqlType type,
                                          guint depth, Source *source);
void random_expression_append_sql (const RandomExpression *self, const ModelRelation *relation,
                                   GString *out);
/* Simpler form number @which; NULL: there are no more. */
RandomExpression *random_expression_simplify (const RandomExpression *self,
                                              const ModelRelation *relation, guint which,
                                              Source *source);

G_END_DECLS
