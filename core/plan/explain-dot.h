/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-dot.h: a plan as a graph for Graphviz.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @json: what EXPLAIN (FORMAT JSON) or EXPLAIN (CALLS, FORMAT JSON) gives. Lines, each ended by
 * '\n'. (transfer full) */
gchar *kvsql_explain_dot (const gchar *json);

G_END_DECLS
