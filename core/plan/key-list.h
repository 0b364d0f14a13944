/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * key-list.h: the tuples that satisfy a WHERE, as a list of their keys.
 *
 * UPDATE and DELETE read tuples one by one under their locks, where no join is possible. So a WHERE
 * with correlated subqueries is first a SELECT of keys, and then a condition on these keys.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/* Fills @out: the KEY attributes of the tuples of @from that satisfy @where. Returns the number of
 * KEY attributes; 0 with an error. */
guint kvsql_key_list_select (const KvsqlCatalog *catalog, const KvsqlSource *from,
                             KvsqlAstExpr *where, KvsqlSpan span, KvsqlArena *arena,
                             KvsqlSelect *out, GError **error);

/* The condition that the key is one of @values, which are literals, one for each item of @keys,
 * tuple by tuple. */
KvsqlAstExpr *kvsql_key_list_condition (const KvsqlSelect *keys, const GPtrArray *values,
                                        KvsqlSpan span, KvsqlArena *arena);

/* @a AND @b; @a: (nullable) */
KvsqlAstExpr *kvsql_key_list_and (KvsqlAstExpr *a, KvsqlAstExpr *b, KvsqlArena *arena);

G_END_DECLS
