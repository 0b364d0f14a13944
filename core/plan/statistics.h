/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statistics.h: a sample of the tuples of a relation, for estimates.
 *
 * One thread fills a statistics object. After that, it is immutable and reference-counted. A set of
 * statistics is a GHashTable that does not change after it was made.
 */
#pragma once

#include "core/base/vector.h"
#include "core/layout/ranges/constraint.h"
#include "core/schema/relation.h"

G_BEGIN_DECLS

#define KVSQL_SAMPLE_TUPLES 1000

typedef struct
{
  KvsqlValue *values; /* of the sample, ascending, without NULL; long values are cut */
  guint n_values;
  guint n_nulls;
  gdouble distinct; /* estimated number of distinct values in the relation */
} KvsqlAttributeStatistics;

typedef struct
{
  gint ref_count;
  KvsqlArena *arena;
  const gchar *relation_text; /* the definition of the relation */
  const gchar *relation_name;
  gdouble n_tuples;
  gboolean is_complete; /* all tuples were seen; else n_tuples is a lower bound */
  guint n_sampled;
  gint64 made_us; /* g_get_real_time() */
  guint n_attributes;
  KvsqlType *types;
  KvsqlAttributeStatistics *attributes;
} KvsqlStatistics;

KvsqlStatistics *kvsql_statistics_new (const KvsqlRelation *relation);
KvsqlStatistics *kvsql_statistics_ref (KvsqlStatistics *self);
void kvsql_statistics_unref (KvsqlStatistics *self); /* accepts NULL */

/* Adds tuples of the relation, columns by attribute. Each tuple has the same chance to be in the
 * sample (reservoir sampling). */
void kvsql_statistics_add (KvsqlStatistics *self, const KvsqlBatch *batch);
/* Call this after the last tuple. */
void kvsql_statistics_finish (KvsqlStatistics *self, gboolean is_complete);

/* The share of all tuples that satisfies a constraint on one attribute: 0 … 1. */
gdouble kvsql_statistics_get_share (const KvsqlStatistics *self, guint attribute,
                                    const KvsqlConstraint *constraint);

/* The most common value of the sample and its count; FALSE if all values differ. */
gboolean kvsql_statistics_get_most_common (const KvsqlStatistics *self, guint attribute,
                                           KvsqlValue *out, guint *out_n);

/* ---- sets of statistics, by relation */

/* Returns @old (nullable) with @added in place of the statistics of the same relation name.
 * (transfer full) */
GHashTable *kvsql_statistics_set_add (GHashTable *old, KvsqlStatistics *added);
/* NULL: there are no statistics. @set: (nullable) */
const KvsqlStatistics *kvsql_statistics_set_find (GHashTable *set, const KvsqlRelation *relation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlStatistics, kvsql_statistics_unref)

G_END_DECLS
