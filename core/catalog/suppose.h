/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * suppose.h: a catalog with schemas that do not exist.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/* Returns a catalog of the same epoch with one schema more, as if it were defined and filled. It is
 * checked as for DEFINE SCHEMA. (transfer full) */
KvsqlCatalog *kvsql_catalog_suppose (const KvsqlCatalog *self, const KvsqlDefineSchema *definition,
                                     GError **error);

G_END_DECLS
