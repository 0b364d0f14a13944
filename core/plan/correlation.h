/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * correlation.h: whether a subquery uses attributes of a statement around it.
 *
 * A name belongs to the innermost FROM that has it, as in PostgreSQL.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/schema/attribute-set.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/* A FROM, and those around it. */
typedef struct _KvsqlNameScope KvsqlNameScope;
struct _KvsqlNameScope
{
  const KvsqlSelect *select;
  const KvsqlNameScope *outer; /* nullable */
};

/* @outer: (nullable): the statements around @select */
gboolean kvsql_select_is_correlated (const KvsqlCatalog *catalog, const KvsqlSelect *select,
                                     const KvsqlNameScope *outer);
/* Adds the attributes of the only relation of @outer that @expr, an EXISTS or IN, uses. */
void kvsql_subquery_collect_outer (const KvsqlCatalog *catalog, const KvsqlAstExpr *expr,
                                   const KvsqlNameScope *outer, KvsqlAttributeSet *out);

G_END_DECLS
