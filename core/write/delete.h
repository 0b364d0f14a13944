/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * delete.h: deletes the tuples that a plan finds, from every schema.
 */
#pragma once

#include "core/write/storage.h"
#include "core/exec/select.h"
#include "core/plan/calls.h"

G_BEGIN_DECLS

/* @plan: from kvsql_delete_plan_make(). @out_deleted: set also when the call fails. */
gboolean kvsql_delete_run (KvsqlStorage *storage, const KvsqlSelectPlan *plan,
                           const KvsqlSelectLimits *limits, const KvsqlCall *call,
                           guint64 *out_deleted, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Reports the requests. If the predicate names whole keys, and the keys determine every cell key,
 * nothing is read. Otherwise the tuples are read, because their cell keys depend on what is
 * stored. */
gboolean kvsql_delete_explain (KvsqlStorage *storage, const KvsqlSelectPlan *plan,
                               const KvsqlSelectLimits *limits, const KvsqlCall *call,
                               KvsqlCalls *calls, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
