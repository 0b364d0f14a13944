/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * trial.h: what it takes to try an advice: two copies of each relation, and the statements of the
 * workload on both.
 *
 * One side has the schemas of today, the other one those of the advice. A trial is text only: the
 * caller defines and fills the copies, chooses values, and executes. It is immutable, and belongs
 * to one thread.
 */
#pragma once

#include "core/advisor/advise.h"

G_BEGIN_DECLS

#define KVSQL_TRIAL_SIDES 2 /* 0: today, 1: as advised */

typedef struct
{
  const gchar *name; /* as it is spelt */
  const gchar *sql;  /* as statements have it */
  const gchar *type; /* "BIGINT" */
  gboolean is_key;
  gboolean is_double; /* its values may differ in the last digits when they are added */
} KvsqlTrialAttribute;

typedef struct
{
  const gchar *name;
  gboolean is_used;  /* by a statement; else it has no copies */
  const gchar *read; /* SELECT of all its tuples, with the attributes in order */
  KvsqlTrialAttribute *attributes;
  guint n_attributes;
  /* Of each side. Names need no quotes. */
  const gchar *copies[KVSQL_TRIAL_SIDES];
  const gchar **definitions[KVSQL_TRIAL_SIDES]; /* NULL-terminated: relation, primary, the others */
  const gchar **schemas[KVSQL_TRIAL_SIDES];     /* NULL-terminated: their names */
  gboolean is_unique; /* an INSERT of a KEY that exists fails: a tuple is replaced by: */
  const gchar *replace[KVSQL_TRIAL_SIDES]; /* INSERT with a parameter for each attribute */
} KvsqlTrialRelation;

/* Where the value of a parameter comes from. */
typedef enum
{
  KVSQL_TRIAL_VALUE,   /* the value of a tuple */
  KVSQL_TRIAL_LOWER,   /* a bound: the values above it are a part of all */
  KVSQL_TRIAL_UPPER,   /* those below it */
  KVSQL_TRIAL_PATTERN, /* of LIKE: the beginning of the value */
  KVSQL_TRIAL_FRESH,   /* a value that no tuple has, like that of the tuple */
  KVSQL_TRIAL_NUMBER,
} KvsqlTrialKind;

typedef struct
{
  KvsqlTrialKind kind;
  guint relation;    /* of the trial */
  guint attribute;   /* of the relation */
  guint tuple;       /* 0, 1, …: other tuples of one execution */
  gboolean has_both; /* a bound: there is one on the other side, too */
  gint64 number;
} KvsqlTrialParameter;

/* A statement on both sides. Its $1, $2, … are the parameters with these indexes. */
typedef struct
{
  const gchar *sql[KVSQL_TRIAL_SIDES]; /* NULL: there is none */
  guint *parameters;
  guint n_parameters;
} KvsqlTrialText;

typedef enum
{
  KVSQL_TRIAL_ALL_ROWS, /* in any order */
  KVSQL_TRIAL_COUNT,    /* only how many there are: others may be right, too */
} KvsqlTrialAnswer;

typedef struct
{
  guint number;
  gdouble weight;
  const gchar *text;   /* of the workload */
  const gchar *reason; /* nullable: why it cannot be tried; then the rest is not set */
  KvsqlTrialParameter *parameters;
  guint n_parameters;
  KvsqlTrialText statement;
  gboolean is_write;
  gboolean is_explained; /* EXPLAIN has a cost of it; not of an INSERT */
  /* Of a write: reads the tuples that it changes; deletes those that it adds. */
  guint relation;
  KvsqlTrialText touched, removed;
  gdouble write_cost[KVSQL_TRIAL_SIDES]; /* the part that EXPLAIN does not have */
  gdouble changed;                       /* the tuples for which that is, with all tuples */
  KvsqlTrialAnswer answer;
  guint *order; /* columns whose values are in an order that is the same on both sides */
  guint n_order;
  gboolean is_computed; /* sums of DOUBLE depend on the order of the rows */
} KvsqlTrialStatement;

typedef struct
{
  gchar *advice;            /* in the wanted format */
  gdouble unit_ms;          /* of one unit of costs; 0: not known */
  gboolean changes_nothing; /* the schemas of the advice are those that exist */
  KvsqlTrialRelation *relations;
  guint n_relations;
  KvsqlTrialStatement *statements;
  guint n_statements;
  const gchar **notes; /* nullable, NULL-terminated: what the copies lack */
  gpointer memory;
} KvsqlTrial;

/**
 * kvsql_trial_new:
 * @workload: (array length=size): the text of a workload file that defines the schemas that exist
 * @options: as for kvsql_advise(); the cost model is that of the planner
 * @prefix: of all names of copies, their schemas and their tables; lower case
 * @error: (out): set if the result is %NULL
 */
KvsqlTrial *kvsql_trial_new (const gchar *workload, gsize size, const KvsqlAdviseOptions *options,
                             const gchar *prefix, KvsqlAdviseError *error);
void kvsql_trial_free (KvsqlTrial *self); /* accepts NULL */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlTrial, kvsql_trial_free)

G_END_DECLS
