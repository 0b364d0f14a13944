/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * refusals.h: which tuples of many a store refuses.
 *
 * A store without atomic batches may write some tuples of a batch and refuse others (a table of
 * theirs is disabled, say), and tells no more than that. So the others are written, and those that
 * it refuses are found by halving.
 */
#pragma once

#include "core/schema/relation.h"

G_BEGIN_DECLS

/* Writes tuples once more; a repetition does no harm. */
typedef gboolean (*KvsqlWriteAgainFunc) (const KvsqlValue *const *tuples, guint n_tuples,
                                         gpointer data, GError **error);

typedef struct
{
  GPtrArray *refused; /* (element-type KvsqlValue): tuples that were given */
  guint n_written;
  gboolean is_cut; /* there were so many that the rest was not tried */
} KvsqlRefusals;

/**
 * kvsql_refusals_find:
 * @error: (inout): why the store refused all of @tuples at once; becomes why it refused the first
 * of those that are at fault, or what kept it from answering
 *
 * Returns FALSE if that kept it from answering; then nothing is known.
 */
gboolean kvsql_refusals_find (KvsqlRefusals *self, const KvsqlValue *const *tuples, guint n_tuples,
                              KvsqlWriteAgainFunc write, gpointer data, GError **error);
/* Tells it in the error's detail; @n_before: tuples that had been written before. */
void kvsql_refusals_tell (const KvsqlRefusals *self, const KvsqlRelation *relation, guint n_before,
                          GError **error);
void kvsql_refusals_clear (KvsqlRefusals *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlRefusals, kvsql_refusals_clear)

G_END_DECLS
