/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * restore.h: definitions as they once were, in the place of what they are now.
 *
 * Stored cells are never touched, so this is possible only if the old definitions read what was
 * written under the new ones: the layouts are the same but for the names of attributes that no cell
 * carries, with the same types.
 */
#pragma once

#include "core/catalog/alter.h"

G_BEGIN_DECLS

/**
 * kvsql_restore:
 * @relation: what the relation of @entry was
 * @schemas: what the schemas of @entry were, in its order; %NULL: it stays as it is
 *
 * Schemas keep their state. Errors point at @span.
 */
KvsqlAlteration *kvsql_restore (const KvsqlCatalog *catalog, const KvsqlCatalogEntry *entry,
                                const gchar *relation, const gchar *const *schemas, KvsqlSpan span,
                                GError **error);

/* A canonical definition without the state that a schema had. (transfer full) */
gchar *kvsql_definition_without_state (const gchar *text);

G_END_DECLS
