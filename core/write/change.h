/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * change.h: replaces tuples by others: writes the cells that differ, in every schema.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/write/tuple-change.h"

G_BEGIN_DECLS

/**
 * kvsql_changes_apply:
 * @timestamp: of the puts; deletes get @timestamp - 1. 0: the clock's.
 *
 * Writes the cells in which old and new tuples differ. The caller has locked the keys of both. No
 * two changes have a key in common.
 *
 * A store with atomic batches applies all changes as one. Another store may be written by other
 * daemons at the same time: there each change is a compare-and-set on one of the cells that it
 * changes in the primary schema. @is_applied is FALSE if another daemon changed that cell first:
 * the caller has to read the tuple again. The other schemas are written after the primary. If the
 * writes of the relation are checked, the anchors of its keys decide instead. Tuples that share a
 * cell are written by each-write.h, in all stores.
 */
gboolean kvsql_changes_apply (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                              KvsqlChange *changes, guint n_changes, gint64 timestamp,
                              const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_change_prepare:
 *
 * For stores without atomic batches, and for tuples that share a cell, to be called before anything
 * is read or written: checks that every schema can hold the tuple, and makes the tables that the
 * tuple goes to. Does nothing in other cases.
 */
gboolean kvsql_change_prepare (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                               const KvsqlValue *new_tuple, const KvsqlCall *call,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
