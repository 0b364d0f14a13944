/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * differential-story.h: random stories: a relation, its schemas, and what is done to it step by
 * step.
 *
 * Tests play stories, each with its own idea of what has to be true. A story that fails is made as
 * small as it can be and printed as a script.
 */
#pragma once

#include "daemon/service.h"
#include "tests/daemon/differential.h"
#include "tests/daemon/random-expression.h"
#include "tests/daemon/service-fixture.h"

G_BEGIN_DECLS

#define MAX_SCHEMAS 5

typedef enum
{
  STEP_INSERT,
  STEP_DELETE,
  STEP_UPDATE,
  STEP_UPSERT, /* INSERT … ON CONFLICT */
  STEP_SELECT,
  STEP_PARTITION, /* a query is the sum of itself where p, NOT p and p IS NULL */
  STEP_COUNT,     /* as many tuples where p as those of which SELECT p says TRUE */
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
  gboolean sets[MAX_ATTRIBUTES]; /* UPDATE; UPSERT: from the new tuple, and if none DO NOTHING */
  gint set_from[MAX_ATTRIBUTES]; /* UPDATE: to what another attribute has; -1: to a value */
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
  guint cold_percent;           /* fetches that find nothing warm */
  gboolean repeats;             /* INSERT: a refused one is refused alike again */
  RandomExpression *expression; /* PARTITION, COUNT: p */
  gint schema;                  /* PARTITION, COUNT: the one to use; -1: the planner's choice */
} Step;

typedef struct
{
  Source *source;
  const gchar *store;      /* as service_fixture_open() takes it */
  gboolean likes_requests; /* plans that save rows by many requests are cheap; ANALYZE is run */
  ModelRelation relation;
  gchar *relation_sql;
  ModelSchema schemas[MAX_SCHEMAS];
  guint n_schemas;
  GPtrArray *steps; /* Step */
  guint n_tried;    /* schemas that the daemon was asked to accept */
} Story;

/* The first thing that went wrong, as text; NULL: nothing. */
typedef gchar *Problem;

/* A kind of test: how a player goes through a story. */
typedef struct
{
  gsize player_size; /* of a struct that begins with a Player */
  guint n_steps;
  /* one more step, chosen with what the player knows of the tuples */
  Step *(*make_step) (Story *story, GPtrArray *tuples);
  Problem (*run_step) (gpointer player, const Step *step);
  /* when the story was told, right or wrong; not when it is played again */
  void (*finish) (gpointer player, const Story *story);
} StoryTeller;

/* Goes through a story with a service of its own. */
typedef struct
{
  const Story *story;
  ServiceFixture fixture;
  GPtrArray *tuples; /* const KvsqlValue *: what the test wants to remember of them */
  GRand *random;     /* of what the story does not fix */
  guint64 n_statements;
} Player;

/**
 * story_tell:
 *
 * One relation from its definition to its last statement. What goes wrong is shrunk, printed and
 * fails the test.
 *
 * Returns: whether nothing was wrong
 */
gboolean story_tell (const StoryTeller *teller, guint32 seed, const gchar *store,
                     guint64 *n_statements);
/* Stories until so many statements (KVSQL_TEST_STATEMENTS) have been run, from a random seed on or
 * from KVSQL_TEST_SEED; every twentieth on RocksDB, or all on KVSQL_TEST_STORE. Ends early when
 * five have failed. Returns how many statements there were. */
guint64 story_tell_many (const StoryTeller *teller, guint64 n_statements);

void story_open (Story *self, Source *source, const gchar *store);
void story_close (Story *self);
/* Defines the relation, and random schemas that the daemon accepts, the primary first. FALSE: no
 * luck. */
gboolean story_find_schemas (Story *self, KvsqldService *service);
/* Defines the relation and its schemas again. */
void story_define (const Story *self, KvsqldService *service);

/* @known: tuples whose keys may come again (const KvsqlValue *). */
Step *story_make_insert (Story *self, GPtrArray *known);
Step *story_make_read (Story *self, StepKind kind);
Step *story_make_update (Story *self);
Step *story_make_upsert (Story *self, GPtrArray *known);

/* (transfer full) */
gchar *story_select_to_sql (const Step *step, const ModelRelation *relation,
                            const ModelSchema *schema);
gchar *story_step_to_sql (const Step *step, const ModelRelation *relation);

/* Shrinks the story as long as playing it fails, prints it and fails the test. @problem: (transfer
 * full)
 */
void story_fail (Story *self, Problem problem, guint32 seed, const StoryTeller *teller);
/* Plays the story on a fresh service; sets *@out_failed to the step that went wrong. */
Problem story_play (const Story *self, const StoryTeller *teller, guint *out_failed);

/* KVSQL_TEST_STATEMENTS and the like. */
guint64 story_number_from_environment (const gchar *name, guint64 otherwise);

G_END_DECLS
