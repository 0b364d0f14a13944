/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain.h: a plan as text and as JSON.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* Appends lines, each ended by '\n'. @verb: "Select", "Delete". */
void kvsql_explain_text (const KvsqlSelectPlan *plan, const gchar *verb, GString *out);
/* (transfer full) */
gchar *kvsql_explain_json (const KvsqlSelectPlan *plan, const gchar *verb);

/* Appends a predicate in the form in which a user would write it. */
void kvsql_predicate_append_text (const KvsqlPredicate *predicate, const KvsqlRelation *relation,
                                  GString *out);

/* Appends "hash join with b": a join of the plan. */
void kvsql_explain_append_join_name (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node,
                                     GString *out);
/* Appends "; about 5 rows were estimated". */
void kvsql_explain_append_join_estimate (const KvsqlJoinNode *node, GString *out);

G_END_DECLS
