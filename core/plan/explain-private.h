/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-private.h: what the files that explain plans share.
 */
#pragma once

#include "core/plan/select-plan.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* What is done with the tuples that were read: groups, DISTINCT, order. Lines, and members of the
 * object that is being built. */
void kvsql_explain_steps_text (const KvsqlSelectPlan *plan, GString *out);
void kvsql_explain_steps_json (const KvsqlSelectPlan *plan, JsonBuilder *builder);

/* More ranges than this are counted, not listed. */
#define KVSQL_EXPLAIN_RANGES_SHOWN 20

/* A number for people. */
void kvsql_explain_append_count (gdouble number, GString *out);

/* The elements that a skip passes over. */
void kvsql_explain_skip_over (const KvsqlCandidate *candidate, const KvsqlSkip *skip, GString *out);
/* What the candidate's skip reads of its ranges. */
void kvsql_explain_skip_text (const KvsqlCandidate *candidate, const gchar *indent, GString *out);
/* What a full scan would be with a skip, or the other way round; nothing if there is no choice. */
void kvsql_explain_other_way (const KvsqlCandidate *candidate, GString *out);
void kvsql_explain_skip_json (const KvsqlCandidate *candidate, JsonBuilder *builder);

G_END_DECLS
