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
 * @changed: (nullable): the keys that the statement has inserted or updated; gets those of @tuples.
 * DO UPDATE refuses one that comes again. %NULL: none does, as the caller knows
 * @returning: (nullable)
 * @calls: (nullable): gets the requests, and nothing is written
 * @out_n: (out): tuples that were certainly inserted or updated, also when the call fails
 *
 * Tuples are taken in their order: with DO NOTHING, one whose key an earlier one has is passed
 * over. With DO UPDATE it would depend on that order what becomes of it, so it is an error as in
 * PostgreSQL, before any of @tuples is written unless a WHERE has to decide first. Looking whether
 * a tuple is there and writing it are one step, under the lock of its key.
 */
gboolean kvsql_upsert_run (KvsqlEngine *engine, const KvsqlWritePlan *plan,
                           const KvsqlValue *const *tuples, guint n_tuples, const KvsqlCall *call,
                           KvsqlTupleMap *changed, KvsqlReturning *returning, KvsqlCalls *calls,
                           guint64 *out_n, GError **error);

G_END_DECLS
