/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-private.h: shared by the files that explain plans.
 */
#pragma once

#include "core/plan/select-plan.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* What the operators of a plan do, in the order in which data flows: as lines, or as members of the
 * current JSON object. */
void kvsql_explain_append_nodes (const KvsqlSelectPlan *plan, const gchar *verb, GString *out);
void kvsql_explain_add_nodes (const KvsqlSelectPlan *plan, JsonBuilder *builder);

/* The joins of a plan that has several relations. */
void kvsql_explain_append_join (const KvsqlSelectPlan *plan, GString *out);
void kvsql_explain_add_join (const KvsqlSelectPlan *plan, JsonBuilder *builder);

/* A query that is joined: a derived table. */
void kvsql_explain_append_query (const KvsqlSelectPlan *plan, const gchar *indent, GString *out);

/* The operands of a set operation, each with its plan. */
void kvsql_explain_append_set (const KvsqlSelectPlan *plan, const gchar *verb, GString *out);
void kvsql_explain_add_set (const KvsqlSelectPlan *plan, JsonBuilder *builder);

/* The outer values of a subquery. */
void kvsql_explain_append_values (const KvsqlSubquery *self, GString *out);
/* The subqueries that expressions of the plan evaluate. */
void kvsql_explain_append_subqueries (const KvsqlSelectPlan *plan, GString *out);
void kvsql_explain_add_subqueries (const KvsqlSelectPlan *plan, JsonBuilder *builder);

/* A member of the current JSON object. */
void kvsql_explain_add_number (JsonBuilder *builder, const gchar *name, gdouble number);
void kvsql_explain_add_boolean (JsonBuilder *builder, const gchar *name, gboolean truth);
void kvsql_explain_add_string (JsonBuilder *builder, const gchar *name, const gchar *text);
void kvsql_explain_add_integer (JsonBuilder *builder, const gchar *name, guint64 number);
void kvsql_explain_add_hex (JsonBuilder *builder, const gchar *name, KvsqlSlice bytes);

/* A plan as members of the current JSON object. */
void kvsql_explain_add_plan (const KvsqlSelectPlan *plan, JsonBuilder *builder);
/* All access paths, as a member of the current JSON object. */
void kvsql_explain_add_paths (const KvsqlSelectPlan *plan, JsonBuilder *builder);
/* Why a path was not chosen. (transfer full) */
gchar *kvsql_explain_reason_against (const KvsqlSelectPlan *plan, const KvsqlAccessPath *path);

/* An access path: its cost and rows; its ranges; what is checked on the entries of an index; the
 * lookup of their tuples, or the anchors of a verified read. */
void kvsql_explain_append_estimate (const KvsqlAccessPath *path, GString *out);
void kvsql_explain_append_reads (const KvsqlAccessPath *path, const gchar *indent, GString *out);
void kvsql_explain_append_entry_filter (const KvsqlAccessPath *path, GString *out);
void kvsql_explain_append_lookup (const KvsqlAccessPath *path, GString *out);

/* Further ranges are counted, not listed. */
#define KVSQL_EXPLAIN_RANGES_SHOWN 20

/* The text of a condition is cut at this number of bytes. */
#define KVSQL_EXPLAIN_BYTES_SHOWN (64 * 1024)
void kvsql_explain_append_predicate (const KvsqlPredicate *predicate, const KvsqlRelation *relation,
                                     GString *out);

/* Appends ", about 2.5 ms" to a cost; nothing if costs were not measured. */
void kvsql_explain_append_time (gdouble cost, gdouble unit_us, GString *out);
/* Appends a rounded number for a reader. */
void kvsql_explain_append_count (gdouble number, GString *out);

/* Appends the names of the elements in the key prefix. */
void kvsql_explain_skip_over (const KvsqlAccessPath *path, const KvsqlSkipPlan *skip, GString *out);
/* Appends the suffixes that the skip scan reads. */
void kvsql_explain_skip_text (const KvsqlAccessPath *path, const gchar *indent, GString *out);
/* Appends the alternative, if there is one: a full scan in place of the skip scan, or a skip scan
 * in place of the full scan. */
void kvsql_explain_other_way (const KvsqlAccessPath *path, GString *out);
void kvsql_explain_skip_json (const KvsqlAccessPath *path, JsonBuilder *builder);

G_END_DECLS
