/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * alter.h: ALTER RELATION and COMMENT ON.
 *
 * Stored cells are never changed. A change is possible if every schema of the relation, compiled
 * and proved again, can still read tuples written with the old definition. So a new attribute needs
 * a primary schema that stores it in a separate cell (attr_value), and an attribute whose name is
 * part of stored cells keeps it there as its label when it is renamed.
 */
#pragma once

#include "core/catalog/catalog.h"

#include "core/sql/ast.h"

G_BEGIN_DECLS

/* The new relation and its new schemas, in the order of the entry. */
typedef struct
{
  KvsqlRelation *relation;
  KvsqlSchema **schemas;
  guint n_schemas;
  gboolean is_rename;    /* attributes have their places, and one may have another name */
  gboolean leaves_cells; /* there may be cells that no schema reads any more */
} KvsqlAlteration;

/* Return NULL with an error that has a position in the statement. */
KvsqlAlteration *kvsql_alter_relation (const KvsqlCatalog *catalog, const KvsqlAlter *alter,
                                       GError **error);
KvsqlAlteration *kvsql_alter_comment (const KvsqlCatalog *catalog, const KvsqlComment *comment,
                                      GError **error);
/* A step of ALTER RELATION … WITH (writes = …). */
KvsqlAlteration *kvsql_alter_write_mode (const KvsqlCatalog *catalog, const KvsqlName *relation,
                                         KvsqlWriteMode mode, GError **error);
/* The last step of ADD PRIMARY KEY: @copy, which has one schema, gets the name of @relation, and
 * its schema that of @schema, and the comment of the one that @relation has now. */
KvsqlAlteration *kvsql_alter_take_place (const KvsqlCatalog *catalog, const KvsqlName *copy,
                                         const KvsqlName *relation, const KvsqlName *schema,
                                         GError **error);
void kvsql_alteration_free (KvsqlAlteration *self); /* accepts NULL */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlAlteration, kvsql_alteration_free)

G_END_DECLS
