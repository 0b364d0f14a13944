/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * restore.h: RESTORE: replaces definitions by earlier versions.
 *
 * Stored cells are never changed. So this is possible only if the old definitions can read tuples
 * that were written with the new ones: the layouts are the same, with the same types, except for
 * names of attributes that are not part of cells.
 */
#pragma once

#include "core/catalog/alter.h"

G_BEGIN_DECLS

/**
 * kvsql_restore:
 * @relation: the old definition of the relation
 * @schemas: the old definitions of the schemas, in the order of @entry; %NULL: no change
 *
 * Schemas keep their state. Errors have the position @span.
 */
KvsqlAlteration *kvsql_restore (const KvsqlCatalog *catalog, const KvsqlCatalogEntry *entry,
                                const gchar *relation, const gchar *const *schemas, KvsqlSpan span,
                                GError **error);

/* A canonical definition without what users do not write: the state of a schema, and ids. (transfer
 * full) */
gchar *kvsql_definition_as_written (const gchar *text);

G_END_DECLS
