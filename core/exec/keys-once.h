/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * keys-once.h: gives each tuple once, by its KEY, as an operator of SELECT … WITH VERIFIED.
 *
 * While a tuple changes, a scan may find it at its old and at its new place, and both times the
 * current tuple comes from its anchor. This operator remembers the keys that it has given: after
 * the predicate, so that a tuple that did not satisfy it may still come. Of a join, that is the
 * predicate of each relation: a tuple takes part with one version.
 *
 * The memory counts for the account of the thread that makes the operator. Beyond
 * max_statement_memory the statement fails. A run that is resumed has forgotten the keys, so the
 * caller must not resume it.
 */
#pragma once

#include "core/exec/row-source.h"
#include "core/plan/select-plan.h"
#include "core/scan/run-counts.h"

G_BEGIN_DECLS

/**
 * kvsql_keys_once_new:
 * @input: (transfer full): gives rows with the KEY attributes of @plan->entry
 * @counts: must outlive the operator
 */
KvsqlRowSource *kvsql_keys_once_new (KvsqlRowSource *input, const KvsqlSelectPlan *plan,
                                     KvsqlRunCounts *counts);

G_END_DECLS
