/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rejected-tuples.h: finds the tuples of a batch that a store rejects.
 *
 * A store without atomic batches may write some tuples of a batch and reject others (because a
 * table is disabled, for example), and reports only that the batch failed. So the batch is halved
 * until single tuples are left: the good ones are written, and the rejected ones are known.
 */
#pragma once

#include "core/schema/relation.h"

G_BEGIN_DECLS

/* Writes tuples once more. Repetition has no effect. */
typedef gboolean (*KvsqlWriteAgainFunc) (const KvsqlValue *const *tuples, guint n_tuples,
                                         gpointer data, GError **error);

typedef struct
{
  GPtrArray *rejected; /* (element-type KvsqlValue): pointers out of @tuples */
  guint n_written;
  gboolean is_cut; /* too many were rejected: the rest was not tried */
} KvsqlRejectedTuples;

/**
 * kvsql_rejected_tuples_find:
 * @error: (inout): why the store rejected all of @tuples together; becomes the error of the first
 *   tuple that is rejected alone, or the error that ended the search
 *
 * Returns FALSE if an error ended the search; then the result is unknown.
 */
gboolean kvsql_rejected_tuples_find (KvsqlRejectedTuples *self, const KvsqlValue *const *tuples,
                                     guint n_tuples, KvsqlWriteAgainFunc write, gpointer data,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Adds the rejected tuples to the error's detail. @n_before: tuples that were written before. */
void kvsql_rejected_tuples_report (const KvsqlRejectedTuples *self, const KvsqlRelation *relation,
                                   guint n_before, GError **error);
void kvsql_rejected_tuples_clear (KvsqlRejectedTuples *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlRejectedTuples, kvsql_rejected_tuples_clear)

G_END_DECLS
