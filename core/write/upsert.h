/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * upsert.h: INSERT … ON CONFLICT.
 */
#pragma once

#include "core/scan/tuple-map.h"
#include "core/write/change.h"
#include "core/write/storage.h"
#include "core/write/returning.h"

G_BEGIN_DECLS

/**
 * kvsql_upsert_run:
 * @tuples: (array length=n_tuples): by attribute, converted (kvsql_bind_convert())
 * @changed: (nullable): the keys that the statement has inserted or updated; the keys of @tuples
 *   are added. DO UPDATE fails for a key that comes again. %NULL: the caller knows that no key
 *   comes again
 * @returning: (nullable)
 * @out_n: (out): tuples that were certainly inserted or updated, also when the call fails
 *
 * Tuples are processed in their order. With DO NOTHING, a tuple whose key was in an earlier one is
 * skipped. With DO UPDATE the result would depend on the order, so it is an error as in PostgreSQL,
 * before any of @tuples is written unless a WHERE has to be evaluated first. Testing whether a
 * tuple exists and writing it is atomic, under the lock of its key. A duplicate key is an error
 * with the number of its row (kvsql_error_get_row ()), unless other daemons write these tuples,
 * too.
 */
gboolean kvsql_upsert_run (KvsqlStorage *storage, const KvsqlWritePlan *plan,
                           const KvsqlValue *const *tuples, guint n_tuples, const KvsqlCall *call,
                           KvsqlTupleMap *changed, KvsqlReturning *returning, guint64 *out_n,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
