/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * insert.h: executes INSERT, and insert by columns.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"
#include "core/write/returning.h"

G_BEGIN_DECLS

/**
 * kvsql_execute_insert:
 * @plan: of @statement
 * @returning: (nullable): collects the rows of RETURNING
 * @out_n: (out): tuples that were certainly written, also when the call fails
 */
gboolean kvsql_execute_insert (const KvsqlExecution *execution, const KvsqlWritePlan *plan,
                               const KvsqlInsert *statement, KvsqlReturning *returning,
                               guint64 *out_n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The attributes of rows that are inserted by columns: those of @insert, or all, as columns in
 * @arena. Errors: those of an insert without rows. */
gboolean kvsql_describe_insert_columns (const KvsqlExecution *self, const KvsqlInsert *insert,
                                        KvsqlArena *arena, KvsqlResultColumn **out_columns,
                                        guint *out_n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Inserts the rows of @data, which has a column for each of @attributes. @out_n: (out): tuples that
 * were certainly written, also when the call fails. An error of a row has its number
 * (kvsql_error_get_row ()). */
gboolean kvsql_execute_insert_columns (const KvsqlExecution *self, const gchar *relation,
                                       const gchar *const *attributes, const KvsqlBatch *data,
                                       guint64 *out_n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether a relation is in the FROM of @plan. */
gboolean kvsql_select_plan_reads (const KvsqlSelectPlan *plan, const KvsqlCatalogEntry *entry);

G_END_DECLS
