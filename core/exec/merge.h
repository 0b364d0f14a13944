/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * merge.h: merges sorted runs of a temporary file.
 */
#pragma once

#include "core/exec/spill.h"

G_BEGIN_DECLS

typedef struct _KvsqlMerge KvsqlMerge;

/* Records with equal keys come in the order of their runs. @spill must outlive the merge. */
KvsqlMerge *kvsql_merge_new (const KvsqlSpill *spill, const KvsqlSpillRun *runs, guint n_runs,
                             gsize memory_bytes);
void kvsql_merge_free (KvsqlMerge *self); /* accepts NULL */

/* The next record, valid until the next call; FALSE in *out_any at the end. */
gboolean kvsql_merge_next (KvsqlMerge *self, KvsqlSlice *out_key, KvsqlSlice *out_row,
                           gboolean *out_any, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlMerge, kvsql_merge_free)

G_END_DECLS
