/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-dot.h: a plan as a graph for Graphviz.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns lines, each ended by '\n'. (transfer full) @json: the result of EXPLAIN (FORMAT JSON) or
 * EXPLAIN (CALLS, FORMAT JSON) */
gchar *kvsql_explain_dot (const gchar *json);

G_END_DECLS
