/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sequence-use.h: whether a relation uses a sequence, and whether a role may use it.
 */
#pragma once

#include "core/catalog/rights.h"

G_BEGIN_DECLS

/* Whether a DEFAULT of the relation calls nextval () of the sequence with this name in the
 * registry. */
gboolean kvsql_relation_uses_sequence (const KvsqlRelation *relation, const gchar *name);

/* The sequences that belong to a relation: those of its SERIAL and identity attributes. They have
 * its owner: a DEFAULT may name any sequence, and must not make those of other roles its own.
 * Returns: (transfer container) (element-type KvsqlNumberSequence) */
GPtrArray *kvsql_catalog_list_sequences_of (const KvsqlCatalog *catalog,
                                            const KvsqlCatalogEntry *entry);

/* FALSE with an error if the role has none of @rights on the sequence. INSERT into a relation
 * allows nextval () of its identity attributes, as in PostgreSQL; that of SERIAL needs a right. */
gboolean kvsql_authority_may_use_sequence (const KvsqlAuthority *self, const KvsqlCatalog *catalog,
                                           const gchar *name, guint rights,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
