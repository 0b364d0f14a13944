/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * counter.h: SET n = n + 5 as an increment in the store.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/write/storage.h"

G_BEGIN_DECLS

/* Whether the store can increment the attribute itself: in every schema that holds the attribute,
 * it is one cell of 8 bytes that holds nothing else. In a store with atomic batches only one schema
 * may hold it, because there a batch keeps the schemas consistent, and an increment is not part of
 * one. */
gboolean kvsql_entry_has_counter (const KvsqlCatalogEntry *entry, guint attribute,
                                  const KvsqlStoreCapabilities *capabilities);

/* Adds @amount in every schema that holds the attribute. @old: the tuple as read under the lock of
 * its key, in which the attribute is not NULL. Several daemons may add at the same time. */
gboolean kvsql_counter_add (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                            const KvsqlValue *old, guint attribute, gint64 amount,
                            const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
