/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * find-relation.c: finds the relation of a statement in the catalog.
 */
#include "config.h"

#include "core/plan/find-relation.h"

#include "core/catalog/store-table.h"
#include "core/sql/ast-definition.h"

const KvsqlCatalogEntry *
kvsql_plan_find_relation (const KvsqlCatalog *catalog, const KvsqlName *name, GError **error)
{
  const KvsqlCatalogEntry *entry = name->is_store_table
                                       ? kvsql_catalog_find_store_table (catalog, name, error)
                                       : kvsql_catalog_find (catalog, name, error);

  if (entry == NULL && !name->is_quoted && g_ascii_strcasecmp (name->text, "table") == 0)
    kvsql_error_hint (error, "A table of the store is written with quotes: TABLE 'name'.");
  if (entry == NULL)
    return NULL;
  if (entry->n_schemas == 0 || !entry->schemas[0]->is_primary)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span,
                       "relation \"%s\" has no primary schema", entry->relation->name);
      kvsql_error_hint (error,
                        "Say how its tuples are stored with DEFINE PRIMARY SCHEMA … FOR %s { … }.",
                        entry->relation->name);
      return NULL;
    }
  return entry;
}
