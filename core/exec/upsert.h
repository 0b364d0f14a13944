/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * upsert.h: INSERT … ON CONFLICT.
 */
#pragma once

#include "core/exec/change.h"
#include "core/exec/returning.h"

G_BEGIN_DECLS

/**
 * kvsql_upsert_run:
 * @tuples: (array length=n_tuples): by attribute, converted (kvsql_bind_convert())
 * @returning: (nullable)
 * @calls: (nullable): gets the requests, and nothing is written
 * @out_n: (out): tuples that were certainly inserted or updated, also when the call fails
 *
 * Tuples are taken in their order: one whose key an earlier one has meets what that one left.
 * Looking whether a tuple is there and writing it are one step, under the lock of its key.
 */
gboolean kvsql_upsert_run (KvsqlEngine *engine, const KvsqlWritePlan *plan,
                           const KvsqlValue *const *tuples, guint n_tuples, const KvsqlCall *call,
                           KvsqlReturning *returning, KvsqlCalls *calls, guint64 *out_n,
                           GError **error);

G_END_DECLS
