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

G_END_DECLS
