/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * delete.h: deletes the tuples that a plan finds, from every schema.
 */
#pragma once

#include "core/write/storage.h"
#include "core/exec/select.h"

G_BEGIN_DECLS

/* @plan: from kvsql_delete_plan_make(). @out_deleted: set also when the call fails. */
gboolean kvsql_delete_run (KvsqlStorage *storage, const KvsqlSelectPlan *plan,
                           const KvsqlSelectLimits *limits, const KvsqlCall *call,
                           guint64 *out_deleted, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_delete_named_keys:
 *
 * Returns: (nullable) (array length=out_n_keys): the tuples that the plan deletes, with only their
 * KEY attributes, in @arena. %NULL if they have to be read first: the predicate does not name whole
 * keys, or the keys do not determine every cell key.
 */
const KvsqlValue **kvsql_delete_named_keys (const KvsqlSelectPlan *plan, KvsqlArena *arena,
                                            guint *out_n_keys) G_GNUC_WARN_UNUSED_RESULT;

/* Deletes these tuples at the oldest timestamp, without locks: for EXPLAIN (CALLS). */
gboolean kvsql_delete_by_keys (KvsqlStorage *storage, const KvsqlSelectPlan *plan,
                               const KvsqlValue **keys, guint n_keys, const KvsqlCall *call,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
