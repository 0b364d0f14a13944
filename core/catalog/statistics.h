/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statistics.h: what ANALYZE found out about the tuples of a relation, for estimates.
 *
 * They are an entry of the registry, by the name of the relation, so all daemons make the same
 * estimates. Its text names the attributes. So statistics outlive ALTER RELATION; attributes that
 * are new, or that have another type now, are unknown then.
 *
 * Threads: one thread makes statistics. After that, they are immutable and reference-counted. A set
 * of statistics does not change after it was made, either.
 */
#pragma once

#include "core/base/value.h"
#include "core/schema/relation.h"

G_BEGIN_DECLS

/* The most tuples in a sample. */
#define KVSQL_SAMPLE_TUPLES 1000
/* The most steps of a histogram. */
#define KVSQL_MAX_STEPS 64
/* As many distinct values are assumed of an attribute that is unknown. */
#define KVSQL_ASSUMED_VALUES 100.0

/* A value of the sample. Between it and the step before there may be other values of the sample. */
typedef struct
{
  KvsqlValue value; /* a long one is cut */
  guint below;      /* sampled tuples with a smaller value */
  guint equal;      /* sampled tuples with this value */
} KvsqlHistogramStep;

typedef struct
{
  /* Ascending, from the least value of the sample to the greatest. None of a collection or JSON, or
   * if the attribute is unknown. */
  KvsqlHistogramStep *steps;
  guint n_steps;
  guint n_nulls;    /* sampled tuples with NULL */
  gdouble distinct; /* estimated number of distinct values in the relation, without NULL */
  gdouble bytes;    /* average size of a value that is not NULL, of a type of KVSQL_CLASS_SLICE;
                       0: unknown */
} KvsqlAttributeStatistics;

typedef struct
{
  gint ref_count;
  KvsqlArena *arena;
  const gchar *relation_text; /* the definition of the relation */
  const gchar *text;          /* nullable: the entry in the registry */
  gdouble n_tuples;
  gboolean is_complete; /* all tuples were seen; else n_tuples is a lower bound */
  guint n_sampled;
  gint64 made_us; /* of g_get_real_time() */
  guint n_attributes;
  KvsqlAttributeStatistics *attributes;
} KvsqlStatistics;

/* Nothing is known about the attributes yet. */
KvsqlStatistics *kvsql_statistics_new (const KvsqlRelation *relation);
KvsqlStatistics *kvsql_statistics_ref (KvsqlStatistics *self);
void kvsql_statistics_unref (KvsqlStatistics *self); /* accepts NULL */

/* The most common value of the sample and its count; FALSE if all values differ. */
gboolean kvsql_statistics_get_most_common (const KvsqlStatistics *self, guint attribute,
                                           KvsqlValue *out, guint *out_n);

/* The entry in the registry, JSON of about KVSQL_STATISTICS_MAX_BYTES at most. @relation: that
 * of @self. (transfer full) */
gchar *kvsql_statistics_print (const KvsqlStatistics *self, const KvsqlRelation *relation);
#define KVSQL_STATISTICS_MAX_BYTES 150000

/* The reverse, for the present definition of the relation. Errors: KVSQL_ERROR_INVALID. */
KvsqlStatistics *kvsql_statistics_parse (const gchar *text, const KvsqlRelation *relation,
                                         GError **error);

/* ---- sets of statistics, one for each definition of a relation */

GHashTable *kvsql_statistics_set_new (void);
void kvsql_statistics_set_insert (GHashTable *self,
                                  KvsqlStatistics *statistics); /* (transfer full) */
/* NULL: there are none. @self: (nullable) */
const KvsqlStatistics *kvsql_statistics_set_find (GHashTable *self, const KvsqlRelation *relation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlStatistics, kvsql_statistics_unref)

G_END_DECLS
