/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * store-table.h: TABLE 't' in FROM: the cells of a table of the store, as tuples of a relation
 * without a definition:
 *
 *     row BYTES KEY, family STRING KEY, qualifier BYTES KEY, value BYTES, time TIMESTAMP
 *
 * It can only be read. Its layouts are those of the language, so it is planned as any other
 * relation: a condition on row is a range of keys.
 */
#pragma once

#include "core/catalog/catalog.h"

G_BEGIN_DECLS

/* @name: with is_store_table. The entry lives as long as the catalog. Any thread may call this.
 * KVSQL_ERROR_LIMIT if a catalog is asked for too many tables. */
const KvsqlCatalogEntry *kvsql_catalog_find_store_table (const KvsqlCatalog *self,
                                                         const KvsqlName *name, GError **error);

G_END_DECLS
