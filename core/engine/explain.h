/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain.h: the plan of a statement as text, as JSON, or as requests to the store.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"

G_BEGIN_DECLS

/**
 * kvsql_explain_statement:
 * @counts: count the tuples whose number is assumed; FALSE if the statement runs anyway
 * @out_text: (transfer full)
 * @out_json: (transfer full) (optional)
 *
 * The plan of a SELECT, INSERT, UPDATE or DELETE.
 */
gboolean kvsql_explain_statement (const KvsqlExecution *self, const KvsqlAstStatement *statement,
                                  gboolean counts, gchar **out_text, gchar **out_json,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* FALSE: an error that says what EXPLAIN is for. */
gboolean kvsql_explain_no_plan (const KvsqlAstStatement *statement,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The requests that the statement would make, as JSON (core/plan/calls.h). Reads what the statement
 * would read, and writes nothing. (transfer full) */
gchar *kvsql_explain_calls_json (const KvsqlExecution *self, const KvsqlAstStatement *statement,
                                 GError **error);
/* The same as text, after the line @head. (transfer full) */
gchar *kvsql_explain_calls_text (const gchar *head, const gchar *json);

/**
 * kvsql_explain_analyze:
 * @text: (inout)
 * @json: (inout) (nullable)
 * @out_affected: (out): tuples that were written; -1: the statement writes none
 *
 * Executes the statement, and adds to the texts of its plan what it has read.
 */
gboolean kvsql_explain_analyze (const KvsqlExecution *execution, const KvsqlAstStatement *statement,
                                gchar **text, gchar **json, gint64 *out_affected,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The catalog of an EXPLAIN, with the schemas after it that do not exist. (transfer full) */
KvsqlCatalog *kvsql_explain_suppose (const KvsqlExecution *self, const KvsqlExplain *explain,
                                     GError **error);

/* Executes EXPLAIN. @out_affected: (out): tuples that EXPLAIN ANALYZE has written; -1: none */
KvsqlResultPage *kvsql_execute_explain (const KvsqlExecution *execution,
                                        const KvsqlAstStatement *statement, gint64 *out_affected,
                                        GError **error);

G_END_DECLS
