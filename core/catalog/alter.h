/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * alter.h: what ALTER RELATION and COMMENT ON make of definitions.
 *
 * Stored cells are never touched. A change is possible if every schema of the relation, compiled
 * and proved again, still reads what was written under the old definition. So a new attribute needs
 * a primary schema that gives it a cell of its own (attr_value), and an attribute whose name is
 * part of the stored cells keeps it.
 */
#pragma once

#include "core/catalog/catalog.h"

G_BEGIN_DECLS

/* The relation and its schemas as they will be, in the order of the entry. */
typedef struct
{
  KvsqlRelation *relation;
  KvsqlSchema **schemas;
  guint n_schemas;
  gboolean leaves_cells; /* cells stay behind that no schema reads any more */
} KvsqlAlteration;

/* Returns NULL with an error that points into the statement. */
KvsqlAlteration *kvsql_alter_relation (const KvsqlCatalog *catalog, const KvsqlAlter *alter,
                                       GError **error);
KvsqlAlteration *kvsql_alter_comment (const KvsqlCatalog *catalog, const KvsqlComment *comment,
                                      GError **error);
void kvsql_alteration_free (KvsqlAlteration *self); /* accepts NULL */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlAlteration, kvsql_alteration_free)

G_END_DECLS
