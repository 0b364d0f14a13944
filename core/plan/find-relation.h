/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * find-relation.h: the relation of a statement.
 */
#pragma once

#include "core/catalog/catalog.h"

G_BEGIN_DECLS

/* The relation of a statement. Fails if it has no primary schema. */
const KvsqlCatalogEntry *kvsql_plan_find_relation (const KvsqlCatalog *catalog,
                                                   const KvsqlName *name, GError **error);

G_END_DECLS
