/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * counter.h: SET n = n + 5 as the store's own increment.
 */
#pragma once

#include "core/exec/update.h"

G_BEGIN_DECLS

/* Whether the attribute is one whole cell of 8 bytes, and nothing else, in every schema that holds
 * it, so that increments of it are the store's own. A store with atomic batches keeps its schemas
 * in step by a batch, so there only one schema may hold it. */
gboolean kvsql_entry_has_counter (const KvsqlCatalogEntry *entry, guint attribute,
                                  const KvsqlStoreCapabilities *capabilities);

/* Adds @amount in every schema that holds the attribute; @old is the tuple as read under the lock
 * of its key, and has a value there. Several daemons may do so at once. */
gboolean kvsql_counter_add (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                            const KvsqlValue *old, guint attribute, gint64 amount,
                            const KvsqlCall *call, GError **error);

G_END_DECLS
