/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * stored-definition.h: definitions as texts, as a registry stores them, and their changes.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  KVSQL_DEFINITION_RELATION,
  KVSQL_DEFINITION_SCHEMA,
  KVSQL_DEFINITION_BACKFILL, /* by the name of a schema: the progress of filling it */
  KVSQL_DEFINITION_ROLE,
  KVSQL_DEFINITION_VIEW,
  KVSQL_DEFINITION_RIGHTS,          /* by the name of a relation: its owner, and rights on it */
  KVSQL_DEFINITION_SEQUENCE,        /* number-sequence.h */
  KVSQL_DEFINITION_SEQUENCE_RIGHTS, /* by the name of a sequence */
  KVSQL_DEFINITION_STATISTICS,      /* by the name of a relation: statistics.h */
  KVSQL_DEFINITION_COSTS,           /* by the name of a kind of store: core/store/costs.h */
} KvsqlDefinitionKind;

#define KVSQL_N_DEFINITION_KINDS 10

/* One of the changes that a registry makes together. */
typedef struct
{
  KvsqlDefinitionKind kind;
  const gchar *name;
  const gchar *text;         /* NULL: remove */
  const gchar *history_text; /* nullable: what the history gets in place of @text, which has a
                                secret */
} KvsqlDefinitionChange;

/* The state of a relation, schema, role or view after a commit. The last KVSQL_HISTORY_PER_NAME
 * records of each name are kept, also of removed names, and the last KVSQL_HISTORY_TOTAL of all. */
typedef struct
{
  KvsqlDefinitionKind kind;
  gchar *name;
  gint64 epoch; /* of the commit: the version of the definition */
  gint64 at_ms; /* 0: before there was a history; then the next fields are "" */
  gchar *by;
  gchar *daemon;
  gchar *statement;
  gchar *text; /* NULL: removed */
} KvsqlDefinitionRecord;

#define KVSQL_HISTORY_PER_NAME 100
#define KVSQL_HISTORY_TOTAL 5000

void kvsql_definition_record_free (gpointer self);

G_END_DECLS
