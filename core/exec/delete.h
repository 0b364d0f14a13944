/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * delete.h: deleting the tuples that a plan finds, from every schema.
 */
#pragma once

#include "core/exec/insert.h"
#include "core/exec/select.h"

G_BEGIN_DECLS

/* @plan: from kvsql_delete_plan_make(). @out_deleted: also when the call fails. */
gboolean kvsql_delete_run (KvsqlEngine *engine, const KvsqlSelectPlan *plan,
                           const KvsqlSelectLimits *limits, const KvsqlCall *call,
                           guint64 *out_deleted, GError **error);

/* The requests. Where the predicate names whole keys and these tell every address, nothing is read;
 * otherwise the tuples are looked up, since their addresses depend on what is stored. */
gboolean kvsql_delete_explain (KvsqlEngine *engine, const KvsqlSelectPlan *plan,
                               const KvsqlSelectLimits *limits, const KvsqlCall *call,
                               KvsqlCalls *calls, GError **error);

G_END_DECLS
