/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * outer-names.h: the names of a subquery that are not its own.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

typedef struct
{
  const KvsqlCatalog *catalog;
  KvsqlArena *arena;
  /* The expression in place of @name, a NAME or an OUTER; NULL with an error. */
  KvsqlAstExpr *(*replace) (const KvsqlAstExpr *name, gpointer data, GError **error);
  gpointer data;
} KvsqlOuterNames;

/* Returns: a copy of @select in which names that belong to no FROM of it are replaced; NULL with an
 * error. @out_n: how many */
KvsqlSelect *kvsql_outer_names_replace (const KvsqlOuterNames *self, const KvsqlSelect *select,
                                        guint *out_n, GError **error);

G_END_DECLS
