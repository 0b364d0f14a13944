/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * alter-private.h: the definitions of a relation as ASTs, for ALTER and RESTORE.
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
  KvsqlDefineSchema **schemas;           /* entry->n_schemas of them */
  guint16 ids[KVSQL_MAX_ATTRIBUTES + 1]; /* of the attributes of @relation */
  guint last_id;
  const gchar *way_out; /* nullable: the hint if the primary schema does not allow it */
} KvsqlDefinitionTrees;

gboolean _kvsql_definition_trees_read (KvsqlDefinitionTrees *self, const KvsqlCatalog *catalog,
                                       const KvsqlCatalogEntry *entry,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Errors have the position @span. */
KvsqlAlteration *_kvsql_definition_trees_compile (const KvsqlDefinitionTrees *self, KvsqlSpan span,
                                                  GError **error);
void _kvsql_definition_trees_clear (KvsqlDefinitionTrees *self);

/* Whether the schema has a separate cell for the attribute, with the attribute's name in it. */
gboolean _kvsql_schema_is_fanned_out (const KvsqlSchema *schema, guint attribute);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlDefinitionTrees, _kvsql_definition_trees_clear)

G_END_DECLS
