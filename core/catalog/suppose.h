/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * suppose.h: a catalog with schemas that do not exist.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/* Returns a catalog of the same epoch with @n schemas more, as if they were defined and filled.
 * Each is checked as for DEFINE SCHEMA, also against those before it. (transfer full) */
KvsqlCatalog *kvsql_catalog_suppose (const KvsqlCatalog *self, const KvsqlDefineSchema *definitions,
                                     guint n, GError **error);

G_END_DECLS
