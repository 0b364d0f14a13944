/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * calls.h: the requests of a statement as JSON, for EXPLAIN (CALLS).
 *
 * The format is a stable interface: {"calls": [{"op", "schema", "table", "row", "start", "stop",
 * "behind": [{"start", "stop"}], "cells": [{"family", "qualifier", "value"}]}]}, bytes in
 * lower-case hex, only the fields that apply; start is inclusive, stop exclusive, and an empty one
 * means the end of the table.
 */
#pragma once

#include "core/plan/candidate.h"

G_BEGIN_DECLS

typedef struct _KvsqlCalls KvsqlCalls;

KvsqlCalls *kvsql_calls_new (void);
void kvsql_calls_free (KvsqlCalls *self);

/* What a candidate reads: a "get" for each range of one key, a "scan" for every other, with
 * "behind" if only that is read of each front of its keys; and "fetch", the gets for what an index
 * lacks, whose rows are known only when it has been read. */
void kvsql_calls_add_reads (KvsqlCalls *self, const KvsqlCandidate *candidate);
/* "put" and "delete", one for each run of mutations of one kind and row. */
void kvsql_calls_add_mutations (KvsqlCalls *self, const gchar *schema,
                                const KvsqlMutation *mutations, guint n_mutations);
/* (transfer full) */
gchar *kvsql_calls_to_json (KvsqlCalls *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlCalls, kvsql_calls_free)

G_END_DECLS
