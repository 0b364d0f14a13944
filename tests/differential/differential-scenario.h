/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * differential-scenario.h: random scenarios: a relation, its schemas, and a sequence of statements.
 *
 * Tests run scenarios, each with its own conditions. A scenario that fails is reduced to the
 * smallest one that still fails, and printed as a script.
 */
#pragma once

#include "daemon/service/service.h"
#include "tests/differential/differential.h"
#include "tests/differential/random-expression.h"
#include "tests/harness/service-fixture.h"

G_BEGIN_DECLS

#define MAX_SCHEMAS 5

typedef enum
{
  STEP_INSERT,
  STEP_DELETE,
  STEP_UPDATE,
  STEP_UPSERT, /* INSERT … ON CONFLICT */
  STEP_SELECT,
  STEP_PARTITION, /* a query has the rows of the same query with p, NOT p and p IS NULL */
  STEP_COUNT,     /* WHERE p has as many tuples as SELECT p has TRUE */
} StepKind;

typedef struct
{
  guint attribute;
  gboolean is_descending;
} SortKey;

typedef struct
{
  StepKind kind;
  KvsqlValue **tuples; /* INSERT, UPSERT */
  guint n_tuples;
  gboolean sets[MAX_ATTRIBUTES]; /* UPDATE; UPSERT: from the new tuple; no attribute: DO NOTHING */
  gint set_from[MAX_ATTRIBUTES]; /* UPDATE: to the value of another attribute; -1: to a literal */
  KvsqlValue set_values[MAX_ATTRIBUTES];
  ModelPredicate *predicate; /* DELETE, UPDATE, SELECT: nullable */
  gboolean wants[MAX_ATTRIBUTES];
  gboolean is_star;
  SortKey sort[MAX_ATTRIBUTES + 1];
  guint n_sort;
  gint limit;  /* -1: none */
  gint offset; /* -1: none */
  guint page_rows;
  gsize page_bytes;
  guint cold_percent;           /* percentage of fetches after the daemon has closed its cursors */
  gboolean repeats;             /* INSERT: a rejected one is repeated, and has the same error */
  RandomExpression *expression; /* PARTITION, COUNT: p */
  gint schema;                  /* PARTITION, COUNT: the one to use; -1: the planner's choice */
} Step;

typedef struct
{
  Source *source;
  const gchar *store;      /* as service_fixture_open() takes it */
  gboolean likes_requests; /* requests are cheap, so that plans with many requests are chosen;
                              ANALYZE is run */
  ModelRelation relation;
  gchar *relation_sql;
  ModelSchema schemas[MAX_SCHEMAS];
  guint n_schemas;
  GPtrArray *steps; /* Step */
  guint n_tried;    /* schemas that were defined, accepted or not */
} Scenario;

/* The first violation, as text; NULL: none. */
typedef gchar *Problem;

/* A kind of test: the functions that run a scenario. */
typedef struct
{
  gsize run_size; /* of a struct that begins with a ScenarioRun */
  guint n_steps;
  /* makes a random step; @tuples: those of the run */
  Step *(*make_step) (Scenario *scenario, GPtrArray *tuples);
  Problem (*run_step) (gpointer run, const Step *step);
  /* called after the first run of a scenario, passed or failed, but not after a replay */
  void (*finish) (gpointer run, const Scenario *scenario);
} ScenarioDriver;

/* A run of a scenario with a new service. */
typedef struct
{
  const Scenario *scenario;
  ServiceFixture fixture;
  GPtrArray *tuples; /* const KvsqlValue *: the tuples that the test records */
  GRand *random;     /* for choices that are not part of the scenario */
  guint64 n_statements;
} ScenarioRun;

/**
 * scenario_run:
 *
 * Makes and runs a random scenario, from the definition of its relation to the last statement. A
 * scenario that fails is reduced and printed, and fails the test.
 *
 * Returns: whether the scenario passed
 */
gboolean scenario_run (const ScenarioDriver *driver, guint32 seed, const gchar *store,
                       guint64 *n_statements);
/* Runs scenarios until there were so many statements (KVSQL_TEST_STATEMENTS). The first seed is
 * random or KVSQL_TEST_SEED. Every twentieth scenario is on RocksDB, or all on KVSQL_TEST_STORE.
 * Ends early when five have failed. Returns the number of statements. */
guint64 scenario_run_many (const ScenarioDriver *driver, guint64 n_statements);

void scenario_open (Scenario *self, Source *source, const gchar *store);
void scenario_close (Scenario *self);
/* Defines the relation, and random schemas, the primary first, of which it keeps those that the
 * daemon accepts. FALSE: too few were accepted. */
gboolean scenario_find_schemas (Scenario *self, KvsqldService *service);
/* Defines the relation and its schemas again. */
void scenario_define (const Scenario *self, KvsqldService *service);

/* @known: tuples whose keys may be used again (const KvsqlValue *). */
Step *scenario_make_insert (Scenario *self, GPtrArray *known);
Step *scenario_make_read (Scenario *self, StepKind kind);
Step *scenario_make_update (Scenario *self);
Step *scenario_make_upsert (Scenario *self, GPtrArray *known);

/* (transfer full) */
gchar *scenario_select_to_sql (const Step *step, const ModelRelation *relation,
                               const ModelSchema *schema);
gchar *scenario_step_to_sql (const Step *step, const ModelRelation *relation);

/* Reduces the scenario as long as a replay fails, prints it and fails the test. @problem: (transfer
 * full) */
void scenario_fail (Scenario *self, Problem problem, guint32 seed, const ScenarioDriver *driver);
/* Runs the scenario on a new service. Sets *@out_failed to the step that failed. */
Problem scenario_replay (const Scenario *self, const ScenarioDriver *driver, guint *out_failed);

/* KVSQL_TEST_STATEMENTS and the like. */
guint64 scenario_number_from_environment (const gchar *name, guint64 otherwise);

G_END_DECLS
