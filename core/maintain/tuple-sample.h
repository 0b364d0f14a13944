/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tuple-sample.h: makes statistics of the tuples of a relation.
 *
 * It keeps KVSQL_SAMPLE_TUPLES of them, each with the same chance (reservoir sampling), for the
 * histograms. Distinct values and sizes are counted in all tuples.
 *
 * Threads: a sample belongs to one thread.
 */
#pragma once

#include "core/base/vector.h"
#include "core/catalog/statistics.h"

G_BEGIN_DECLS

typedef struct _KvsqlTupleSample KvsqlTupleSample;

KvsqlTupleSample *kvsql_tuple_sample_new (const KvsqlRelation *relation);
void kvsql_tuple_sample_free (KvsqlTupleSample *self); /* accepts NULL */

/* Adds tuples of the relation, columns by attribute. */
void kvsql_tuple_sample_add (KvsqlTupleSample *self, const KvsqlBatch *batch);
gdouble kvsql_tuple_sample_get_n_tuples (const KvsqlTupleSample *self);

/* After the last tuple, once. @is_complete: these were all tuples. (transfer full) */
KvsqlStatistics *kvsql_tuple_sample_finish (KvsqlTupleSample *self, gboolean is_complete);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlTupleSample, kvsql_tuple_sample_free)

G_END_DECLS
