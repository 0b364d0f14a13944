/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-statements.h: statements about the tuples of two keys, what each does to a state, and
 * whether there is an order of several statements that explains their outcomes.
 */
#pragma once

#include "core/base/value.h"
#include "tests/write/version-daemon.h"

#define N_KEYS 2

/* The tuple of a key: 0: there is none; else 1 + (v - 1) * 2 + (w IS NOT NULL). */
typedef guint Content;

/* The tuples of all keys. */
typedef struct
{
  Content of[N_KEYS];
} State;

typedef enum
{
  SET,    /* INSERT of @argument */
  ADD,    /* the same with ON CONFLICT DO NOTHING */
  REMOVE, /* DELETE */
  CHANGE, /* UPDATE SET v = 2 WHERE v = 1 */
  MOVE,   /* UPDATE of the KEY to the other one */
  LOOK,   /* SELECT */
  N_KINDS,
} CheckedKind;

typedef enum
{
  UNKNOWN,
  DONE,
  REFUSED,  /* the condition was not true */
  OCCUPIED, /* MOVE: the other key has a tuple already */
  FAILED,   /* nothing was done */
} CheckedOutcome;

typedef struct
{
  CheckedKind kind;
  guint key;
  gboolean is_load; /* SET, if it is not SQL */
  Content argument;
  CheckedOutcome outcome;
  Content seen;     /* by LOOK */
  guint begin, end; /* turns */
} CheckedStatement;

typedef struct
{
  KvsqlValue values[3];
} SampleTuple;

guint other_key (guint key);
/* The tuple of a key. @content: 0: only its key matters */
SampleTuple tuple_of (guint key, Content content);
/* @tuple: nullable */
Content content_of (const KvsqlValue *tuple);

/* *out_outcome: DONE, REFUSED or OCCUPIED. */
State state_after (const CheckedStatement *self, State before, CheckedOutcome *out_outcome);
/* The statement as SQL; the tuple of INSERT is not in it. (transfer full) */
gchar *statement_to_sql (const CheckedStatement *self);
/* Whether the statements can follow each other, from the state @first to @last. Of unknown outcomes
 * each may have been done or not. */
gboolean statements_are_explained (const CheckedStatement *statements, guint n, State first,
                                   State last);

/* The relation of the statements, with a schema in which tuples move. */
KvsqlCatalog *checked_catalog_new (void);
/* The cells of its schemas; those that they have in a state. (transfer full) */
gchar *checked_world_print (const VersionWorld *self);
gchar *checked_world_print_expected (const VersionWorld *self, const KvsqlCatalogEntry *entry,
                                     State state);
