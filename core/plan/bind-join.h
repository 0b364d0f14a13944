/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-join.h: binds a FROM of several relations: names, ON, USING and NATURAL.
 *
 * Names are PostgreSQL's: USING and NATURAL merge two columns into one, which * gives first and
 * which is what the name alone means. ON may use the relations of its join only.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/plan/bind.h"
#include "core/plan/join-tree.h"
#include "core/plan/select-plan.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

typedef struct
{
  const KvsqlCatalogEntry **entries; /* of the relations of FROM, in the order of the text; NULL:
                                        a query */
  KvsqlBinderRelation *relations;
  guint n_relations;
  guint n_visible;         /* the first of them; the others are those of subqueries */
  KvsqlRelation *relation; /* all columns, under qualified names */
  KvsqlJoinTree *tree;
} KvsqlBoundFrom;

/* @binder gets all relations and columns. @select has several relations. @queries: by source:
 * derived tables; NULL: relations */
gboolean kvsql_from_bind (const KvsqlCatalog *catalog, const KvsqlSelect *select,
                          KvsqlSelectPlan *const *queries, KvsqlBinder *binder, KvsqlBoundFrom *out,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The names of the first @n sources, for a lateral query after them. */
gboolean kvsql_from_bind_left (const KvsqlCatalog *catalog, const KvsqlSelect *select, guint n,
                               KvsqlSelectPlan *const *queries, KvsqlBinder *binder,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
