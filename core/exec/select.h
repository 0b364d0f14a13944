/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select.h: runs a SELECT: scan, filter, groups, order, limit, pages.
 *
 * A run belongs to one thread at a time. A run can resume from a position, in this daemon or
 * another one, as long as the plan is the same.
 */
#pragma once

#include "core/exec/operator-tree.h"
#include "core/plan/select-plan.h"
#include "core/scan/assembler-counts.h"

G_BEGIN_DECLS

typedef struct _KvsqlSelectRun KvsqlSelectRun;

/* @plan, @store, and the bytes of the part of @position (nullable) must outlive the run. */
KvsqlSelectRun *kvsql_select_run_new (const KvsqlSelectPlan *plan, KvsqlStore *store,
                                      const KvsqlSelectLimits *limits,
                                      const KvsqlSelectPosition *position);
void kvsql_select_run_free (KvsqlSelectRun *self); /* accepts NULL */

/**
 * kvsql_select_run_page:
 * @max_rows, @max_bytes: the page ends when it reaches one of the two; a page of a long scan may
 *   end earlier. It has at least one row, if there is one.
 * @arena: owns the bytes of the page's values
 * @out_page: (out) (transfer full): one column for each item of the plan
 * @out_has_more: (out): there may be another page
 *
 * After an error the run may only be freed.
 */
gboolean kvsql_select_run_page (KvsqlSelectRun *self, guint max_rows, gsize max_bytes,
                                const KvsqlCall *call, KvsqlArena *arena, KvsqlBatch **out_page,
                                gboolean *out_has_more, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The position after the last page. Its bytes live in @arena. */
void kvsql_select_run_get_position (KvsqlSelectRun *self, KvsqlArena *arena,
                                    KvsqlSelectPosition *out);

/* The share of the result that earlier pages hold, 0 … 1, as an estimate; < 0: not known. */
gdouble kvsql_select_run_guess_done (KvsqlSelectRun *self, const KvsqlCall *call);

/* Rows of the store that the scan has read. */
guint64 kvsql_select_run_get_n_rows (const KvsqlSelectRun *self);
void kvsql_select_run_get_counts (const KvsqlSelectRun *self, KvsqlAssemblerCounts *out);
/* Counts of another relation than the first; out->undecodable are those since the last call. FALSE:
 * there are none. */
gboolean kvsql_select_run_take_joined_counts (KvsqlSelectRun *self, guint part,
                                              KvsqlAssemblerCounts *out);

/* The undecodable cells that operands of set operations have found since the last call. */
void kvsql_select_run_take_operand_counts (KvsqlSelectRun *self, KvsqlUndecodableFunc func,
                                           gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlSelectRun, kvsql_select_run_free)

G_END_DECLS
