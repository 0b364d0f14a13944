/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * workload.h: relations with their statistics, and weighted statements.
 *
 * A workload is immutable after it was read. It belongs to one thread.
 */
#pragma once

#include "core/advisor/shape.h"
#include "core/store/costs.h"

G_BEGIN_DECLS

/* Of an attribute. 0: not given. */
typedef struct
{
  gdouble distinct; /* values */
  gdouble bytes;    /* of a value, on average */
} KvsqlWorkloadAttribute;

typedef struct
{
  KvsqlRelation *relation;
  const gchar *definition; /* as written */
  gdouble rows;            /* 0: not given */
  KvsqlWorkloadAttribute *attributes;
  KvsqlAttributeSet used; /* attributes that some statement names */
  gpointer statistics;    /* nullable: the KvsqlStatistics of the planner (planner.h) */
  GDestroyNotify free_statistics;
} KvsqlWorkloadRelation;

typedef struct
{
  guint number; /* from 1, in the order of the file, over all mixes */
  const gchar *text;
  KvsqlSpan span; /* in the file */
  const KvsqlAstStatement *ast;
  gdouble weight; /* executions, in any unit that is the same for all statements */
  gdouble slo;    /* seconds; 0: none */
  KvsqlSpan slo_span;
  gboolean is_fresh; /* of an INSERT: its KEYs are new */
  guint relation;
  KvsqlShape shape;
  guint join; /* KVSQL_NO_JOIN, or it is a part of that join, and not a statement of the file */
  gdouble repeats; /* of a part: executions in one of the join */
  guint first;     /* the index of the first statement that costs the same with all schemas */
  gdouble total;   /* of such a first one: the weights of all of them; of others: 0 */
} KvsqlWorkloadStatement;

#define KVSQL_NO_JOIN G_MAXUINT

/* A SELECT with joins. Its parts are statements of the workload, each of one relation, in the order
 * in which they are read (join-split.h). */
typedef struct
{
  KvsqlWorkloadStatement whole; /* without relation */
  KvsqlAstStatement *ast;       /* changed when it was split */
} KvsqlWorkloadJoin;

/* A schema that exists. */
typedef struct
{
  guint relation;
  const gchar *name;
  const gchar *text;           /* its DEFINE SCHEMA */
  struct _KvsqlSchema *schema; /* core/catalog/schema.h */
  gboolean is_kept;            /* it must stay */
} KvsqlWorkloadSchema;

typedef struct _KvsqlPlannedCosts KvsqlPlannedCosts;

typedef struct
{
  KvsqlArena *arena;
  const gchar *name;     /* nullable */
  const gchar *mix;      /* nullable: of the weights */
  KvsqlStoreCosts costs; /* of the store: those of COSTS, or usual ones of RocksDB */
  KvsqlWorkloadRelation *relations;
  guint n_relations;
  KvsqlWorkloadSchema *schemas;
  guint n_schemas;
  KvsqlWorkloadJoin *joins;
  guint n_joins;
  KvsqlWorkloadStatement *statements; /* by number; of weight 0 in the mix are left out */
  guint n_statements;
  KvsqlPlannedCosts *planned; /* nullable: by statement (planner.h): the costs are the planner's. An
                                 UPDATE or DELETE reads its tuples then, however it names them */
} KvsqlWorkload;

/**
 * kvsql_workload_read:
 * @text: must live as long as the workload
 * @mix: (nullable): whose weights apply; %NULL: the default one of the file
 *
 * Errors have their position in @text. Statements with subqueries, and joins in other statements
 * than SELECT, are %KVSQL_ERROR_UNSUPPORTED.
 */
KvsqlWorkload *kvsql_workload_read (KvsqlSlice text, const gchar *mix, GError **error);
void kvsql_workload_free (KvsqlWorkload *self); /* accepts NULL */

/* Marks schemas that must stay: those with these names, or all. FALSE: there is no such schema.
 * @names: (nullable) (array zero-terminated=1) */
gboolean kvsql_workload_keep (KvsqlWorkload *self, const gchar *const *names, gboolean all,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Sets `first` and `total`: statements of equal shape are one to the search. @by_text: only if
 * their texts are equal, too. */
void kvsql_workload_merge (KvsqlWorkload *self, gboolean by_text);

/* A time in the unit of the planner's costs. Only if COSTS are given. */
gdouble kvsql_workload_get_units (const KvsqlWorkload *self, gdouble seconds);

/* The bytes of a value: given, or usual for its type. */
gdouble kvsql_workload_get_bytes (const KvsqlWorkloadRelation *self, guint attribute);
/* Its distinct values: given, or the number of rows. */
gdouble kvsql_workload_get_distinct (const KvsqlWorkloadRelation *self, guint attribute);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlWorkload, kvsql_workload_free)

G_END_DECLS
