/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * product.h: the tuples of a scan, each with all those of other relations.
 *
 * Belongs to one thread at a time.
 */
#pragma once

#include "core/exec/select.h"
#include "core/plan/product.h"

G_BEGIN_DECLS

typedef struct _KvsqlProductRun KvsqlProductRun;

/* @plan has a product; all must outlive the run. The other relations may take limits->sort_bytes of
 * memory together. */
KvsqlProductRun *kvsql_product_run_new (const KvsqlSelectPlan *plan, KvsqlStore *store,
                                        const KvsqlSelectLimits *limits);
void kvsql_product_run_free (KvsqlProductRun *self); /* accepts NULL */

/* TRUE with the next rows, columns as product.h numbers them; n_rows 0 is the end. Valid until the
 * next call. @scan: of the first relation */
gboolean kvsql_product_run_next (KvsqlProductRun *self, KvsqlTupleScan *scan, const KvsqlCall *call,
                                 KvsqlBatch **out_batch, GError **error);

/* What reading another relation met with; valid as long as the run. FALSE: it was told before, or
 * is not known yet. */
gboolean kvsql_product_run_take_counts (KvsqlProductRun *self, guint part,
                                        KvsqlAssemblerCounts *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlProductRun, kvsql_product_run_free)

G_END_DECLS
