/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cost-model.h: what statements cost with given schemas.
 *
 * Costs are in a unit of the model's own. A model is a table of functions; all data is that of the
 * workload. Functions are pure.
 */
#pragma once

#include "core/advisor/design.h"

G_BEGIN_DECLS

/* A SELECT, or what an UPDATE or DELETE reads before it writes. */
typedef struct
{
  const KvsqlWorkload *workload;
  const KvsqlWorkloadStatement *statement;
  guint relation;
  KvsqlShape shape;
} KvsqlRead;

/* What one execution of a statement costs a schema. */
typedef struct
{
  gdouble cost;
  gboolean needs_old; /* only with the old tuple it is known what to write */
} KvsqlUpkeep;

typedef struct
{
  const gchar *name;
  /* Whether a statement reads an old tuple for each schema that needs it, as NoSE has it, or once.
   */
  gboolean reads_separately;
  gboolean reads_text;    /* the cost depends on more than the shape of a statement */
  gboolean is_in_seconds; /* costs are times */
  gboolean is_planner;    /* kvsql_planner_cost () has to be called first */
  /* The cost of reading through @design. If it lacks attributes, they are looked up in @primary
   * (nullable). INFINITY: impossible. Appends the plan to @plan (nullable), with the given names.
   */
  gdouble (*read) (const KvsqlRead *read, const KvsqlDesign *design, const KvsqlDesign *primary,
                   const gchar *const *names, GString *plan);
  /* Of an INSERT, UPDATE or DELETE, without its reads. */
  KvsqlUpkeep (*write) (const KvsqlWorkload *workload, const KvsqlWorkloadStatement *statement,
                        const KvsqlDesign *design);
  gdouble (*size) (const KvsqlWorkload *workload, const KvsqlDesign *design); /* bytes */
} KvsqlCostModel;

/* The cost model of NoSE (Mior et al., ICDE 2016) for Cassandra, in seconds. */
extern const KvsqlCostModel kvsql_cost_nose;

/* The planner of kvsql, in reads of a row. */
extern const KvsqlCostModel kvsql_cost_kvsql;

/* NULL with an error that lists the names. */
const KvsqlCostModel *kvsql_cost_model_find (const gchar *name, GError **error);

G_END_DECLS
