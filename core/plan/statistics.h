/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statistics.h: what a relation holds, by a sample: for estimates of rows.
 *
 * A statistics object is filled by one thread and immutable and reference-counted from then on. A
 * set of them is a GHashTable that nobody changes any more.
 */
#pragma once

#include "core/base/vector.h"
#include "core/layout/constraint.h"

G_BEGIN_DECLS

#define KVSQL_SAMPLE_TUPLES 1000

typedef struct
{
  KvsqlValue *values; /* of the sample, ascending, without NULL; long ones cut */
  guint n_values;
  guint n_nulls;
  gdouble distinct; /* estimated, in the whole relation */
} KvsqlAttributeStatistics;

typedef struct
{
  gint ref_count;
  KvsqlArena *arena;
  const gchar *relation_text; /* the definition that they are of */
  const gchar *relation_name;
  gdouble n_tuples;
  gboolean is_complete; /* all tuples were seen; else there are n_tuples at least */
  guint n_sampled;
  gint64 made_us; /* g_get_real_time() */
  guint n_attributes;
  KvsqlType *types;
  KvsqlAttributeStatistics *attributes;
} KvsqlStatistics;

KvsqlStatistics *kvsql_statistics_new (const KvsqlRelation *relation);
KvsqlStatistics *kvsql_statistics_ref (KvsqlStatistics *self);
void kvsql_statistics_unref (KvsqlStatistics *self); /* accepts NULL */

/* Tuples of the relation, columns by attribute: each has the same chance to be in the sample. */
void kvsql_statistics_add (KvsqlStatistics *self, const KvsqlBatch *batch);
/* After the last of them. */
void kvsql_statistics_finish (KvsqlStatistics *self, gboolean is_complete);

/* The part of all tuples that satisfies a constraint on one attribute: 0 … 1. */
gdouble kvsql_statistics_get_share (const KvsqlStatistics *self, guint attribute,
                                    const KvsqlConstraint *constraint);

/* The value that stands in the sample most often, and how often; FALSE if all differ. */
gboolean kvsql_statistics_get_most_common (const KvsqlStatistics *self, guint attribute,
                                           KvsqlValue *out, guint *out_n);

/* ---- sets, by definition */

/* @old (nullable) and @added; what @old has of a relation of that name is left out. (transfer full)
 */
GHashTable *kvsql_statistics_set_add (GHashTable *old, KvsqlStatistics *added);
/* NULL: nothing is known. @set: (nullable). */
const KvsqlStatistics *kvsql_statistics_set_find (GHashTable *set, const KvsqlRelation *relation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlStatistics, kvsql_statistics_unref)

G_END_DECLS
