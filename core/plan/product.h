/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * product.h: a FROM of several relations: each tuple of the first with each of the others.
 *
 * The first relation is scanned as if it were alone. Of the others, what the statement needs is
 * read first and kept in memory. What the predicate says of one relation alone gives its key
 * ranges; the whole of it is checked on each row of the product. The attributes of all relations
 * are columns of one numbering, the first relation's first, so the product keeps the order of its
 * scan.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* A relation beside the first. */
typedef struct
{
  const KvsqlCatalogEntry *entry;
  const gchar *name;           /* what the statement calls it */
  guint first;                 /* its first attribute's column */
  const KvsqlSelectPlan *plan; /* gives plan->items of its tuples, in any order */
} KvsqlProductPart;

struct _KvsqlProduct
{
  KvsqlBinderRelation *relations; /* the first one, too */
  KvsqlProductPart *parts;
  guint n_parts;
  const KvsqlPredicate *scanned; /* nullable: what of the predicate is about the first alone */
};

/* Makes @self->product and @self->relation, and lets @binder know of all relations. */
gboolean kvsql_product_bind (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                             const KvsqlSelect *select, KvsqlBinder *binder, GError **error);

/* Plans the other relations; leaves of @self->needed and @self->boxes what the first one has. */
gboolean kvsql_product_choose (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                               const KvsqlSelect *select, const KvsqlBinder *binder,
                               const KvsqlStoreCapabilities *capabilities, GError **error);

/* Whose attribute a column is. */
const KvsqlRelation *kvsql_product_get_relation (const KvsqlSelectPlan *self, guint column);

G_END_DECLS
