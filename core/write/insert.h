/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * insert.h: writes whole tuples into every schema of their relation.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/write/storage.h"

G_BEGIN_DECLS

/**
 * kvsql_insert_run:
 * @tuples: (array length=n_tuples): by attribute, converted (kvsql_bind_convert())
 * @out_written: (out): tuples that were certainly written, also when the call fails
 *
 * A plain INSERT: a tuple replaces the one with the same key, and the old tuple's other cells are
 * deleted in every schema. All schemas get one timestamp. If the store has atomic batches, each
 * tuple is written as a unit. A statement over several tuples is not a unit.
 */
gboolean kvsql_insert_run (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                           const KvsqlValue *const *tuples, guint n_tuples, const KvsqlCall *call,
                           guint64 *out_written, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same with USING TIMESTAMP; 0: the clock's. Cells with a newer timestamp stay, and hide the
 * new ones. */
gboolean kvsql_insert_run_at (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                              const KvsqlValue *const *tuples, guint n_tuples, gint64 timestamp,
                              const KvsqlCall *call, guint64 *out_written,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
