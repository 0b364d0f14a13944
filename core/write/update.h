/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * update.h: updates or deletes the tuples that a plan finds, each exactly once.
 */
#pragma once

#include "core/write/change.h"
#include "core/write/storage.h"
#include "core/write/returning.h"
#include "core/exec/select.h"

G_BEGIN_DECLS

/**
 * kvsql_update_run:
 * @plan: of an UPDATE, or of a DELETE
 * @returning: (nullable)
 * @out_n: (out): tuples that were certainly changed, also when the call fails
 *
 * The plan finds each tuple. Then, under the lock of its key, the tuple is read again, tested
 * again, changed and written. So several statements that change the same tuple do it one after the
 * other, and each sees the result of the one before. With LIMIT the search continues until enough
 * tuples were changed, or no more are found.
 */
gboolean kvsql_update_run (KvsqlStorage *storage, KvsqlWritePlan *plan,
                           const KvsqlSelectLimits *limits, const KvsqlCall *call,
                           KvsqlReturning *returning, guint64 *out_n,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether the UPDATE can be an increment in the store: SET n = n + 5, where n is a cell of its own,
 * and the predicate is on the key only. */
gboolean kvsql_update_is_counter (const KvsqlWritePlan *plan,
                                  const KvsqlStoreCapabilities *capabilities, guint *out_attribute,
                                  gint64 *out_amount);

G_END_DECLS
