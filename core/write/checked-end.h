/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-end.h: the entry of the log that a checked write begins with, and what remains to be done
 * after its answer: anchors are cleared, then the entry is removed.
 */
#pragma once

#include "core/write/checked-anchors.h"
#include "core/write/write-log.h"

G_BEGIN_DECLS

/* The keys of the entry are @keys, until the writer ends it. */
gboolean kvsql_checked_log (const KvsqlCheckedWriter *self, const KvsqlSlice *keys, guint n,
                            KvsqlLogEntry *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_checked_end:
 * @clears: (transfer full)
 * @failure: (transfer full) (nullable): of the write. After KVSQL_ERROR_UNKNOWN_OUTCOME the entry
 * stays
 *
 * Does not wait for the store, if another thread can do that. Returns: FALSE, with @failure as
 * error, if there is one
 */
gboolean kvsql_checked_end (KvsqlStorage *storage, KvsqlCheckedClears *clears,
                            const KvsqlLogEntry *entry, GError *failure,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
