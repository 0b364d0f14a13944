/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * update.h: changing or deleting the tuples that a plan finds, each exactly once.
 */
#pragma once

#include "core/exec/change.h"
#include "core/exec/returning.h"
#include "core/exec/select.h"

G_BEGIN_DECLS

/**
 * kvsql_update_run:
 * @plan: of an UPDATE, or of a DELETE
 * @returning: (nullable)
 * @calls: (nullable): gets the requests, and nothing is written
 * @out_n: (out): tuples that were certainly changed, also when the call fails
 *
 * Each tuple is found by the plan, read again under the lock of its key, tested again, changed and
 * written, so that of several statements that want the same tuple one has it after the other, and
 * sees what the other made of it. With LIMIT the search goes on until enough tuples were changed,
 * or no more are found.
 */
gboolean kvsql_update_run (KvsqlEngine *engine, KvsqlWritePlan *plan,
                           const KvsqlSelectLimits *limits, const KvsqlCall *call,
                           KvsqlReturning *returning, KvsqlCalls *calls, guint64 *out_n,
                           GError **error);

/* Whether the UPDATE is the store's own increment: SET n = n + 5, where n is a cell of its own and
 * the predicate is about the key only. */
gboolean kvsql_update_is_counter (const KvsqlWritePlan *plan,
                                  const KvsqlStoreCapabilities *capabilities, guint *out_attribute,
                                  gint64 *out_amount);

G_END_DECLS
