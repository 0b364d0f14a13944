/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * alter-private.h: the definitions of a relation as trees, for those who change them.
 */
#pragma once

#include "core/catalog/alter.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlArena *arena;
  const KvsqlCatalog *catalog;
  const KvsqlCatalogEntry *entry;
  KvsqlDefineRelation *relation;
  KvsqlDefineSchema **schemas; /* entry->n_schemas of them */
} KvsqlDefinitionTrees;

gboolean _kvsql_definition_trees_read (KvsqlDefinitionTrees *self, const KvsqlCatalog *catalog,
                                       const KvsqlCatalogEntry *entry, GError **error);
/* Errors point at @span. */
KvsqlAlteration *_kvsql_definition_trees_compile (const KvsqlDefinitionTrees *self, KvsqlSpan span,
                                                  GError **error);
void _kvsql_definition_trees_clear (KvsqlDefinitionTrees *self);

/* TRUE if the schema keeps the attribute in a cell of its own that carries its name. */
gboolean _kvsql_schema_is_fanned_out (const KvsqlSchema *schema, guint attribute);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlDefinitionTrees, _kvsql_definition_trees_clear)

G_END_DECLS
