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
  const gchar *store; /* as service_fixture_open() takes it */
  ModelRelation relation;
  gchar *relation_sql;
  ModelSchema schemas[MAX_SCHEMAS];
  guint n_schemas;
  GPtrArray *steps; /* Step */
  guint n_tried;    /* schemas that the daemon was asked to accept */
} Story;

/* The first thing that went wrong, as text; NULL: nothing. */
typedef gchar *Problem;

/* Plays the story on a fresh service; sets *@out_failed to the step that went wrong. */
typedef Problem (*StoryPlay) (const Story *story, guint *out_failed);

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

/* Shrinks the story as long as @play fails, prints it and fails the test. @problem: (transfer full)
 */
void story_fail (Story *self, Problem problem, guint32 seed, StoryPlay play);

/* KVSQL_TEST_STATEMENTS and the like. */
guint64 story_number_from_environment (const gchar *name, guint64 otherwise);

G_END_DECLS
