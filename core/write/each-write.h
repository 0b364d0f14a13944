/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * each-write.h: changes of tuples that share a cell with others (core/layout/each.h).
 *
 * A cell is read, its list of elements changed, and written by a compare-and-set on the whole
 * value. The schema is the only written one of its relation, so that a change is one cell, or two
 * if the tuple moves to another cell.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/write/tuple-change.h"

G_BEGIN_DECLS

/* Whether tuples of the relation are written to cells that hold several of them. */
gboolean kvsql_entry_shares_cells (const KvsqlCatalogEntry *entry);

/**
 * kvsql_each_changes_apply:
 *
 * The caller has locked the keys of old and new tuples. No two changes have a key in common.
 * Changes in one cell are one write. @is_applied is FALSE if the tuple is not @old any more: the
 * caller has to read it again. If another tuple of the cell was changed in the meantime, the cell
 * is read again here.
 */
gboolean kvsql_each_changes_apply (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                                   KvsqlChange *changes, guint n_changes, const KvsqlCall *call,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
