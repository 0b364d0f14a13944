/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * problem.h: from a workload and a cost model to a choice.
 */
#pragma once

#include "core/advisor/choice.h"
#include "core/advisor/cost-model.h"

G_BEGIN_DECLS

/* Why a group of the choice is read. */
#define KVSQL_NO_STATEMENT G_MAXUINT /* a schema that must stay */

typedef struct
{
  guint statement; /* its index in the workload */
  KvsqlRead read;
} KvsqlProblemGroup;

/* Plans that take longer than the SLO of their statement are taken if there is no other one: they
 * cost so many times as much. */
#define KVSQL_SLO_PENALTY 1e6

typedef struct
{
  KvsqlWorkload *workload;
  const KvsqlCostModel *model;
  KvsqlArena *arena;
  const KvsqlDesign **designs; /* by item */
  KvsqlProblemGroup *groups;   /* by group */
  guint *first_items; /* by relation: its items are those from here to those of the next one */
  KvsqlChoice choice;
  gboolean is_cut;    /* there was no time for all candidates */
  guint n_candidates; /* before those that are never better were left out */
} KvsqlProblem;

/* @workload and @model must live on. @seconds: for candidates and their costs; after that there are
 * fewer of them. INFINITY: no limit. FALSE only if the caller's thread is interrupted. */
KvsqlProblem *kvsql_problem_new (KvsqlWorkload *workload, const KvsqlCostModel *model,
                                 gdouble seconds, GError **error);
/* The same with other candidates, such as all that exist. */
typedef gboolean (*KvsqlDesignsFunction) (const KvsqlWorkload *workload, guint relation,
                                          KvsqlArena *arena, KvsqlDesigns *out, GError **error);
KvsqlProblem *kvsql_problem_new_of (KvsqlWorkload *workload, const KvsqlCostModel *model,
                                    KvsqlDesignsFunction make, gdouble seconds, GError **error);
void kvsql_problem_free (KvsqlProblem *self); /* accepts NULL */

/* The designs that can be better than others for some limits. @out: indexes in @designs, the first
 * one included; also set if the thread is interrupted, then maybe without the last designs, or with
 * some that are never better. */
gboolean kvsql_problem_prune (const KvsqlWorkload *workload, const KvsqlCostModel *model,
                              guint relation, const KvsqlDesigns *designs, KvsqlArena *arena,
                              guint **out, guint *out_n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What a statement reads before it changes tuples: an UPDATE or DELETE that does not name one by
 * its key finds them, with all attributes; others read the old tuple, if a schema needs that. */
gboolean kvsql_problem_finds (const KvsqlWorkload *workload,
                              const KvsqlWorkloadStatement *statement);
/* @design: (nullable): whose old entry is to be known; %NULL: of all designs */
KvsqlRead kvsql_problem_make_read (const KvsqlWorkload *workload,
                                   const KvsqlWorkloadStatement *statement,
                                   const KvsqlDesign *design);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlProblem, kvsql_problem_free)

G_END_DECLS
