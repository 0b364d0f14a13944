/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * old-tuples.h: when a write has to know the tuple that it replaces.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/write/storage.h"

G_BEGIN_DECLS

/* Whether cell keys of the relation depend on more than the key. Then a write has to know the old
 * tuple. */
gboolean kvsql_entry_needs_old_tuples (const KvsqlCatalogEntry *entry);

/* Whether the cell keys of a tuple depend on more than its KEY, and other daemons may change them
 * now. Then a replacement or delete of the tuple has to be a compare-and-set. */
gboolean kvsql_entry_needs_compare_and_set (const KvsqlCatalogEntry *entry,
                                            const KvsqlStorage *storage);

G_END_DECLS
