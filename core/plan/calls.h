/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * calls.h: the store requests of a statement as JSON, for EXPLAIN (CALLS).
 *
 * The format is a stable interface: {"calls": [{"op", "schema", "table", "row", "start", "stop",
 * "behind": [{"start", "stop"}], "cells": [{"family", "qualifier", "value"}]}]}. An "increment" has
 * the "amount" that is added to its cell. Bytes are in lower-case hex. Only the fields that apply
 * are present. The start is inclusive, the stop is exclusive, and an empty stop means the end of
 * the table.
 *
 * The requests of checked writes have a "step": requests of the same step may be made at the same
 * time, and those of a later step are made afterwards. "answered" is true for what is made after
 * the answer of the statement. Requests for anchors and the log have no "schema". A
 * "compare-and-set" puts its cells if the cell "check" has that value, or, without a value, if
 * there is no such cell.
 */
#pragma once

#include "core/plan/select-plan.h"
#include "core/store/store.h"

G_BEGIN_DECLS

#define KVSQL_MAX_CALLS 10000
#define KVSQL_MAX_CALL_BYTES (2 << 20) /* of all keys, columns and values */

typedef struct _KvsqlCalls KvsqlCalls;

KvsqlCalls *kvsql_calls_new (void);
void kvsql_calls_free (KvsqlCalls *self);

/* Adds the reads of an access path: a "get" for each range of one key, a "scan" for each other
 * range, and a "fetch" for the gets of an index lookup, whose rows are known only after the index
 * was read. A skip scan has "behind": the suffixes that are read for each key prefix. */
void kvsql_calls_add_reads (KvsqlCalls *self, const KvsqlAccessPath *path);
/* The same of all relations of a SELECT, in the order in which they are read. */
void kvsql_calls_add_select (KvsqlCalls *self, const KvsqlSelectPlan *plan);
/* Adds requests as they were made: a "get" for each key, a "get" or a "scan" for each range, a
 * "list" for the tables whose names begin with @prefix. @schema: NULL: of anchors */
void kvsql_calls_add_gets (KvsqlCalls *self, const gchar *schema, KvsqlSlice table,
                           const KvsqlSlice *keys, guint n_keys, const KvsqlColumn *columns,
                           guint n_columns);
void kvsql_calls_add_scan (KvsqlCalls *self, const gchar *schema, const KvsqlScanSpec *spec);
void kvsql_calls_add_list (KvsqlCalls *self, const gchar *schema, KvsqlSlice prefix);
/* Adds "put" and "delete": one for each run of mutations of one kind and one tag in the row.
 * @schema: gives the name of the schema of a tag, or NULL */
void kvsql_calls_add_row (KvsqlCalls *self, const KvsqlRowMutation *row,
                          const gchar *(*schema) (gconstpointer tag));
void kvsql_calls_add_increment (KvsqlCalls *self, const gchar *schema, KvsqlSlice table,
                                KvsqlSlice row, const KvsqlColumn *column, gint64 amount);
/* Adds a "compare-and-set" of a row of anchors. */
void kvsql_calls_add_check (KvsqlCalls *self, const KvsqlCheck *check,
                            const KvsqlCellMutation *cells, guint n_cells);
/* The requests that are added from now on belong to a new step. */
void kvsql_calls_begin_step (KvsqlCalls *self);
/* They are made after the answer. */
void kvsql_calls_set_answered (KvsqlCalls *self);
/* FALSE and KVSQL_ERROR_LIMIT if there are more than KVSQL_MAX_CALLS, or more than
 * KVSQL_MAX_CALL_BYTES. */
gboolean kvsql_calls_check (const KvsqlCalls *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* (transfer full) (nullable): NULL also if the check fails */
gchar *kvsql_calls_to_json (KvsqlCalls *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlCalls, kvsql_calls_free)

G_END_DECLS
