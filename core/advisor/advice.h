/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * advice.h: the chosen schemas, and what each statement does with them.
 */
#pragma once

#include "core/advisor/curve.h"
#include "core/advisor/problem.h"
#include "core/advisor/solver.h"

G_BEGIN_DECLS

typedef struct
{
  const KvsqlDesign *design;
  const gchar *name;
  guint item; /* of the choice */
  gboolean is_primary;
  gdouble size;
  gdouble without;   /* what all statements cost more with the other schemas alone; INFINITY: it is
                        the primary, or must stay */
  guint *statements; /* the numbers of those that read it */
  guint n_statements;
} KvsqlAdvisedSchema;

typedef struct
{
  const KvsqlWorkloadStatement *statement;
  gdouble cost;      /* of one execution */
  gdouble read_cost; /* the part of it that is not for writes */
  const gchar *plan;
  gboolean misses_slo;
  gboolean is_scanned; /* it reads all tuples of some schema */
} KvsqlAdvisedStatement;

typedef struct
{
  KvsqlProblem *problem;
  KvsqlSelection *selection;
  gdouble cost; /* of all statements, each by its weight */
  gdouble gap;
  KvsqlAdvisedSchema *schemas;
  guint n_schemas;
  KvsqlAdvisedStatement *statements;
  guint n_statements;
  KvsqlCurve curve; /* n 0: not wanted */
} KvsqlAdvice;

/* @problem, @selection: (transfer full). The strings live in the arena of the problem. */
KvsqlAdvice *kvsql_advice_new (KvsqlProblem *problem, KvsqlSelection *selection, gdouble gap);
void kvsql_advice_free (KvsqlAdvice *self); /* accepts NULL */

/* Replaces plans and costs of reads by those of the planner with all schemas. */
gboolean kvsql_advice_replan (KvsqlAdvice *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* A cost in milliseconds; 0: the costs are no times. */
gdouble kvsql_advice_get_ms (const KvsqlAdvice *self, gdouble cost);

/* The cost of another selection of the problem, with its replaced costs. @selection: (transfer
 * full)
 */
gdouble kvsql_advice_cost_selection (const KvsqlAdvice *self, KvsqlSelection *selection);
/* Whether a schema that exists is advised, too. */
gboolean kvsql_advice_has_given (const KvsqlAdvice *self, const KvsqlWorkloadSchema *given);
/* Numbers are added in ascending order; one that is the last one already is not. */
void kvsql_advised_schema_add_reader (KvsqlAdvisedSchema *self, guint number, KvsqlArena *arena);

/* The definition of a schema, proved. (transfer full) */
gchar *kvsql_advice_define (const KvsqlAdvice *self, const KvsqlAdvisedSchema *schema,
                            GError **error);

/* (transfer full) */
gchar *kvsql_advice_to_json (const KvsqlAdvice *self, GError **error);
gchar *kvsql_advice_to_sql (const KvsqlAdvice *self, GError **error);
gchar *kvsql_advice_to_text (const KvsqlAdvice *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlAdvice, kvsql_advice_free)

G_END_DECLS
